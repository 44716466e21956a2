import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { identifier, literal, rowOrder } from '../../../build/lake/sql.ts';
import type { Database } from './database.ts';
import type { Target } from './importer.ts';
import type { SliceReport } from './report.ts';

/** One Parquet file of the lake: a dataset's year and level, or a whole dimension. */
export interface LakeSlice {
  /** Below the lake's root. */
  readonly path: string;
  /** SQL over the table that holds the rows of all slices. */
  readonly where: string;
}

/**
 * The slices of the rows that aren't dropped: an empty slice must never replace one that has rows.
 * A dimension with only the importer's own rows (line 0) counts as empty.
 */
export async function listSlices(database: Database, target: Target): Promise<LakeSlice[]> {
  if (target.kind === 'dimension') {
    const [left] = await database.rows<{ some: boolean }>(
      `SELECT count(*) > 0 AS some FROM selected WHERE dropped IS NULL AND line IS DISTINCT FROM 0`,
    );
    return left!.some ? [{ path: `${target.path}.parquet`, where: 'true' }] : [];
  }
  const rows = await database.rows<{ year: number; detail: string }>(
    `SELECT DISTINCT year, detail FROM selected WHERE dropped IS NULL ORDER BY year, detail`,
  );
  return rows.map(({ year, detail }) => ({
    path: `${target.path}/year=${year}/${detail}.parquet`,
    where: `year = ${year} AND detail = ${literal(detail)}`,
  }));
}

/**
 * Adds the lake's present rows of these slices to `merged`. Returns problems with files that don't fit the
 * contract.
 */
export async function loadSlices(
  database: Database,
  lake: string,
  target: Target,
  slices: readonly LakeSlice[],
): Promise<string[]> {
  const problems: string[] = [];
  for (const slice of slices) {
    const path = join(lake, slice.path);
    if (!existsSync(path)) continue;
    const detail = target.kind === 'dataset' ? literal(slice.path.replace(/^.*\/|\.parquet$/g, '')) : 'NULL';
    try {
      await database.run(`
        INSERT INTO merged BY NAME
        SELECT ${columnList(target)}, ${detail} AS detail FROM ${lakeRows(path, target)}`);
    } catch (error) {
      const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
      problems.push(
        `${slice.path} cannot be merged with: ${reason}; move it away and import its files again`,
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
 * failure leaves the lake unchanged. `kept` marks rows that only the lake had.
 */
export async function writeSlices(
  database: Database,
  lake: string,
  target: Target,
  slices: readonly LakeSlice[],
): Promise<SliceReport[]> {
  const staged: { from: string; to: string }[] = [];
  const reports: SliceReport[] = [];
  const folders: string[] = [];
  let renamed = false;
  try {
    for (const slice of slices) {
      const to = join(lake, slice.path);
      const from = join(dirname(to), `.import-${randomUUID()}.tmp`);
      const created = await mkdir(dirname(to), { recursive: true });
      if (created !== undefined) folders.push(created);
      staged.push({ from, to });
      const order = rowOrder(target.key);
      await database.run(`
        COPY (SELECT ${columnList(target)} FROM merged WHERE ${slice.where} ORDER BY ${order})
        TO ${literal(from)} (FORMAT parquet, COMPRESSION zstd)`);
      const [count] = await database.rows<{ rows: number; kept: number }>(`
        SELECT CAST(count(*) AS INTEGER) AS rows, CAST(count(*) FILTER (WHERE kept) AS INTEGER) AS kept
        FROM merged WHERE ${slice.where}`);
      reports.push({ path: slice.path, rows: count!.rows, kept: count!.kept });
    }
    for (const { from, to } of staged) {
      await rename(from, to);
      renamed = true;
    }
    return reports;
  } catch (error) {
    for (const { from } of staged) await rm(from, { force: true });
    // Folders that this import created hold only its own unfinished files.
    if (!renamed) for (const folder of folders) await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** SQL for a table's columns in contract order, cast to its types. */
export function columnList(target: Target): string {
  return Object.entries(target.columns)
    .map(([name, type]) => `CAST(${identifier(name)} AS ${type}) AS ${identifier(name)}`)
    .join(', ');
}

/** A list that an earlier program wrote may lack attributes, which are then NULL. */
export function lakeRows(path: string, { kind, columns, key }: Target): string {
  const rows = `read_parquet(${literal(path)}, hive_partitioning = false)`;
  const others = Object.entries(columns).filter(([name]) => !key.includes(name));
  if (kind === 'dataset' || others.length === 0) return rows;
  const absent = others.map(([name, type]) => `CAST(NULL AS ${type}) AS ${identifier(name)}`);
  return `(SELECT * FROM ${rows} UNION ALL BY NAME SELECT ${absent.join(', ')} WHERE false)`;
}
