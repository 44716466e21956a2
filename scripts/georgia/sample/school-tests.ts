/** Tests: end-of-grade results, growth, and the SAT. */
import { among, bySchool, type Samples, SCHOOL, sample, withColumns } from './draws.ts';

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

/** Students of the grades 3 to 8 in every school, by tested subject, 2015 to 2025 without 2020. */
const pupils = withColumns(
  `(SELECT * EXCLUDE (high), place AS school FROM enrollment) JOIN (VALUES
      (2015, 0, 0.985), (2016, 2, 0.987), (2017, 3, 0.988), (2018, 5, 0.989), (2019, 7, 0.99), (2021, -9, 0.7),
      (2022, -6, 0.965), (2023, -3, 0.978), (2024, 0, 0.984), (2025, 3, 0.986)
    ) statewide(year, shift, participation) USING (year), (VALUES
      ('03', true, 479), ('04', true, 489), ('05', true, 482), ('06', false, 490), ('07', false, 485), ('08', false, 482)
    ) grades(grade_level, elementary_grade, lexile_cut), (VALUES
      ('english_language_arts', 0.0, 0), ('mathematics', 0.22, 2), ('science', 0.16, 4), ('social_studies', 0.0, 6)
    ) subjects(subject, course_share, easier)
    WHERE demographic = 'all' AND CASE WHEN elementary_grade THEN elementary ELSE middle END > 0
      AND (year <= 2016 OR subject IN ('english_language_arts', 'mathematics')
        OR subject = 'science' AND grade_level IN ('05', '08') OR subject = 'social_studies' AND grade_level = '08'
        OR subject = 'social_studies' AND grade_level = '05' AND year <= 2019)`,
  {
    key: "concat_ws('/', 'grade test', school, grade_level, subject, year)",
    pupils: `round(CASE WHEN elementary_grade THEN total * elementary / 6 ELSE total * middle / 3 END
      * (1 + 0.05 * n(concat_ws('/', 'grade size', school, grade_level, year))))::BIGINT`,
    tested_of_all: `count_of(pupils, logistic(logit(participation)
      + 0.3 * n(concat_ws('/', 'participation', district_code, year))), key || '/tested')`,
    // Some schools offer no courses, and after 2021 only the course in science has rows of its own.
    takes_course: `grade_level = '08' AND u(concat_ws('/', 'course offered', school, subject)) > 0.25
      AND (year BETWEEN 2016 AND 2021 OR year >= 2022 AND subject = 'science')`,
    course_takers: `count_of(tested_of_all,
      least(0.6, CASE WHEN takes_course THEN course_share * exp(0.25 * z) ELSE 0 END), key || '/course')`,
  },
);

/**
 * Results of these tests as counts of students, none withheld: by achievement level, below the reading threshold of the
 * grade (`below_lexile`, English language arts) and by growth (grades 4 to 8; `received` have a growth percentile).
 * `score_sum` adds up their scale scores. Eighth graders who take a high-school course sit its test instead: `eoc` rows
 * to 2021, physical science after.
 */
