import type { SampleDataset } from '../dataset.ts';
import { countyResidents, fromCounties, publishedCounties } from './large-counties.ts';

/**
 * Each county draws the income of its middle native, naturalized and noncitizen household; wider groups have
 * their mean, weighted by households. Margins grow as households get fewer.
 */
export const medianHouseholdIncomeByNativity: SampleDataset = {
  key: 'census/median_household_income_by_nativity',
  sql: `
    WITH residents AS (${countyResidents}), published AS (${publishedCounties}),
    statewide(year, dollars) AS (
      VALUES (2020, 62800), (2021, 66600), (2022, 72900), (2023, 76400), (2024, 79300)
    ), groups(citizenship, household_size, effect) AS (
      VALUES ('native', 2.7, 0.02), ('naturalized', 2.2, 0.08), ('noncitizen', 2.6, -0.22)
    ), expected AS (
      SELECT
        *,
        concat_ws('/', county_fips, citizenship) AS place,
        round(people / household_size)::BIGINT AS households,
        dollars * exp(0.24 * z + effect + 0.1 * n('income by nativity/' || place)
          + 0.03 * drift('income by nativity/' || place, year)) AS expected
      FROM residents JOIN groups USING (citizenship) JOIN statewide USING (year)
    ), drawn AS (
      SELECT
        year, county_fips, citizenship, households,
        households * round(expected * exp(1.5 / sqrt(10 + households / 19)
          * n(concat_ws('/', 'income by nativity', place, year))))::BIGINT AS dollars
      FROM expected
    ), summed AS (
      ${fromCounties('drawn', ['households', 'dollars'])}
    ), estimated AS (
      SELECT
        *,
        round(dollars / households)::BIGINT AS median,
        round(median * 1.9 / sqrt(households / 19))::BIGINT AS margin,
        -- Of the groups with the fewest households of each vintage, some are too few for an estimate, and the
        -- estimates of others are beyond the ends of the scale.
        CASE WHEN detail = 'counties' THEN
          row_number() OVER (PARTITION BY year, detail ORDER BY households, county_fips, citizenship_status) END AS scarcity
      FROM summed
      WHERE detail = 'states' OR (year, county_fips) IN (FROM published)
    )
    SELECT
      year, county_fips, NULL AS district_code, NULL AS tract_geoid, citizenship_status,
      CASE
        WHEN scarcity <= 2 THEN NULL
        WHEN scarcity = 3 AND year % 2 = 0 THEN 250001
        WHEN scarcity = 4 AND year = 2021 THEN 2499
        ELSE median
      END AS median_household_income,
      CASE WHEN scarcity > 2 AND median_household_income NOT IN (250001, 2499) OR scarcity IS NULL THEN margin END
        AS median_household_income_moe,
      detail
    FROM estimated`,
};
