/** The College and Career Ready Performance Index. */
import { bySchool, type Samples, SCHOOL, sample, withColumns } from './draws.ts';
import { graduationCohorts } from './education.ts';
import { growthAdvantage } from './school-tests.ts';

/** Students of every school and grade cluster, in the ten groups that the index reports. `place` names school and cluster in keys. */
const gradeClusters = `
  SELECT
    ${SCHOOL}, grade_cluster, demographic, z, place AS school,
    concat_ws('/', place, grade_cluster) AS place,
    CASE demographic WHEN 'all' THEN 0 ELSE effect END AS effect,
    round(students * part)::BIGINT AS students
  FROM enrollment,
    LATERAL (VALUES ('elementary', elementary), ('middle', middle), ('high', high)) c(grade_cluster, part)
  WHERE part > 0 AND demographic IN (
    'all', 'asian_pacific_islander', 'black', 'economically_disadvantaged', 'english_learners', 'hispanic',
    'multiracial', 'native_american', 'students_with_disabilities', 'white')`;

/**
 * The indicators of readiness with their years and, on the logit scale, how many reach them in the elementary, middle and
 * high grades (`level`), how much that depends on z (`slope`) and on a group's effect (`gap`).
 */
const readinessIndicators = `
  SELECT *, unnest(['elementary', 'middle', 'high']) AS grade_cluster, unnest(levels) AS level FROM (VALUES
    ('literacy',                        2018, 2022, [0.4, 0.45, 0.5],   0.55, 1.0),
    ('at_or_above_grade_level_reading', 2023, 2025, [0.65, 0.55, 0.6],  0.55, 1.0),
    ('student_attendance',              2018, 2022, [2.0, 1.8, 1.5],    0.4,  0.8),
    ('attendance',                      2023, 2025, [1.4, 1.2, 0.9],    0.4,  0.8),
    ('beyond_the_core',                 2018, 2025, [1.6, 1.9, NULL],   0.2,  0.1),
    ('accelerated_enrollment',          2018, 2025, [NULL, NULL, -0.7], 0.5,  1.1),
    ('pathway_completion',              2018, 2025, [NULL, NULL, 0.3],  0.3,  0.6),
    ('college_and_career_readiness',    2018, 2025, [NULL, NULL, 0.7],  0.4,  0.7)
  ) t(indicator, first_year, last_year, levels, slope, gap)`;

/** Clusters with the indicators of their year. */
const readiness = `(${gradeClusters}) c JOIN (${readinessIndicators}) i
  ON i.grade_cluster = c.grade_cluster AND level IS NOT NULL AND year BETWEEN first_year AND last_year`;

/** Parts of an indicator with their shares of those who reach it. They overlap. */
const indicatorParts = `
  SELECT indicator, unnest(['all'] || parts) AS part, unnest([NULL] || shares) AS part_share FROM (VALUES
    ('beyond_the_core', ['fine_arts', 'physical_education_health', 'world_language', 'computer_science',
      'career_exploratory'], [0.7, 0.82, 0.24, 0.2, 0.35]),
    ('accelerated_enrollment', ['advanced_placement', 'dual_enrollment', 'international_baccalaureate', 'cambridge'],
      [0.6, 0.42, 0.05, 0.01]),
    ('pathway_completion', ['ctae', 'advanced_academic', 'fine_arts', 'world_language'], [0.72, 0.36, 0.25, 0.3]),
    ('college_and_career_readiness', ['act_sat_ap_ib_cambridge', 'eopa', 'tcsg_usg', 'work_based_learning', 'asvab'],
      [0.55, 0.38, 0.2, 0.12, 0.08])
  ) t(indicator, parts, shares)`;

/** The share of a group that reaches an indicator: SQL over the columns above, z, effect, place and year. */
const expectedReadiness = `logistic(level + slope * z - gap * effect
  + CASE year WHEN 2021 THEN -0.3 WHEN 2022 THEN -0.15 ELSE 0.02 * (year - 2018) END
  + 0.15 * drift(concat_ws('/', 'readiness', place, indicator), year))`;

/** The score of a share, 0 to 100. Accelerated enrollment is measured against a benchmark of 42 percent. */
function readinessScore(share: string): string {
  return `least(100, 100 * ${share} / CASE indicator WHEN 'accelerated_enrollment' THEN 0.42 ELSE 1 END)`;
}

