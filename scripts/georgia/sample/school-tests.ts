/** Tests: end-of-grade results, growth, and the SAT. */
import { fromSchools, type Samples, splitAmongGroups } from './draws.ts';

/**
 * How far students of a school advance compared with students of similar earlier scores: SQL over z, school (`601/0103`)
 * and year, 0 on average, on the logit scale.
 */
export function growthAdvantage(subject: string): string {
  return `(0.12 * z + 0.25 * drift(concat_ws('/', 'growth', ${subject}, school), year))`;
}

/**
 * Median growth percentile of `received` students, of whom `low` lie below 35, `typical` from 35 to 65 and `high`
 * above, each evenly spread: DOUBLE, 1 to 99, a half only for an even number; NULL without students.
 */
const medianGrowthPercentile = `
  CASE WHEN received > 0 THEN greatest(1, least(99,
    round((1 + (received + 1) % 2) * CASE
      WHEN 2 * low >= received THEN 1 + 33.5 * received / (2 * low)
      WHEN 2 * (low + typical) >= received THEN 34.5 + 31 * (received / 2 - low) / typical
      ELSE 65.5 + 33.5 * (received / 2 - low - typical) / high
    END) / (1 + (received + 1) % 2))) END`;

/**
 * Results of the tests of grades 3 to 8 in every school, 2015 to 2025 without 2020, as counts of students, none
 * withheld: by achievement level, below the reading threshold of the grade (`below_lexile`, English language arts) and
 * by growth (grades 4 to 8; `received` have a growth percentile). `score_sum` adds up their scale scores. Eighth
 * graders who take a high-school course sit its test instead: `eoc` rows to 2021, physical science after.
 */
