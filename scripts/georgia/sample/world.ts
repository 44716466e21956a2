/**
 * The invented state: tables of places and groups, over which datasets are queries. `z` is a
 * place's latent advantage, standard normal over all places. A school's is near its district's, a district's near its
 * county's, so that measures agree with each other and vary from place to place as real ones do.
 */
import type { Session } from '../../../build/lake/database.ts';
import { among, drawMacros, split, withColumns } from './draws.ts';

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

export async function createWorld(session: Session, scale: Scale, seed: number): Promise<void> {
  for (const macro of drawMacros(seed)) await session.run(macro);
  for (const [name, sql] of Object.entries(worldTables(EXTENTS[scale])))
    await session.run(`CREATE TABLE ${name} AS ${sql}`);
}

const worldTables = (extent: Extent): Readonly<Record<string, string>> => ({
  state_counties: stateCounties,
  counties: `SELECT *, ordinal % ${extent.countyStep} = 1 % ${extent.countyStep} AS detailed
    FROM state_counties WHERE detailed OR rank <= 24`,
  districts: districtsOf(extent),
  schools: schoolsOf(extent),
  tracts: tractsOf(extent),
  block_groups: blockGroupsOf(extent),
  demographics,
  enrollment,
});

/**
 * state_counties: all 159 counties at either scale, with `rank` by population. counties: those of the lake, always with
 * the 24 largest, since some sources publish only large ones; `detailed` ones have districts, schools and tracts.
 * Populations are lognormal, as real ones nearly are. `foreign_born` is the share of residents born abroad.
 */
const stateCounties = withColumns('range(1, 322, 2) t(code) WHERE code NOT IN (41, 203)', {
  ordinal: 'row_number() OVER (ORDER BY code)',
  county_fips: "printf('13%03d', code)",
  county_name: "printf('Sample County %03d', code)",
  population: `least(1100000, greatest(2000,
    round(exp(10.35 + 1.2 * n(concat_ws('/', 'county population', code))))))::BIGINT`,
  z: "n(concat_ws('/', 'county z', code))",
  rank: 'row_number() OVER (ORDER BY population DESC, county_fips)',
  foreign_born: `logistic(-2.75 + 0.4 * ln(population / 60000)
    + 0.45 * n('county foreign born/' || county_fips))`,
});

/**
 * districts: all bodies that run schools or receive school money. The 21 largest counties also have a city district,
 * with three tenths of the county. Only standard districts have a county_fips and a census id; only bodies that run
 * schools have an enrollment.
 */
function districtsOf({ serviceAgencies, stateCharters, commissionCharters, stateSchools }: Extent): string {
  return `
    SELECT * EXCLUDE (county_z), 0.8 * county_z + 0.6 * n('district z/' || district_code) AS z FROM (
      SELECT district_code, 'Sample District ' || district_code AS district_name, '90' || district_code AS district_census_id,
        'standard' AS district_type, county_fips, round(population * share * 0.155)::BIGINT AS enrollment, z AS county_z
      FROM counties, LATERAL (
        SELECT (600 + ordinal)::VARCHAR AS district_code, CASE WHEN rank <= 21 THEN 0.7 ELSE 1 END AS share
        UNION ALL SELECT (759 + rank)::VARCHAR, 0.3 WHERE rank <= 21)
      WHERE detailed
      UNION ALL
      SELECT code, name || ' ' || code, NULL, kind, NULL,
        round(least_enrollment + u('operator enrollment/' || code) * (most_enrollment - least_enrollment))::BIGINT,
        n('operator area/' || code)
      FROM (VALUES
        (7820101, ${stateCharters}, 'state_charter', 'Sample State Charter', 180, 1400),
        (7830101, ${commissionCharters}, 'commission_charter', 'Sample Commission Charter', 180, 1400),
        (7990101, ${stateSchools}, 'state_school', 'Sample State School', 120, 260),
        (850, ${serviceAgencies}, 'resa', 'Sample Service Agency', 0, 0),
        (891, 1, 'state_agency', 'Sample State Agency', 500, 900)
      ) operators(first_code, amount, kind, name, least_enrollment, most_enrollment),
        LATERAL (SELECT (first_code + unnest(range(amount)))::VARCHAR AS code)
      UNION ALL
      SELECT 'RTC', 'Sample Residential Treatment Centers', NULL, 'state_special', NULL, 0, 0)`;
}

/**
 * schools: standard districts have at least three (elementary, middle, high), any other body that enrolls students has
 * one. elementary, middle and high are the shares of the school's students at that level and add up to 1. Enrollments
 * add up to the district's. `place` names the school in keys.
 */
