import { marginOfCount } from '../census/margin.ts';
import type { SampleDataset } from '../dataset.ts';
import { zonePieces } from './attendance-zones.ts';

/**
 * Households and their income by zone, from the block groups that the zone covers. A single school's zone is its
 * district; if that is a whole county, some zones take the county's figure. Margins shrink with the root of the
 * households.
 */
export const schoolZoneIncome: SampleDataset = {
  key: 'education/school_zone_income',
  sql: `
    WITH incomes AS (
      SELECT
        block_group_geoid,
        1.04 + 0.06 * n('household growth/' || block_group_geoid) AS growth,
        -- Incomes are skewed: the best-off places lie far above the rest.
        round(exp(11.01 + 0.37 * z + 0.11 * greatest(z, 0) ** 2 + 0.08 * n('income/' || block_group_geoid)))::BIGINT AS median,
        round(median * (1.28 + 0.06 * n('income inequality/' || block_group_geoid)))::BIGINT AS mean,
        u('aggregate income withheld/' || block_group_geoid) < 0.01 AS withheld
      FROM block_groups
    ), pieces AS (
      SELECT
        p.*, median, mean, withheld,
        round(households_of_piece * growth)::BIGINT AS surveyed
      FROM (${zonePieces}) p JOIN incomes USING (block_group_geoid)
      WHERE NOT redrawn
    ), summed AS (
      SELECT
        district_code, school_code, zone_level, differs, schools_of_level,
        concat_ws('/', district_code, school_code) AS place,
        sum(surveyed)::BIGINT AS households,
        coalesce(sum(surveyed) FILTER (withheld), 0) AS withheld_households,
        round(sum(surveyed * median) / nullif(sum(surveyed), 0)) AS median,
        round(sum(surveyed * mean) / nullif(sum(surveyed), 0)) AS mean
      FROM pieces GROUP BY ALL
    ), estimated AS (
      SELECT
        *,
        1.645 * sqrt(19 / greatest(households, 1)) AS relative_error,
        round(median * 1.05 * relative_error * exp(0.2 * n('median margin/' || place)))::BIGINT AS median_margin,
        round(mean * 0.85 * relative_error * exp(0.2 * n('mean margin/' || place)))::BIGINT AS mean_margin,
        CASE
          WHEN schools_of_level > 1 THEN 'block_groups'
          WHEN count(*) OVER (PARTITION BY county_fips, zone_level) = 1 AND u('county estimate/' || district_code) < 0.35
            THEN 'county'
          ELSE 'school_district'
        END AS estimate_source
      FROM summed JOIN (SELECT district_code, county_fips FROM districts) USING (district_code)
    ), judged AS (
      SELECT
        *,
        CASE WHEN households >= 50 AND median_margin <= median THEN least(median, 200001) END AS published_median,
        households >= 50 AND mean_margin <= mean
          AND (estimate_source <> 'block_groups' OR withheld_households <= 0.01 * households) AS mean_is_published
      FROM estimated
    )
    SELECT
      2027 AS year, district_code, school_code, zone_level,
      households AS num_households,
      ${marginOfCount('households', '2.6 * households')} AS num_households_moe,
      published_median AS median_household_income,
      CASE WHEN published_median < 200001 THEN median_margin END AS median_household_income_moe,
      CASE WHEN mean_is_published THEN mean END AS mean_household_income,
      CASE WHEN mean_is_published THEN mean_margin END AS mean_household_income_moe,
      estimate_source,
      differs AS zone_differs_by_grade,
      'schools' AS detail
    FROM judged`,
};
