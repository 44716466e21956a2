/** Schools and districts: attendance, graduation, credentials, spending and pay. */
import {
  among,
  bySchool,
  levelsOf,
  type Samples,
  SCHOOL,
  sample,
  split,
  summed,
  withColumns,
} from './draws.ts';

/**
 * The graduating cohort of every high school, year (2004 to 2025) and group: `cohort` students, of whom
 * `not_graduated` had no diploma after four years, none withheld. Groups of an exhaustive category add up to `all` in
 * both: a group can't lose more than its cohort, and the rest goes to the other groups of its category. Until 2010 an
 * earlier method counts more graduates.
 */
export const graduationCohorts = withColumns('enrollment WHERE high > 0', {
  cohort_of_all: 'round(total * high / 4)::BIGINT',
  share: `logistic(CASE WHEN year <= 2010 THEN 0.75 + 0.12 * (year - 2004) ELSE 1.15 + 0.065 * (year - 2012) END
    + 0.5 * z + 0.15 * drift('graduation/' || place, year))`,
  cohort: among('cohort_of_all', 'students'),
  left_of_all: "count_of(cohort_of_all, 1 - share, concat_ws('/', 'not graduated', place, year))",
  weight: `round(1000 * cohort * exp(CASE demographic WHEN 'all' THEN 0 ELSE effect
    + 0.2 * n(concat_ws('/', 'graduation of group', place, demographic))
    + n(concat_ws('/', 'graduation of group', place, demographic, year)) / sqrt(20 + cohort) END))::BIGINT`,
  share_of_left: `least(cohort, ${among('left_of_all', 'weight')})`,
  room: 'cohort - share_of_left',
  excess: `left_of_all - sum(share_of_left) OVER (PARTITION BY ${SCHOOL}, demographic_category)`,
  not_graduated: `CASE WHEN exhaustive THEN share_of_left + ${among('excess', 'room')}
    ELSE greatest(share_of_left, left_of_all - (cohort_of_all - cohort)) END`,
});

const shareOfAbsent = (days: string) =>
  `CASE WHEN ${days} <= tier_withheld_up_to THEN 0 ELSE round(${days} / students, 3) END`;

/** A school's part of its district's central spending. */
const centralPart = (total: string) => split(total, 'students', 'year, district_code', 'school_code');

const MONEY = 'students, own_local, own_federal, local, federal';
const PAY = 'salary_cents, benefit_cents, gf_revenue, k12_revenue, gf_expense, k12_expense';

