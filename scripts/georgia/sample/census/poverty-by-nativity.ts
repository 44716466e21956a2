import type { SampleDataset } from '../dataset.ts';
import { fromTracts } from '../levels.ts';
import { marginOfCount } from './margin.ts';
import { citizenshipStatuses, residents } from './nativity.ts';

const keys = ['county_fips', 'district_code', 'tract_geoid'];
const place = `year, ${keys.join(', ')}`;

/**
 * A few residents of each origin have no poverty status. One answer stands for about 19 people, so small groups often
 * have nobody below the poverty line, as in the survey itself.
 */
export const povertyByNativity: SampleDataset = {
  key: 'census/poverty_by_nativity',
  sql: `
    WITH residents AS (${residents({ from: 'tracts', place: 'tract_geoid', keys })}),
    statuses AS (${citizenshipStatuses}),
    statewide(year, below, survey_weight) AS (
      VALUES (2020, 0.118, 18), (2021, 0.116, 19), (2022, 0.112, 19), (2023, 0.110, 19), (2024, 0.108, 19)
    ), origins(origin, native_birthplace, effect) AS (
      VALUES
        ('born_in_state', 'born_in_us', 0.1), ('born_other_state', 'born_in_us', -0.25),
        ('native_born_abroad', 'born_outside_us', -0.1), ('naturalized', NULL, -0.3), ('noncitizen', NULL, 0.45)
    ), expected AS (
      SELECT
        ${place}, origin, residents, survey_weight,
        people - count_of(people, 0.022, concat_ws('/', 'no poverty status', tract_geoid, origin)) AS universe,
        logistic(logit(below) - 0.6 * z + effect
          + 0.3 * n(concat_ws('/', 'poverty of origin', tract_geoid, origin))
          + 0.1 * drift('poverty/' || tract_geoid, year)) AS share
      FROM residents JOIN origins USING (origin) JOIN statewide USING (year)
    ), asked AS (
      SELECT *, ceil(universe / survey_weight)::BIGINT AS answers
      FROM expected
    ), answered AS (
      SELECT *, count_of(answers, share, concat_ws('/', 'poverty', tract_geoid, origin)) AS answers_below
      FROM asked
    ), drawn AS (
      SELECT *, CASE WHEN answers = 0 THEN 0 ELSE universe * answers_below // answers END::BIGINT AS below
      FROM answered
    ), cells AS (
      SELECT *, 'all' AS native_birthplace
      FROM drawn JOIN statuses USING (origin)
      UNION ALL BY NAME
      SELECT *, 'native' AS citizenship_status
      FROM drawn JOIN (SELECT origin, native_birthplace FROM origins) USING (origin)
      WHERE native_birthplace IS NOT NULL
    ), summed AS (
      ${fromTracts({
        from: 'cells',
        axes: ['year', 'citizenship_status', 'native_birthplace', 'survey_weight'],
        sums: ['universe', 'below'],
      })}
    ), based AS (
      SELECT *, round(1.02 * max(universe) OVER (PARTITION BY ${place}))::BIGINT AS residents
      FROM summed
    ), estimated AS (
      SELECT
        *,
        -- A few margins of tracts are missing from the source.
        CASE WHEN tract_geoid IS NULL
          OR u(concat_ws('/', 'poverty margin', tract_geoid, citizenship_status, native_birthplace, year)) > 0.02
          THEN ${marginOfCount('below', 'universe')} END AS below_moe,
        ${marginOfCount('universe', 'residents')} AS universe_moe
      FROM based
    ), derived AS (
      SELECT
        *,
        CASE WHEN universe > 0 THEN below / universe END AS rate,
        below_moe ** 2 - (rate * universe_moe) ** 2 AS proportion,
        least(2.3 * survey_weight / universe, 0.5) AS modeled_share,
        CASE
          WHEN below_moe IS NULL OR universe = 0 THEN NULL
          WHEN below IN (0, universe) THEN 1.645 * sqrt(modeled_share * (1 - modeled_share) * survey_weight / universe)
          WHEN proportion > 0 THEN sqrt(proportion) / universe
          ELSE sqrt(below_moe ** 2 + (rate * universe_moe) ** 2) / universe
        END AS rate_moe
      FROM estimated
    )
    SELECT
      ${place}, citizenship_status, native_birthplace,
      round(rate, 4) AS poverty_rate,
      CASE WHEN rate_moe <= 1 THEN greatest(0.0001, round(rate_moe, 4)) END AS poverty_rate_moe,
      below AS num_below_poverty,
      below_moe AS num_below_poverty_moe,
      universe AS num_poverty_universe,
      universe_moe AS num_poverty_universe_moe,
      detail
    FROM derived`,
};
