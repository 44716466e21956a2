/** Datasets of the Census Bureau: counts are drawn by tract or county, margins follow from them. */
import { byCounty, byTract, levelsOf, type Samples, sample, split, withColumns } from './draws.ts';

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
 * @param from table or CTE with county_fips, population, z and the column `place`
 */
function residents(from: string, place: string): string {
  const people = withColumns(
    `${from} JOIN (SELECT county_fips, foreign_born AS share FROM counties) USING (county_fips),
    (SELECT unnest(range(2020, 2025))::INTEGER AS year)`,
    {
      residents: `round(population * (1 + 0.011 * (year - 2020) * (1 + 0.5 * n('adult growth/' || ${place}))))::BIGINT`,
      foreign_born: `count_of(residents, logistic(logit(share) + 0.5 * n('foreign born/' || ${place}) + 0.02 * (year - 2020)
        + 0.05 * drift('foreign born/' || ${place}, year)), 'residents born abroad/' || ${place})`,
      native: 'residents - foreign_born',
      naturalized: `count_of(foreign_born, logistic(-0.2 + 0.25 * z + 0.3 * n('naturalized/' || ${place})
        + 0.02 * (year - 2020)), 'naturalized residents/' || ${place})`,
      native_abroad: `count_of(native, logistic(-4.1 + 0.3 * n('born to citizens abroad/' || ${place})),
        'residents born to citizens abroad/' || ${place})`,
      newcomers: `count_of(native - native_abroad, logistic(-0.5 + 0.25 * z + 0.3 * n('newcomers/' || ${place})
        + 0.05 * drift('newcomers/' || ${place}, year)), 'residents from other states/' || ${place})`,
    },
  );
  return `
    SELECT * EXCLUDE (share, foreign_born, native, naturalized, native_abroad, newcomers),
      unnest(['born_in_state', 'born_other_state', 'native_born_abroad', 'naturalized', 'noncitizen']) AS origin,
      unnest([native - native_abroad - newcomers, newcomers, native_abroad, naturalized, foreign_born - naturalized])
        AS people
    FROM (${people})`;
}

const KEYS = 'year, county_fips, district_code, tract_geoid';
const TRACT_RESIDENTS = residents('tracts', 'tract_geoid');

/** SQL for the citizenship statuses of an origin: all = native + foreign_born, foreign_born = naturalized + noncitizen. */
const STATUSES = `unnest(CASE WHEN origin IN ('naturalized', 'noncitizen') THEN ['all', 'foreign_born', origin]
  ELSE ['all', 'native'] END)`;

/** People of all counties by citizenship, the sums of their tracts; a county without tracts counts as one tract. */
const countyResidents = `
  SELECT year, county_fips, counties.z,
    CASE WHEN origin IN ('naturalized', 'noncitizen') THEN origin ELSE 'native' END AS origin,
    sum(people)::BIGINT AS people
  FROM (${residents(
    `(SELECT county_fips, tract_geoid AS place_code, population, z FROM tracts
      UNION ALL SELECT county_fips, county_fips, population, z FROM counties WHERE NOT detailed)`,
    'place_code',
  )}) JOIN counties USING (county_fips)
  GROUP BY ALL`;

/** SQL for rows with all their citizenship statuses. */
const withStatuses = (rows: string) => `SELECT *, ${STATUSES} AS citizenship_status FROM (${rows})`;

/** Table S0501 is published for the largest counties only, and their number varies by vintage. */
const PUBLISHED = `detail = 'states' OR (year, county_fips) IN (
  SELECT (year, county_fips) FROM (VALUES (2020, 22), (2021, 20), (2022, 23), (2023, 24), (2024, 24)) t(year, amount)
  JOIN counties ON rank <= amount)`;

const UNEMPLOYED = '[0.058, 0.056, 0.053, 0.050, 0.048][year - 2019]';

