import type { SampleDataset } from '../dataset.ts';
import { split } from '../split.ts';

/**
 * Each school draws its own spending. Each district draws its central spending and divides it among its schools by
 * students; a district's spending is the sum of both. Federal money follows need, and is larger from 2021 to 2024,
 * the years of emergency aid. All amounts are whole dollars.
 */
export const perPupilExpenditure: SampleDataset = {
  key: 'education/per_pupil_expenditure',
  sql: `
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
};

/** A school's part of its district's central spending. */
function centralPart(total: string): string {
  return split({ total, weight: 'students', within: 'year, district_code', order: 'school_code' });
}