const endOfGradeTests = `
  WITH statewide(year, shift, participation) AS (
    VALUES
      (2015, 0, 0.985), (2016, 2, 0.987), (2017, 3, 0.988), (2018, 5, 0.989), (2019, 7, 0.99), (2021, -9, 0.7),
      (2022, -6, 0.965), (2023, -3, 0.978), (2024, 0, 0.984), (2025, 3, 0.986)
  ), grades(grade_level, elementary_grade, lexile_cut) AS (
    VALUES
      ('03', true, 479), ('04', true, 489), ('05', true, 482), ('06', false, 490), ('07', false, 485),
      ('08', false, 482)
  ), subjects(subject, course_share, easier) AS (
    VALUES
      ('english_language_arts', 0.0, 0), ('mathematics', 0.22, 2), ('science', 0.16, 4), ('social_studies', 0.0, 6)
  ), pupils AS (
    SELECT
      year, district_code, school_code, grade_level, subject, e.z, school, shift, easier, lexile_cut,
      round(CASE WHEN elementary_grade THEN total * elementary / 6 ELSE total * middle / 3 END
        * (1 + 0.05 * n(concat_ws('/', 'grade size', school, grade_level, year))))::BIGINT AS enrolled,
      logistic(logit(participation) + 0.3 * n(concat_ws('/', 'participation', district_code, year))) AS participation,
      -- Some schools offer no courses, and after 2021 only the course in science has rows of its own.
      CASE WHEN grade_level = '08' AND u(concat_ws('/', 'course offered', school, subject)) > 0.25
        AND (year BETWEEN 2016 AND 2021 OR year >= 2022 AND subject = 'science')
        THEN course_share * exp(0.25 * e.z) ELSE 0 END AS course_share
    FROM enrollment e JOIN schools s USING (district_code, school_code)
    JOIN statewide USING (year),
    grades, subjects,
    LATERAL (SELECT concat_ws('/', district_code, school_code) AS school)
    WHERE demographic = 'all' AND CASE WHEN elementary_grade THEN elementary ELSE middle END > 0
      AND (year <= 2016 OR subject IN ('english_language_arts', 'mathematics')
        OR subject = 'science' AND grade_level IN ('05', '08') OR subject = 'social_studies' AND grade_level = '08'
        OR subject = 'social_studies' AND grade_level = '05' AND year <= 2019)
  ), seated AS (
    SELECT
      *,
      concat_ws('/', 'grade test', school, grade_level, subject, year) AS key,
      count_of(enrolled, participation, key || '/tested') AS tested_of_all,
      count_of(tested_of_all, least(0.6, course_share), key || '/course') AS course_takers
    FROM pupils
  ), groups AS (
    SELECT
      * REPLACE (enrolled - course_takers AS enrolled),
      'eog' AS assessment_type,
      subject AS tested_subject,
      tested_of_all - course_takers AS tested,
      0 AS ahead
    FROM seated
    UNION ALL BY NAME
    SELECT
      * REPLACE (key || '/course test' AS key, round(course_takers * 1.015)::BIGINT AS enrolled),
      CASE WHEN year <= 2021 THEN 'eoc' ELSE 'eog' END AS assessment_type,
      CASE WHEN year <= 2021 THEN subject ELSE 'physical_science' END AS tested_subject,
      course_takers AS tested,
      38 AS ahead
    FROM seated WHERE course_takers > 0
  ), expected AS (
    SELECT
      *,
      500 + shift + easier + ahead + 25 * z
        + 6 * drift(concat_ws('/', 'achievement', school, subject), year)
        + 5 * n(key || '/achievement') AS mean,
      -- Chances of staying below each cut score: 475, 525 and 580, where single students spread by about 52.
      logistic((475 - mean) / 28.7) AS below_developing,
      logistic((525 - mean) / 28.7) AS below_proficient,
      logistic((580 - mean) / 28.7) AS below_distinguished,
      ${growthAdvantage('subject')} + 0.15 * n(key || '/growth') AS growth
    FROM groups
  ), levels AS (
    SELECT
      *,
      count_of(tested, below_developing, key || '/beginning') AS beginning,
      count_of(tested - beginning, (below_proficient - below_developing) / (1 - below_developing), key || '/developing')
        AS developing,
      count_of(tested - beginning - developing,
        (below_distinguished - below_proficient) / (1 - below_proficient), key || '/proficient') AS proficient,
      tested - beginning - developing - proficient AS distinguished,
      CASE WHEN assessment_type = 'eog' AND grade_level >= '04' AND tested_subject <> 'physical_science'
        -- The earlier scores of a few schools couldn't be linked.
        AND u(key || '/linked') > 0.004 THEN count_of(tested, 0.94, key || '/received') ELSE 0 END AS received
    FROM expected
  ), grown AS (
    SELECT
      *,
      count_of(received, logistic(logit(0.35) - growth), key || '/low') AS low,
      count_of(received - low, logistic(logit(0.35 / 0.65) + 0.5 * growth), key || '/high') AS high
    FROM levels
  )
  SELECT
    year, district_code, school_code, grade_level, tested_subject AS subject, assessment_type,
    enrolled, tested, beginning, developing, proficient, distinguished,
    438 * beginning + 500 * developing + 551 * proficient + 612 * distinguished
      + round(14 * sqrt(tested) * n(key || '/score'))::BIGINT AS score_sum,
    CASE WHEN subject = 'english_language_arts'
      THEN count_of(tested, logistic((lexile_cut - mean) / 28.7), key || '/lexile') ELSE 0 END AS below_lexile,
    received, low, received - low - high AS typical, high
  FROM grown
  WHERE tested > 0`;

/**
 * A section of the SAT, an essay dimension or a composite: its name, the first and last school year that reports it, SQL
 * for the mean score (over summed points and numbers of takers) and for the number of takers, and the scale.
 */
type Component = readonly [
  string,
  first: number,
  last: number,
  score: string,
  takers: string,
  least: number,
  most: number,
];

/** Reading, mathematics and writing together. The name depends on the dataset and the year. */
const threeSections = (name: string, first: number, last: number): Component => {
  return [name, first, last, '600 + (verbal + math + writing) / tested', 'tested', 600, 2400];
};

