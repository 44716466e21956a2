import type { SampleDataset } from '../dataset.ts';
import { split } from '../split.ts';

/**
 * Owners of each county are divided among sectors. Each group draws its owners born abroad and, among them, the
 * noncitizens. Counts below 10 are withheld; larger counts are rounded more.
 */
export const nonemployerOwnersByNativity: SampleDataset = {
  key: 'census/nonemployer_owners_by_nativity',
  sql: `
    WITH sectors(sector, share, effect) AS (
      VALUES
        ('naics_11', 0.009, -1.3), ('naics_21', 0.0004, -1.4), ('naics_22', 0.0006, -0.9), ('naics_23', 0.1, 0.45),
        ('naics_31_33', 0.014, -0.1), ('naics_42', 0.016, 0.25), ('naics_44_45', 0.09, 0.0),
        ('naics_48_49', 0.17, 0.5), ('naics_51', 0.015, -0.2), ('naics_52', 0.022, -0.5), ('naics_53', 0.095, -0.25),
        ('naics_54', 0.115, -0.2), ('naics_56', 0.105, 0.25), ('naics_61', 0.032, -0.35), ('naics_62', 0.07, 0.05),
        ('naics_71', 0.045, -0.7), ('naics_72', 0.026, 0.2), ('naics_81', 0.075, 0.05)
    ), counties_owners AS (
      SELECT
        year, county_fips, z, foreign_born,
        round(population * 0.088 * (1 + 0.03 * (year - 2022)) * exp(0.1 * z + 0.12 * n('owners/' || county_fips))
          * (1 + 0.01 * n(concat_ws('/', 'owners', county_fips, year))))::BIGINT AS owners
      FROM counties, (VALUES (2022), (2023)) t(year)
    ), weighed AS (
      SELECT
        *,
        round(1000000 * share * exp(0.25 * n(concat_ws('/', 'owners of sector', county_fips, sector))
          + 0.04 * n(concat_ws('/', 'owners of sector', county_fips, sector, year))))::BIGINT AS weight
      FROM counties_owners, sectors
    ), shared AS (
      SELECT
        *,
        ${split({ total: 'owners', weight: 'weight', within: 'year, county_fips', order: 'sector' })} AS reporting
      FROM weighed
    ), born AS (
      SELECT
        *,
        count_of(reporting, logistic(logit(foreign_born) + 0.45 + effect + 0.03 * (year - 2022)
          + 0.2 * n(concat_ws('/', 'owners born abroad', county_fips, sector))),
          concat_ws('/', 'owners born abroad', county_fips, sector, year)) AS not_us_born
      FROM shared
    ), drawn AS (
      SELECT
        *,
        count_of(not_us_born, logistic(-0.35 - 0.2 * z + 0.4 * effect),
          concat_ws('/', 'owners not citizens', county_fips, sector, year)) AS not_citizen
      FROM born
    ), summed AS (
      SELECT
        year, county_fips,
        coalesce(sector, 'all') AS sector,
        CASE WHEN county_fips IS NULL THEN 'states' ELSE 'counties' END AS detail,
        sum(reporting)::BIGINT AS reporting,
        sum(not_us_born)::BIGINT AS not_us_born,
        sum(not_citizen)::BIGINT AS not_citizen
      FROM drawn
      GROUP BY GROUPING SETS ((year, county_fips), (year, sector), (year))
    )
    SELECT
      year, county_fips, NULL AS district_code, NULL AS tract_geoid, sector,
      ${banded('reporting')} AS num_owners_reporting,
      ${banded('reporting - not_us_born')} AS num_owners_us_born,
      CASE WHEN not_us_born >= 10 THEN ${banded('not_us_born')} END AS num_owners_not_us_born,
      round(1 - (reporting - not_us_born) / reporting, 3) AS pct_not_us_born,
      ${banded('reporting - not_citizen')} AS num_owners_citizen,
      CASE WHEN not_citizen >= 10 THEN ${banded('not_citizen')} END AS num_owners_not_citizen,
      CASE WHEN not_citizen >= 10 THEN round(not_citizen / reporting, 3) END AS pct_not_citizen,
      detail
    FROM summed`,
};

/** A count rounded to a unit that grows with it. */
function banded(count: string): string {
  const unit = `CASE WHEN ${count} < 100 THEN 10 WHEN ${count} < 1000 THEN 50 WHEN ${count} < 10000 THEN 100
    WHEN ${count} < 100000 THEN 500 ELSE 1000 END`;
  return `(round((${count}) / (${unit})) * (${unit}))::BIGINT`;
}
