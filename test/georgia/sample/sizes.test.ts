/** Sizes add up: parts to wholes in the world, and figures from level to level in the lake. */
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { createWorld } from '../../../scripts/georgia/sample/world.ts';
import { sampleLake } from '../specification/sample.ts';

const world = await createWorld('small', 1);
const lake = await sampleLake();
const { connection } = world;
const database = await (await DuckDBInstance.create()).connect();

/** Holds `parts` to `whole` in each row, of which there are some. */
async function expectEqual(asked: DuckDBConnection, sql: string): Promise<void> {
  const found = await asked.runAndReadAll(
    `SELECT count(*) FILTER (parts <> whole)::INTEGER AS wrong, count(*) > 0 AS compared FROM (${sql})`,
  );
  expect(found.getRowObjectsJS()).toEqual([{ wrong: 0, compared: true }]);
}

const sums = (parts: string, part: string, wholes: string, whole: string, key: string) =>
  `SELECT sum(p.${part}) AS parts, any_value(w.${whole}) AS whole FROM ${parts} p JOIN ${wholes} w USING (${key}) GROUP BY ${key}`;

test.each([
  ['schools to districts', sums('schools', 'enrollment', 'districts', 'enrollment', 'district_code')],
  ['block groups to tracts', sums('block_groups', 'population', 'tracts', 'population', 'tract_geoid')],
  [
    'tracts to counties',
    sums(
      "(FROM tracts WHERE tract_geoid NOT LIKE '%980100')",
      'population',
      'counties',
      'population',
      'county_fips',
    ),
  ],
  [
    'groups to all',
    "SELECT sum(students) AS parts, any_value(total) AS whole FROM enrollment WHERE demographic_category IN ('race_ethnicity', 'sex', 'disability', 'income') GROUP BY demographic_category, year, district_code, school_code",
  ],
])('the world adds up from %s', (_, sql) => expectEqual(connection, sql));

/** The rows of a dataset in the small lake. */
const rows = (dataset: string, level = '*') =>
  `read_parquet('${join(lake, dataset)}/*/${level}.parquet', hive_partitioning = false)`;
const yearly = (dataset: string, column: string, level: string, where = 'true') =>
  `(SELECT year, sum(${column}) AS n FROM ${rows(dataset, level)} WHERE ${where} GROUP BY year)`;
const levels = (parts: string, whole: string) =>
  `SELECT p.n AS parts, w.n AS whole FROM ${parts} p JOIN ${whole} w USING (year)`;
const students = (level: string) =>
  yearly('education/attendance', 'num_students', level, "demographic = 'all'");
const workers = (level: string) => yearly('census/employment', 'num_civilian_labor_force', level);
const people = (dataset: string) =>
  `(SELECT district_code, school_code, grade_level, sum(num_population) AS n FROM ${rows(dataset, 'schools')} GROUP BY ALL)`;

test.each([
  ['students of schools and of the state', levels(students('schools'), students('states'))],
  ['students of districts and of the state', levels(students('districts'), students('states'))],
  ['workers of counties and of the state', levels(workers('counties'), workers('states'))],
  ['workers of school districts and of the state', levels(workers('districts'), workers('states'))],
  ['workers of tracts and of the state', levels(workers('tracts'), workers('states'))],
  [
    'graduates in both datasets of the cohort',
    `SELECT c.num_graduates AS parts, g.num_graduates AS whole
     FROM ${rows('education/ccrpi_graduation_rate', 'schools')} c
     JOIN ${rows('education/graduation_rate_4_year_cohort', 'schools')} g USING (year, district_code, school_code, demographic)
     WHERE c.rate_type = '4_year' AND c.num_graduates IS NOT NULL`,
  ],
  [
    'the highest SAT score and that or the recent one, whichever is higher',
    `SELECT greatest(r.avg_score, h.avg_score) AS parts, h.avg_score AS whole
     FROM ${rows('education/sat_scores_recent', 'schools')} r
     JOIN ${rows('education/sat_scores_highest', 'schools')} h USING (year, district_code, school_code, demographic, test_component)
     WHERE h.avg_score IS NOT NULL`,
  ],
  [
    'people of a zone in block groups and in tracts',
    `SELECT b.n AS parts, t.n AS whole FROM ${people('education/school_attendance_zone_block_groups')} b
     JOIN ${people('education/school_attendance_zone_tracts')} t USING (district_code, school_code, grade_level)`,
  ],
])('the small lake has the same %s', (_, sql) => expectEqual(database, sql));
