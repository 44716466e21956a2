import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { literal } from '../../../build/lake/sql.ts';
import type { Database } from './database.ts';
import { DISTRICT_TYPE } from './dimensions/districts.ts';
import type { Target } from './importer.ts';
import type { SourceTable } from './source-table.ts';

/** A list of the lake, and SQL for the places that `seen_place` and `seen_year` give it. */
interface PlaceList {
  readonly path: string;
  readonly key: readonly string[];
  /** Columns between the key and those of the origin and the years. */
  readonly names: string;
  readonly found: string;
}

const DISTRICTS: PlaceList = {
  path: 'education/_dimensions/districts.parquet',
  key: ['district_code'],
  names: 'district_name, district_census_id, district_type',
  found: `SELECT district_code, arg_max(name, year) AS district_name, CAST(NULL AS VARCHAR) AS district_census_id,
      ${DISTRICT_TYPE} AS district_type
    FROM (SELECT *, coalesce(CASE WHEN NOT is_total(district_name) THEN district_name END,
        CASE WHEN school_code IS NULL AND NOT is_total(school_name) THEN school_name END) AS name FROM seen_place)
    WHERE name IS NOT NULL GROUP BY district_code`,
};

const SCHOOLS: PlaceList = {
  path: 'education/_dimensions/schools.parquet',
  key: ['district_code', 'school_code'],
  names: 'school_name',
  found: `SELECT district_code, school_code, arg_max(school_name, year) AS school_name
    FROM seen_place WHERE school_code IS NOT NULL AND NOT is_total(school_name) GROUP BY district_code, school_code`,
};

/** The columns of a list that an earlier program wrote may lack these. */
const NO_YEARS = `SELECT CAST(NULL AS VARCHAR) AS entry_origin, CAST(NULL AS INTEGER) AS first_year,
  CAST(NULL AS INTEGER) AS last_year WHERE false`;

/**
 * Adds to the lake's districts and schools those of the imported rows that they lack, such as closed schools, under the
 * latest names in the files and marked `from_source`, and widens the years for which files name each. Names that the
 * lists have stay. Returns a line for each list that grew.
 */
export async function addPlaces(
  database: Database,
  lake: string,
  target: Target,
  sources: readonly SourceTable[],
): Promise<string[]> {
  if (target.kind !== 'dataset' || !('school_code' in target.columns)) return [];
  const named = [...sources.keys()].filter(index =>
    sources[index]!.shape.columns.some(({ name }) => name === 'district_name'),
  );
  const seen = named.map(
    index => `SELECT DISTINCT r.district_code, r.school_code, r.year, s.district_name, s.school_name
      FROM selected r JOIN source_${index} s ON r.line = s.line
      WHERE r.file = ${index} AND r.dropped IS NULL AND r.district_code IS NOT NULL`,
  );
  const nowhere = `SELECT '' AS district_code, '' AS school_code, 0 AS year, '' AS district_name, '' AS school_name WHERE false`;
  await database.run(`
    CREATE OR REPLACE TABLE seen_place AS ${[nowhere, ...seen].join(' UNION ALL ')};
    CREATE OR REPLACE TABLE seen_year AS
      SELECT DISTINCT district_code, school_code, year FROM selected WHERE dropped IS NULL AND district_code IS NOT NULL`);
  const notes: string[] = [];
  for (const list of [DISTRICTS, SCHOOLS]) {
    const path = join(lake, list.path);
    const key = list.key.join(', ');
    const columns = `${key}, ${list.names}`;
    const listed = existsSync(path)
      ? `SELECT ${columns}, entry_origin, first_year, last_year
         FROM (SELECT * FROM read_parquet(${literal(path)}) UNION ALL BY NAME ${NO_YEARS})`
      : `SELECT ${columns}, entry_origin, first_year, last_year FROM (${list.found}), (${NO_YEARS})`;
    await database.run(`
      CREATE OR REPLACE TABLE listed_place AS ${listed};
      CREATE OR REPLACE TABLE known_place AS
        SELECT * EXCLUDE (first, last)
          REPLACE (least(p.first_year, y.first) AS first_year, greatest(p.last_year, y.last) AS last_year)
        FROM (
          FROM listed_place UNION ALL BY NAME
          SELECT f.*, 'from_source' AS entry_origin FROM (${list.found}) f ANTI JOIN listed_place USING (${key})) p
        LEFT JOIN (SELECT ${key}, min(year) AS first, max(year) AS last FROM seen_year GROUP BY ${key}) y USING (${key})`);
    const added = await database.rows<{ example: string }>(
      `SELECT concat_ws(' / ', ${key}, ${list.names.replace(/,.*/, '')}) AS example
       FROM known_place ANTI JOIN listed_place USING (${key}) ORDER BY ${key}`,
    );
    const [changed] = await database.rows<{ some: boolean }>(
      'SELECT count(*) > 0 AS some FROM (FROM known_place EXCEPT FROM listed_place)',
    );
    if (changed!.some) await writeList(database, path, list.key);
    if (added.length === 0) continue;
    const examples = added.slice(0, 3).map(({ example }) => example);
    const what = `${added.length} ${added.length === 1 ? 'place' : 'places'} added to ${list.path} from the files' own names`;
    notes.push(`${what}: ${examples.join('; ')}${added.length > 3 ? '; …' : ''}`);
  }
  return notes;
}

async function writeList(database: Database, path: string, key: readonly string[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const staged = join(dirname(path), `.import-${randomUUID()}.tmp`);
  try {
    await database.run(`
      COPY (FROM known_place ORDER BY ${key.join(', ')}) TO ${literal(staged)} (FORMAT parquet, COMPRESSION zstd)`);
    await rename(staged, path);
  } finally {
    await rm(staged, { force: true });
  }
}
