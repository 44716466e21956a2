/** The lake's lists of places: looks up codes and names in them, and adds places that they lack. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { literal } from '../../../build/lake/sql.ts';
import type { Database } from './database.ts';
import type { Target } from './importer.ts';
import { DISTRICT_TYPE } from './places.ts';
import type { Finding } from './report.ts';
import { groupFindings } from './row-checks.ts';
import type { SourceTable } from './source-table.ts';

/** Tables in which shapes look up places, with the rows of the lake's `list` that fill them. */
const LOOKUPS = [
  {
    table: 'census_district',
    columns: 'census_id VARCHAR, district_code VARCHAR',
    path: 'education/_dimensions/districts.parquet',
    rows: "SELECT district_census_id, district_code FROM list WHERE district_census_id IS NOT NULL AND district_type = 'standard'",
  },
  {
    table: 'county_named',
    columns: 'county_name VARCHAR, county_fips VARCHAR',
    path: '_dimensions/counties.parquet',
    rows: "SELECT regexp_replace(lower(county_name), '\\s+county$', ''), county_fips FROM list",
  },
] as const;

/** Creates these tables, empty if the lake lacks the list or it can't be read. */
export async function readLakeLists(database: Database, lake: string): Promise<void> {
  for (const { table, columns, path, rows } of LOOKUPS) {
    await database.run(`CREATE OR REPLACE TABLE ${table} (${columns})`);
    const file = join(lake, path);
    if (!existsSync(file)) continue;
    await database
      .run(`INSERT INTO ${table} WITH list AS (FROM read_parquet(${literal(file)})) ${rows}`)
      .catch(() => undefined);
  }
}

/** Each foreign key, the dimension's file, and the columns that together name a row of it. */
const DIMENSIONS = [
  { column: 'district_code', path: 'education/_dimensions/districts', key: ['district_code'] },
  { column: 'school_code', path: 'education/_dimensions/schools', key: ['district_code', 'school_code'] },
  { column: 'demographic', path: 'education/_dimensions/demographics', key: ['demographic'] },
  { column: 'county_fips', path: '_dimensions/counties', key: ['county_fips'] },
  { column: 'block_group_geoid', path: '_dimensions/block_groups', key: ['block_group_geoid'] },
  { column: 'tract_geoid', path: '_dimensions/tracts', key: ['tract_geoid'] },
] as const;

/**
 * Keys of `merged` that the lake's dimensions lack. Their rows are written, since the figures are real; a build of the
 * lake refuses them until the dimension has the place. Problems are unreadable dimensions, or dimensions without the key.
 */