const endOfGradeTests = withColumns(
  `(WITH pupils AS (${pupils})
    SELECT *, 'eog' AS assessment_type, subject AS tested_subject, pupils - course_takers AS enrolled,
      tested_of_all - course_takers AS tested, 0 AS ahead
    FROM pupils
    UNION ALL
    SELECT * REPLACE (key || '/course test' AS key), CASE WHEN year <= 2021 THEN 'eoc' ELSE 'eog' END,
      CASE WHEN year <= 2021 THEN subject ELSE 'physical_science' END, round(course_takers * 1.015)::BIGINT,
      course_takers, 38
    FROM pupils WHERE course_takers > 0) WHERE tested > 0`,
  {
    mean: `500 + shift + easier + ahead + 25 * z + 6 * drift(concat_ws('/', 'achievement', school, subject), year)
      + 5 * n(key || '/achievement')`,
    // Chances of staying below each cut score: 475, 525 and 580, where single students spread by about 52.
    below_developing: 'logistic((475 - mean) / 28.7)',
    below_proficient: 'logistic((525 - mean) / 28.7)',
    below_distinguished: 'logistic((580 - mean) / 28.7)',
    beginning: "count_of(tested, below_developing, key || '/beginning')",
    developing: `count_of(tested - beginning, (below_proficient - below_developing) / (1 - below_developing),
      key || '/developing')`,
    proficient: `count_of(tested - beginning - developing,
      (below_distinguished - below_proficient) / (1 - below_proficient), key || '/proficient')`,
    distinguished: 'tested - beginning - developing - proficient',
    // The earlier scores of a few schools couldn't be linked.
    received: `CASE WHEN assessment_type = 'eog' AND grade_level >= '04' AND tested_subject <> 'physical_science'
      AND u(key || '/linked') > 0.004 THEN count_of(tested, 0.94, key || '/received') ELSE 0 END`,
    growth: `${growthAdvantage('subject')} + 0.15 * n(key || '/growth')`,
    low: "count_of(received, logistic(logit(0.35) - growth), key || '/low')",
    high: "count_of(received - low, logistic(logit(0.35 / 0.65) + 0.5 * growth), key || '/high')",
    typical: 'received - low - high',
    score_sum: `438 * beginning + 500 * developing + 551 * proficient + 612 * distinguished
      + round(14 * sqrt(tested) * n(key || '/score'))::BIGINT`,
    below_lexile: `CASE WHEN subject = 'english_language_arts'
      THEN count_of(tested, logistic((lexile_cut - mean) / 28.7), key || '/lexile') ELSE 0 END`,
  },
);

/**
 * Sections of the SAT, essay dimensions and composites: name, first and last school year that reports it, SQL for the mean
 * score (over summed points and numbers of takers) and for the number of takers, and the scale. Essays were optional from
 * 2017 and ended in 2021; their points are hundredths.
 */
const COMPONENTS = `
  reading | 2004 | 2016 | 200 + verbal / tested | tested | 200 | 800
  mathematics | 2004 | 2016 | 200 + math / tested | tested | 200 | 800
  writing | 2006 | 2016 | 200 + writing / tested | tested | 200 | 800
  verbal_math | 2004 | 2005 | 400 + (verbal + math) / tested | tested | 400 | 1600
  evidence_based_reading_and_writing | 2017 | 2024 | 200 + verbal / tested | tested | 200 | 800
  math_section_score | 2017 | 2024 | 200 + math / tested | tested_in_math | 200 | 800
  combined_test_score | 2017 | 2024 | 400 + (verbal + math) / tested | (tested + tested_in_math) / 2 | 400 | 1600
  reading_test_score | 2017 | 2024 | 100 + reading_test / tested | tested | 100 | 400
  writlang_test_score | 2017 | 2024 | 100 + (verbal - reading_test) / tested | tested | 100 | 400
  essay_reading_score | 2017 | 2021 | 2 + essay_reading / essays / 100 | essays | 2 | 8
  essay_analysis_score | 2017 | 2021 | 2 + essay_analysis / essays / 100 | essays | 2 | 8
  essay_writing_score | 2017 | 2021 | 2 + essay_writing / essays / 100 | essays | 2 | 8
  essay_total | 2017 | 2021 | 6 + (essay_reading + essay_analysis + essay_writing) / essays / 100 | essays | 6 | 24`;

/** Reading, mathematics and writing together. The name depends on the dataset and the year. */
const threeSections = (name: string, first: number, last: number) =>
  `${name} | ${first} | ${last} | 600 + (verbal + math + writing) / tested | tested | 600 | 2400`;