/** Essays were optional from 2017 and ended in 2021. Their points are hundredths. */
const components: readonly Component[] = [
  ['reading', 2004, 2016, '200 + verbal / tested', 'tested', 200, 800],
  ['mathematics', 2004, 2016, '200 + math / tested', 'tested', 200, 800],
  ['writing', 2006, 2016, '200 + writing / tested', 'tested', 200, 800],
  ['verbal_math', 2004, 2005, '400 + (verbal + math) / tested', 'tested', 400, 1600],
  ['evidence_based_reading_and_writing', 2017, 2024, '200 + verbal / tested', 'tested', 200, 800],
  ['math_section_score', 2017, 2024, '200 + math / tested', 'tested_in_math', 200, 800],
  // Its number tested is the mean of both sections'.
  [
    'combined_test_score',
    2017,
    2024,
    '400 + (verbal + math) / tested',
    '(tested + tested_in_math) / 2',
    400,
    1600,
  ],
  ['reading_test_score', 2017, 2024, '100 + reading_test / tested', 'tested', 100, 400],
  ['writlang_test_score', 2017, 2024, '100 + (verbal - reading_test) / tested', 'tested', 100, 400],
  ['essay_reading_score', 2017, 2021, '2 + essay_reading / essays / 100', 'essays', 2, 8],
  ['essay_analysis_score', 2017, 2021, '2 + essay_analysis / essays / 100', 'essays', 2, 8],
  ['essay_writing_score', 2017, 2021, '2 + essay_writing / essays / 100', 'essays', 2, 8],
  [
    'essay_total',
    2017,
    2021,
    '6 + (essay_reading + essay_analysis + essay_writing) / essays / 100',
    'essays',
    6,
    24,
  ],
];

/** SQL for the rows of a component, from the CTE `summed`. */
function componentRows([name, first, last, score, takers, least, most]: Component): string {
  return `SELECT
        year, district_code, school_code, demographic, detail, '${name}' AS test_component, ${takers} AS num_tested,
        round(${score}, ${name.startsWith('essay_') ? 2 : 1}) AS avg_score, ${least} AS least_score, ${most} AS most_score
      FROM summed
      WHERE year BETWEEN ${first} AND ${last}`;
}

interface SatScores {
  /** The composites of three sections. */
  readonly composites: readonly Component[];
  /** Points by which a section score exceeds that of the most recent test. */
  readonly lift: number;
  /** SQL condition over year and demographic: only the number tested is published. */
  readonly scoreWithheld: string;
}

const school = 'year, district_code, school_code';
const points = 'verbal, math, writing, reading_test, essay_reading, essay_analysis, essay_writing';

/**
 * Mean SAT scores; the two datasets have the same test takers. Points count from a section's lowest score, and means are
 * quotients of summed points. Groups are those of the test's registration form, until 2010: more than one race counts as
 * `other`.
 */
