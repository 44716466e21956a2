import { splitAmongGroups } from '../split.ts';

/**
 * enrollment: students of every school, year (2004 to 2025) and group, none withheld; the base of every education
 * dataset, so that their counts agree. Groups of a category add up to `all`, schools to districts, districts to the
 * state. `total` counts all of the school's students. The table also has the school's z and the group's columns, from
 * which outcomes are drawn.
 */
export const enrollmentSql = `
  CREATE TABLE enrollment AS
  WITH sized AS (
    SELECT
      year, district_code, school_code, s.z,
      greatest(20, round(s.enrollment * (1
        + 0.008 * (year - 2018) * (1 + n('district growth/' || district_code))
        + 0.025 * drift(concat_ws('/', 'school growth', district_code, school_code), year))))::BIGINT AS total
    FROM schools s, range(2004, 2026) y(year)
  ), mixed AS (
    SELECT
      district_code, school_code, demographic, demographic_category, exhaustive, effect, growth,
      CASE demographic WHEN 'all' THEN 1 ELSE least(0.9, share * exp(-tilt * s.z
        + 0.35 * n(concat_ws('/', 'district mix', district_code, demographic))
        + 0.15 * n(concat_ws('/', 'school mix', district_code, school_code, demographic)))) END AS share
    FROM schools s, demographics
    WHERE share IS NOT NULL
  ), weighed AS (
    SELECT *, round(1000000 * share * exp(growth * (year - 2016)))::BIGINT AS weight
    FROM sized JOIN mixed USING (district_code, school_code)
  )
  SELECT
    year::INTEGER AS year, district_code, school_code, demographic, demographic_category, exhaustive, effect, z, total,
    ${splitAmongGroups({ total: 'total', weight: 'weight', within: 'year, district_code, school_code' })} AS students
  FROM weighed`;