/** How many of a cluster, of `base` students, reach an indicator. */
const wholeIndicators = withColumns(
  `(SELECT c.*, i.* EXCLUDE (grade_cluster) FROM ${readiness} WHERE year <> 2020)`,
  {
    // Pathways and readiness are those of the graduates, about a quarter of a high school.
    base: `CASE WHEN indicator IN ('pathway_completion', 'college_and_career_readiness')
      THEN round(students * 0.24)::BIGINT ELSE students END`,
    key: "concat_ws('/', 'readiness', place, indicator, demographic, year)",
    reached_of_all: `count_of(base, ${expectedReadiness}, key)`,
  },
);

/** The eight groups that are reported in 2023 only. */
const additionalGroups = `'active_duty', 'female', 'foster_care', 'homeless', 'male', 'migrant',
  'not_economically_disadvantaged', 'students_without_disabilities'`;

/** SQL for a flag: yellow up to `near` below the target. */
const flag = (figure: string, near: number) => `CASE WHEN ${figure} >= target THEN 'green'
  WHEN ${figure} >= target - ${near} THEN 'yellow' WHEN ${figure} < target THEN 'red' END`;

const inBandYears = (band: string) =>
  `CASE WHEN students >= 15 AND year IN (2021, 2022) THEN round(${band} / students, 4) END`;

/** Components of the index, by the figures that they give; in larger places their students' mean. */
const points = ['achievement', 'growth_points', 'gap', 'ed_el_swd', 'etb'];
const components = [...points, 'mastery', 'growth', 'closing', 'ready', 'graduation'];
/** Summed components are in hundredths of a point. */
const mean = (component: string) => `round(${component} / students / 100, 1)`;
const untilLast = (component: string) => `CASE WHEN year <= 2017 THEN ${mean(component)} END`;
const since = (component: string, and = 'true') =>
  `CASE WHEN year >= 2018 AND ${and} THEN ${mean(component)} END`;

const OF_PLACE = `OVER (PARTITION BY detail, ${SCHOOL})`;

