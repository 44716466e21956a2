import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { literal } from '../../../build/lake/sql.ts';
import type { Database } from './database.ts';
import { DISTRICT_TYPE } from './dimensions/districts.ts';
import type { Target } from './importer.ts';
import type { SourceTable } from './source-table.ts';

const DISTRICTS = {
  path: 'education/_dimensions/districts.parquet',
  key: ['district_code'],
  columns: 'district_code, district_name, district_census_id, district_type',
  found: `SELECT district_code, arg_max(name, year) AS district_name, CAST(NULL AS VARCHAR) AS district_census_id,
      ${DISTRICT_TYPE} AS district_type
    FROM (SELECT *, coalesce(CASE WHEN NOT is_total(district_name) THEN district_name END,
        CASE WHEN school_code IS NULL AND NOT is_total(school_name) THEN school_name END) AS name FROM seen_place)
    WHERE name IS NOT NULL GROUP BY district_code`,
};

const SCHOOLS = {
  path: 'education/_dimensions/schools.parquet',
  key: ['district_code', 'school_code'],
  columns: 'district_code, school_code, school_name',
  found: `SELECT district_code, school_code, arg_max(school_name, year) AS school_name
    FROM seen_place WHERE school_code IS NOT NULL AND NOT is_total(school_name) GROUP BY district_code, school_code`,
};

/**
 * Adds to the lake's districts and schools those of the imported rows that they lack, such as closed schools, under the
 * latest names in the files. Names that the lists have stay. Returns a line for each list that grew.
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
  if (named.length === 0) return [];
  const seen = named.map(
    index => `SELECT DISTINCT r.district_code, r.school_code, r.year, s.district_name, s.school_name
      FROM selected r JOIN source_${index} s ON r.line = s.line
      WHERE r.file = ${index} AND r.dropped IS NULL AND r.district_code IS NOT NULL`,
  );
  await database.run(`CREATE OR REPLACE TABLE seen_place AS ${seen.join(' UNION ALL ')}`);
  const notes: string[] = [];
  for (const list of [DISTRICTS, SCHOOLS]) {
    const path = join(lake, list.path);
    const listed = existsSync(path)
      ? `SELECT ${list.columns} FROM read_parquet(${literal(path)})`
      : `SELECT ${list.columns} FROM (${list.found}) WHERE false`;
    await database.run(`
      CREATE OR REPLACE TABLE listed_place AS ${listed};
      CREATE OR REPLACE TABLE added_place AS SELECT f.* FROM (${list.found}) f ANTI JOIN listed_place l
        ON ${list.key.map(name => `f.${name} = l.${name}`).join(' AND ')}`);
    const added = await database.rows<{ example: string }>(
      `SELECT concat_ws(' / ', ${list.columns.replace(', district_census_id, district_type', '')}) AS example
       FROM added_place ORDER BY ${list.key.join(', ')}`,
    );
    if (added.length === 0) continue;
    await writeList(database, path, list.columns, list.key);
    const examples = added.slice(0, 3).map(({ example }) => example);
    const what = `${added.length} ${added.length === 1 ? 'place' : 'places'} added to ${list.path} from the files' own names`;
    notes.push(`${what}: ${examples.join('; ')}${added.length > 3 ? '; …' : ''}`);
  }
  return notes;
}

async function writeList(
  database: Database,
  path: string,
  columns: string,
  key: readonly string[],
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const staged = join(dirname(path), `.import-${randomUUID()}.tmp`);
  try {
    await database.run(`
      COPY (SELECT ${columns} FROM listed_place UNION ALL SELECT ${columns} FROM added_place ORDER BY ${key.join(', ')})
      TO ${literal(staged)} (FORMAT parquet, COMPRESSION zstd)`);
    await rename(staged, path);
  } finally {
    await rm(staged, { force: true });
  }
}
