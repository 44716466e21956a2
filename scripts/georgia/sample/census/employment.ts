import type { SampleDataset } from '../dataset.ts';
import { fromTracts } from '../levels.ts';
import { marginOfCount } from './margin.ts';

/** Tracts draw their labor force and its unemployed. Pooled years change slowly, so the drift is small. */
export const employment: SampleDataset = {
  key: 'census/employment',
  sql: `
    WITH statewide(year, unemployed) AS (
      VALUES (2020, 0.058), (2021, 0.056), (2022, 0.053), (2023, 0.050), (2024, 0.048)
    ), expected AS (
      SELECT
        year, county_fips, district_code, tract_geoid,
        round(population * 0.79 * (1 + 0.011 * (year - 2020) * (1 + 0.5 * n('adult growth/' || tract_geoid))))::BIGINT
          AS adults,
        logistic(0.52 + 0.22 * z + 0.06 * drift('labor force/' || tract_geoid, year)) AS labor_share,
        logistic(logit(unemployed) - 0.42 * z + 0.12 * drift('unemployment/' || tract_geoid, year)) AS unemployed_share
      FROM tracts, statewide
    ), labor AS (
      SELECT *, count_of(adults, labor_share, concat_ws('/', 'labor force', tract_geoid, year)) AS labor_force
      FROM expected
    ), drawn AS (
      SELECT *, count_of(labor_force, unemployed_share, concat_ws('/', 'unemployed', tract_geoid, year)) AS unemployed
      FROM labor
    ), summed AS (
      ${fromTracts({ from: 'drawn', axes: ['year'], sums: ['adults', 'labor_force', 'unemployed'] })}
    ), estimated AS (
      SELECT
        *,
        -- A few margins of tracts are missing from the source.
        CASE WHEN tract_geoid IS NULL OR u(concat_ws('/', 'margin', tract_geoid, year)) > 0.02
          THEN ${marginOfCount('unemployed', 'adults')} END AS unemployed_moe,
        ${marginOfCount('labor_force', 'adults')} AS labor_force_moe
      FROM summed
    ), derived AS (
      SELECT
        *,
        CASE WHEN labor_force > 0 THEN unemployed / labor_force END AS rate,
        sqrt(unemployed_moe ** 2 + (rate * labor_force_moe) ** 2) / nullif(labor_force, 0) AS rate_moe
      FROM estimated
    )
    SELECT
      year, county_fips, district_code, tract_geoid,
      round(rate, 4) AS unemployment_rate,
      CASE WHEN rate_moe <= 1 THEN round(rate_moe, 4) END AS unemployment_rate_moe,
      unemployed AS num_unemployed,
      unemployed_moe AS num_unemployed_moe,
      labor_force AS num_civilian_labor_force,
      labor_force_moe AS num_civilian_labor_force_moe,
      detail
    FROM derived`,
};