export const accountability: Samples = {
  /** Stars are cut so that three and four are the most common. */
  'education/ccrpi_climate_star_rating': sample({
    from: 'schools, (VALUES (2014), (2015), (2016), (2017), (2018), (2019), (2024)) years(year)',
    drawn: {
      climate: `0.55 * z + 0.35 * drift('climate/' || place, year) + 0.6 * n('climate/' || place)
        + 0.35 * n(concat_ws('/', 'climate', place, year)) + 0.2 * elementary + 0.04 * (year - 2016)`,
      detail: "'schools'",
    },
    keys: SCHOOL,
    // Some schools are not rated: new ones, and those with too few answers to the surveys.
    published: "u(concat_ws('/', 'climate rated', place, year)) >= 0.03",
    figures: {
      school_climate_star_rating: `CASE WHEN climate < -1.35 THEN 1 WHEN climate < -0.65 THEN 2 WHEN climate < 0.15 THEN 3
        WHEN climate < 1.1 THEN 4 ELSE 5 END`,
    },
  }),

  'education/ccrpi_graduation_rate': sample({
    from: `(${graduationCohorts})
      WHERE cohort > 0 AND year >= 2012 AND (year = 2023 OR demographic NOT IN (${additionalGroups}))`,
    drawn: {
      graduates: 'cohort - not_graduated',
      graduates_in_five: 'graduates + round(0.22 * not_graduated)::BIGINT',
      enrolled: 'round(1.07 * cohort)::BIGINT',
    },
    levels: rows => `
      WITH summed AS (
        ${bySchool('demographic', 'cohort, graduates, graduates_in_five, enrolled').of(rows)}
        UNION ALL BY NAME
        -- Treatment centers are a district outside the state's sums.
        SELECT
          year::INTEGER AS year, 'RTC' AS district_code, demographic, 'districts' AS detail,
          round(share * (380 + 8 * (year - 2015)))::BIGINT AS cohort,
          floor(cohort * logistic(-1 - effect + 0.05 * (year - 2015)))::BIGINT AS graduates,
          ceil(graduates * 1.15)::BIGINT AS graduates_in_five
        FROM demographics, range(2015, 2019) y(year)
        WHERE share IS NOT NULL AND demographic NOT IN (${additionalGroups})
      )
      SELECT *, '4_year' AS rate_type, cohort AS base, graduates AS counted FROM summed
      UNION ALL
      SELECT *, '5_year', cohort, graduates_in_five FROM summed WHERE year BETWEEN 2017 AND 2024
      UNION ALL
      SELECT *, 'on_time', enrolled, graduates FROM summed WHERE year BETWEEN 2021 AND 2024 AND detail = 'schools'`,
    judged: {
      place: "concat_ws('/', detail, district_code, school_code)",
      rate: "CASE WHEN cohort >= 10 THEN round(counted / base, CASE rate_type WHEN 'on_time' THEN 3 ELSE 4 END) END",
      counts_published: `rate_type = 'on_time'
        OR rate_type = '4_year' AND (year = 2023 OR year >= 2015 AND demographic = 'all')`,
      target: `CASE WHEN rate_type = '4_year' AND year IN (2018, 2019, 2023, 2024, 2025) THEN
        least(0.9, greatest(0.022, round(rate + 0.005 + 0.015 * n(concat_ws('/', 'target', place, demographic))
          + 0.008 * n(concat_ws('/', 'target', place, demographic, year)), 3))) END`,
    },
    keys: `${SCHOOL}, demographic, rate_type`,
    published: 'cohort >= 10',
    figures: {
      graduation_rate: 'rate',
      num_cohort: 'CASE WHEN counts_published THEN base END',
      num_graduates: 'CASE WHEN counts_published THEN counted END',
      indicator_target: 'target',
      ccrpi_flag: flag('rate', 0.03),
    },
  }),

  /**
   * Students earn points, 100 for a year's progress. Scores are points by students. English learners move by bands; the
   * groups all and english_learners count all of them, the other groups their own.
   */
  'education/ccrpi_progress': sample({
    from: `(
        SELECT *, max(students) FILTER (demographic = 'all') OVER cluster AS of_all,
          max(students) FILTER (demographic = 'english_learners') OVER cluster AS english_learners
        FROM (${gradeClusters}) WINDOW cluster AS (PARTITION BY year, place)
      ), (VALUES ('english_language_arts'), ('mathematics'), ('elp')) subjects(subject)
      WHERE year BETWEEN 2018 AND 2025 AND CASE subject
        WHEN 'elp' THEN year = 2018 OR demographic = 'english_learners' ELSE year NOT IN (2020, 2021, 2022) END`,
    drawn: {
      is_elp: "subject = 'elp'",
      indicator: "CASE WHEN is_elp THEN 'progress_towards_elp' ELSE subject || '_growth' END",
      // Students with an earlier score: grades 4 and 5, all of the middle grades, and about half of high school.
      tested: `round(students * CASE grade_cluster WHEN 'elementary' THEN 0.31 WHEN 'middle' THEN 0.94 ELSE 0.45 END)::BIGINT`,
      growth_key: "concat_ws('/', 'growth score', place, subject, demographic)",
      growth_points: `greatest(0, round(tested * (84 + 15 * ${growthAdvantage('subject')} - 7 * effect
          + CASE demographic WHEN 'all' THEN 0 ELSE 1.5 * n(growth_key) END)
        + 30 * sqrt(tested) * n(concat_ws('/', growth_key, year))))::BIGINT`,
      of_all: "max(students) FILTER (demographic = 'all') OVER (PARTITION BY year, place)",
      english_learners:
        "max(students) FILTER (demographic = 'english_learners') OVER (PARTITION BY year, place)",
      counts_all: "demographic IN ('all', 'english_learners')",
      learning: `CASE WHEN counts_all THEN english_learners ELSE round(english_learners * least(0.97, students / of_all
        * MAP {'asian_pacific_islander': 2.6, 'black': 0.15, 'economically_disadvantaged': 1.3, 'hispanic': 4,
          'multiracial': 0.3, 'native_american': 0.6, 'students_with_disabilities': 1, 'white': 0.12}[demographic])) END::BIGINT`,
      key: `concat_ws('/', 'english proficiency', place,
        CASE demographic WHEN 'all' THEN 'english_learners' ELSE demographic END, year)`,
      advantage: `0.25 * z + 0.25 * drift('english proficiency/' || place, year)
        - CASE WHEN counts_all THEN 0 ELSE 0.5 * effect END
        - CASE grade_cluster WHEN 'elementary' THEN 0 WHEN 'middle' THEN 0.35 ELSE 0.5 END
        - CASE year WHEN 2020 THEN 0.1 WHEN 2021 THEN 0.5 WHEN 2022 THEN 0.25 ELSE 0 END`,
      none: "CASE WHEN is_elp THEN count_of(learning, logistic(-0.75 - advantage), key || '/none') END",
      less: "count_of(learning - none, logistic(-1.3 - 0.4 * advantage), key || '/less')",
      one: "count_of(learning - none - less, logistic(0.1 - 0.4 * advantage), key || '/one')",
      more: 'learning - none - less - one',
      points: 'CASE WHEN is_elp THEN 50 * less + 100 * one + 150 * more ELSE growth_points END',
    },
    added: rows => `
      SELECT * REPLACE (CASE WHEN is_elp THEN learning ELSE tested END AS students) FROM (${rows})`,
    levels: bySchool('demographic, grade_cluster, indicator', 'students, points, none, less, one, more'),
    judged: {
      score: 'CASE WHEN students >= 15 THEN least(100, round(points / students, 2)) END',
      key: "concat_ws('/', 'proficiency target', detail, district_code, school_code, grade_cluster)",
      target: `CASE WHEN indicator = 'progress_towards_elp' AND demographic = 'english_learners'
        AND year NOT BETWEEN 2020 AND 2022
        THEN round(least(100, 0.6 * score + 26.5 + 2.5 * n(key) + 2.5 * n(concat_ws('/', key, year))), 1) END`,
    },
    where: 'students > 0',
    figures: {
      ccrpi_flag: flag('score', 4),
      indicator_score: 'score',
      indicator_target: 'target',
      pct_no_positive_movement: inBandYears('none'),
      pct_moved_less_than_one_band: inBandYears('less'),
      pct_moved_one_band: inBandYears('one'),
      pct_moved_more_than_one_band: inBandYears('more'),
    },
  }),

  /** The parts of an indicator are published from 2021. */
  'education/ccrpi_readiness': sample({
    from: `(${wholeIndicators}) LEFT JOIN (${indicatorParts}) USING (indicator)
      WHERE coalesce(part, 'all') = 'all'
        OR year >= 2021 AND (grade_cluster <> 'elementary' OR part <> 'career_exploratory')`,
    drawn: {
      sub_indicator: "CASE WHEN year >= 2021 THEN coalesce(part, 'all') END",
      share_of_part: `logistic(logit(part_share) + 0.5 * n(concat_ws('/', 'readiness part', place, part))
        + 0.15 * drift(concat_ws('/', 'readiness part', place, part), year))`,
      of_part: "count_of(reached_of_all, share_of_part, concat_ws('/', key, part))",
      reached: 'CASE WHEN part_share IS NULL THEN reached_of_all ELSE of_part END',
    },
    added: rows => `FROM (${rows}) WHERE base > 0`,
    levels: bySchool('demographic, grade_cluster, indicator, sub_indicator', 'base, reached'),
    published: 'base >= 15',
    figures: {
      indicator_score: `round(${readinessScore('(reached / base)')}, 2)`,
      unbenchmarked_rate: "CASE indicator WHEN 'accelerated_enrollment' THEN round(reached / base, 4) END",
    },
  }),

  /** Treatment centers are a district outside the state's sums. */
  'education/ccrpi_scoring_by_component': sample({
    from: `(${gradeClusters})
      LEFT JOIN (
        SELECT year, c.place, sum(round(100 * ${readinessScore(expectedReadiness)})::BIGINT) / count(*) AS readiness
        FROM ${readiness} WHERE demographic = 'all' GROUP BY ALL) USING (year, place)
      LEFT JOIN (
        -- Of four and five years, counted as two to one.
        SELECT ${SCHOOL}, 1 - 0.93 * not_graduated / nullif(cohort, 0) AS graduated
        FROM (${graduationCohorts}) WHERE demographic = 'all') USING (${SCHOOL})
      WHERE demographic = 'all' AND year >= 2012 AND year NOT IN (2020, 2021)`,
    drawn: {
      key: "'ccrpi/' || place",
      yearly: "concat_ws('/', key, year)",
      // Points of the index to 2017: the most that each kind can reach changed in 2015.
      early: 'year <= 2014',
      achievement: `CASE WHEN early THEN 60 ELSE 50 END
        * logistic(0.65 + 0.5 * z + 0.12 * drift(key || '/achievement', year) + 0.08 * n(yearly || '/achievement'))`,
      growth_points: `CASE WHEN early THEN 22 ELSE 40 END
        * logistic(0.9 + 1.5 * ${growthAdvantage("'mathematics'")} + 0.2 * n(yearly || '/growth'))`,
      gap: "CASE WHEN early THEN 15 ELSE 10 END * logistic(0.1 + 0.15 * z + 0.7 * n(yearly || '/gap'))",
      ed_el_swd: "greatest(0, least(10, 3.2 + 2.2 * n(key || '/bonus') + 1.6 * n(yearly || '/bonus')))",
      etb: `greatest(0, least(CASE WHEN year <= 2013 THEN 2 WHEN year = 2014 THEN 3 ELSE 2.5 END,
        0.8 + 0.7 * n(key || '/bar') + 0.5 * n(yearly || '/bar')))`,
      mastery: `greatest(1, least(100, 66 + CASE WHEN year >= 2022 THEN 1.2 * (year - 2025) ELSE year - 2018 END + 11 * z
        + 2.5 * drift(key || '/achievement', year) + 1.5 * n(yearly || '/achievement')))`,
      growth: `greatest(0, least(100, 84 + 2 * n(yearly || '/growth')
        + 7.5 * (${growthAdvantage("'english_language_arts'")} + ${growthAdvantage("'mathematics'")})))`,
      closing: "greatest(0, least(100, 68 + 6 * z + 19 * n(yearly || '/closing')))",
      ready: 'readiness / 100',
      graduation: '100 * graduated',
    },
    levels: rows => `
      ${bySchool('grade_cluster', `students, ${components.join(', ')}`).of(`
        SELECT ${SCHOOL}, grade_cluster, students,
          ${components.map(name => `(students * round(100 * coalesce(${name}, 0)))::BIGINT AS ${name}`).join(', ')}
        FROM (${rows})`)}
      UNION ALL BY NAME
      SELECT
        year::INTEGER AS year, 'RTC' AS district_code, 'districts' AS detail, grade_cluster, students,
        ${points
          .map(name => {
            const key = `concat_ws('/', 'ccrpi/RTC', grade_cluster, year, '${name}')`;
            return `(students * round(${name} * exp(0.2 * n(${key}))))::BIGINT AS ${name}`;
          })
          .join(', ')}
      FROM range(2015, 2018) y(year), (VALUES
        ('elementary', 40, 1250, 2300, 420, 90, 40), ('middle', 140, 1180, 2250, 400, 70, 40),
        ('high', 230, 1020, 2100, 380, 60, 40)
      ) t(grade_cluster, students, ${points.join(', ')})`,
    keys: `${SCHOOL}, grade_cluster`,
    published: 'students >= 15',
    figures: {
      achievement_points: `CASE WHEN year <= 2017 THEN least(59.9, greatest(2.6, ${mean('achievement')})) END`,
      progress_points: untilLast('growth_points'),
      achievement_gap_points: untilLast('gap'),
      ed_el_swd_performance: untilLast('ed_el_swd'),
      etb_points: untilLast('etb'),
      challenge_points:
        'CASE WHEN year <= 2017 THEN round(least(10, ed_el_swd_performance + etb_points), 1) END',
      content_mastery: since('mastery'),
      // Growth couldn't be scored in 2022, because the year before has no scores.
      progress: since('growth', 'year <> 2022'),
      closing_gaps: since('closing', 'year <> 2022'),
      readiness: since('ready'),
      graduation_rate: since('graduation', "grade_cluster = 'high'"),
      ccrpi_score: `round(CASE
        WHEN year <= 2017 THEN achievement_points + progress_points + achievement_gap_points + challenge_points
        WHEN year > 2019 THEN NULL
        WHEN grade_cluster = 'high' THEN 0.3 * content_mastery + 0.3 * progress + 0.1 * closing_gaps + 0.15 * readiness
          + 0.15 * graduation_rate
        ELSE 0.3 * content_mastery + 0.35 * progress + 0.15 * closing_gaps + 0.2 * readiness END, 1)`,
      // Clusters of a place, weighed by their students.
      ccrpi_single_score: `round(sum(round(10 * ccrpi_score)::BIGINT * students) ${OF_PLACE}
        / nullif(sum(students) FILTER (ccrpi_score IS NOT NULL) ${OF_PLACE}, 0) / 10, 1)`,
    },
  }),
};