export const education: Samples = {
  /** Absence falls slowly until 2019 and jumps after the closures of 2020. */
  'education/attendance': sample({
    from: "enrollment WHERE year <= 2024 AND demographic NOT IN ('active_duty', 'foster_care', 'homeless')",
    drawn: {
      long_share: `logistic(logit([0.115, 0.113, 0.112, 0.110, 0.107, 0.103, 0.101, 0.098, 0.096, 0.097, 0.099, 0.103, 0.105,
        0.108, 0.112, 0.115, 0.058, 0.165, 0.205, 0.200, 0.188][year - 2003])
        - 0.42 * z + 0.18 * drift('long absence/' || place, year))`,
      short_share: `logistic(logit([0.46, 0.46, 0.47, 0.47, 0.48, 0.49, 0.49, 0.50, 0.51, 0.51, 0.51, 0.50, 0.50, 0.49, 0.48,
        0.48, 0.59, 0.51, 0.33, 0.34, 0.36][year - 2003]) + 0.3 * z + 0.15 * drift('short absence/' || place, year))`,
      lean: `CASE demographic WHEN 'all' THEN 0 ELSE 0.8 * effect
        + 0.15 * n(concat_ws('/', 'absence of group', place, demographic))
        + n(concat_ws('/', 'absence of group', place, demographic, year)) / sqrt(20 + students) END`,
      long_of_all: "count_of(total, long_share, concat_ws('/', 'long absence', place, year))",
      short_of_all: "count_of(total, short_share, concat_ws('/', 'short absence', place, year))",
      long_weight: 'round(1000 * students * exp(lean))::BIGINT',
      short_weight: 'round(1000 * students * exp(-0.5 * lean))::BIGINT',
      long: `least(students, ${among('long_of_all', 'long_weight')})`,
      short: `least(${among('short_of_all', 'short_weight')}, students - long)`,
      chronic: `least(students, round(long * CASE WHEN year < 2018 THEN 1
        ELSE [1.09, 1.09, 1.75, 1.12, 1.11, 1.10, 1.10][year - 2017] END))::BIGINT`,
    },
    levels: bySchool('demographic', 'students, long, short, chronic'),
    judged: {
      middle: 'students - long - short',
      // In 2023 and 2024 a withheld tier of a published row is served as 0.0.
      tier_withheld_up_to: 'CASE WHEN year >= 2023 THEN 2 ELSE 0 END',
    },
    published: 'students >= 10 OR (students = 0 AND (year <= 2010 OR year >= 2023))',
    figures: {
      num_students: 'students',
      five_or_fewer_days_absent_rate: `CASE WHEN students > 0 THEN ${shareOfAbsent('short')} END`,
      six_to_fifteen_days_absent_rate: `CASE WHEN students > 0 THEN ${shareOfAbsent('middle')} END`,
      over_15_days_absent_rate: `CASE WHEN students > 0 THEN ${shareOfAbsent('long')} END`,
      chronically_absent_rate:
        'CASE WHEN students > 0 AND year >= 2018 THEN round(chronic / students, 3) END',
    },
  }),

  /**
   * A group of fewer than ten is withheld: as zeros until 2009, as NULL since. The size of the cohort isn't published for
   * 2012 to 2016.
   */
  'education/graduation_rate_4_year_cohort': sample({
    from: `(${graduationCohorts}) WHERE cohort > 0 AND year <= 2024
      AND (year >= 2018 OR demographic NOT IN ('active_duty', 'foster_care', 'homeless'))
      AND NOT (year = 2021 AND demographic = 'english_learners')`,
    drawn: { graduates: 'cohort - not_graduated' },
    levels: bySchool('demographic', 'cohort, graduates'),
    judged: { withheld: 'CASE WHEN year <= 2009 THEN 0 END' },
    figures: {
      num_graduates: 'CASE WHEN cohort >= 10 THEN graduates ELSE withheld END',
      num_cohort:
        'CASE WHEN year BETWEEN 2012 AND 2016 THEN NULL WHEN cohort >= 10 THEN cohort ELSE withheld END',
      graduation_rate: 'CASE WHEN cohort >= 10 THEN round(graduates / cohort, 3) ELSE withheld END',
    },
  }),

  /**
   * Completers are graduates of the cohort and some who needed longer. One general diploma replaces the three diplomas by
   * track from 2012 on.
   */
  'education/high_school_completers': sample({
    // lean: how much a group's disadvantage adds to its part of the credential.
    from: `(${graduationCohorts}) JOIN (VALUES
        ('diplomas_college_prep',                'graduates',        0.610, 0.300, 0.004, -0.3),
        ('diplomas_college_prep_and_vocational', 'graduates',        0.180, 0.090, 0.002,  0.0),
        ('diplomas_vocational',                  'graduates',        0.130, 0.060, 0.003,  0.4),
        ('general_education_diplomas',           'graduates',        0.000, 0.480, 0.955,  0.0),
        ('special_education_diplomas',           'other_completers', 0.045, 0.040, 0.021,  0.8),
        ('certificates_of_attendance',           'other_completers', 0.035, 0.030, 0.015,  0.6)
      ) t(credential_type, completer_type, in_2011, in_2012, later, lean)
      ON year BETWEEN 2011 AND 2024 AND NOT (year = 2011 AND credential_type = 'general_education_diplomas')
      WHERE demographic_category IN ('total', 'race_ethnicity', 'sex')`,
    drawn: {
      all_completers: 'cohort - not_graduated + round(0.3 * not_graduated)::BIGINT',
      of_place: `max(all_completers) FILTER (demographic = 'all') OVER (PARTITION BY ${SCHOOL})`,
      credential_weight: `round(1000000
        * CASE WHEN year = 2011 THEN in_2011 ELSE later + (in_2012 - later) * 0.55 ** (year - 2012) END
        * exp(0.3 * n(concat_ws('/', 'credential', place, credential_type))
          + 0.1 * n(concat_ws('/', 'credential', place, credential_type, year))))::BIGINT`,
      of_credential: split('of_place', 'credential_weight', `${SCHOOL}, demographic`, 'credential_type'),
      group_weight: `CASE demographic WHEN 'all' THEN all_completers ELSE round(1000 * all_completers * exp(lean * effect
        + 0.1 * n(concat_ws('/', 'credential of group', place, credential_type, demographic, year)))) END::BIGINT`,
      completers: among('of_credential', 'group_weight', `${SCHOOL}, credential_type`),
    },
    levels: bySchool('demographic, credential_type, completer_type', 'completers'),
    judged: {
      of_all: `max(completers) FILTER (demographic = 'all') OVER (PARTITION BY detail, ${SCHOOL}, credential_type)`,
      zero_is_published: 'year BETWEEN 2012 AND 2017 OR year BETWEEN 2021 AND 2022',
    },
    // A credential that a place didn't give has a row only in years that publish zeros.
    where: 'of_all > 0 OR zero_is_published',
    figures: {
      num_completers:
        'CASE WHEN completers >= 10 OR (completers = 0 AND zero_is_published) THEN completers END',
      // Until 2022 the share is published even if the group's own count is withheld.
      pct_of_credential_type: `CASE WHEN of_all >= 10 AND (completers >= 10 OR year <= 2022)
        THEN round(completers / of_all, 3) END`,
    },
  }),

  /** Federal money follows need, and is larger from 2021 to 2024, the years of emergency aid. Amounts are whole dollars. */
  'education/per_pupil_expenditure': sample({
    from: `enrollment JOIN (SELECT district_code, enrollment AS of_district, z AS district_z FROM districts)
      USING (district_code) WHERE demographic = 'all' AND year BETWEEN 2014 AND 2024`,
    drawn: {
      local_level: `[8700, 8950, 9300, 9650, 10050, 10500, 10950, 11650, 12700, 13900, 14800][year - 2013]
        * exp(0.07 * n('district money/' || district_code) + 0.03 * drift('district money/' || district_code, year)
          - 0.03 * ln(greatest(of_district, 100) / 8000))`,
      federal_logit: `logit([0.092, 0.090, 0.089, 0.087, 0.085, 0.083, 0.084, 0.115, 0.150, 0.140, 0.110][year - 2013])`,
      of_central: `logistic(federal_logit - 0.35 * district_z + 0.08 * drift('federal money/' || district_code, year))`,
      of_school: 'logistic(federal_logit - 0.45 * z)',
      // Small schools and high schools cost more for each student.
      school_level: `exp(-0.12 * ln(total / 650) + 0.1 * high + 0.06 * n('school money/' || place)
        + 0.02 * n(concat_ws('/', 'school money', place, year)))`,
      own_local: 'round(0.78 * students * local_level * school_level * (1 - of_school))::BIGINT',
      own_federal: 'round(0.78 * students * local_level * school_level * of_school)::BIGINT',
      central: '0.22 * sum(students) OVER (PARTITION BY year, district_code) * local_level',
      central_local: 'round(central * (1 - of_central))::BIGINT',
      central_federal: 'round(central * of_central)::BIGINT',
      local: `own_local + ${centralPart('central_local')}`,
      federal: `own_federal + ${centralPart('central_federal')}`,
    },
    levels: levelsOf({ districts: ['district_code'], schools: ['district_code', 'school_code'] })('', MONEY),
    judged: {
      // A few schools did not report.
      reported: `detail = 'districts'
        OR u(concat_ws('/', 'money reported', district_code, school_code, year)) > 0.008`,
    },
    where: "year >= 2017 OR detail = 'districts'",
    published: 'reported',
    figures: {
      total_expenditures: 'local + federal',
      fte_enrollment: 'students',
      per_pupil_expenditure: 'round((local + federal) / students, 2)',
      federal_per_pupil_expenditure: 'CASE WHEN year > 2014 THEN round(federal / students, 2) END',
      state_local_per_pupil_expenditure: 'CASE WHEN year > 2014 THEN round(local / students, 2) END',
      federal_expenditures: "CASE WHEN detail = 'districts' THEN federal END",
      state_local_expenditures: "CASE WHEN detail = 'districts' THEN local END",
      included_expenditures: "CASE WHEN detail = 'schools' THEN own_local + own_federal END",
      included_federal_expenditures: "CASE WHEN detail = 'schools' THEN own_federal END",
      total_federal_expenditures: "CASE WHEN detail = 'schools' THEN federal END",
      total_state_local_expenditures: "CASE WHEN detail = 'schools' THEN local END",
      pct_of_district_enrollment: `CASE WHEN detail = 'schools'
        THEN round(students / max(students) OVER (PARTITION BY year, district_code), 4) END`,
    },
  }),

  /** Regional agencies have no students and draw their own budgets. Revenue and expense are above the cost of all staff. */
  'education/salaries_and_benefits': sample({
    from: `districts, range(2011, 2025) y(year), (VALUES ('teachers_and_paraprofessionals', 4700, 0.06),
      ('school_administration', 590, 0.12), ('general_administration', 330, 0.25)) t(staff_category, per_student, spread)
      WHERE enrollment > 0 OR district_type = 'resa'`,
    drawn: {
      students: `CASE WHEN district_type = 'resa' THEN 500 + 900 * u('agency budget/' || district_code)
        ELSE enrollment * (1 + 0.008 * (year - 2018)) END`,
      // Pay grows slowly to 2015 and fast after 2021, and small districts cost more for each student.
      costliness: `exp(0.012 * (year - 2011) + 0.02 * greatest(0, year - 2015) + 0.025 * greatest(0, year - 2021))
        * exp(-0.05 * ln(greatest(students, 100) / 5000) - 0.02 * z)`,
      key: "concat_ws('/', 'pay', district_code, staff_category)",
      paid: `round(100 * students * per_student * costliness
        * exp(spread * n(key) + 0.015 * n(concat_ws('/', key, year))))::BIGINT`,
      benefits_paid:
        "round(paid * (0.27 + 0.012 * (year - 2011)) * exp(0.05 * n(key || '/benefits')))::BIGINT",
      // Sometimes a small operator books a correction and little else.
      correction: `CASE WHEN staff_category = 'general_administration' AND length(district_code) = 7
        THEN u(concat_ws('/', key, 'correction', year)) ELSE 1 END`,
      salary_cents: 'CASE WHEN correction < 0.05 THEN -round(200000 * correction) ELSE paid END::BIGINT',
      benefit_cents: `CASE WHEN correction BETWEEN 0.05 AND 0.15 THEN -round(900000 * (correction - 0.049))
        ELSE benefits_paid END::BIGINT`,
      // Relief money after 2020 grew faster than pay; all other money grew a little slower.
      budget: `(sum(paid + benefits_paid) OVER (PARTITION BY year, district_code))::BIGINT
        * (1.04 - 0.005 * (year - 2011) + 0.03 * drift('budget/' || district_code, year)
          + CASE year WHEN 2021 THEN 0.05 WHEN 2022 THEN 0.09 WHEN 2023 THEN 0.06 ELSE 0 END)`,
      gf_revenue: "round(budget * (1.32 + 0.05 * n('title revenue/' || district_code)))::BIGINT",
      k12_revenue: "round(budget * (1.55 + 0.08 * n('revenue/' || district_code)))::BIGINT",
      gf_expense: "round(budget * (1.27 + 0.04 * n('title expense/' || district_code)))::BIGINT",
      k12_expense: "round(budget * (1.50 + 0.08 * n('expense/' || district_code)))::BIGINT",
    },
    // The state: every body to 2013; only the ordinary districts from 2014.
    levels: rows => `WITH paying AS (${rows})
      SELECT *, 'districts' AS detail FROM paying UNION ALL BY NAME
      SELECT year, staff_category, 'states' AS detail, ${summed(PAY)} FROM paying
      WHERE year <= 2013 OR district_type = 'standard' GROUP BY year, staff_category`,
    judged: {
      cents: 'salary_cents + benefit_cents',
      // Ratios of 2021 are given in percent. Agencies have no revenue or expense of schools.
      ratio: "CASE WHEN district_type = 'resa' THEN NULL WHEN year = 2021 THEN 100 ELSE 1 END * cents",
    },
    keys: 'year, district_code, staff_category',
    figures: {
      salaries: 'salary_cents / 100',
      benefits: 'benefit_cents / 100',
      salaries_and_benefits: 'cents / 100',
      pct_revenue_gf_title_lottery: 'round(ratio / gf_revenue, 4)',
      pct_revenue_total_k12: 'round(ratio / k12_revenue, 4)',
      pct_expense_gf_title_lottery: 'round(ratio / gf_expense, 4)',
      pct_expense_total_k12: 'round(ratio / k12_expense, 4)',
    },
  }),
};