/** SQL for the rows of the components. */
function componentRows(rows: string, components: string): string {
  const parts = components
    .trim()
    .split('\n')
    .map(line => {
      const [name, first, last, score, takers, least, most] = line.split('|').map(cell => cell.trim());
      return `
      SELECT ${SCHOOL}, demographic, detail, '${name}' AS test_component, ${takers} AS takers,
        round(${score}, ${name!.startsWith('essay_') ? 2 : 1}) AS score, ${least} AS least_score, ${most} AS most_score
      FROM summed WHERE year BETWEEN ${first} AND ${last}`;
    });
  return `WITH summed AS (${rows}) ${parts.join(' UNION ALL ')}`;
}

const SECTIONS = ['verbal', 'math', 'writing'];

/** Columns of a section. A school's mean is from 350 to 670, the observed range; points count from 200. */
function sectionColumns(section: string, lift: number): [string, string][] {
  const group = `concat_ws('/', 'SAT ${section} of group', place, demographic`;
  const mean = `(${section}_mean - 200 + ${section === 'math' ? 1.05 : 1} * above)`;
  return [
    [
      `${section}_of_all`,
      `least(470 * tested_of_all, greatest(150 * tested_of_all, round(tested_of_all * ${mean}
        + 90 * sqrt(tested_of_all) * n(concat_ws('/', 'SAT ${section}', place, year)))))::BIGINT`,
    ],
    [
      `${section}_weight`,
      `CASE demographic WHEN 'all' THEN 1000 * tested ELSE round(1000 * tested * exp(-0.22 * effect
        + 0.03 * n(${group})) + 0.3 * n(${group}, year)) / sqrt(1 + tested))) END::BIGINT`,
    ],
    [section, `${among(`${section}_of_all`, `${section}_weight`)} + ${lift} * tested`],
  ];
}

/** Points of an essay dimension, in hundredths above 2, of those who wrote one. */
const essayPoints = (dimension: string, mean: number) =>
  `greatest(0, round(100 * (essays * (${mean} + 0.006 * above)
    + sqrt(essays) * n(concat_ws('/', 'SAT essay ${dimension}', place, year)))))::BIGINT`;

/**
 * Mean SAT scores; the two datasets have the same test takers. Means are quotients of summed points. Groups are those of
 * the test's registration form, until 2010: more than one race counts as `other`.
 *
 * @param composites those of three sections
 * @param lift points by which a section score exceeds that of the most recent test
 * @param scoreWithheld SQL condition over year and demographic: only the number tested is published
 */
