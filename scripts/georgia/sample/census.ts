/** Datasets of the Census Bureau: counts are drawn by tract or county, margins follow from them. */
import { fromTracts, type Samples, split, summed } from './draws.ts';

/**
 * 90 percent margin of an estimated count, BIGINT and never 0: 1.645 standard errors of a count out of `base`, where
 * one answer represents about 19 people. It grows with the root of the count, and a count of 0 has a margin too.
 */
export function marginOfCount(count: string, base: string): string {
  const remainder = `greatest(0.05, 1 - ${count} / greatest(${base}, ${count}, 1))`;
  return `round(1.645 * sqrt(19 * greatest(${count}, 3) * ${remainder}))::BIGINT`;
}

/**
 * SQL for residents by birth and citizenship, from which all datasets by nativity are drawn: five rows for each place and
 * vintage (2020 to 2024), `people` of each `origin` out of `residents`, with the place's keys and z. A place's share of
 * foreign-born residents is near its county's, and its people grow in number as the adults of `employment` do.
 *
 * @param from table or CTE with county_fips, population and z
 * @param place the place's column
 * @param keys columns to keep
 */
function residents(from: string, place: string, keys: readonly string[]): string {
  return `
    WITH counted AS (
      SELECT
        *,
        round(population * (1 + 0.011 * (year - 2020) * (1 + 0.5 * n('adult growth/' || ${place}))))::BIGINT
          AS residents
      FROM ${from}
      JOIN (SELECT county_fips, foreign_born AS share FROM counties) USING (county_fips),
      (SELECT unnest(range(2020, 2025))::INTEGER AS year)
    ), born AS (
      SELECT
        *,
        count_of(residents, logistic(logit(share) + 0.5 * n('foreign born/' || ${place}) + 0.02 * (year - 2020)
          + 0.05 * drift('foreign born/' || ${place}, year)), 'residents born abroad/' || ${place}) AS foreign_born,
        residents - foreign_born AS native
      FROM counted
    ), parted AS (
      SELECT
        *,
        count_of(foreign_born, logistic(-0.2 + 0.25 * z + 0.3 * n('naturalized/' || ${place}) + 0.02 * (year - 2020)),
          'naturalized residents/' || ${place}) AS naturalized,
        count_of(native, logistic(-4.1 + 0.3 * n('born to citizens abroad/' || ${place})),
          'residents born to citizens abroad/' || ${place}) AS native_abroad
      FROM born
    ), drawn AS (
      SELECT
        *,
        count_of(native - native_abroad, logistic(-0.5 + 0.25 * z + 0.3 * n('newcomers/' || ${place})
          + 0.05 * drift('newcomers/' || ${place}, year)), 'residents from other states/' || ${place}) AS newcomers
      FROM parted
    )
    SELECT
      year, ${[...new Set([...keys, place])].join(', ')}, z, residents,
      unnest(['born_in_state', 'born_other_state', 'native_born_abroad', 'naturalized', 'noncitizen']) AS origin,
      unnest([native - native_abroad - newcomers, newcomers, native_abroad, naturalized, foreign_born - naturalized])
        AS people
    FROM drawn`;
}

/** all = native + foreign_born, foreign_born = naturalized + noncitizen. */
const citizenshipStatuses = `
  SELECT * FROM (VALUES
    ('all', 'born_in_state'), ('all', 'born_other_state'), ('all', 'native_born_abroad'),
    ('all', 'naturalized'), ('all', 'noncitizen'),
    ('native', 'born_in_state'), ('native', 'born_other_state'), ('native', 'native_born_abroad'),
    ('foreign_born', 'naturalized'), ('foreign_born', 'noncitizen'),
    ('naturalized', 'naturalized'), ('noncitizen', 'noncitizen')
  ) t(citizenship_status, origin)`;

/** Table S0501 is published for the largest counties only, and their number varies by vintage. */
const publishedCounties = `
  SELECT year, county_fips
  FROM (VALUES (2020, 22), (2021, 20), (2022, 23), (2023, 24), (2024, 24)) t(year, amount)
  JOIN counties ON rank <= amount`;

/** People of all counties by citizenship, the sums of their tracts; a county without tracts counts as one tract. */
const countyResidents = `
  SELECT
    year, county_fips, counties.z,
    CASE WHEN origin IN ('naturalized', 'noncitizen') THEN origin ELSE 'native' END AS citizenship,
    sum(people)::BIGINT AS people
  FROM (${residents(
    `(
      SELECT county_fips, tract_geoid AS place, population, z FROM tracts
      UNION ALL
      SELECT county_fips, county_fips, population, z FROM counties WHERE NOT detailed
    )`,
    'place',
    ['county_fips'],
  )})
  JOIN counties USING (county_fips)
  GROUP BY ALL`;

/** Sums BIGINT columns of `from` (year, county_fips, citizenship) into the five citizenship statuses of every county and the state. */
function fromCounties(from: string, sums: string): string {
  return `
    SELECT
      year, county_fips, citizenship_status,
      ${summed(sums)},
      CASE WHEN county_fips IS NULL THEN 'states' ELSE 'counties' END AS detail
    FROM ${from}
    JOIN (VALUES
      ('all', 'native'), ('all', 'naturalized'), ('all', 'noncitizen'), ('native', 'native'),
      ('foreign_born', 'naturalized'), ('foreign_born', 'noncitizen'),
      ('naturalized', 'naturalized'), ('noncitizen', 'noncitizen')
    ) t(citizenship_status, citizenship) USING (citizenship)
    GROUP BY GROUPING SETS ((year, county_fips, citizenship_status), (year, citizenship_status))`;
}

