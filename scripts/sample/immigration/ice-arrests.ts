import type { SampleDataset } from '../dataset.ts';
import { split } from '../split.ts';
import { arrestMethods, countries, criminality, genders, months } from './axes.ts';

/**
 * Each month draws its number of arrests and shares it out over every combination of gender, criminal history, way
 * of arrest and country; totals are their sums. Numbers rise at the start of 2025, and arrests at large with them.
 */
export const iceArrests: SampleDataset = {
  key: 'immigration/ice_arrests',
  sql: `
    WITH months AS (${months}),
    genders AS (${genders}), criminality AS (${criminality}), methods AS (${arrestMethods}), countries AS (${countries}),
    totals AS (
      SELECT
        *,
        logistic((elapsed - 28) / 2.5) AS surge,
        round(coverage * (230 + 3 * elapsed + 850 * surge) * exp(0.06 * n(concat_ws('/', 'arrests', year, month))))
          AS arrests
      FROM months
    ), cells AS (
      SELECT
        year, month, demographic, criminality, apprehension_method_group, citizenship_country, arrests,
        u(concat_ws('/', 'arrests', year, month, demographic, criminality, apprehension_method_group, citizenship_country))
          AS turn,
        round(100000000 * genders.share * criminality.share * methods.share * countries.share
          * exp(totals.surge * (criminality.surge + methods.surge)))::BIGINT AS weight
      FROM totals, genders, criminality, methods, countries
    ), drawn AS (
      SELECT *, ${split({ total: 'arrests', weight: 'weight', within: 'year, month', order: 'turn' })} AS num_arrests
      FROM cells
    ), summed AS (
      SELECT
        year,
        coalesce(month, 'all') AS month,
        coalesce(demographic, 'all') AS demographic,
        coalesce(criminality, 'all') AS criminality,
        coalesce(apprehension_method_group, 'all') AS apprehension_method_group,
        coalesce(citizenship_country, 'all') AS citizenship_country,
        sum(num_arrests)::BIGINT AS num_arrests
      FROM drawn
      GROUP BY year, CUBE (month, demographic, criminality, apprehension_method_group, citizenship_country)
    )
    SELECT *, NULL AS county_fips, 'states' AS detail
    FROM summed
    WHERE demographic <> 'unknown'`,
};