function schoolsOf({ schools }: Extent): string {
  const bodies = withColumns('districts WHERE enrollment > 0', {
    standard: "district_type = 'standard'",
    spare: `${schools} - sum(CASE WHEN standard THEN 3 ELSE 1 END) OVER ()`,
    amount: `CASE WHEN standard THEN 3 + ${split('spare', 'enrollment', 'standard', 'district_code')} ELSE 1 END`,
  });
  const numbered = withColumns(`(SELECT *, unnest(range(1, amount + 1)) AS k FROM (${bodies}))`, {
    position: "CASE WHEN standard THEN (k - 0.5) / amount ELSE u('operator levels/' || district_code) END",
    kind: `CASE
      WHEN standard AND position < 0.57 AND k < amount - 1 THEN 'Elementary'
      WHEN standard AND position < 0.79 AND k < amount THEN 'Middle'
      WHEN standard OR district_type = 'state_agency' OR position > 0.8 THEN 'High'
      WHEN district_type <> 'state_school' AND position < 0.4 THEN 'Primary' ELSE 'Unified' END`,
    elementary:
      "CASE kind WHEN 'Elementary' THEN 1 WHEN 'Primary' THEN 0.66 WHEN 'Unified' THEN 0.46 ELSE 0 END::DOUBLE",
    middle:
      "CASE kind WHEN 'Middle' THEN 1 WHEN 'Primary' THEN 0.34 WHEN 'Unified' THEN 0.24 ELSE 0 END::DOUBLE",
    high: "CASE kind WHEN 'High' THEN 1 WHEN 'Unified' THEN 0.3 ELSE 0 END::DOUBLE",
    school_code: "printf('%04d', 100 + k)",
    place: "concat_ws('/', district_code, school_code)",
    // Middle schools are larger than elementary schools, and high schools larger still.
    weight: `round(1000 * (0.8 * elementary + 1.0 * middle + 1.5 * high) * exp(0.25 * n('school size/' || place)))::BIGINT`,
  });
  return `
    SELECT district_code, school_code, place, elementary, middle, high,
      'Sample ' || kind || ' School ' || school_code AS school_name,
      ${split('enrollment', 'weight', 'district_code', 'school_code')} AS enrollment,
      0.75 * z + 0.66 * n('school z/' || place) AS z
    FROM (${numbered})`;
}

/**
 * tracts: at least one in each detailed county. In a county with a city district every fourth tract is the city's.
 * Counties of twelve tracts or more also have one where nobody lives (9800.00) and one where almost nobody does
 * (9801.00), like real tracts of water, forest or barracks: they have no rates.
 */
function tractsOf({ tracts }: Extent): string {
  const counted = withColumns('counties WHERE detailed', {
    spare: `${tracts} - count(*) OVER ()`,
    amount: `1 + ${split('spare', 'population', 'true', 'county_fips')}`,
  });
  const numbered = withColumns(`(SELECT *, unnest(range(1, amount + 1)) AS k FROM (${counted}))`, {
    special: 'amount >= 12 AND k > amount - 2',
    number: 'CASE WHEN special THEN 980000 + (amount - k) * 100 ELSE 10000 + k * 100 END',
    tract_geoid: "county_fips || printf('%06d', number)",
    weight: `CASE WHEN special THEN 0
      ELSE round(1000 * exp(0.35 * n(concat_ws('/', 'tract size', county_fips, k)))) END::BIGINT`,
  });
  return `
    SELECT
      tract_geoid, county_fips,
      'Sample Tract ' || substr(tract_geoid, 6, 4) || '.' || substr(tract_geoid, 10, 2) AS tract_name,
      CASE WHEN k % 4 = 2 THEN city ELSE own END AS district_code,
      CASE number WHEN 980100 THEN 14 + floor(12 * u('tract people/' || tract_geoid))::BIGINT
        ELSE ${split('population', 'weight', 'county_fips', 'tract_geoid')} END AS population,
      0.6 * z + 0.8 * n('tract z/' || tract_geoid) AS z
    FROM (${numbered}) JOIN (
      SELECT county_fips, min(district_code) AS own, max(district_code) AS city FROM districts GROUP BY county_fips
    ) USING (county_fips)`;
}

/** block_groups: one to nine in each tract. Populations add up to the tract's. */
function blockGroupsOf({ blockGroups }: Extent): string {
  const counted = withColumns('tracts', {
    spare: `${blockGroups} - count(*) OVER ()`,
    amount: `least(9, 1 + ${split('spare', 'population', 'true', 'tract_geoid')})`,
  });
  const numbered = withColumns(`(SELECT *, unnest(range(1, amount + 1)) AS k FROM (${counted}))`, {
    block_group_geoid: 'tract_geoid || k',
    weight: "round(1000 * exp(0.3 * n('block group size/' || block_group_geoid)))::BIGINT",
    people: split('population', 'weight', 'tract_geoid', 'k'),
  });
  return `
    SELECT block_group_geoid, tract_geoid, people AS population,
      round(people / (2.35 + 0.5 * u('household size/' || block_group_geoid)))::BIGINT AS households,
      0.85 * z + 0.53 * n('block group z/' || block_group_geoid) AS z
    FROM (${numbered})`;
}

/**
 * demographics: `share` is the group's share of students state-wide (NULL for groups that only a test's registration form
 * has); `tilt` makes it smaller where z is high; `growth` is its yearly change. `effect` shifts outcomes of the group on
 * the logit scale: positive is worse. Groups of an `exhaustive` category add up to `all`.
 */
const demographics = `
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
 * from it, so that their counts agree. `total` counts all of the school's students, `place` names the school in keys.
 */
const enrollment = `
  SELECT
    year::INTEGER AS year, district_code, school_code, place, elementary, middle, high, z, total, demographic,
    demographic_category, exhaustive, effect, ${among('total', 'weight')} AS students
  FROM (
    SELECT *, round(1000000 * mixed * exp(growth * (year - 2016)))::BIGINT AS weight
    FROM (${withColumns('schools, range(2004, 2026) y(year)', {
      total: `greatest(20, round(enrollment * (1 + 0.008 * (year - 2018) * (1 + n('district growth/' || district_code))
        + 0.025 * drift('school growth/' || place, year))))::BIGINT`,
    })}) JOIN (
      SELECT place, demographics.*,
        CASE demographic WHEN 'all' THEN 1 ELSE least(0.9, share * exp(-tilt * z
          + 0.35 * n(concat_ws('/', 'district mix', district_code, demographic))
          + 0.15 * n(concat_ws('/', 'school mix', place, demographic)))) END AS mixed
      FROM schools, demographics WHERE share IS NOT NULL) USING (place))`;
