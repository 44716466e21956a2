/**
 * The base of the datasets from table S0501, which is published for the state and the largest counties only. Their
 * number varies by vintage.
 */
import { residents } from './nativity.ts';

/** Year and county_fips of the published counties. */
export const publishedCounties = `
  SELECT year, county_fips
  FROM (VALUES (2020, 22), (2021, 20), (2022, 23), (2023, 24), (2024, 24)) t(year, amount)
  JOIN counties ON rank <= amount`;

/**
 * People of all counties by citizenship (native, naturalized, noncitizen), year, county_fips and the county's z. They
 * are the sums of the county's tracts; a county without tracts counts as one.
 */
export const countyResidents = `
  SELECT
    year, county_fips, counties.z,
    CASE WHEN origin IN ('naturalized', 'noncitizen') THEN origin ELSE 'native' END AS citizenship,
    sum(people)::BIGINT AS people
  FROM (${residents({
    from: `(
      SELECT county_fips, tract_geoid AS place, population, z FROM tracts
      UNION ALL
      SELECT county_fips, county_fips, population, z FROM counties WHERE NOT detailed
    )`,
    place: 'place',
    keys: ['county_fips'],
  })})
  JOIN counties USING (county_fips)
  GROUP BY ALL`;

/**
 * Sums `from` (year, county_fips, citizenship and BIGINT columns) into the five citizenship statuses of every county and
 * of the state, with `detail`.
 */
export function fromCounties(from: string, sums: readonly string[]): string {
  return `
    SELECT
      year, county_fips, citizenship_status,
      ${sums.map(column => `sum(${column})::BIGINT AS ${column}`).join(', ')},
      CASE WHEN county_fips IS NULL THEN 'states' ELSE 'counties' END AS detail
    FROM ${from}
    JOIN (VALUES
      ('all', 'native'), ('all', 'naturalized'), ('all', 'noncitizen'), ('native', 'native'),
      ('foreign_born', 'naturalized'), ('foreign_born', 'noncitizen'),
      ('naturalized', 'naturalized'), ('noncitizen', 'noncitizen')
    ) t(citizenship_status, citizenship) USING (citizenship)
    GROUP BY GROUPING SETS ((year, county_fips, citizenship_status), (year, citizenship_status))`;
}