function satScores({ composites, lift, scoreWithheld }: SatScores): string {
  return `
    WITH statewide(year, taking, verbal, math, writing) AS (
      VALUES
        (2004, 0.52, 489, 484, 470), (2005, 0.54, 492, 488, 470), (2006, 0.55, 489, 489, 481), (2007, 0.55, 488, 488, 479),
        (2008, 0.55, 487, 487, 477), (2009, 0.56, 486, 486, 475), (2010, 0.57, 485, 486, 473), (2011, 0.58, 483, 484, 470),
        (2012, 0.58, 485, 485, 472), (2013, 0.57, 487, 484, 472), (2014, 0.57, 486, 483, 470), (2015, 0.56, 488, 484, 471),
        (2016, 0.55, 490, 485, 472), (2017, 0.54, 530, 512, 500), (2018, 0.56, 537, 520, 500), (2019, 0.58, 534, 516, 500),
        (2020, 0.55, 529, 510, 500), (2021, 0.38, 545, 520, 500), (2022, 0.48, 532, 512, 500), (2023, 0.50, 530, 505, 500),
        (2024, 0.50, 524, 498, 500)
    ), groups AS (
      SELECT
        ${school}, total, z, demographic_category, exhaustive, students, effect,
        CASE demographic WHEN 'multiracial' THEN 'other' ELSE demographic END AS demographic
      FROM enrollment
      WHERE demographic = 'all' OR (year <= 2010 AND demographic_category IN ('race_ethnicity', 'sex'))
      UNION ALL BY NAME
      SELECT
        ${school}, total, z, 'race_ethnicity' AS demographic_category, true AS exhaustive,
        round(0.05 * total)::BIGINT AS students, 0 AS effect, 'race_unknown' AS demographic
      FROM enrollment
      WHERE demographic = 'all' AND year <= 2010
    ), expected AS (
      SELECT
        ${school}, demographic, demographic_category, exhaustive, students, effect, place,
        round(total * high / 4)::BIGINT AS oldest,
        logistic(logit(taking) + 0.35 * g.z + 0.2 * drift('SAT taking/' || place, year)) AS taking_share,
        40 * g.z + 10 * n('SAT/' || place) + 6 * drift('SAT/' || place, year) AS above,
        verbal - 200 AS verbal_mean, math - 200 AS math_mean, writing - 200 AS writing_mean
      FROM groups g
      JOIN statewide USING (year)
      JOIN schools USING (district_code, school_code),
      LATERAL (SELECT concat_ws('/', district_code, school_code) AS place)
      WHERE high > 0
    ), taken AS (
      SELECT
        *,
        count_of(oldest, taking_share, concat_ws('/', 'SAT tested', place, year)) AS tested_of_all,
        CASE demographic WHEN 'all' THEN students ELSE round(students * 100 * exp(-0.5 * effect
          + 0.1 * n(concat_ws('/', 'SAT taking of group', place, demographic)))) END::BIGINT AS weight
      FROM expected
    ), tested AS (
      SELECT
        *, ${splitAmongGroups({ total: 'tested_of_all', weight: 'weight', within: school })} AS tested,
        ${sectionOfAll('verbal', 'verbal_mean + above')},
        ${sectionOfAll('math', 'math_mean + 1.05 * above')},
        ${sectionOfAll('writing', 'writing_mean + above')}
      FROM taken
    ), weighed AS (
      SELECT
        *,
        ${sectionWeight('verbal')}, ${sectionWeight('math')}, ${sectionWeight('writing')}
      FROM tested
    ), divided AS (
      SELECT
        ${school}, demographic, place, tested, above,
        ${['verbal', 'math', 'writing']
          .map(section => {
            const part = splitAmongGroups({
              total: `${section}_of_all`,
              weight: `${section}_weight`,
              within: school,
            });
            return `${part} + ${lift} * tested AS ${section}`;
          })
          .join(',\n        ')}
      FROM weighed
    ), drawn AS (
      SELECT
        *,
        tested - count_of(tested, 0.004, concat_ws('/', 'SAT without math', place, year)) AS tested_in_math,
        round(verbal * (0.505 + 0.003 * n(concat_ws('/', 'SAT reading test', place, year))))::BIGINT AS reading_test,
        count_of(tested, 0.6, concat_ws('/', 'SAT essays', place, year)) AS essays,
        ${essayPoints('reading', 3.15)},
        ${essayPoints('analysis', 1.9)},
        ${essayPoints('writing', 3.4)}
      FROM divided
      WHERE tested > 0
    ), summed AS (
      ${fromSchools('drawn', 'year, demographic', `tested, tested_in_math, essays, ${points}`)}
    ), scored AS (
      ${[...components, ...composites].map(componentRows).join('\n      UNION ALL\n      ')}
    )
    SELECT
      year, district_code, school_code, demographic, test_component,
      CASE WHEN num_tested >= 10 THEN num_tested END AS num_tested,
      CASE WHEN num_tested >= 10 AND NOT (${scoreWithheld}) AND possible THEN avg_score END AS avg_score,
      detail
    FROM (
      SELECT
        *,
        -- A few scores of the source are impossible.
        avg_score BETWEEN least_score AND most_score AND (detail <> 'schools'
          OR u(concat_ws('/', 'SAT possible', district_code, school_code, test_component, demographic, year)) > 0.002)
          AS possible
      FROM scored
    )
    WHERE num_tested > 0`;
}