function satScores(composites: readonly string[], lift: number, scoreWithheld: string): string {
  return sample({
    from: `(
      SELECT * REPLACE (CASE demographic WHEN 'multiracial' THEN 'other' ELSE demographic END AS demographic)
      FROM enrollment WHERE demographic = 'all' OR (year <= 2010 AND demographic_category IN ('race_ethnicity', 'sex'))
      UNION ALL
      SELECT * REPLACE ('race_ethnicity' AS demographic_category, round(0.05 * total)::BIGINT AS students, 0 AS effect,
        'race_unknown' AS demographic)
      FROM enrollment WHERE demographic = 'all' AND year <= 2010
    ) JOIN (VALUES
      (2004, 0.52, 489, 484, 470), (2005, 0.54, 492, 488, 470), (2006, 0.55, 489, 489, 481), (2007, 0.55, 488, 488, 479),
      (2008, 0.55, 487, 487, 477), (2009, 0.56, 486, 486, 475), (2010, 0.57, 485, 486, 473), (2011, 0.58, 483, 484, 470),
      (2012, 0.58, 485, 485, 472), (2013, 0.57, 487, 484, 472), (2014, 0.57, 486, 483, 470), (2015, 0.56, 488, 484, 471),
      (2016, 0.55, 490, 485, 472), (2017, 0.54, 530, 512, 500), (2018, 0.56, 537, 520, 500), (2019, 0.58, 534, 516, 500),
      (2020, 0.55, 529, 510, 500), (2021, 0.38, 545, 520, 500), (2022, 0.48, 532, 512, 500), (2023, 0.50, 530, 505, 500),
      (2024, 0.50, 524, 498, 500)
    ) statewide(year, taking, verbal_mean, math_mean, writing_mean) USING (year) WHERE high > 0`,
    drawn: {
      tested_of_all: `count_of(round(total * high / 4)::BIGINT,
        logistic(logit(taking) + 0.35 * z + 0.2 * drift('SAT taking/' || place, year)),
        concat_ws('/', 'SAT tested', place, year))`,
      above: "40 * z + 10 * n('SAT/' || place) + 6 * drift('SAT/' || place, year)",
      weight: `CASE demographic WHEN 'all' THEN students ELSE round(students * 100 * exp(-0.5 * effect
        + 0.1 * n(concat_ws('/', 'SAT taking of group', place, demographic)))) END::BIGINT`,
      tested: among('tested_of_all', 'weight'),
      ...Object.fromEntries(SECTIONS.flatMap(section => sectionColumns(section, lift))),
      tested_in_math: "tested - count_of(tested, 0.004, concat_ws('/', 'SAT without math', place, year))",
      reading_test:
        "round(verbal * (0.505 + 0.003 * n(concat_ws('/', 'SAT reading test', place, year))))::BIGINT",
      essays: "count_of(tested, 0.6, concat_ws('/', 'SAT essays', place, year))",
      essay_reading: essayPoints('reading', 3.15),
      essay_analysis: essayPoints('analysis', 1.9),
      essay_writing: essayPoints('writing', 3.4),
    },
    levels: rows => {
      const sums = `tested, tested_in_math, essays, ${SECTIONS.join(', ')}, reading_test, essay_reading, essay_analysis, essay_writing`;
      const summed = bySchool('demographic', sums).of(`FROM (${rows}) WHERE tested > 0`);
      return componentRows(summed, [COMPONENTS, ...composites].join('\n'));
    },
    judged: {
      // A few scores of the source are impossible.
      possible: `score BETWEEN least_score AND most_score AND (detail <> 'schools'
        OR u(concat_ws('/', 'SAT possible', district_code, school_code, test_component, demographic, year)) > 0.002)`,
    },
    where: 'takers > 0',
    keys: `${SCHOOL}, demographic, test_component`,
    published: 'takers >= 10',
    figures: {
      num_tested: 'takers',
      avg_score: `CASE WHEN NOT (${scoreWithheld}) AND possible THEN score END`,
    },
  });
}

/** SQL for a share to four decimals, where a condition holds. */
const shareOf = (count: string, base: string, when = 'true') =>
  `CASE WHEN ${when} THEN round((${count}) / ${base}, 4) END`;

/** Scores spread within each level, too: squares of its mean and of its own deviation. */
const MEAN_SQUARE = `(beginning * (438 ** 2 + 27 ** 2) + developing * (500 ** 2 + 14 ** 2)
  + proficient * (551 ** 2 + 15 ** 2) + distinguished * (612 ** 2 + 25 ** 2)) / tested`;
const MEAN_OF_LEVELS =
  '(438 * beginning + 500 * developing + 551 * proficient + 612 * distinguished) / tested';