/** Shares of S0501 by their columns, with their bases. */
const LABOR_SHARES: Readonly<Record<string, readonly [share: string, base: string]>> = {
  labor_force_participation_rate: ['(civilian + armed) / adults', 'adults'],
  pct_civilian_labor_force: ['civilian / adults', 'adults'],
  pct_employed: ['(civilian - unemployed) / adults', 'adults'],
  pct_unemployed: ['unemployed / adults', 'adults'],
  unemployment_rate: ['unemployed / civilian', 'civilian'],
  pct_armed_forces: ['armed / adults', 'adults'],
  pct_not_in_labor_force: ['(1 - (civilian + armed) / adults)', 'adults'],
};

/** 90 percent margin of a share of `base`, to one decimal of a percent and at least that; 19 people to an answer. */
function marginOfShare(share: string, base: string): string {
  return `greatest(0.001, round(1.645 * sqrt(19 * greatest((${share}) * (1 - (${share})), 0.001) / ${base}), 3))`;
}

/** A count rounded to a unit that grows with it. */
function banded(count: string): string {
  const unit = `CASE WHEN ${count} < 100 THEN 10 WHEN ${count} < 1000 THEN 50 WHEN ${count} < 10000 THEN 100
    WHEN ${count} < 100000 THEN 500 ELSE 1000 END`;
  return `(round((${count}) / (${unit})) * (${unit}))::BIGINT`;
}

