/** Sizes add up: parts to wholes in the world, and figures from level to level in the lake. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type World } from '../../../scripts/georgia/sample/world.ts';
import { sampleLake } from '../specification/sample.ts';
import { openLake, row } from './sample-lake.ts';

describe('the full world', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld('full', 1);
  });
  afterAll(() => world.close());

  test.each([
    ['counties', 159],
    ["districts WHERE district_type = 'standard'", 180],
    ['districts WHERE length(district_code) = 7', 60],
    ['(SELECT DISTINCT district_type FROM districts)', 7],
    ['schools', 2300],
    ['tracts', 2796],
    ['block_groups', 7446],
  ])('%s: %i', async (from, expected) => {
    const { amount } = await row(world.connection, `SELECT count(*)::INTEGER AS amount FROM ${from}`);
    expect(amount).toBe(expected);
  });

  test.each([
    ['schools', 'enrollment', 'districts', 'enrollment', 'district_code'],
    ["tracts WHERE tract_geoid NOT LIKE '%980100'", 'population', 'counties', 'population', 'county_fips'],
    ['block_groups', 'population', 'tracts', 'population', 'tract_geoid'],
  ])('%s.%s adds up to %s.%s', async (parts, part, wholes, whole, key) => {
    const { wrong } = await row(
      world.connection,
      `SELECT count(*)::INTEGER AS wrong
       FROM (SELECT ${key}, sum(${part}) AS total FROM ${parts} GROUP BY ${key})
       JOIN ${wholes} USING (${key}) WHERE total <> ${whole}`,
    );
    expect(wrong).toBe(0);
  });

  test.each(['race_ethnicity', 'sex', 'disability', 'income'])(
    'groups by %s add up to all',
    async category => {
      const { wrong } = await row(
        world.connection,
        `SELECT count(*)::INTEGER AS wrong FROM (
         SELECT sum(students) AS parts, any_value(total) AS total
         FROM enrollment WHERE demographic_category = '${category}' GROUP BY year, district_code, school_code)
       WHERE parts <> total`,
      );
      expect(wrong).toBe(0);
    },
  );

  test('has the counties of the small world as they are there', async () => {
    const small = await createWorld('small', 1);
    const sql = "SELECT * FROM counties WHERE county_fips = '13001'";
    expect(await row(small.connection, sql)).toEqual(await row(world.connection, sql));
    small.close();
  });
});

describe('the small lake', () => {
  let lake: DuckDBConnection;
  beforeAll(async () => {
    lake = await openLake(await sampleLake());
  });

  test.each([
    ['education.attendance', 'num_students', "demographic = 'all'", 'schools', 'states'],
    ['education.attendance', 'num_students', "demographic = 'all'", 'districts', 'states'],
    ['census.employment', 'num_unemployed', 'true', 'tracts', 'states'],
    ['census.employment', 'num_civilian_labor_force', 'true', 'counties', 'states'],
    ['census.employment', 'num_civilian_labor_force', 'true', 'districts', 'states'],
  ])('%s: %s where %s adds up from %s to %s', async (table, column, where, parts, whole) => {
    const { wrong, years } = await row(
      lake,
      `SELECT count(*) FILTER (parts <> whole)::INTEGER AS wrong, count(*)::INTEGER AS years FROM (
         SELECT
           sum(${column}) FILTER (detail = '${parts}') AS parts,
           sum(${column}) FILTER (detail = '${whole}') AS whole
         FROM ${table} WHERE ${where} GROUP BY year)`,
    );
    expect(wrong).toBe(0);
    expect(years).toBeGreaterThan(0);
  });

  test.each([
    [
      'graduates in both datasets of the cohort',
      `SELECT count(*) FILTER (c.num_graduates <> g.num_graduates)::INTEGER AS wrong, count(*)::INTEGER AS compared
       FROM education.ccrpi_graduation_rate c JOIN education.graduation_rate_4_year_cohort g
         ON g.year = c.year AND g.detail = c.detail AND g.demographic = c.demographic
         AND g.district_code IS NOT DISTINCT FROM c.district_code
         AND g.school_code IS NOT DISTINCT FROM c.school_code
       WHERE c.rate_type = '4_year' AND c.num_graduates IS NOT NULL`,
    ],
    [
      'no SAT score above the highest',
      `SELECT count(*) FILTER (r.avg_score > h.avg_score)::INTEGER AS wrong, count(*)::INTEGER AS compared
       FROM education.sat_scores_recent r JOIN education.sat_scores_highest h
         ON h.year = r.year AND h.detail = r.detail AND h.demographic = r.demographic
         AND h.test_component = r.test_component
         AND h.district_code IS NOT DISTINCT FROM r.district_code
         AND h.school_code IS NOT DISTINCT FROM r.school_code`,
    ],
    [
      'people of a zone in block groups and in tracts',
      `SELECT count(*) FILTER (b.people <> t.people)::INTEGER AS wrong, count(*)::INTEGER AS compared
       FROM (SELECT district_code, school_code, grade_level, sum(num_population) AS people
             FROM education.school_attendance_zone_block_groups GROUP BY ALL) b
       JOIN (SELECT district_code, school_code, grade_level, sum(num_population) AS people
             FROM education.school_attendance_zone_tracts GROUP BY ALL) t
         USING (district_code, school_code, grade_level)`,
    ],
  ])('datasets agree: %s', async (_, sql) => {
    const { wrong, compared } = await row(lake, sql);
    expect(wrong).toBe(0);
    expect(compared).toBeGreaterThan(0);
  });

  test('margins shrink as places grow', async () => {
    const margins = await row(
      lake,
      `SELECT
         median(unemployment_rate_moe) FILTER (detail = 'tracts') AS tracts,
         median(unemployment_rate_moe) FILTER (detail = 'counties') AS counties,
         median(unemployment_rate_moe) FILTER (detail = 'states') AS states
       FROM census.employment`,
    );
    expect(margins.tracts).toBeGreaterThan(margins.counties as number);
    expect(margins.counties).toBeGreaterThan(margins.states as number);
  });

  test('places differ more from each other than from themselves a year before', async () => {
    const { between, within } = await row(
      lake,
      `WITH rates AS (
         SELECT year, district_code, chronically_absent_rate AS rate FROM education.attendance
         WHERE detail = 'districts' AND demographic = 'all' AND year IN (2018, 2019))
       SELECT stddev(rate) AS between, stddev(rate - before) AS within
       FROM (SELECT year, rate, lag(rate) OVER (PARTITION BY district_code ORDER BY year) AS before FROM rates)
       WHERE year = 2019`,
    );
    expect(between).toBeGreaterThan(2 * (within as number));
  });
});
