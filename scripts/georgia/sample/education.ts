/** Schools and districts: attendance, graduation, credentials, spending and pay. */
import { fromSchools, type Samples, split, splitAmongGroups, summed } from './draws.ts';

const school = 'year, district_code, school_code';

/**
 * The graduating cohort of every high school, year (2004 to 2025) and group: `cohort` students, of whom
 * `not_graduated` had no diploma after four years, none withheld. Groups of an exhaustive category add up to `all` in
 * both. Until 2010 an earlier method counts more graduates.
 */
export const graduationCohorts = `
  WITH expected AS (
    SELECT
      ${school}, demographic, demographic_category, exhaustive, effect, students, place,
      round(total * high / 4)::BIGINT AS cohort_of_all,
      logistic(CASE WHEN year <= 2010 THEN 0.75 + 0.12 * (year - 2004) ELSE 1.15 + 0.065 * (year - 2012) END
        + 0.5 * e.z + 0.15 * drift('graduation/' || place, year)) AS share
    FROM enrollment e
    JOIN schools USING (district_code, school_code),
    LATERAL (SELECT concat_ws('/', district_code, school_code) AS place)
    WHERE high > 0
  ), cohorts AS (
    SELECT
      *,
      ${splitAmongGroups({ total: 'cohort_of_all', weight: 'students', within: school })} AS cohort,
      count_of(cohort_of_all, 1 - share, concat_ws('/', 'not graduated', place, year)) AS left_of_all
    FROM expected
  ), weighed AS (
    SELECT
      *,
      round(1000 * cohort * exp(CASE demographic WHEN 'all' THEN 0 ELSE effect
        + 0.2 * n(concat_ws('/', 'graduation of group', place, demographic))
        + n(concat_ws('/', 'graduation of group', place, demographic, year)) / sqrt(20 + cohort) END))::BIGINT AS weight
    FROM cohorts
  ), divided AS (
    SELECT
      *,
      least(cohort, ${splitAmongGroups({ total: 'left_of_all', weight: 'weight', within: school })}) AS share_of_left
    FROM weighed
  ), capped AS (
    -- A group cannot lose more than its cohort: the rest goes to the other groups of its category.
    SELECT
      *,
      cohort - share_of_left AS room,
      left_of_all - sum(share_of_left) OVER (PARTITION BY ${school}, demographic_category) AS excess
    FROM divided
  )
  SELECT
    ${school}, demographic, cohort,
    CASE WHEN exhaustive
      THEN share_of_left + ${splitAmongGroups({ total: 'excess', weight: 'room', within: school })}
      ELSE greatest(share_of_left, left_of_all - (cohort_of_all - cohort))
    END AS not_graduated
  FROM capped`;

