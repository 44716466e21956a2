import type { SampleDataset } from '../dataset.ts';
import { fromSchools } from '../levels.ts';
import { graduationCohorts } from './graduation-cohorts.ts';

/** The eight groups that are reported in 2023 only. */
const additionalGroups = `'active_duty', 'female', 'foster_care', 'homeless', 'male', 'migrant',
  'not_economically_disadvantaged', 'students_without_disabilities'`;

/**
 * Three rates of the graduating cohorts: after four years, after five (some graduate a year later), and of all who were
 * enrolled.
 */
export const ccrpiGraduationRate: SampleDataset = {
  key: 'education/ccrpi_graduation_rate',
  sql: `
    WITH cohorts AS (${graduationCohorts}), drawn AS (
      SELECT
        year, district_code, school_code, demographic, cohort,
        cohort - not_graduated AS graduates,
        cohort - not_graduated + round(0.22 * not_graduated)::BIGINT AS graduates_in_five,
        round(1.07 * cohort)::BIGINT AS enrolled
      FROM cohorts
      WHERE cohort > 0 AND year >= 2012 AND (year = 2023 OR demographic NOT IN (${additionalGroups}))
    ), summed AS (
      ${fromSchools({
        from: 'drawn',
        axes: ['year', 'demographic'],
        sums: ['cohort', 'graduates', 'graduates_in_five', 'enrolled'],
      })}
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
};
