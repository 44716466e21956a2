import type { SampleDataset } from '../dataset.ts';
import { countyResidents, fromCounties, publishedCounties } from './large-counties.ts';
import { marginOfCount } from './margin.ts';

/** Each county draws its adults in the labor force, in the armed forces and without a job. */
export const laborForceByNativity: SampleDataset = {
  key: 'census/labor_force_by_nativity',
  sql: `
    WITH residents AS (${countyResidents}), published AS (${publishedCounties}),
    statewide(year, unemployed) AS (
      VALUES (2020, 0.058), (2021, 0.056), (2022, 0.053), (2023, 0.050), (2024, 0.048)
    ), groups(citizenship, adults, labor, unemployed_effect, armed) AS (
      VALUES ('native', 0.775, 0.47, 0.03, 0.006), ('naturalized', 0.975, 0.66, -0.25, 0.004),
        ('noncitizen', 0.915, 0.84, 0.1, 0.001)
    ), expected AS (
      SELECT
        year, county_fips, citizenship,
        concat_ws('/', county_fips, citizenship) AS place,
        count_of(people, r.adults, 'adults by nativity/' || place) AS adults,
        least(0.3, armed * exp(1.1 * n('garrison/' || county_fips))) AS armed_share,
        logistic(labor + 0.22 * z + 0.1 * n('labor force by nativity/' || place)
          + 0.05 * drift('labor force by nativity/' || place, year)) AS labor_share,
        logistic(logit(unemployed) + unemployed_effect - 0.42 * z + 0.12 * n('unemployed by nativity/' || place)
          + 0.1 * drift('unemployed by nativity/' || place, year)) AS unemployed_share
      FROM (SELECT * FROM residents JOIN groups USING (citizenship)) r JOIN statewide USING (year)
    ), enlisted AS (
      SELECT *, count_of(adults, armed_share, 'armed forces/' || place) AS armed
      FROM expected
    ), working AS (
      SELECT
        *,
        count_of(adults - armed, labor_share, concat_ws('/', 'labor force by nativity', place, year)) AS civilian
      FROM enlisted
    ), drawn AS (
      SELECT *, count_of(civilian, unemployed_share, concat_ws('/', 'unemployed by nativity', place, year)) AS unemployed
      FROM working
    ), summed AS (
      ${fromCounties('drawn', ['adults', 'armed', 'civilian', 'unemployed'])}
    ), shared AS (
      SELECT
        *,
        (civilian + armed) / adults AS participating_share,
        civilian / adults AS civilian_share,
        (civilian - unemployed) / adults AS employed_share,
        unemployed / adults AS unemployed_share,
        unemployed / civilian AS unemployment,
        armed / adults AS armed_share,
        max(adults) OVER (PARTITION BY year, county_fips) AS everyone
      FROM summed
    )
    SELECT
      year, county_fips, NULL AS district_code, NULL AS tract_geoid, citizenship_status,
      adults AS num_population_16_plus,
      ${marginOfCount('adults', 'everyone')} AS num_population_16_plus_moe,
      round(participating_share, 3) AS labor_force_participation_rate,
      ${marginOfShare('participating_share', 'adults')} AS labor_force_participation_rate_moe,
      round(civilian_share, 3) AS pct_civilian_labor_force,
      ${marginOfShare('civilian_share', 'adults')} AS pct_civilian_labor_force_moe,
      round(employed_share, 3) AS pct_employed,
      ${marginOfShare('employed_share', 'adults')} AS pct_employed_moe,
      round(unemployed_share, 3) AS pct_unemployed,
      ${marginOfShare('unemployed_share', 'adults')} AS pct_unemployed_moe,
      round(unemployment, 3) AS unemployment_rate,
      ${marginOfShare('unemployment', 'civilian')} AS unemployment_rate_moe,
      round(armed_share, 3) AS pct_armed_forces,
      ${marginOfShare('armed_share', 'adults')} AS pct_armed_forces_moe,
      round(1 - participating_share, 3) AS pct_not_in_labor_force,
      ${marginOfShare('participating_share', 'adults')} AS pct_not_in_labor_force_moe,
      detail
    FROM shared
    WHERE detail = 'states' OR (year, county_fips) IN (FROM published)`,
};

/** 90 percent margin of a share of `base`, to one decimal of a percent and at least that; 19 people to an answer. */
function marginOfShare(share: string, base: string): string {
  return `greatest(0.001, round(1.645 * sqrt(19 * greatest(${share} * (1 - ${share}), 0.001) / ${base}), 3))`;
}