export const census: Samples = {
  /** Five years are pooled and so change slowly: the drift is small. */
  'census/employment': sample({
    from: 'tracts, (SELECT unnest(range(2020, 2025))::INTEGER AS year)',
    drawn: {
      adults: `round(population * 0.79
        * (1 + 0.011 * (year - 2020) * (1 + 0.5 * n('adult growth/' || tract_geoid))))::BIGINT`,
      labor_force: `count_of(adults, logistic(0.52 + 0.22 * z + 0.06 * drift('labor force/' || tract_geoid, year)),
        concat_ws('/', 'labor force', tract_geoid, year))`,
      unemployed: `count_of(labor_force,
        logistic(logit(${UNEMPLOYED}) - 0.42 * z + 0.12 * drift('unemployment/' || tract_geoid, year)),
        concat_ws('/', 'unemployed', tract_geoid, year))`,
    },
    levels: byTract('', 'adults, labor_force, unemployed'),
    judged: {
      // A few margins of tracts are missing from the source.
      unemployed_moe: `CASE WHEN tract_geoid IS NULL OR u(concat_ws('/', 'margin', tract_geoid, year)) > 0.02
        THEN ${marginOfCount('unemployed', 'adults')} END`,
      labor_force_moe: marginOfCount('labor_force', 'adults'),
      rate: 'unemployed / nullif(labor_force, 0)',
      rate_moe: 'sqrt(unemployed_moe ** 2 + (rate * labor_force_moe) ** 2) / nullif(labor_force, 0)',
    },
    figures: {
      unemployment_rate: 'round(rate, 4)',
      unemployment_rate_moe: 'CASE WHEN rate_moe <= 1 THEN round(rate_moe, 4) END',
      num_unemployed: 'unemployed',
      num_unemployed_moe: 'unemployed_moe',
      num_civilian_labor_force: 'labor_force',
      num_civilian_labor_force_moe: 'labor_force_moe',
    },
  }),

  /** From 2023 a few people were born at sea and count in no region. */
  'census/foreign_born_population': sample({
    from: `(${TRACT_RESIDENTS})
      LEFT JOIN (VALUES
        ('europe', 0.11, 0.05, 2020), ('asia', 0.37, 0.22, 2020), ('africa', 0.11, 0.08, 2020),
        ('oceania', 0.004, 0.003, 2020), ('latin_america', 0.39, 0.63, 2020), ('northern_america', 0.018, 0.012, 2020),
        ('at_sea', 0.003, 0.004, 2023)
      ) regions(region, of_naturalized, of_noncitizens, first_year) ON origin IN ('naturalized', 'noncitizen')`,
    drawn: {
      weight: `CASE WHEN year >= first_year THEN
        round(1000000 * CASE origin WHEN 'naturalized' THEN of_naturalized ELSE of_noncitizens END * exp(
          0.4 * n(concat_ws('/', 'region of birth', county_fips, region))
          + 0.6 * n(concat_ws('/', 'region of birth', tract_geoid, region)))) ELSE 0 END::BIGINT`,
      // Those born here count as of one region.
      of_region: `CASE WHEN region IS NULL THEN people ELSE ${split('people', 'weight', `${KEYS}, origin`, 'region')} END`,
    },
    added: rows => `
        WITH drawn AS (SELECT *, ${STATUSES} AS citizenship_status FROM (${rows}))
        SELECT * REPLACE (of_region AS people), 'all' AS place_of_birth, 'all' AS region_of_birth FROM drawn
        UNION ALL BY NAME
        SELECT * REPLACE (of_region AS people), 'all' AS region_of_birth,
          CASE WHEN origin IN ('naturalized', 'noncitizen') THEN 'foreign_born' ELSE origin END AS place_of_birth
        FROM drawn WHERE citizenship_status = 'all'
        UNION ALL BY NAME
        SELECT * REPLACE (of_region AS people), 'all' AS place_of_birth, region AS region_of_birth FROM drawn
        WHERE citizenship_status <> 'all' AND region <> 'at_sea'`,
    levels: byTract('citizenship_status, place_of_birth, region_of_birth', 'people'),
    judged: {
      residents: `max(people) OVER (PARTITION BY ${KEYS})`,
      margin: marginOfCount('people', 'residents'),
      squares: `sum(margin ** 2) FILTER (citizenship_status IN ('naturalized', 'noncitizen'))
        OVER (PARTITION BY ${KEYS}, region_of_birth)`,
    },
    figures: {
      population_count: 'people',
      population_count_moe: `CASE
        -- The totals of counties and the state are set by the official population estimates.
        WHEN citizenship_status = 'all' AND place_of_birth = 'all' AND detail IN ('counties', 'states') THEN NULL
        WHEN citizenship_status = 'foreign_born' AND region_of_birth <> 'all' THEN round(sqrt(squares), 1)
        ELSE margin END`,
    },
  }),

  'census/labor_force_by_nativity': sample({
    from: `(${countyResidents}) JOIN (VALUES
        ('native', 0.775, 0.47, 0.03, 0.006), ('naturalized', 0.975, 0.66, -0.25, 0.004),
        ('noncitizen', 0.915, 0.84, 0.1, 0.001)
      ) groups(origin, grown, labor, unemployed_effect, armed_share) USING (origin)`,
    drawn: {
      place: "concat_ws('/', county_fips, origin)",
      adults: "count_of(people, grown, 'adults by nativity/' || place)",
      armed: `count_of(adults, least(0.3, armed_share * exp(1.1 * n('garrison/' || county_fips))), 'armed forces/' || place)`,
      civilian: `count_of(adults - armed, logistic(labor + 0.22 * z + 0.1 * n('labor force by nativity/' || place)
        + 0.05 * drift('labor force by nativity/' || place, year)), concat_ws('/', 'labor force by nativity', place, year))`,
      unemployed: `count_of(civilian, logistic(logit(${UNEMPLOYED}) + unemployed_effect - 0.42 * z
        + 0.12 * n('unemployed by nativity/' || place) + 0.1 * drift('unemployed by nativity/' || place, year)),
        concat_ws('/', 'unemployed by nativity', place, year))`,
    },
    added: withStatuses,
    levels: byCounty('citizenship_status', 'adults, armed, civilian, unemployed'),
    judged: { everyone: 'max(adults) OVER (PARTITION BY year, county_fips)' },
    where: PUBLISHED,
    figures: {
      num_population_16_plus: 'adults',
      num_population_16_plus_moe: marginOfCount('adults', 'everyone'),
      ...Object.fromEntries(
        Object.entries(LABOR_SHARES).flatMap(([name, [share, base]]) => [
          [name, `round(${share}, 3)`],
          [`${name}_moe`, marginOfShare(share, base)],
        ]),
      ),
    },
  }),

  /** Wider groups have the mean of the medians, weighted by households. Margins grow as households get fewer. */
  'census/median_household_income_by_nativity': sample({
    from: `(${countyResidents}) JOIN (VALUES ('native', 2.7, 0.02), ('naturalized', 2.2, 0.08), ('noncitizen', 2.6, -0.22))
      groups(origin, household_size, effect) USING (origin)`,
    drawn: {
      place: "concat_ws('/', county_fips, origin)",
      households: 'round(people / household_size)::BIGINT',
      expected: `[62800, 66600, 72900, 76400, 79300][year - 2019] * exp(0.24 * z + effect
        + 0.1 * n('income by nativity/' || place) + 0.03 * drift('income by nativity/' || place, year))`,
      dollars: `households * round(expected * exp(1.5 / sqrt(10 + households / 19)
        * n(concat_ws('/', 'income by nativity', place, year))))::BIGINT`,
    },
    added: withStatuses,
    levels: rows =>
      `FROM (${byCounty('citizenship_status', 'households, dollars').of(rows)}) WHERE ${PUBLISHED}`,
    judged: {
      mean: 'round(dollars / households)::BIGINT',
      // The smallest groups of each vintage have no estimate, or one beyond the ends of the scale.
      scarcity: `CASE detail WHEN 'counties' THEN row_number() OVER (PARTITION BY year, detail
        ORDER BY households, county_fips, citizenship_status) ELSE 1000 END`,
      beyond: `CASE WHEN scarcity = 3 AND year % 2 = 0 THEN 250001 WHEN scarcity = 4 AND year = 2021 THEN 2499 END`,
    },
    keys: 'year, county_fips, citizenship_status',
    published: 'scarcity > 2',
    figures: {
      median_household_income: 'coalesce(beyond, mean)',
      median_household_income_moe:
        'CASE WHEN beyond IS NULL THEN round(mean * 1.9 / sqrt(households / 19))::BIGINT END',
    },
  }),

  /** Counts below 10 are withheld; larger counts are rounded more. */
  'census/nonemployer_owners_by_nativity': sample({
    from: `counties, (VALUES (2022), (2023)) t(year), (VALUES
      ('naics_11', 0.009, -1.3), ('naics_21', 0.0004, -1.4), ('naics_22', 0.0006, -0.9), ('naics_23', 0.1, 0.45),
      ('naics_31_33', 0.014, -0.1), ('naics_42', 0.016, 0.25), ('naics_44_45', 0.09, 0.0),
      ('naics_48_49', 0.17, 0.5), ('naics_51', 0.015, -0.2), ('naics_52', 0.022, -0.5), ('naics_53', 0.095, -0.25),
      ('naics_54', 0.115, -0.2), ('naics_56', 0.105, 0.25), ('naics_61', 0.032, -0.35), ('naics_62', 0.07, 0.05),
      ('naics_71', 0.045, -0.7), ('naics_72', 0.026, 0.2), ('naics_81', 0.075, 0.05)) sectors(sector, share, effect)`,
    drawn: {
      owners: `round(population * 0.088 * (1 + 0.03 * (year - 2022)) * exp(0.1 * z + 0.12 * n('owners/' || county_fips))
        * (1 + 0.01 * n(concat_ws('/', 'owners', county_fips, year))))::BIGINT`,
      weight: `round(1000000 * share * exp(0.25 * n(concat_ws('/', 'owners of sector', county_fips, sector))
        + 0.04 * n(concat_ws('/', 'owners of sector', county_fips, sector, year))))::BIGINT`,
      reporting: split('owners', 'weight', 'year, county_fips', 'sector'),
      not_us_born: `count_of(reporting, logistic(logit(foreign_born) + 0.45 + effect + 0.03 * (year - 2022)
        + 0.2 * n(concat_ws('/', 'owners born abroad', county_fips, sector))),
        concat_ws('/', 'owners born abroad', county_fips, sector, year))`,
      not_citizen: `count_of(not_us_born, logistic(-0.35 - 0.2 * z + 0.4 * effect),
        concat_ws('/', 'owners not citizens', county_fips, sector, year))`,
    },
    levels: rows => {
      const sums = 'reporting, not_us_born, not_citizen';
      return `
        ${byCounty('', sums).of(rows)}
        UNION ALL BY NAME ${levelsOf({ states: ['sector'] })('', sums).of(rows)}`;
    },
    keys: "year, county_fips, coalesce(sector, 'all') AS sector",
    figures: {
      num_owners_reporting: banded('reporting'),
      num_owners_us_born: banded('reporting - not_us_born'),
      num_owners_not_us_born: `CASE WHEN not_us_born >= 10 THEN ${banded('not_us_born')} END`,
      pct_not_us_born: 'round(1 - (reporting - not_us_born) / reporting, 3)',
      num_owners_citizen: banded('reporting - not_citizen'),
      num_owners_not_citizen: `CASE WHEN not_citizen >= 10 THEN ${banded('not_citizen')} END`,
      pct_not_citizen: 'CASE WHEN not_citizen >= 10 THEN round(not_citizen / reporting, 3) END',
    },
  }),

  /**
   * A few residents of each origin have no poverty status. One answer represents about 19 people, so small groups often
   * have nobody below the poverty line, as in the survey itself.
   */
  'census/poverty_by_nativity': sample({
    from: `(${TRACT_RESIDENTS}) JOIN (VALUES
        ('born_in_state', 'born_in_us', 0.1), ('born_other_state', 'born_in_us', -0.25),
        ('native_born_abroad', 'born_outside_us', -0.1), ('naturalized', NULL, -0.3), ('noncitizen', NULL, 0.45)
      ) origins(origin, birthplace, effect) USING (origin)`,
    drawn: {
      survey_weight: 'CASE WHEN year = 2020 THEN 18 ELSE 19 END',
      universe: "people - count_of(people, 0.022, concat_ws('/', 'no poverty status', tract_geoid, origin))",
      share: `logistic(logit([0.118, 0.116, 0.112, 0.110, 0.108][year - 2019]) - 0.6 * z + effect
        + 0.3 * n(concat_ws('/', 'poverty of origin', tract_geoid, origin)) + 0.1 * drift('poverty/' || tract_geoid, year))`,
      answers: 'ceil(universe / survey_weight)::BIGINT',
      answers_below: "count_of(answers, share, concat_ws('/', 'poverty', tract_geoid, origin))",
      below: 'CASE WHEN answers = 0 THEN 0 ELSE universe * answers_below // answers END::BIGINT',
    },
    added: rows => `
        WITH drawn AS (${rows})
        SELECT *, ${STATUSES} AS citizenship_status, 'all' AS native_birthplace FROM drawn
        UNION ALL
        SELECT *, 'native', birthplace FROM drawn WHERE birthplace IS NOT NULL`,
    levels: byTract('citizenship_status, native_birthplace, survey_weight', 'universe, below'),
    judged: {
      residents: `round(1.02 * max(universe) OVER (PARTITION BY ${KEYS}))::BIGINT`,
      // A few margins of tracts are missing from the source.
      below_moe: `CASE WHEN tract_geoid IS NULL
        OR u(concat_ws('/', 'poverty margin', tract_geoid, citizenship_status, native_birthplace, year)) > 0.02
        THEN ${marginOfCount('below', 'universe')} END`,
      universe_moe: marginOfCount('universe', 'residents'),
      rate: 'below / nullif(universe, 0)',
      proportion: 'below_moe ** 2 - (rate * universe_moe) ** 2',
      modeled_share: 'least(2.3 * survey_weight / universe, 0.5)',
      rate_moe: `CASE
        WHEN below_moe IS NULL OR universe = 0 THEN NULL
        WHEN below IN (0, universe) THEN 1.645 * sqrt(modeled_share * (1 - modeled_share) * survey_weight / universe)
        WHEN proportion > 0 THEN sqrt(proportion) / universe
        ELSE sqrt(below_moe ** 2 + (rate * universe_moe) ** 2) / universe END`,
    },
    keys: `${KEYS}, citizenship_status, native_birthplace`,
    figures: {
      poverty_rate: 'round(rate, 4)',
      poverty_rate_moe: 'CASE WHEN rate_moe <= 1 THEN greatest(0.0001, round(rate_moe, 4)) END',
      num_below_poverty: 'below',
      num_below_poverty_moe: 'below_moe',
      num_poverty_universe: 'universe',
      num_poverty_universe_moe: 'universe_moe',
    },
  }),
};
