/**
 * The invented state: a DuckDB in memory with tables of places and groups, over which datasets are queries. `z` is a
 * place's latent advantage, standard normal over all places. A school's is near its district's, a district's near its
 * county's, so that measures agree with each other and vary from place to place as real ones do.
 */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { randomnessMacros, split, splitAmongGroups, splitMacros } from './draws.ts';

/** How many places the lake has. Years, levels, groups and eras are complete at either scale. */
export type Scale = 'small' | 'full';

export const scales: readonly Scale[] = ['small', 'full'];

/** One county in `countyStep` has districts, schools and tracts. The other numbers count places. */
const EXTENTS = {
  small: {
    countyStep: 14,
    serviceAgencies: 1,
    stateCharters: 1,
    commissionCharters: 1,
    stateSchools: 1,
    schools: 64,
    tracts: 60,
    blockGroups: 160,
  },
  full: {
    countyStep: 1,
    serviceAgencies: 16,
    stateCharters: 20,
    commissionCharters: 36,
    stateSchools: 4,
    schools: 2300,
    tracts: 2796,
    blockGroups: 7446,
  },
} as const;

type Extent = (typeof EXTENTS)[Scale];

interface World {
  readonly connection: DuckDBConnection;
  close(): void;
}

export async function createWorld(scale: Scale, seed: number): Promise<World> {
  // For the small lake, a second thread takes a third more processor time.
  const threads = scale === 'small' ? '1' : '2';
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '2GB', threads });
  const connection = await instance.connect();
  const extent = EXTENTS[scale];
  const statements = [
    ...randomnessMacros(seed),
    ...splitMacros,
    ...countiesSql(extent),
    ...districtsSql(extent),
    schoolsSql(extent),
    ...tractsSql(extent),
    blockGroupsSql(extent),
    demographicsSql,
    enrollmentSql,
  ];
  for (const statement of statements) await connection.run(statement);
  return {
    connection,
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/**
 * state_counties: all 159 counties at either scale, with `rank` by population. counties: those of the lake, always with
 * the 24 largest, since some sources publish only large ones; `detailed` ones have districts, schools and tracts.
 * Populations are lognormal, as real ones nearly are. `foreign_born` is the share of residents born abroad.
 */
function countiesSql({ countyStep }: Extent): readonly string[] {
  return [
    `CREATE TABLE state_counties AS
     WITH codes AS (
       SELECT code, row_number() OVER (ORDER BY code) AS ordinal
       FROM range(1, 322, 2) t(code)
       WHERE code NOT IN (41, 203)
     ), drawn AS (
       SELECT
         ordinal,
         printf('13%03d', code) AS county_fips,
         printf('Sample County %03d', code) AS county_name,
         least(1100000, greatest(2000, round(exp(10.35 + 1.2 * n(concat_ws('/', 'county population', code))))))::BIGINT
           AS population,
         n(concat_ws('/', 'county z', code)) AS z
       FROM codes
     )
     SELECT
       *,
       row_number() OVER (ORDER BY population DESC, county_fips) AS rank,
       logistic(-2.75 + 0.4 * ln(population / 60000) + 0.45 * n('county foreign born/' || county_fips)) AS foreign_born
     FROM drawn`,
    `CREATE TABLE counties AS
     SELECT *, ordinal % ${countyStep} = 1 % ${countyStep} AS detailed FROM state_counties WHERE detailed OR rank <= 24`,
  ];
}

/**
 * districts: all bodies that run schools or receive school money. The 21 largest counties also have a city district,
 * with three tenths of the county. Only standard districts have a county_fips and a census id; only bodies that run
 * schools have an enrollment.
 */
function districtsSql(extent: Extent): readonly string[] {
  const { serviceAgencies, stateCharters, commissionCharters, stateSchools } = extent;
  return [
    `CREATE TABLE districts AS
     WITH standard AS (
       SELECT (600 + ordinal)::VARCHAR AS district_code, county_fips, CASE WHEN rank <= 21 THEN 0.7 ELSE 1 END AS share
       FROM state_counties
       UNION ALL
       SELECT (759 + rank)::VARCHAR, county_fips, 0.3 FROM state_counties WHERE rank <= 21
     ), operators(first_code, amount, district_type, district_name, least_enrollment, most_enrollment) AS (
       VALUES
         (7820101, ${stateCharters}, 'state_charter', 'Sample State Charter', 180, 1400),
         (7830101, ${commissionCharters}, 'commission_charter', 'Sample Commission Charter', 180, 1400),
         (7990101, ${stateSchools}, 'state_school', 'Sample State School', 120, 260),
         (850, ${serviceAgencies}, 'resa', 'Sample Service Agency', 0, 0),
         (891, 1, 'state_agency', 'Sample State Agency', 500, 900)
     ), bodies AS (
       SELECT
         district_code, 'Sample District ' || district_code AS district_name, '90' || district_code AS district_census_id,
         'standard' AS district_type, county_fips, round(population * share * 0.155)::BIGINT AS enrollment, z AS county_z
       FROM standard JOIN counties USING (county_fips)
       WHERE detailed
       UNION ALL
       SELECT
         code, district_name || ' ' || code, NULL, district_type, NULL,
         round(least_enrollment + u('operator enrollment/' || code) * (most_enrollment - least_enrollment))::BIGINT,
         n('operator area/' || code)
       FROM operators, LATERAL (SELECT (first_code + k)::VARCHAR AS code FROM range(amount) t(k))
       UNION ALL
       SELECT 'RTC', 'Sample Residential Treatment Centers', NULL, 'state_special', NULL, 0, 0
     )
     SELECT
       * EXCLUDE (county_z),
       0.8 * county_z + 0.6 * n('district z/' || district_code) AS z
     FROM bodies`,
  ];
}

/**
 * schools: standard districts have at least three (elementary, middle, high), any other body that enrolls students has
 * one. elementary, middle and high are the shares of the school's students at that level and add up to 1. Enrollments
 * add up to the district's.
 */
function schoolsSql({ schools }: Extent): string {
  return `
    CREATE TABLE schools AS
    WITH standard AS (
      SELECT
        *,
        3 + ${split({ total: 'spare', weight: 'enrollment', within: 'district_type', order: 'district_code' })} AS amount
      FROM districts, LATERAL (
        SELECT ${schools} - sum(CASE WHEN district_type = 'standard' THEN 3 ELSE 1 END) AS spare
        FROM districts WHERE enrollment > 0
      )
      WHERE district_type = 'standard'
    ), numbered AS (
      SELECT district_code, z, district_type, enrollment, k, amount, (k - 0.5) / amount AS position
      FROM standard, LATERAL (SELECT unnest(range(1, amount + 1)) AS k)
      UNION ALL
      SELECT district_code, z, district_type, enrollment, 1, 1, u('operator levels/' || district_code)
      FROM districts WHERE enrollment > 0 AND district_type <> 'standard'
    ), levelled AS (
      SELECT
        *,
        CASE
          WHEN district_type = 'standard' THEN
            CASE
              WHEN position < 0.57 AND k < amount - 1 THEN 'Elementary'
              WHEN position < 0.79 AND k < amount THEN 'Middle'
              ELSE 'High'
            END
          WHEN district_type = 'state_agency' OR position > 0.8 THEN 'High'
          WHEN district_type <> 'state_school' AND position < 0.4 THEN 'Primary'
          ELSE 'Unified'
        END AS kind
      FROM numbered
    ), shared AS (
      SELECT
        *,
        printf('%04d', 100 + k) AS school_code,
        CASE kind WHEN 'Elementary' THEN 1 WHEN 'Primary' THEN 0.66 WHEN 'Unified' THEN 0.46 ELSE 0 END AS elementary,
        CASE kind WHEN 'Middle' THEN 1 WHEN 'Primary' THEN 0.34 WHEN 'Unified' THEN 0.24 ELSE 0 END AS middle,
        CASE kind WHEN 'High' THEN 1 WHEN 'Unified' THEN 0.3 ELSE 0 END AS high
      FROM levelled
    ), weighed AS (
      SELECT
        *,
        -- Middle schools are larger than elementary schools, and high schools larger still.
        round(1000 * (0.8 * elementary + 1.0 * middle + 1.5 * high)
          * exp(0.25 * n(concat_ws('/', 'school size', district_code, school_code))))::BIGINT AS weight
      FROM shared
    )
    SELECT
      district_code, school_code, 'Sample ' || kind || ' School ' || school_code AS school_name,
      elementary::DOUBLE AS elementary, middle::DOUBLE AS middle, high::DOUBLE AS high,
      ${split({ total: 'enrollment', weight: 'weight', within: 'district_code', order: 'school_code' })} AS enrollment,
      0.75 * z + 0.66 * n(concat_ws('/', 'school z', district_code, school_code)) AS z
    FROM weighed`;
}

/**
 * tracts: at least one in each detailed county. In a county with a city district every fourth tract is the city's.
 * Counties of twelve tracts or more also have one where nobody lives (9800.00) and one where almost nobody does
 * (9801.00), like real tracts of water, forest or barracks: they have no rates.
 */
function tractsSql({ tracts }: Extent): readonly string[] {
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

/** block_groups: one to nine in each tract. Populations add up to the tract's. */
function blockGroupsSql({ blockGroups }: Extent): string {
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

/**
 * demographics: `share` is the group's share of students state-wide (NULL for groups that only a test's registration form
 * has); `tilt` makes it smaller where z is high; `growth` is its yearly change. `effect` shifts outcomes of the group on
 * the logit scale: positive is worse. Groups of an `exhaustive` category add up to `all`.
 */
const demographicsSql = `
  CREATE TABLE demographics AS
  SELECT * FROM (VALUES
    ('all',                           'All',                           'total',           true,  1.0,   0.0,  0.0,    0.0),
    ('asian_pacific_islander',        'Asian or Pacific Islander',     'race_ethnicity',  true,  0.05,  -0.5, 0.02,  -0.6),
    ('black',                         'Black',                         'race_ethnicity',  true,  0.36,  0.5,  0.0,    0.2),
    ('hispanic',                      'Hispanic',                      'race_ethnicity',  true,  0.18,  0.2,  0.03,   0.15),
    ('multiracial',                   'Multiracial',                   'race_ethnicity',  true,  0.045, -0.1, 0.03,   0.05),
    ('native_american',               'Native American',               'race_ethnicity',  true,  0.003, 0.0,  0.0,    0.2),
    ('other',                         'Other',                         'race_ethnicity',  true,  NULL,  0.0,  0.0,    0.0),
    ('race_unknown',                  'Race unknown',                  'race_ethnicity',  true,  NULL,  0.0,  0.0,    0.0),
    ('white',                         'White',                         'race_ethnicity',  true,  0.362, -0.4, -0.015, -0.1),
    ('female',                        'Female',                        'sex',             true,  0.488, 0.0,  0.0,   -0.1),
    ('male',                          'Male',                          'sex',             true,  0.512, 0.0,  0.0,    0.1),
    ('students_with_disabilities',    'Students with disabilities',    'disability',      true,  0.12,  0.1,  0.008,  0.6),
    ('students_without_disabilities', 'Students without disabilities', 'disability',      true,  0.88,  0.0,  0.0,   -0.1),
    ('economically_disadvantaged',    'Economically disadvantaged',    'income',          true,  0.58,  0.4,  0.0,    0.25),
    ('not_economically_disadvantaged', 'Not economically disadvantaged', 'income',        true,  0.42,  -0.4, 0.0,   -0.45),
    ('english_learners',              'English learners',              'language',        false, 0.08,  0.3,  0.03,   0.3),
    ('migrant',                       'Migrant',                       'migrant_status',  false, 0.004, 0.2,  -0.01,  0.3),
    ('homeless',                      'Homeless',                      'housing',         false, 0.021, 0.3,  0.01,   0.9),
    ('foster_care',                   'Foster care',                   'foster_care',     false, 0.006, 0.2,  0.0,    0.7),
    ('active_duty',                   'Active duty parent',            'military_family', false, 0.016, -0.2, 0.0,   -0.3)
  ) t(demographic, demographic_label, demographic_category, exhaustive, share, tilt, growth, effect)`;

/**
 * enrollment: students of every school, year (2004 to 2025) and group, none withheld. All education datasets are drawn
 * from it, so that their counts agree. `total` counts all of the school's students.
 */
const enrollmentSql = `
  CREATE TABLE enrollment AS
  WITH sized AS (
    SELECT
      year, district_code, school_code, s.z,
      greatest(20, round(s.enrollment * (1
        + 0.008 * (year - 2018) * (1 + n('district growth/' || district_code))
        + 0.025 * drift(concat_ws('/', 'school growth', district_code, school_code), year))))::BIGINT AS total
    FROM schools s, range(2004, 2026) y(year)
  ), mixed AS (
    SELECT
      district_code, school_code, demographic, demographic_category, exhaustive, effect, growth,
      CASE demographic WHEN 'all' THEN 1 ELSE least(0.9, share * exp(-tilt * s.z
        + 0.35 * n(concat_ws('/', 'district mix', district_code, demographic))
        + 0.15 * n(concat_ws('/', 'school mix', district_code, school_code, demographic)))) END AS share
    FROM schools s, demographics
    WHERE share IS NOT NULL
  ), weighed AS (
    SELECT *, round(1000000 * share * exp(growth * (year - 2016)))::BIGINT AS weight
    FROM sized JOIN mixed USING (district_code, school_code)
  )
  SELECT
    year::INTEGER AS year, district_code, school_code, demographic, demographic_category, exhaustive, effect, z, total,
    ${splitAmongGroups({ total: 'total', weight: 'weight', within: 'year, district_code, school_code' })} AS students
  FROM weighed`;