export async function findUnnamedKeys(
  database: Database,
  lake: string,
  target: Target,
): Promise<{ readonly odd: Finding[]; readonly notes: string[]; readonly problems: string[] }> {
  const odd: Finding[] = [];
  const notes: string[] = [];
  const problems: string[] = [];
  for (const { column, path, key } of DIMENSIONS) {
    if (!(column in target.columns) || target.path === path) continue;
    const file = join(lake, `${path}.parquet`);
    if (!existsSync(file)) {
      const [rows] = await database.rows<{ some: boolean }>(
        `SELECT count(${column}) > 0 AS some FROM merged`,
      );
      if (rows!.some) notes.push(`${column} was not looked up: the lake has no ${path}.parquet yet`);
      continue;
    }
    const names = key.map(name => `t.${name}`);
    const unnamed = `
      SELECT ${literal(`${column} is not in the dimension ${path.replace(/^.*\//, '')}`)} AS what,
        concat(${names.join(", ' / ', ")}, ': ', count(*), ' rows') AS example, 0 AS position, count(*) AS rows
      FROM merged t ANTI JOIN read_parquet(${literal(file)}) d USING (${key.join(', ')})
      WHERE t.${column} IS NOT NULL GROUP BY ${names.join(', ')}`;
    try {
      odd.push(...(await groupFindings(database, unnamed, 'sum(rows)')));
    } catch (error) {
      const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
      problems.push(`${path}.parquet cannot be read: ${reason}; move it away and import the dimension again`);
    }
  }
  return { odd, notes, problems };
}

/** A list of the lake, and SQL for the places in `seen_place`. */
interface PlaceList {
  readonly path: string;
  readonly key: string;
  /** Columns between the key and those of the origin and the years. */
  readonly names: string;
  readonly found: string;
}

const PLACE_LISTS: readonly PlaceList[] = [
  {
    path: 'education/_dimensions/districts.parquet',
    key: 'district_code',
    names: 'district_name, district_census_id, district_type',
    found: `SELECT district_code, arg_max(name, year) AS district_name, CAST(NULL AS VARCHAR) AS district_census_id,
        ${DISTRICT_TYPE} AS district_type
      FROM (SELECT *, coalesce(CASE WHEN NOT is_total(district_name) THEN district_name END,
          CASE WHEN school_code IS NULL AND NOT is_total(school_name) THEN school_name END) AS name FROM seen_place)
      WHERE name IS NOT NULL GROUP BY district_code`,
  },
  {
    path: 'education/_dimensions/schools.parquet',
    key: 'district_code, school_code',
    names: 'school_name',
    found: `SELECT district_code, school_code, arg_max(school_name, year) AS school_name
      FROM seen_place WHERE school_code IS NOT NULL AND NOT is_total(school_name) GROUP BY district_code, school_code`,
  },
];

/** A list that an earlier program wrote may lack these columns. */
const NO_YEARS = `SELECT CAST(NULL AS VARCHAR) AS entry_origin, CAST(NULL AS INTEGER) AS first_year,
  CAST(NULL AS INTEGER) AS last_year WHERE false`;

/**
 * Adds places of the imported rows to the lake's districts and schools if these lack them, such as closed schools, with
 * the latest names in the files and marked `from_source`, and widens the years for which files name each place. Names in
 * the lists stay. Returns a note for each list that grew.
 */
export async function addPlaces(
  database: Database,
  lake: string,
  target: Target,
  sources: readonly SourceTable[],
): Promise<string[]> {
  if (target.kind !== 'dataset' || !('school_code' in target.columns)) return [];
  const seen = sources.flatMap(({ shape }, index) =>
    shape.columns.some(({ name }) => name === 'district_name')
      ? [
          `SELECT DISTINCT r.district_code, r.school_code, r.year, s.district_name, s.school_name
           FROM selected r JOIN source_${index} s ON r.line = s.line
           WHERE r.file = ${index} AND r.dropped IS NULL AND r.district_code IS NOT NULL`,
        ]
      : [],
  );
  const nowhere = `SELECT '' AS district_code, '' AS school_code, 0 AS year, '' AS district_name, '' AS school_name WHERE false`;
  await database.run(`
    CREATE OR REPLACE TABLE seen_place AS ${[nowhere, ...seen].join(' UNION ALL ')};
    CREATE OR REPLACE TABLE seen_year AS
      SELECT DISTINCT district_code, school_code, year FROM selected WHERE dropped IS NULL AND district_code IS NOT NULL`);
  const notes: string[] = [];
  for (const { path, key, names, found } of PLACE_LISTS) {
    const file = join(lake, path);
    const columns = `${key}, ${names}, entry_origin, first_year, last_year`;
    const listed = existsSync(file)
      ? `SELECT ${columns} FROM (SELECT * FROM read_parquet(${literal(file)}) UNION ALL BY NAME ${NO_YEARS})`
      : `SELECT ${columns} FROM (${found}), (${NO_YEARS})`;
    await database.run(`
      CREATE OR REPLACE TABLE listed_place AS ${listed};
      CREATE OR REPLACE TABLE known_place AS
        SELECT * EXCLUDE (first, last)
          REPLACE (least(p.first_year, y.first) AS first_year, greatest(p.last_year, y.last) AS last_year)
        FROM (
          FROM listed_place UNION ALL BY NAME
          SELECT f.*, 'from_source' AS entry_origin FROM (${found}) f ANTI JOIN listed_place USING (${key})) p
        LEFT JOIN (SELECT ${key}, min(year) AS first, max(year) AS last FROM seen_year GROUP BY ${key}) y USING (${key})`);
    const added = await database.rows<{ example: string }>(
      `SELECT concat_ws(' / ', ${key}, ${names.replace(/,.*/, '')}) AS example
       FROM known_place ANTI JOIN listed_place USING (${key}) ORDER BY ${key}`,
    );
    const [changed] = await database.rows<{ some: boolean }>(
      'SELECT count(*) > 0 AS some FROM (FROM known_place EXCEPT FROM listed_place)',
    );
    if (changed!.some) await writeList(database, file, key);
    if (added.length === 0) continue;
    const examples = added.slice(0, 3).map(({ example }) => example);
    const what = `${added.length} ${added.length === 1 ? 'place' : 'places'} added to ${path} from the files' own names`;
    notes.push(`${what}: ${examples.join('; ')}${added.length > 3 ? '; …' : ''}`);
  }
  return notes;
}

async function writeList(database: Database, path: string, key: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const staged = join(dirname(path), `.import-${randomUUID()}.tmp`);
  try {
    await database.run(
      `COPY (FROM known_place ORDER BY ${key}) TO ${literal(staged)} (FORMAT parquet, COMPRESSION zstd)`,
    );
    await rename(staged, path);
  } finally {
    await rm(staged, { force: true });
  }
}