/** A school's points in a section. Its mean is from 350 to 670, the observed range. */
function sectionOfAll(section: string, mean: string): string {
  const error = `n(concat_ws('/', 'SAT ${section}', place, year))`;
  const drawn = `round(tested_of_all * (${mean}) + 90 * sqrt(tested_of_all) * ${error})`;
  return `least(470 * tested_of_all, greatest(150 * tested_of_all, ${drawn}))::BIGINT AS ${section}_of_all`;
}

/** A group's weight in the points of a section. */
function sectionWeight(section: string): string {
  return `CASE demographic WHEN 'all' THEN 1000 * tested ELSE round(1000 * tested * exp(-0.22 * effect
          + 0.03 * n(concat_ws('/', 'SAT ${section} of group', place, demographic))
          + 0.3 * n(concat_ws('/', 'SAT ${section} of group', place, demographic, year)) / sqrt(1 + tested)))
        END::BIGINT AS ${section}_weight`;
}

/** Points of an essay dimension, in hundredths above 2, of those who wrote one. */
function essayPoints(dimension: string, mean: number): string {
  const error = `n(concat_ws('/', 'SAT essay ${dimension}', place, year))`;
  return `greatest(0, round(100 * (essays * (${mean} + 0.006 * above) + sqrt(essays) * ${error})))::BIGINT
          AS essay_${dimension}`;
}