export const education: Samples = {
  /** Absence falls slowly until 2019 and jumps after the closures of 2020. */
  'education/attendance': `
    WITH statewide(year, long, short, chronic_per_long) AS (
      VALUES
        (2004, 0.115, 0.46, 1.0), (2005, 0.113, 0.46, 1.0), (2006, 0.112, 0.47, 1.0), (2007, 0.110, 0.47, 1.0),
        (2008, 0.107, 0.48, 1.0), (2009, 0.103, 0.49, 1.0), (2010, 0.101, 0.49, 1.0), (2011, 0.098, 0.50, 1.0),
        (2012, 0.096, 0.51, 1.0), (2013, 0.097, 0.51, 1.0), (2014, 0.099, 0.51, 1.0), (2015, 0.103, 0.50, 1.0),
        (2016, 0.105, 0.50, 1.0), (2017, 0.108, 0.49, 1.0), (2018, 0.112, 0.48, 1.09), (2019, 0.115, 0.48, 1.09),
        (2020, 0.058, 0.59, 1.75), (2021, 0.165, 0.51, 1.12), (2022, 0.205, 0.33, 1.11), (2023, 0.200, 0.34, 1.10),
        (2024, 0.188, 0.36, 1.10)
    ), expected AS (
      SELECT
        ${school}, demographic, demographic_category, exhaustive, students, total, effect,
        concat_ws('/', district_code, school_code) AS place,
        logistic(logit(long) - 0.42 * z + 0.18 * drift('long absence/' || place, year)) AS long_share,
        logistic(logit(short) + 0.3 * z + 0.15 * drift('short absence/' || place, year)) AS short_share,
        chronic_per_long
      FROM enrollment JOIN statewide USING (year)
    ), weighed AS (
      SELECT
        *,
        CASE demographic WHEN 'all' THEN 0 ELSE 0.8 * effect
          + 0.15 * n(concat_ws('/', 'absence of group', place, demographic))
          + n(concat_ws('/', 'absence of group', place, demographic, year)) / sqrt(20 + students) END AS lean,
        count_of(total, long_share, concat_ws('/', 'long absence', place, year)) AS long_of_all,
        count_of(total, short_share, concat_ws('/', 'short absence', place, year)) AS short_of_all,
        round(1000 * students * exp(lean))::BIGINT AS long_weight,
        round(1000 * students * exp(-0.5 * lean))::BIGINT AS short_weight
      FROM expected
    ), divided AS (
      SELECT
        ${school}, demographic, students, chronic_per_long,
        least(students, ${splitAmongGroups({ total: 'long_of_all', weight: 'long_weight', within: school })}) AS long,
        ${splitAmongGroups({ total: 'short_of_all', weight: 'short_weight', within: school })} AS wanted_short
      FROM weighed
    ), drawn AS (
      SELECT
        ${school}, demographic, students, long,
        least(wanted_short, students - long) AS short,
        least(students, round(long * chronic_per_long))::BIGINT AS chronic
      FROM divided
      WHERE demographic NOT IN ('active_duty', 'foster_care', 'homeless')
    ), summed AS (
      ${fromSchools('drawn', 'year, demographic', 'students, long, short, chronic')}
    ), judged AS (
      SELECT
        *,
        students - long - short AS middle,
        year BETWEEN 2004 AND 2010 OR year BETWEEN 2023 AND 2024 AS zero_is_published,
        -- In 2023 and 2024 a withheld tier of a published row is served as 0.0.
        CASE WHEN year >= 2023 THEN 2 ELSE 0 END AS tier_withheld_up_to
      FROM summed
    )
    SELECT
      year, district_code, school_code, demographic,
      CASE WHEN students >= 10 OR (students = 0 AND zero_is_published) THEN students END AS num_students,
      CASE WHEN students >= 10 THEN
        CASE WHEN short <= tier_withheld_up_to THEN 0 ELSE round(short / students, 3) END
      END AS five_or_fewer_days_absent_rate,
      CASE WHEN students >= 10 THEN
        CASE WHEN middle <= tier_withheld_up_to THEN 0 ELSE round(middle / students, 3) END
      END AS six_to_fifteen_days_absent_rate,
      CASE WHEN students >= 10 THEN
        CASE WHEN long <= tier_withheld_up_to THEN 0 ELSE round(long / students, 3) END
      END AS over_15_days_absent_rate,
      CASE WHEN students >= 10 AND year >= 2018 THEN round(chronic / students, 3) END AS chronically_absent_rate,
      detail
    FROM judged`,

  /**
   * A group of fewer than ten is withheld: as zeros until 2009, as NULL since. The size of the cohort isn't published for
   * 2012 to 2016.
   */
  'education/graduation_rate_4_year_cohort': `
    WITH cohorts AS (${graduationCohorts}), drawn AS (
      SELECT *, cohort - not_graduated AS graduates
      FROM cohorts
      WHERE cohort > 0
        AND year <= 2024
        AND (year >= 2018 OR demographic NOT IN ('active_duty', 'foster_care', 'homeless'))
        AND NOT (year = 2021 AND demographic = 'english_learners')
    ), summed AS (
      ${fromSchools('drawn', 'year, demographic', 'cohort, graduates')}
    ), judged AS (
      SELECT *, cohort >= 10 AS published, CASE WHEN year <= 2009 THEN 0 END AS withheld
      FROM summed
    )
    SELECT
      year, district_code, school_code, demographic,
      CASE WHEN published THEN graduates ELSE withheld END AS num_graduates,
      CASE WHEN year NOT BETWEEN 2012 AND 2016 THEN CASE WHEN published THEN cohort ELSE withheld END END AS num_cohort,
      CASE WHEN published THEN round(graduates / cohort, 3) ELSE withheld END AS graduation_rate,
      detail
    FROM judged`,

  /**
   * Completers are graduates of the cohort and some who needed longer. One general diploma replaces the three diplomas by
   * track from 2012 on.
   */
  'education/high_school_completers': `
    WITH credentials(credential_type, completer_type, share_in_2011, share_in_2012, share_later, lean) AS (
      -- lean: how much a group's disadvantage adds to its part of the credential.
      VALUES
        ('diplomas_college_prep',                'graduates',        0.610, 0.300, 0.004, -0.3),
        ('diplomas_college_prep_and_vocational', 'graduates',        0.180, 0.090, 0.002,  0.0),
        ('diplomas_vocational',                  'graduates',        0.130, 0.060, 0.003,  0.4),
        ('general_education_diplomas',           'graduates',        0.000, 0.480, 0.955,  0.0),
        ('special_education_diplomas',           'other_completers', 0.045, 0.040, 0.021,  0.8),
        ('certificates_of_attendance',           'other_completers', 0.035, 0.030, 0.015,  0.6)
    ), mixed AS (
      SELECT
        y.year, credential_type, completer_type, lean,
        CASE
          WHEN year = 2011 THEN share_in_2011
          ELSE share_later + (share_in_2012 - share_later) * 0.55 ** (year - 2012)
        END AS share
      FROM credentials, range(2011, 2025) y(year)
      WHERE NOT (y.year = 2011 AND credential_type = 'general_education_diplomas')
    ), completed AS (
      SELECT
        ${school}, demographic, demographic_category, exhaustive, effect,
        cohort - not_graduated + round(0.3 * not_graduated)::BIGINT AS completers,
        concat_ws('/', district_code, school_code) AS place
      FROM (${graduationCohorts}) JOIN demographics USING (demographic)
      WHERE demographic_category IN ('total', 'race_ethnicity', 'sex')
    ), credited AS (
      SELECT
        *,
        round(1000000 * share * exp(
          0.3 * n(concat_ws('/', 'credential', place, credential_type))
          + 0.1 * n(concat_ws('/', 'credential', place, credential_type, year))))::BIGINT AS weight
      FROM completed JOIN mixed USING (year)
      WHERE demographic = 'all'
    ), totals AS (
      SELECT
        ${school}, credential_type, completer_type, lean,
        ${split({ total: 'completers', weight: 'weight', within: school, order: 'credential_type' })} AS total
      FROM credited
    ), weighed AS (
      SELECT
        *,
        CASE demographic WHEN 'all' THEN completers ELSE round(1000 * completers * exp(lean * effect
          + 0.1 * n(concat_ws('/', 'credential of group', place, credential_type, demographic, year))))
        END::BIGINT AS group_weight
      FROM totals JOIN completed USING (${school})
    ), drawn AS (
      SELECT
        ${school}, demographic, credential_type, completer_type,
        ${splitAmongGroups({ total: 'total', weight: 'group_weight', within: `${school}, credential_type` })}
          AS completers
      FROM weighed
    ), summed AS (
      ${fromSchools('drawn', 'year, demographic, credential_type, completer_type', 'completers')}
    ), compared AS (
      SELECT
        *,
        max(completers) FILTER (demographic = 'all')
          OVER (PARTITION BY detail, ${school}, credential_type) AS of_all,
        year BETWEEN 2012 AND 2017 OR year BETWEEN 2021 AND 2022 AS zero_is_published
      FROM summed
    )
    SELECT
      year, district_code, school_code, demographic, completer_type, credential_type,
      CASE WHEN completers >= 10 OR (completers = 0 AND zero_is_published) THEN completers END AS num_completers,
      -- Until 2022 the share is published even if the group's own count is withheld.
      CASE WHEN of_all >= 10 AND (completers >= 10 OR year <= 2022) THEN round(completers / of_all, 3) END
        AS pct_of_credential_type,
      detail
    FROM compared
    -- A credential that a place didn't give has a row only in years that publish zeros.
    WHERE of_all > 0 OR zero_is_published`,

  /** Federal money follows need, and is larger from 2021 to 2024, the years of emergency aid. Amounts are whole dollars. */
  'education/per_pupil_expenditure': `
    WITH statewide(year, dollars, federal) AS (
      VALUES
        (2014, 8700, 0.092), (2015, 8950, 0.090), (2016, 9300, 0.089), (2017, 9650, 0.087), (2018, 10050, 0.085),
        (2019, 10500, 0.083), (2020, 10950, 0.084), (2021, 11650, 0.115), (2022, 12700, 0.150), (2023, 13900, 0.140),
        (2024, 14800, 0.110)
    ), places AS (
      SELECT
        year, e.district_code, e.school_code, total AS students,
        concat_ws('/', e.district_code, e.school_code) AS place,
        dollars * exp(0.07 * n('district money/' || e.district_code)
          + 0.03 * drift('district money/' || e.district_code, year)
          - 0.03 * ln(greatest(d.enrollment, 100) / 8000)) AS local_level,
        logistic(logit(federal) - 0.35 * d.z + 0.08 * drift('federal money/' || e.district_code, year))
          AS district_federal,
        logistic(logit(federal) - 0.45 * e.z) AS school_federal,
        -- Small schools and high schools cost more for each student.
        exp(-0.12 * ln(total / 650) + 0.1 * high + 0.06 * n('school money/' || place)
          + 0.02 * n(concat_ws('/', 'school money', place, year))) AS school_level
      FROM enrollment e
      JOIN statewide USING (year)
      JOIN districts d USING (district_code)
      JOIN schools USING (district_code, school_code)
      WHERE demographic = 'all'
    ), spent AS (
      SELECT
        *,
        sum(students) OVER district AS district_students,
        round(0.78 * students * local_level * school_level * (1 - school_federal))::BIGINT AS own_local,
        round(0.78 * students * local_level * school_level * school_federal)::BIGINT AS own_federal,
        round(0.22 * sum(students) OVER district * local_level * (1 - district_federal))::BIGINT AS central_local,
        round(0.22 * sum(students) OVER district * local_level * district_federal)::BIGINT AS central_federal
      FROM places
      WINDOW district AS (PARTITION BY year, district_code)
    ), shared AS (
      SELECT
        *,
        own_local + ${centralPart('central_local')} AS local,
        own_federal + ${centralPart('central_federal')} AS federal
      FROM spent
    ), totals AS (
      SELECT
        year, district_code, school_code, students, district_students, own_local, own_federal, local, federal,
        'schools' AS detail,
        -- A few schools did not report.
        u(concat_ws('/', 'money reported', place, year)) > 0.008 AS reported
      FROM shared
      WHERE year >= 2017
      UNION ALL BY NAME
      SELECT
        year, district_code, sum(students) AS students, sum(local) AS local, sum(federal) AS federal,
        'districts' AS detail, true AS reported
      FROM shared
      GROUP BY year, district_code
    ), judged AS (
      SELECT *, reported AND detail = 'schools' AS school_reported, reported AND detail = 'districts' AS district_reported
      FROM totals
    )
    SELECT
      year, district_code, school_code,
      CASE WHEN reported THEN local + federal END AS total_expenditures,
      CASE WHEN reported THEN students END AS fte_enrollment,
      CASE WHEN reported THEN round((local + federal) / students, 2) END AS per_pupil_expenditure,
      CASE WHEN reported AND year > 2014 THEN round(federal / students, 2) END AS federal_per_pupil_expenditure,
      CASE WHEN reported AND year > 2014 THEN round(local / students, 2) END AS state_local_per_pupil_expenditure,
      CASE WHEN district_reported THEN federal END AS federal_expenditures,
      CASE WHEN district_reported THEN local END AS state_local_expenditures,
      CASE WHEN school_reported THEN own_local + own_federal END AS included_expenditures,
      CASE WHEN school_reported THEN own_federal END AS included_federal_expenditures,
      CASE WHEN school_reported THEN federal END AS total_federal_expenditures,
      CASE WHEN school_reported THEN local END AS total_state_local_expenditures,
      CASE WHEN school_reported THEN round(students / district_students, 4) END AS pct_of_district_enrollment,
      detail
    FROM judged`,

  /** Regional agencies have no students and draw their own budgets. Revenue and expense are above the cost of all staff. */
  'education/salaries_and_benefits': `
    WITH categories(staff_category, per_student, spread) AS (
      VALUES
        ('teachers_and_paraprofessionals', 4700, 0.06), ('school_administration', 590, 0.12),
        ('general_administration', 330, 0.25)
    ), sizes AS (
      SELECT district_code, district_type, z, year::INTEGER AS year,
        CASE WHEN district_type = 'resa' THEN 500 + 900 * u('agency budget/' || district_code)
          ELSE enrollment * (1 + 0.008 * (year - 2018)) END AS students,
        -- Pay grows slowly to 2015 and fast after 2021, and small districts cost more for each student.
        exp(0.012 * (year - 2011) + 0.02 * greatest(0, year - 2015) + 0.025 * greatest(0, year - 2021))
          * exp(-0.05 * ln(greatest(students, 100) / 5000) - 0.02 * z) AS costliness,
        0.27 + 0.012 * (year - 2011) AS benefit_share
      FROM districts, range(2011, 2025) y(year)
      WHERE enrollment > 0 OR district_type = 'resa'
    ), paid AS (
      SELECT
        *,
        concat_ws('/', 'pay', district_code, staff_category) AS key,
        u(concat_ws('/', key, 'correction', year)) AS correction,
        staff_category = 'general_administration' AND length(district_code) = 7 AS corrects,
        round(100 * students * per_student * costliness
          * exp(spread * n(key) + 0.015 * n(concat_ws('/', key, year))))::BIGINT AS salary_cents,
        round(salary_cents * benefit_share * exp(0.05 * n(key || '/benefits')))::BIGINT AS benefit_cents
      FROM sizes, categories
    ), drawn AS (
      SELECT
        year, district_code, district_type, staff_category,
        -- Sometimes a small operator books a correction and little else.
        CASE WHEN corrects AND correction < 0.05 THEN -round(200000 * correction) ELSE salary_cents END::BIGINT
          AS salary_cents,
        CASE WHEN corrects AND correction BETWEEN 0.05 AND 0.15 THEN -round(900000 * (correction - 0.049))
          ELSE benefit_cents END::BIGINT AS benefit_cents,
        sum(salary_cents + benefit_cents) OVER (PARTITION BY year, district_code)::BIGINT AS staff_cents
      FROM paid
    ), based AS (
      SELECT
        *,
        -- Relief money after 2020 grew faster than pay; all other money grew a little slower.
        staff_cents * (1.04 - 0.005 * (year - 2011) + 0.03 * drift('budget/' || district_code, year)
          + CASE year WHEN 2021 THEN 0.05 WHEN 2022 THEN 0.09 WHEN 2023 THEN 0.06 ELSE 0 END) AS budget,
        round(budget * (1.32 + 0.05 * n('title revenue/' || district_code)))::BIGINT AS gf_revenue,
        round(budget * (1.55 + 0.08 * n('revenue/' || district_code)))::BIGINT AS k12_revenue,
        round(budget * (1.27 + 0.04 * n('title expense/' || district_code)))::BIGINT AS gf_expense,
        round(budget * (1.50 + 0.08 * n('expense/' || district_code)))::BIGINT AS k12_expense
      FROM drawn
    ), places AS (
      SELECT *, 'districts' AS detail FROM based
      UNION ALL BY NAME
      SELECT
        year, NULL AS district_code, staff_category, 'states' AS detail,
        ${summed('salary_cents, benefit_cents, gf_revenue, k12_revenue, gf_expense, k12_expense')}
      FROM based
      -- Every body to 2013; only the ordinary districts from 2014.
      WHERE year <= 2013 OR district_type = 'standard'
      GROUP BY year, staff_category
    ), rated AS (
      SELECT
        *,
        salary_cents + benefit_cents AS cents,
        -- Ratios of 2021 are given in percent. Agencies have no revenue or expense of schools.
        CASE WHEN district_type = 'resa' THEN NULL WHEN year = 2021 THEN 100 ELSE 1 END AS factor
      FROM places
    )
    SELECT
      year, district_code, NULL AS school_code, staff_category,
      salary_cents / 100 AS salaries,
      benefit_cents / 100 AS benefits,
      cents / 100 AS salaries_and_benefits,
      round(factor * cents / gf_revenue, 4) AS pct_revenue_gf_title_lottery,
      round(factor * cents / k12_revenue, 4) AS pct_revenue_total_k12,
      round(factor * cents / gf_expense, 4) AS pct_expense_gf_title_lottery,
      round(factor * cents / k12_expense, 4) AS pct_expense_total_k12,
      detail
    FROM rated`,
};

/** A school's part of its district's central spending. */
function centralPart(total: string): string {
  return split({ total, weight: 'students', within: 'year, district_code', order: 'school_code' });
}
