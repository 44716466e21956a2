/** The College and Career Ready Performance Index. */
import { fromSchools, type Samples } from './draws.ts';
import { graduationCohorts } from './education.ts';
import { growthAdvantage } from './school-tests.ts';

/** Students of every school and grade cluster, in the ten groups that the index reports. `place` names school and cluster in keys. */
const gradeClusters = `
  SELECT
    year, district_code, school_code, grade_cluster, demographic, z,
    CASE demographic WHEN 'all' THEN 0 ELSE effect END AS effect,
    concat_ws('/', district_code, school_code) AS school,
    concat_ws('/', district_code, school_code, grade_cluster) AS place,
    round(students * part)::BIGINT AS students
  FROM enrollment
  JOIN (
    SELECT district_code, school_code, grade_cluster, part
    FROM schools UNPIVOT (part FOR grade_cluster IN (elementary, middle, high))
    WHERE part > 0
  ) USING (district_code, school_code)
  WHERE demographic IN (
    'all', 'asian_pacific_islander', 'black', 'economically_disadvantaged', 'english_learners', 'hispanic',
    'multiracial', 'native_american', 'students_with_disabilities', 'white')`;

/**
 * The indicators of readiness with their years and, on the logit scale, how many reach them (`level`), how much that
 * depends on z (`slope`) and on a group's effect (`gap`).
 */
const readinessIndicators = `
  SELECT * FROM (VALUES
    ('elementary', 'literacy',                        2018, 2022,  0.4,  0.55, 1.0),
    ('elementary', 'at_or_above_grade_level_reading', 2023, 2025,  0.65, 0.55, 1.0),
    ('elementary', 'student_attendance',              2018, 2022,  2.0,  0.4,  0.8),
    ('elementary', 'attendance',                      2023, 2025,  1.4,  0.4,  0.8),
    ('elementary', 'beyond_the_core',                 2018, 2025,  1.6,  0.2,  0.1),
    ('middle',     'literacy',                        2018, 2022,  0.45, 0.55, 1.0),
    ('middle',     'at_or_above_grade_level_reading', 2023, 2025,  0.55, 0.55, 1.0),
    ('middle',     'student_attendance',              2018, 2022,  1.8,  0.4,  0.8),
    ('middle',     'attendance',                      2023, 2025,  1.2,  0.4,  0.8),
    ('middle',     'beyond_the_core',                 2018, 2025,  1.9,  0.2,  0.1),
    ('high',       'literacy',                        2018, 2022,  0.5,  0.55, 1.0),
    ('high',       'at_or_above_grade_level_reading', 2023, 2025,  0.6,  0.55, 1.0),
    ('high',       'student_attendance',              2018, 2022,  1.5,  0.4,  0.8),
    ('high',       'attendance',                      2023, 2025,  0.9,  0.4,  0.8),
    ('high',       'accelerated_enrollment',          2018, 2025, -0.7,  0.5,  1.1),
    ('high',       'pathway_completion',              2018, 2025,  0.3,  0.3,  0.6),
    ('high',       'college_and_career_readiness',    2018, 2025,  0.7,  0.4,  0.7)
  ) t(grade_cluster, indicator, first_year, last_year, level, slope, gap)`;

/** The share of a group that reaches an indicator: SQL over the columns above, z, effect, place and year. */
const expectedReadiness = `logistic(level + slope * z - gap * effect
  + CASE year WHEN 2021 THEN -0.3 WHEN 2022 THEN -0.15 ELSE 0.02 * (year - 2018) END
  + 0.15 * drift(concat_ws('/', 'readiness', place, indicator), year))`;

/** The score of a share, 0 to 100. Accelerated enrollment is measured against a benchmark of 42 percent. */
function readinessScore(share: string): string {
  return `least(100, 100 * ${share} / CASE indicator WHEN 'accelerated_enrollment' THEN 0.42 ELSE 1 END)`;
}

/** The eight groups that are reported in 2023 only. */
const additionalGroups = `'active_duty', 'female', 'foster_care', 'homeless', 'male', 'migrant',
  'not_economically_disadvantaged', 'students_without_disabilities'`;