const keys = ['county_fips', 'district_code', 'tract_geoid'];
const place = `year, ${keys.join(', ')}`;

export const census: Samples = {
  /** Five years are pooled and so change slowly: the drift is small. */
  'census/employment': `
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
      ${fromTracts('drawn', 'year', 'adults, labor_force, unemployed')}
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

  /** From 2023 a few people were born at sea and count in no region. */
  'census/foreign_born_population': `
    WITH residents AS (${residents('tracts', 'tract_geoid', keys)}),
    statuses AS (${citizenshipStatuses}),
    regions(region, naturalized, noncitizen, first_year) AS (
      VALUES
        ('europe', 0.11, 0.05, 2020), ('asia', 0.37, 0.22, 2020), ('africa', 0.11, 0.08, 2020),
        ('oceania', 0.004, 0.003, 2020), ('latin_america', 0.39, 0.63, 2020), ('northern_america', 0.018, 0.012, 2020),
        ('at_sea', 0.003, 0.004, 2023)
    ), weighed AS (
      SELECT
        r.*, region,
        CASE WHEN year >= first_year THEN
          round(1000000 * CASE origin WHEN 'naturalized' THEN naturalized ELSE noncitizen END * exp(
            0.4 * n(concat_ws('/', 'region of birth', county_fips, region))
            + 0.6 * n(concat_ws('/', 'region of birth', tract_geoid, region)))) ELSE 0 END::BIGINT AS weight
      FROM residents r JOIN regions ON origin IN ('naturalized', 'noncitizen')
    ), born_abroad AS (
      SELECT
        ${place}, origin, region,
        ${split({ total: 'people', weight: 'weight', within: `${place}, origin`, order: 'region' })} AS people
      FROM weighed
    ), cells AS (
      SELECT ${place}, citizenship_status, 'all' AS place_of_birth, 'all' AS region_of_birth, people
      FROM residents JOIN statuses USING (origin)
      UNION ALL
      SELECT
        ${place}, 'all', CASE WHEN origin IN ('naturalized', 'noncitizen') THEN 'foreign_born' ELSE origin END,
        'all', people
      FROM residents
      UNION ALL
      SELECT ${place}, citizenship_status, 'all', region, people
      FROM born_abroad JOIN statuses USING (origin)
      WHERE citizenship_status <> 'all' AND region <> 'at_sea'
    ), summed AS (
      ${fromTracts('cells', 'year, citizenship_status, place_of_birth, region_of_birth', 'people')}
    ), based AS (
      SELECT *, max(people) OVER (PARTITION BY ${place}) AS residents
      FROM summed
    ), estimated AS (
      SELECT *, ${marginOfCount('people', 'residents')} AS margin
      FROM based
    ), derived AS (
      SELECT
        *,
        max(margin) FILTER (citizenship_status = 'naturalized') OVER region AS naturalized_margin,
        max(margin) FILTER (citizenship_status = 'noncitizen') OVER region AS noncitizen_margin
      FROM estimated
      WINDOW region AS (PARTITION BY ${place}, region_of_birth)
    )
    SELECT
      ${place}, citizenship_status, place_of_birth, region_of_birth,
      people AS population_count,
      CASE
        -- The totals of counties and the state are set by the official population estimates.
        WHEN citizenship_status = 'all' AND place_of_birth = 'all' AND detail IN ('counties', 'states') THEN NULL
        WHEN citizenship_status = 'foreign_born' AND region_of_birth <> 'all'
          THEN round(sqrt(naturalized_margin ** 2 + noncitizen_margin ** 2), 1)
        ELSE margin
      END AS population_count_moe,
      detail
    FROM derived`,

  'census/labor_force_by_nativity': `
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
      ${fromCounties('drawn', 'adults, armed, civilian, unemployed')}
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

  /** Wider groups have the mean of the medians, weighted by households. Margins grow as households get fewer. */
  'census/median_household_income_by_nativity': `
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
      ${fromCounties('drawn', 'households, dollars')}
    ), estimated AS (
      SELECT
        *,
        round(dollars / households)::BIGINT AS median,
        round(median * 1.9 / sqrt(households / 19))::BIGINT AS margin,
        -- The smallest groups of each vintage have no estimate, or one beyond the ends of the scale.
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

  /** Counts below 10 are withheld; larger counts are rounded more. */
  'census/nonemployer_owners_by_nativity': `
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

  /**
   * A few residents of each origin have no poverty status. One answer represents about 19 people, so small groups often
   * have nobody below the poverty line, as in the survey itself.
   */
  'census/poverty_by_nativity': `
    WITH residents AS (${residents('tracts', 'tract_geoid', keys)}),
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
      ${fromTracts('cells', 'year, citizenship_status, native_birthplace, survey_weight', 'universe, below')}
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

/** 90 percent margin of a share of `base`, to one decimal of a percent and at least that; 19 people to an answer. */
function marginOfShare(share: string, base: string): string {
  return `greatest(0.001, round(1.645 * sqrt(19 * greatest(${share} * (1 - ${share}), 0.001) / ${base}), 3))`;
}

/** A count rounded to a unit that grows with it. */
function banded(count: string): string {
  const unit = `CASE WHEN ${count} < 100 THEN 10 WHEN ${count} < 1000 THEN 50 WHEN ${count} < 10000 THEN 100
    WHEN ${count} < 100000 THEN 500 ELSE 1000 END`;
  return `(round((${count}) / (${unit})) * (${unit}))::BIGINT`;
}
