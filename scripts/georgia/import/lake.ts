/** The lake that an import changes: its slices, and its lists of places. The build names places that no list has. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { databaseMessage, type Session } from '../../../build/lake/database.ts';
import { literal, parquetRows } from '../../../build/lake/sql.ts';
import { columnList, columnTypes, type LakeSlice, type LakeTable, writeSlice } from '../lake-table.ts';
import { DISTRICT_TYPE, dimensions } from './places.ts';
import type { SourceTable } from './source-table.ts';

/**
 * Adds the lake's present rows of these slices to `merged`. Returns problems with files that don't fit the
 * contract.
 */
export async function loadSlices(
  session: Session,
  lake: string,
  target: LakeTable,
  slices: readonly LakeSlice[],
): Promise<string[]> {
  const problems: string[] = [];
  for (const slice of slices) {
    const path = join(lake, slice.path);
    if (!existsSync(path)) continue;
    const detail = target.kind === 'dataset' ? literal(slice.path.replace(/^.*\/|\.parquet$/g, '')) : 'NULL';
    try {
      await session.run(`
        INSERT INTO merged BY NAME
        SELECT ${columnList(target)}, ${detail} AS detail FROM ${parquetRows([path])}`);
    } catch (error) {
      problems.push(
        `${slice.path} cannot be merged with: ${databaseMessage(error)}; move it away and import its files again`,
      );
    }
  }
  return problems;
}

/** Some programs write a folder of a slice's name, which can't be replaced. */
export async function findBlockedSlices(lake: string, slices: readonly LakeSlice[]): Promise<string[]> {
  const problems: string[] = [];
  for (const { path } of slices) {
    const found = await stat(join(lake, path)).catch(() => undefined);
    if (found !== undefined && !found.isFile())
      problems.push(
        `${path} is ${found.isDirectory() ? 'a folder' : 'no file'}: move it away and import again`,
      );
  }
  return problems;
}

/**
 * Writes all slices under other names first and then renames them, so that no reader sees half a file and a
 * failure leaves the lake unchanged.
 *
 * @param rows the table with the rows of all slices
 */
export async function writeSlices(
  session: Session,
  lake: string,
  target: LakeTable,
  slices: readonly LakeSlice[],
  rows: string,
): Promise<void> {
  const staged: { from: string; to: string }[] = [];
  const folders: string[] = [];
  let renamed = false;
  try {
    for (const slice of slices) {
      const to = join(lake, slice.path);
      const from = join(dirname(to), `.import-${randomUUID()}.tmp`);
      const created = await mkdir(dirname(to), { recursive: true });
      if (created !== undefined) folders.push(created);
      staged.push({ from, to });
      await writeSlice(session, target, rows, slice, from);
    }
    for (const { from, to } of staged) {
      await rename(from, to);
      renamed = true;
    }
  } catch (error) {
    for (const { from } of staged) await rm(from, { force: true });
    // Folders that this import created hold only its own unfinished files.
    if (!renamed) for (const folder of folders) await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** The lists that an import of facts reads, and SQL for the places in `seen_place`, if it may add some. */
const LISTS: Readonly<Record<string, string | undefined>> = {
  districts: `SELECT district_code, arg_max(name, year) AS district_name, ${DISTRICT_TYPE} AS district_type
    FROM (SELECT *, coalesce(CASE WHEN NOT is_total(district_name) THEN district_name END,
        CASE WHEN school_code IS NULL AND NOT is_total(school_name) THEN school_name END) AS name FROM seen_place)
    WHERE name IS NOT NULL GROUP BY district_code`,
  schools: `SELECT district_code, school_code, arg_max(school_name, year) AS school_name
    FROM seen_place WHERE school_code IS NOT NULL AND NOT is_total(school_name) GROUP BY district_code, school_code`,
  counties: undefined,
};

const LISTED = dimensions.filter(({ name }) => name in LISTS);

/**
 * Creates a table of each list (`listed_districts`), empty if the lake lacks it or the dataset doesn't need it, and the
 * views in which shapes look up places. Returns problems with lists that can't be read.
 */
export async function readLakeLists(session: Session, lake: string, target: LakeTable): Promise<string[]> {
  const problems: string[] = [];
  for (const { name, target: list } of LISTED) {
    await session.run(`CREATE TABLE listed_${name} (${columnTypes(list)})`);
    const file = join(lake, `${list.path}.parquet`);
    const needed = target.kind === 'dataset' && list.key.every(column => column in target.columns);
    if (!needed || !existsSync(file)) continue;
    try {
      const rows = `SELECT ${columnList(list)} FROM ${parquetRows([file])}`;
      await session.run(`INSERT INTO listed_${name} ${rows}`);
    } catch (error) {
      problems.push(
        `${list.path}.parquet cannot be read: ${databaseMessage(error)}; move it away and import the dimension again`,
      );
    }
  }
  await session.run(`
    CREATE VIEW census_district AS SELECT district_census_id AS census_id, district_code FROM listed_districts
      WHERE district_census_id IS NOT NULL AND district_type = 'standard';
    CREATE VIEW county_named AS
      SELECT regexp_replace(lower(county_name), '\\s+county$', '') AS county_name, county_fips FROM listed_counties`);
  return problems;
}

/**
 * Adds places of the imported rows to the lake's districts and schools if these lack them, such as closed schools, with
 * the latest names in the files and marked `from_source`, and widens the years for which files name each place. Names in
 * the lists stay. Returns a note for each list that grew.
 */
export async function addPlaces(
  session: Session,
  lake: string,
  target: LakeTable,
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
  await session.run(`
    CREATE TABLE seen_place AS ${[nowhere, ...seen].join(' UNION ALL ')};
    CREATE TABLE seen_year AS
      SELECT DISTINCT district_code, school_code, year FROM selected WHERE dropped IS NULL AND district_code IS NOT NULL`);
  const notes: string[] = [];
  for (const { name, target: list } of LISTED) {
    const found = LISTS[name];
    if (found === undefined) continue;
    const key = list.key.join(', ');
    const label = Object.keys(list.columns)[list.key.length];
    await session.run(`
      CREATE OR REPLACE TABLE known_place AS
        SELECT * EXCLUDE (first, last)
          REPLACE (least(p.first_year, y.first) AS first_year, greatest(p.last_year, y.last) AS last_year)
        FROM (
          FROM listed_${name} UNION ALL BY NAME
          SELECT f.*, 'from_source' AS entry_origin FROM (${found}) f ANTI JOIN listed_${name} USING (${key})) p
        LEFT JOIN (SELECT ${key}, min(year) AS first, max(year) AS last FROM seen_year GROUP BY ${key}) y USING (${key})`);
    const added = await session.rows<{ example: string }>(
      `SELECT concat_ws(' / ', ${key}, ${label}) AS example
       FROM known_place ANTI JOIN listed_${name} USING (${key}) ORDER BY ${key}`,
    );
    const changed = await session.rows(`FROM known_place EXCEPT FROM listed_${name}`);
    const path = `${list.path}.parquet`;
    if (changed.length > 0) await writeSlices(session, lake, list, [{ path, where: 'true' }], 'known_place');
    if (added.length === 0) continue;
    const examples = added.slice(0, 3).map(({ example }) => example);
    const what = `${added.length} ${added.length === 1 ? 'place' : 'places'} added to ${path} from the files' own names`;
    notes.push(`${what}: ${examples.join('; ')}${added.length > 3 ? '; …' : ''}`);
  }
  return notes;
}
