import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { literal } from '../../../build/lake/sql.ts';
import type { Database } from './database.ts';

/** Tables in which sources' codes and names of places are looked up, with the lists of the lake that give them. */
const LISTS = [
  {
    // Standard districts by their codes in the census.
    table: 'census_district (census_id VARCHAR, district_code VARCHAR)',
    path: 'education/_dimensions/districts.parquet',
    rows: "SELECT district_census_id, district_code FROM list WHERE district_census_id IS NOT NULL AND district_type = 'standard'",
  },
  {
    table: 'county_named (county_name VARCHAR, county_fips VARCHAR)',
    path: '_dimensions/counties.parquet',
    rows: "SELECT regexp_replace(lower(county_name), '\\s+county$', ''), county_fips FROM list",
  },
] as const;

/** Creates these tables, empty if the lake lacks the list. A list that cannot be read is reported where codes are looked up. */
export async function readLakeLists(database: Database, lake: string): Promise<void> {
  for (const { table, path, rows } of LISTS) {
    await database.run(`CREATE OR REPLACE TABLE ${table}`);
    const file = join(lake, path);
    if (!existsSync(file)) continue;
    const name = table.replace(/ .*/, '');
    await database
      .run(`INSERT INTO ${name} WITH list AS (FROM read_parquet(${literal(file)})) ${rows}`)
      .catch(() => undefined);
  }
}