export const schoolTests: Samples = {
  'education/georgia_milestones_end_of_grade': sample({
    from: `(SELECT * EXCLUDE (subject), tested_subject AS subject FROM (${endOfGradeTests}))`,
    added: rows => `
      WITH tests AS (${rows})
      FROM tests UNION ALL
      SELECT * REPLACE ('eog_and_eoc_combined' AS assessment_type) FROM tests
      WHERE year BETWEEN 2016 AND 2021 AND grade_level = '08' AND subject IN ('mathematics', 'science')`,
    levels: bySchool(
      'grade_level, subject, assessment_type',
      'enrolled, tested, beginning, developing, proficient, distinguished, score_sum, below_lexile, received, low, typical, high',
    ),
    judged: {
      is_eog: "assessment_type = 'eog'",
      is_reading: "year >= 2018 AND subject = 'english_language_arts'",
      with_growth: `year >= 2024 AND grade_level <> '03' AND subject IN ('english_language_arts', 'mathematics')
        AND received >= 10`,
    },
    published: 'tested >= 10',
    figures: {
      num_tested: 'tested',
      avg_scale_score: 'CASE WHEN is_eog THEN round(score_sum / tested, 1) END',
      scale_score_std_dev: `CASE WHEN year >= 2022 THEN round(sqrt(${MEAN_SQUARE} - (${MEAN_OF_LEVELS}) ** 2), 1) END`,
      pct_beginning_learner: shareOf('beginning', 'tested'),
      pct_developing_learner: shareOf('developing', 'tested'),
      pct_proficient_learner: shareOf('proficient', 'tested'),
      pct_distinguished_learner: shareOf('distinguished', 'tested'),
      pct_developing_learner_or_above: shareOf('developing + proficient + distinguished', 'tested'),
      pct_proficient_learner_or_above: shareOf('proficient + distinguished', 'tested'),
      pct_below_grade_level_lexile: shareOf('below_lexile', 'tested', 'is_reading'),
      pct_grade_level_or_above_lexile: 'round(1 - pct_below_grade_level_lexile, 4)',
      enrolled_tested_rate: shareOf('tested', 'enrolled', 'is_eog'),
      num_sgp_received: 'CASE WHEN with_growth THEN received END',
      sgp_median: `CASE WHEN with_growth THEN ${medianGrowthPercentile} END`,
      pct_sgp_low_growth: shareOf('low', 'received', 'with_growth'),
      pct_sgp_typical_growth: shareOf('typical', 'received', 'with_growth'),
      pct_sgp_high_growth: shareOf('high', 'received', 'with_growth'),
    },
  }),

  /** The same tests as Georgia Milestones. 2023 publishes only growth, but splits it three ways. */
  'education/georgia_student_growth_model_end_of_grade': sample({
    from: `(SELECT * EXCLUDE (subject), tested_subject AS subject FROM (${endOfGradeTests}))
      WHERE year IN (2015, 2016, 2017, 2018, 2019, 2023) AND grade_level >= '04' AND assessment_type = 'eog'
        AND (year <= 2016 OR subject IN ('english_language_arts', 'mathematics'))`,
    added: rows => `
      WITH tests AS (${rows})
      FROM tests UNION ALL SELECT * REPLACE ('all' AS grade_level) FROM tests WHERE year <= 2019`,
    levels: bySchool('grade_level, subject', 'tested, beginning, developing, received, low, typical, high'),
    judged: {
      test_published: 'tested >= 10 AND year <> 2023',
      with_tests: 'received >= 15 AND year <> 2023',
      split: 'received >= 15 AND year = 2023',
    },
    figures: {
      num_tested: 'CASE WHEN test_published THEN tested END',
      num_sgp_received: 'CASE WHEN received >= 15 OR received = 0 THEN received END',
      sgp_received_rate: shareOf('received', 'tested', 'with_tests'),
      sgp_median: `CASE WHEN received >= 15 THEN ${medianGrowthPercentile} END`,
      pct_proficient_learner_or_above: shareOf('tested - beginning - developing', 'tested', 'test_published'),
      pct_developing_learner_or_above: shareOf('tested - beginning', 'tested', 'test_published'),
      pct_sgp_typical_or_high_growth: shareOf('typical + high', 'received', 'with_tests'),
      pct_sgp_low_growth: shareOf('low', 'received', 'split'),
      pct_sgp_typical_growth: shareOf('typical', 'received', 'split'),
      pct_sgp_high_growth: shareOf('high', 'received', 'split'),
    },
  }),

  'education/sat_scores_highest': satScores(
    [threeSections('combined', 2006, 2016)],
    14,
    "year BETWEEN 2007 AND 2010 AND demographic <> 'all'",
  ),

  'education/sat_scores_recent': satScores(
    [threeSections('verbal_math_writing', 2006, 2010), threeSections('combined', 2011, 2016)],
    0,
    'false',
  ),
};
