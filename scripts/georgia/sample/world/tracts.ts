import type { Extent } from '../scale.ts';
import { split } from '../split.ts';

/**
 * tracts: at least one in each detailed county, more the larger it is. In a county with a city district every fourth tract is
 * the city's. Counties of twelve tracts or more also have one where nobody lives (9800.00) and one where almost nobody
 * does (9801.00), as real tracts of water, forest or barracks: they have no rates.
 */
export function tractsSql({ tracts }: Extent): readonly string[] {
  return [
    `CREATE TABLE tracts AS
     WITH counted AS (
       SELECT *, 1 + ${split({ total: 'spare', weight: 'population', within: 'true', order: 'county_fips' })} AS amount
       FROM counties, LATERAL (SELECT ${tracts} - count(*) AS spare FROM counties WHERE detailed)
       WHERE detailed
     ), numbered AS (
       SELECT
         county_fips, population AS county_population, z AS county_z, k,
         CASE WHEN amount < 12 OR k <= amount - 2 THEN k * 100 ELSE 980000 + (amount - k) * 100 END AS number,
         amount >= 12 AND k > amount - 2 AS special
       FROM counted, LATERAL (SELECT unnest(range(1, amount + 1)) AS k)
     ), weighed AS (
       SELECT
         *,
         county_fips || printf('%06d', CASE WHEN special THEN number ELSE 10000 + number END) AS tract_geoid,
         CASE WHEN special THEN 0
           ELSE round(1000 * exp(0.35 * n(concat_ws('/', 'tract size', county_fips, k)))) END::BIGINT AS weight
       FROM numbered
     ), cities AS (
       SELECT county_fips, max(district_code) AS city FROM districts
       WHERE district_type = 'standard' GROUP BY county_fips HAVING count(*) > 1
     ), counties_own AS (
       SELECT county_fips, min(district_code) AS own FROM districts WHERE district_type = 'standard' GROUP BY county_fips
     )
     SELECT
       tract_geoid,
       'Sample Tract ' || substr(tract_geoid, 6, 4) || '.' || substr(tract_geoid, 10, 2) AS tract_name,
       county_fips,
       CASE WHEN city IS NOT NULL AND k % 4 = 2 THEN city ELSE own END AS district_code,
       CASE number WHEN 980100 THEN 14 + floor(12 * u('tract people/' || tract_geoid))::BIGINT
         ELSE ${split({ total: 'county_population', weight: 'weight', within: 'county_fips', order: 'tract_geoid' })}
       END AS population,
       0.6 * county_z + 0.8 * n('tract z/' || tract_geoid) AS z
     FROM weighed JOIN counties_own USING (county_fips) LEFT JOIN cities USING (county_fips)`,
  ];
}

/** block_groups: one to nine in each tract, more the larger it is. Populations add up to the tract's. */
export function blockGroupsSql({ blockGroups }: Extent): string {
  return `
    CREATE TABLE block_groups AS
    WITH counted AS (
      SELECT
        *,
        least(9, 1 + ${split({ total: 'spare', weight: 'population', within: 'true', order: 'tract_geoid' })}) AS amount
      FROM tracts, LATERAL (SELECT ${blockGroups} - count(*) AS spare FROM tracts)
    ), numbered AS (
      SELECT tract_geoid, population AS tract_population, z AS tract_z, k, tract_geoid || k AS block_group_geoid
      FROM counted, LATERAL (SELECT unnest(range(1, amount + 1)) AS k)
    ), weighed AS (
      SELECT *, round(1000 * exp(0.3 * n('block group size/' || block_group_geoid)))::BIGINT AS weight FROM numbered
    ), peopled AS (
      SELECT
        block_group_geoid, tract_geoid,
        ${split({ total: 'tract_population', weight: 'weight', within: 'tract_geoid', order: 'k' })} AS population,
        0.85 * tract_z + 0.53 * n('block group z/' || block_group_geoid) AS z
      FROM weighed
    )
    SELECT
      block_group_geoid, tract_geoid, population,
      round(population / (2.35 + 0.5 * u('household size/' || block_group_geoid)))::BIGINT AS households,
      z
    FROM peopled`;
}