const components =
  'achievement, growth_points, gap, ed_el_swd, etb, mastery, growth, closing, ready, graduation';

/** Columns of `summed` are in hundredths of a point. */
const score = (component: string) => `round(${component} / students / 100, 1)`;

export const accountability: Samples = {
  /** Stars are cut so that three and four are the most common. */
  'education/ccrpi_climate_star_rating': `
    WITH climate AS (
      SELECT
        year, district_code, school_code, place,
        0.55 * z + 0.35 * drift('climate/' || place, year) + 0.6 * n('climate/' || place)
          + 0.35 * n(concat_ws('/', 'climate', place, year)) + 0.2 * elementary + 0.04 * (year - 2016) AS climate
      FROM schools, LATERAL (SELECT concat_ws('/', district_code, school_code) AS place),
        (VALUES (2014), (2015), (2016), (2017), (2018), (2019), (2024)) years(year)
    )
    SELECT
      year, district_code, school_code,
      -- Some schools are not rated: new ones, and those with too few answers to the surveys.
      CASE WHEN u(concat_ws('/', 'climate rated', place, year)) >= 0.03 THEN
        CASE WHEN climate < -1.35 THEN 1 WHEN climate < -0.65 THEN 2 WHEN climate < 0.15 THEN 3
          WHEN climate < 1.1 THEN 4 ELSE 5 END
      END AS school_climate_star_rating,
      'schools' AS detail
    FROM climate`,

  'education/ccrpi_graduation_rate': `
    WITH cohorts AS (${graduationCohorts}), drawn AS (
      SELECT
        year, district_code, school_code, demographic, cohort,
        cohort - not_graduated AS graduates,
        cohort - not_graduated + round(0.22 * not_graduated)::BIGINT AS graduates_in_five,
        round(1.07 * cohort)::BIGINT AS enrolled
      FROM cohorts
      WHERE cohort > 0 AND year >= 2012 AND (year = 2023 OR demographic NOT IN (${additionalGroups}))
    ), summed AS (
      ${fromSchools('drawn', 'year, demographic', 'cohort, graduates, graduates_in_five, enrolled')}
    ), with_treatment_centers AS (
      SELECT * FROM summed
      UNION ALL BY NAME
      SELECT
        year::INTEGER AS year, 'RTC' AS district_code, demographic, 'districts' AS detail,
        round(share * (380 + 8 * (year - 2015)))::BIGINT AS cohort,
        floor(cohort * logistic(-1 - effect + 0.05 * (year - 2015)))::BIGINT AS graduates,
        ceil(graduates * 1.15)::BIGINT AS graduates_in_five,
        cohort AS enrolled
      FROM demographics, range(2015, 2019) y(year)
      WHERE share IS NOT NULL AND demographic NOT IN (${additionalGroups})
    ), rated AS (
      SELECT * EXCLUDE (enrolled), '4_year' AS rate_type, cohort AS base, graduates AS counted
      FROM with_treatment_centers
      UNION ALL
      SELECT * EXCLUDE (enrolled), '5_year', cohort, graduates_in_five
      FROM with_treatment_centers WHERE year BETWEEN 2017 AND 2024
      UNION ALL
      SELECT * EXCLUDE (enrolled), 'on_time', enrolled, graduates
      FROM with_treatment_centers WHERE year BETWEEN 2021 AND 2024 AND detail = 'schools'
    ), judged AS (
      SELECT
        *,
        CASE WHEN cohort >= 10 THEN round(counted / base, CASE rate_type WHEN 'on_time' THEN 3 ELSE 4 END) END AS rate,
        cohort >= 10 AND (rate_type = 'on_time'
          OR rate_type = '4_year' AND (year = 2023 OR year >= 2015 AND demographic = 'all')) AS counts_published,
        CASE WHEN rate_type = '4_year' AND year IN (2018, 2019, 2023, 2024, 2025) THEN
          least(0.9, greatest(0.022, round(rate + 0.005
            + 0.015 * n(concat_ws('/', 'target', place, demographic))
            + 0.008 * n(concat_ws('/', 'target', place, demographic, year)), 3)))
        END AS target
      FROM rated, LATERAL (SELECT concat_ws('/', detail, district_code, school_code) AS place)
    )
    SELECT
      year, district_code, school_code, demographic, rate_type,
      rate AS graduation_rate,
      CASE WHEN counts_published THEN base END AS num_cohort,
      CASE WHEN counts_published THEN counted END AS num_graduates,
      target AS indicator_target,
      CASE WHEN rate >= target THEN 'green' WHEN rate >= target - 0.03 THEN 'yellow' WHEN rate < target THEN 'red' END
        AS ccrpi_flag,
      detail
    FROM judged`,

  /** Students earn points, 100 for a year's progress. Scores are points by students. */
  'education/ccrpi_progress': `
    WITH clusters AS (
      SELECT * FROM (${gradeClusters}) WHERE year BETWEEN 2018 AND 2025
    ), growth AS (
      SELECT
        year, district_code, school_code, demographic, grade_cluster, subject || '_growth' AS indicator,
        -- Students with an earlier score: grades 4 and 5, all of the middle grades, and about half of high school.
        round(c.students * CASE grade_cluster WHEN 'elementary' THEN 0.31 WHEN 'middle' THEN 0.94 ELSE 0.45 END)::BIGINT
          AS tested,
        concat_ws('/', 'growth score', place, subject, demographic) AS key,
        greatest(0, round(tested * (84 + 15 * ${growthAdvantage('subject')} - 7 * effect
            + CASE demographic WHEN 'all' THEN 0 ELSE 1.5 * n(key) END)
          + 30 * sqrt(tested) * n(concat_ws('/', key, year))))::BIGINT AS points
      FROM clusters c, (VALUES ('english_language_arts'), ('mathematics')) subjects(subject)
      WHERE year IN (2018, 2019) OR year >= 2023
    ), learners AS (
      SELECT
        year, district_code, school_code, demographic, grade_cluster, 'progress_towards_elp' AS indicator,
        -- The groups all and english_learners count all English learners, the other groups their own.
        CASE WHEN demographic IN ('all', 'english_learners') THEN english_learners
          ELSE round(english_learners * least(0.97, students / total * english_learner_factor)) END::BIGINT AS students,
        concat_ws('/', 'english proficiency', place,
          CASE demographic WHEN 'all' THEN 'english_learners' ELSE demographic END, year) AS key,
        0.25 * z + 0.25 * drift('english proficiency/' || place, year)
          - CASE WHEN demographic IN ('all', 'english_learners') THEN 0 ELSE 0.5 * effect END
          - CASE grade_cluster WHEN 'elementary' THEN 0 WHEN 'middle' THEN 0.35 ELSE 0.5 END
          - CASE year WHEN 2020 THEN 0.1 WHEN 2021 THEN 0.5 WHEN 2022 THEN 0.25 ELSE 0 END AS advantage
      FROM (
        SELECT
          * EXCLUDE (students), students::DOUBLE AS students,
          max(students) FILTER (demographic = 'all') OVER cluster AS total,
          max(students) FILTER (demographic = 'english_learners') OVER cluster AS english_learners
        FROM clusters
        WINDOW cluster AS (PARTITION BY year, place)
      )
      JOIN (VALUES
        ('all', 1), ('asian_pacific_islander', 2.6), ('black', 0.15), ('economically_disadvantaged', 1.3),
        ('english_learners', 1), ('hispanic', 4), ('multiracial', 0.3), ('native_american', 0.6),
        ('students_with_disabilities', 1), ('white', 0.12)
      ) factors(demographic, english_learner_factor) USING (demographic)
      WHERE year = 2018 OR demographic = 'english_learners'
    ), moved AS (
      SELECT
        *,
        count_of(students, logistic(-0.75 - advantage), key || '/none') AS none,
        count_of(students - none, logistic(-1.3 - 0.4 * advantage), key || '/less') AS less,
        count_of(students - none - less, logistic(0.1 - 0.4 * advantage), key || '/one') AS one,
        students - none - less - one AS more
      FROM learners
    ), drawn AS (
      SELECT * EXCLUDE (key, tested), tested AS students, 0 AS none, 0 AS less, 0 AS one, 0 AS more FROM growth
      UNION ALL BY NAME
      SELECT * EXCLUDE (key, advantage), 50 * less + 100 * one + 150 * more AS points FROM moved
    ), summed AS (
      ${fromSchools('drawn', 'year, demographic, grade_cluster, indicator', 'students, points, none, less, one, more')}
    ), scored AS (
      SELECT
        *,
        students >= 15 AS published,
        CASE WHEN published THEN least(100, round(points / students, 2)) END AS score,
        concat_ws('/', 'proficiency target', detail, district_code, school_code, grade_cluster) AS key,
        CASE WHEN indicator = 'progress_towards_elp' AND demographic = 'english_learners'
          AND year NOT BETWEEN 2020 AND 2022
          THEN round(least(100, 0.6 * score + 26.5 + 2.5 * n(key) + 2.5 * n(concat_ws('/', key, year))), 1) END AS target
      FROM summed
      WHERE students > 0
    )
    SELECT
      year, district_code, school_code, demographic, grade_cluster, indicator,
      CASE WHEN score >= target THEN 'green' WHEN score >= target - 4 THEN 'yellow' WHEN score < target THEN 'red' END
        AS ccrpi_flag,
      score AS indicator_score,
      target AS indicator_target,
      CASE WHEN published AND year IN (2021, 2022) THEN round(none / students, 4) END AS pct_no_positive_movement,
      CASE WHEN published AND year IN (2021, 2022) THEN round(less / students, 4) END AS pct_moved_less_than_one_band,
      CASE WHEN published AND year IN (2021, 2022) THEN round(one / students, 4) END AS pct_moved_one_band,
      CASE WHEN published AND year IN (2021, 2022) THEN round(more / students, 4) END AS pct_moved_more_than_one_band,
      detail
    FROM scored`,

  /** The parts of an indicator overlap. They are published from 2021. */
  'education/ccrpi_readiness': `
    WITH parts(indicator, sub_indicator, part_share) AS (
      VALUES
        ('beyond_the_core', 'fine_arts', 0.7),
        ('beyond_the_core', 'physical_education_health', 0.82),
        ('beyond_the_core', 'world_language', 0.24),
        ('beyond_the_core', 'computer_science', 0.2),
        ('beyond_the_core', 'career_exploratory', 0.35),
        ('accelerated_enrollment', 'advanced_placement', 0.6),
        ('accelerated_enrollment', 'dual_enrollment', 0.42),
        ('accelerated_enrollment', 'international_baccalaureate', 0.05),
        ('accelerated_enrollment', 'cambridge', 0.01),
        ('pathway_completion', 'ctae', 0.72),
        ('pathway_completion', 'advanced_academic', 0.36),
        ('pathway_completion', 'fine_arts', 0.25),
        ('pathway_completion', 'world_language', 0.3),
        ('college_and_career_readiness', 'act_sat_ap_ib_cambridge', 0.55),
        ('college_and_career_readiness', 'eopa', 0.38),
        ('college_and_career_readiness', 'tcsg_usg', 0.2),
        ('college_and_career_readiness', 'work_based_learning', 0.12),
        ('college_and_career_readiness', 'asvab', 0.08)
    ), wholes AS (
      SELECT
        year, district_code, school_code, demographic, grade_cluster, indicator, place,
        -- Pathways and readiness are those of the graduates, about a quarter of a high school.
        CASE WHEN indicator IN ('pathway_completion', 'college_and_career_readiness')
          THEN round(students * 0.24)::BIGINT ELSE students END AS base,
        concat_ws('/', 'readiness', place, indicator, demographic, year) AS key,
        count_of(base, ${expectedReadiness}, key) AS reached
      FROM (${gradeClusters}) c JOIN (${readinessIndicators}) USING (grade_cluster)
      WHERE year BETWEEN first_year AND last_year AND year <> 2020
    ), drawn AS (
      SELECT
        * EXCLUDE (key, place), CASE WHEN year >= 2021 THEN 'all' END AS sub_indicator
      FROM wholes WHERE base > 0
      UNION ALL BY NAME
      SELECT
        * EXCLUDE (key, place, part_share)
          REPLACE (count_of(reached, logistic(logit(part_share)
            + 0.5 * n(concat_ws('/', 'readiness part', place, sub_indicator))
            + 0.15 * drift(concat_ws('/', 'readiness part', place, sub_indicator), year)),
            concat_ws('/', key, sub_indicator)) AS reached)
      FROM wholes JOIN parts USING (indicator)
      WHERE year >= 2021 AND base > 0 AND (grade_cluster <> 'elementary' OR sub_indicator <> 'career_exploratory')
    ), summed AS (
      ${fromSchools('drawn', 'year, demographic, grade_cluster, indicator, sub_indicator', 'base, reached')}
    )
    SELECT
      year, district_code, school_code, demographic, grade_cluster, indicator, sub_indicator,
      CASE WHEN base >= 15 THEN round(${readinessScore('(reached / base)')}, 2) END AS indicator_score,
      CASE WHEN base >= 15 AND indicator = 'accelerated_enrollment' THEN round(reached / base, 4) END
        AS unbenchmarked_rate,
      detail
    FROM summed`,

  /** Larger places have their students' mean. Treatment centers are a district outside the state's sums. */
  'education/ccrpi_scoring_by_component': `
    WITH clusters AS (
      SELECT
        year, district_code, school_code, grade_cluster, place, school, z, effect, students,
        'ccrpi/' || place AS key,
        concat_ws('/', key, year) AS yearly
      FROM (${gradeClusters})
      WHERE demographic = 'all' AND year >= 2012 AND year NOT IN (2020, 2021)
    ), readiness AS (
      SELECT year, place, sum(round(100 * ${readinessScore(expectedReadiness)})::BIGINT) / count(*) AS ready
      FROM clusters JOIN (${readinessIndicators}) USING (grade_cluster)
      WHERE year BETWEEN first_year AND last_year
      GROUP BY year, place
    ), graduation AS (
      -- Of four and five years, counted as two to one.
      SELECT year, district_code, school_code, 1 - 0.93 * not_graduated / nullif(cohort, 0) AS graduated
      FROM (${graduationCohorts}) WHERE demographic = 'all'
    ), scored AS (
      SELECT
        year, district_code, school_code, grade_cluster, c.students,
        -- Points of the index to 2017: the most that each kind can reach changed in 2015.
        year <= 2014 AS early,
        logistic(0.65 + 0.5 * z + 0.12 * drift(key || '/achievement', year) + 0.08 * n(yearly || '/achievement'))
          * CASE WHEN early THEN 60 ELSE 50 END AS achievement,
        logistic(0.9 + 1.5 * ${growthAdvantage("'mathematics'")} + 0.2 * n(yearly || '/growth'))
          * CASE WHEN early THEN 22 ELSE 40 END AS growth_points,
        logistic(0.1 + 0.15 * z + 0.7 * n(yearly || '/gap')) * CASE WHEN early THEN 15 ELSE 10 END AS gap,
        greatest(0, least(10, 3.2 + 2.2 * n(key || '/bonus') + 1.6 * n(yearly || '/bonus'))) AS ed_el_swd,
        greatest(0, least(CASE WHEN year <= 2013 THEN 2 WHEN year = 2014 THEN 3 ELSE 2.5 END,
          0.8 + 0.7 * n(key || '/bar') + 0.5 * n(yearly || '/bar'))) AS etb,
        greatest(1, least(100, 66 + CASE WHEN year >= 2022 THEN 1.2 * (year - 2025) ELSE year - 2018 END + 11 * z
          + 2.5 * drift(key || '/achievement', year) + 1.5 * n(yearly || '/achievement'))) AS mastery,
        greatest(0, least(100, 84
          + 7.5 * (${growthAdvantage("'english_language_arts'")} + ${growthAdvantage("'mathematics'")})
          + 2 * n(yearly || '/growth'))) AS growth,
        greatest(0, least(100, 68 + 6 * z + 19 * n(yearly || '/closing'))) AS closing,
        ready / 100 AS ready,
        100 * graduated AS graduation
      FROM clusters c
      LEFT JOIN readiness USING (year, place)
      LEFT JOIN graduation USING (year, district_code, school_code)
    ), drawn AS (
      SELECT
        year, district_code, school_code, grade_cluster, students,
        ${components.replace(/\w+/g, '(students * round(100 * coalesce($&, 0)))::BIGINT AS $&')}
      FROM scored
    ), summed AS (
      ${fromSchools('drawn', 'year, grade_cluster', `students, ${components}`)}
    ), with_treatment_centers AS (
      SELECT * FROM summed
      UNION ALL BY NAME
      SELECT
        year::INTEGER AS year, 'RTC' AS district_code, 'districts' AS detail, grade_cluster, students,
        ${['achievement', 'growth_points', 'gap', 'ed_el_swd', 'etb']
          .map(
            name => `(students * round(${name} * exp(0.2 * n(concat_ws('/', 'ccrpi/RTC', grade_cluster, year, '${name}')))))::BIGINT
          AS ${name}`,
          )
          .join(', ')}
      FROM range(2015, 2018) y(year), (VALUES
        ('elementary', 40, 1250, 2300, 420, 90, 40), ('middle', 140, 1180, 2250, 400, 70, 40),
        ('high', 230, 1020, 2100, 380, 60, 40)
      ) t(grade_cluster, students, achievement, growth_points, gap, ed_el_swd, etb)
    ), published AS (
      SELECT
        *,
        year <= 2017 AND students >= 15 AS with_points,
        year >= 2018 AND students >= 15 AS with_scores,
        CASE WHEN with_points THEN least(59.9, greatest(2.6, ${score('achievement')})) END AS achievement_points,
        CASE WHEN with_points THEN ${score('growth_points')} END AS progress_points,
        CASE WHEN with_points THEN ${score('gap')} END AS achievement_gap_points,
        CASE WHEN with_points THEN ${score('ed_el_swd')} END AS ed_el_swd_performance,
        CASE WHEN with_points THEN ${score('etb')} END AS etb_points,
        CASE WHEN with_points THEN round(least(10, ed_el_swd_performance + etb_points), 1) END AS challenge_points,
        CASE WHEN with_scores THEN ${score('mastery')} END AS content_mastery,
        -- Growth couldn't be scored in 2022, because the year before has no scores.
        CASE WHEN with_scores AND year <> 2022 THEN ${score('growth')} END AS progress,
        CASE WHEN with_scores AND year <> 2022 THEN ${score('closing')} END AS closing_gaps,
        CASE WHEN with_scores THEN ${score('ready')} END AS readiness,
        CASE WHEN with_scores AND grade_cluster = 'high' THEN ${score('graduation')} END AS graduation_rate,
        round(CASE
          WHEN year <= 2017 THEN achievement_points + progress_points + achievement_gap_points + challenge_points
          WHEN year > 2019 THEN NULL
          WHEN grade_cluster = 'high' THEN 0.3 * content_mastery + 0.3 * progress + 0.1 * closing_gaps + 0.15 * readiness
            + 0.15 * graduation_rate
          ELSE 0.3 * content_mastery + 0.35 * progress + 0.15 * closing_gaps + 0.2 * readiness
        END, 1) AS ccrpi_score
      FROM with_treatment_centers
    )
    SELECT
      year, district_code, school_code, grade_cluster, achievement_points, progress_points, achievement_gap_points,
      ed_el_swd_performance, etb_points, challenge_points, content_mastery, progress, closing_gaps, readiness,
      graduation_rate, ccrpi_score,
      round(sum(round(10 * ccrpi_score)::BIGINT * students) OVER place
        / nullif(sum(students) FILTER (ccrpi_score IS NOT NULL) OVER place, 0) / 10, 1) AS ccrpi_single_score,
      detail
    FROM published
    WINDOW place AS (PARTITION BY year, detail, district_code, school_code)`,
};
