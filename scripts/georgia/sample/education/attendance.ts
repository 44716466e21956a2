import type { SampleDataset } from '../dataset.ts';
import { fromSchools } from '../levels.ts';
import { splitAmongGroups } from '../split.ts';

const school = 'year, district_code, school_code';

/**
 * Each school draws how many of its students missed more than 15 days and how many five or fewer; groups share those
 * numbers by size and effect. Absence falls slowly until 2019 and jumps after the closures of 2020.
 */
export const attendance: SampleDataset = {
  key: 'education/attendance',
  sql: `
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
      ${fromSchools({ from: 'drawn', axes: ['year', 'demographic'], sums: ['students', 'long', 'short', 'chronic'] })}
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
};