export const schoolTests: Samples = {
  'education/georgia_milestones_end_of_grade': `
    WITH drawn AS (${endOfGradeTests}),
    with_totals AS (
      SELECT * FROM drawn
      UNION ALL
      SELECT * REPLACE ('eog_and_eoc_combined' AS assessment_type)
      FROM drawn
      WHERE year BETWEEN 2016 AND 2021 AND grade_level = '08' AND subject IN ('mathematics', 'science')
    ), summed AS (
      ${fromSchools('with_totals', 'year, grade_level, subject, assessment_type', 'enrolled, tested, beginning, developing, proficient, distinguished, score_sum, below_lexile, received, low, typical, high')}
    ), judged AS (
      SELECT
        *,
        tested >= 10 AS published,
        published AND year >= 2024 AND grade_level <> '03' AND subject IN ('english_language_arts', 'mathematics')
          AS with_growth,
        with_growth AND received >= 10 AS growth_published,
        -- Scores spread within each level, too: squares of its mean and of its own deviation.
        (438 * beginning + 500 * developing + 551 * proficient + 612 * distinguished) / tested AS mean_of_levels,
        (beginning * (438 ** 2 + 27 ** 2) + developing * (500 ** 2 + 14 ** 2) + proficient * (551 ** 2 + 15 ** 2)
          + distinguished * (612 ** 2 + 25 ** 2)) / tested AS mean_square
      FROM summed
    )
    SELECT
      year, district_code, school_code, grade_level, subject, assessment_type,
      CASE WHEN published THEN tested END AS num_tested,
      CASE WHEN published AND assessment_type = 'eog' THEN round(score_sum / tested, 1) END AS avg_scale_score,
      CASE WHEN published AND year >= 2022 THEN round(sqrt(mean_square - mean_of_levels ** 2), 1) END
        AS scale_score_std_dev,
      CASE WHEN published THEN round(beginning / tested, 4) END AS pct_beginning_learner,
      CASE WHEN published THEN round(developing / tested, 4) END AS pct_developing_learner,
      CASE WHEN published THEN round(proficient / tested, 4) END AS pct_proficient_learner,
      CASE WHEN published THEN round(distinguished / tested, 4) END AS pct_distinguished_learner,
      CASE WHEN published THEN round((developing + proficient + distinguished) / tested, 4) END
        AS pct_developing_learner_or_above,
      CASE WHEN published THEN round((proficient + distinguished) / tested, 4) END AS pct_proficient_learner_or_above,
      CASE WHEN published AND year >= 2018 AND subject = 'english_language_arts'
        THEN round(below_lexile / tested, 4) END AS pct_below_grade_level_lexile,
      round(1 - pct_below_grade_level_lexile, 4) AS pct_grade_level_or_above_lexile,
      CASE WHEN published AND assessment_type = 'eog' THEN round(tested / enrolled, 4) END AS enrolled_tested_rate,
      CASE WHEN growth_published THEN received END AS num_sgp_received,
      CASE WHEN growth_published THEN ${medianGrowthPercentile} END AS sgp_median,
      CASE WHEN growth_published THEN round(low / received, 4) END AS pct_sgp_low_growth,
      CASE WHEN growth_published THEN round(typical / received, 4) END AS pct_sgp_typical_growth,
      CASE WHEN growth_published THEN round(high / received, 4) END AS pct_sgp_high_growth,
      detail
    FROM judged`,

  /** The same tests as Georgia Milestones. 2023 publishes only growth, but splits it three ways. */
  'education/georgia_student_growth_model_end_of_grade': `
    WITH tests AS (${endOfGradeTests}),
    drawn AS (
      SELECT * EXCLUDE (proficient, developing),
        proficient + distinguished AS proficient_or_above,
        developing + proficient + distinguished AS developing_or_above
      FROM tests
      WHERE year IN (2015, 2016, 2017, 2018, 2019, 2023) AND grade_level >= '04' AND assessment_type = 'eog'
        AND (year <= 2016 OR subject IN ('english_language_arts', 'mathematics'))
    ), graded AS (
      SELECT * FROM drawn
      UNION ALL
      SELECT * REPLACE ('all' AS grade_level) FROM drawn WHERE year <= 2019
    ), summed AS (
      ${fromSchools('graded', 'year, grade_level, subject', 'tested, proficient_or_above, developing_or_above, received, low, typical, high')}
    ), judged AS (
      SELECT
        *,
        tested >= 10 AND year <> 2023 AS test_published,
        received >= 15 AS growth_published,
        growth_published AND year <> 2023 AS with_tests,
        growth_published AND year = 2023 AS split
      FROM summed
    )
    SELECT
      year, district_code, school_code, grade_level, subject,
      CASE WHEN test_published THEN tested END AS num_tested,
      CASE WHEN growth_published OR received = 0 THEN received END AS num_sgp_received,
      CASE WHEN with_tests THEN round(received / tested, 4) END AS sgp_received_rate,
      CASE WHEN growth_published THEN ${medianGrowthPercentile} END AS sgp_median,
      CASE WHEN test_published THEN round(proficient_or_above / tested, 4) END AS pct_proficient_learner_or_above,
      CASE WHEN test_published THEN round(developing_or_above / tested, 4) END AS pct_developing_learner_or_above,
      CASE WHEN with_tests THEN round((typical + high) / received, 4) END AS pct_sgp_typical_or_high_growth,
      CASE WHEN split THEN round(low / received, 4) END AS pct_sgp_low_growth,
      CASE WHEN split THEN round(typical / received, 4) END AS pct_sgp_typical_growth,
      CASE WHEN split THEN round(high / received, 4) END AS pct_sgp_high_growth,
      detail
    FROM judged`,

  'education/sat_scores_highest': satScores({
    composites: [threeSections('combined', 2006, 2016)],
    lift: 14,
    scoreWithheld: "year BETWEEN 2007 AND 2010 AND demographic <> 'all'",
  }),

  'education/sat_scores_recent': satScores({
    composites: [threeSections('verbal_math_writing', 2006, 2010), threeSections('combined', 2011, 2016)],
    lift: 0,
    scoreWithheld: 'false',
  }),
};
