/**
 * Parquet files that builds have made from tables of the lake. A build makes them anew for a table with other bytes or
 * another contract, and after damage.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Contracts } from '../contract/dataset.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { type DatabaseOptions, type Session, withDatabase } from '../lake/database.ts';
import {
  findTables,
  type PreparedSlice,
  type PreparedTable,
  type PreparedTables,
  tableKey,
} from '../lake/inventory.ts';
import type { Lake } from '../lake/lake.ts';
import { withinMemory } from '../lake/memory-shortage.ts';
import { type LakeTable, type PreparedFile, prepareTable } from '../lake/prepared-table.ts';
import { digestFile } from '../slice/file-digest.ts';
import { digestOf, PROGRAM } from './build-state.ts';
import type { ContentOf } from './file-contents.ts';

export interface TableOptions {
  readonly lake: Pick<Lake, 'files' | 'fetch'>;
  /** Where the Parquet files are kept. */
  readonly folder: string;
  readonly limits: DatabaseOptions;
  readonly contentOf: ContentOf;
  readonly onPrepared?: (done: number, total: number, what: string) => void;
}

/** A Parquet file of a table, as noted next to it. */
interface KeptFile extends PreparedFile {
  readonly bytes: number;
  readonly sha256: string;
}

/** What a kept table says of itself. */
interface KeptTable {
  readonly files: readonly KeptFile[];
  /** Warnings of the build that made it, which each build repeats. */
  readonly diagnostics: readonly Diagnostic[];
}

const NOTE = 'table.json';

/** Prepares every table of the lake that contracts promise, and forgets those that none promises any more. */
export async function prepareTables(
  contracts: Contracts,
  { lake, folder, limits, contentOf, onPrepared = () => undefined }: TableOptions,
): Promise<PreparedTables> {
  const tables = findTables(lake, contracts);
  if (tables.length === 0) {
    await rm(folder, { recursive: true, force: true });
    return new Map();
  }
  await lake.fetch(tables.map(table => table.file));
  const prepared = new Map<string, PreparedTable>();
  const places = new Map(tables.map(table => [table, keptName(table, contentOf)]));
  const lacking: LakeTable[] = [];
  for (const [table, name] of places) {
    const kept = await readKept(path.join(folder, name));
    if (kept === null) lacking.push(table);
    else
      prepared.set(tableKey(table), {
        slices: slicesOf(table, path.join(folder, name), kept.files),
        diagnostics: kept.diagnostics,
      });
  }
  await forgetOthers(folder, new Set(places.values()));
  if (lacking.length === 0) return prepared;
  await withDatabase(limits, async database => {
    const session = await database.connect();
    for (const [i, table] of lacking.entries()) {
      const place = path.join(folder, places.get(table) ?? '');
      const made = await withinMemory(table.file.path, () =>
        prepareOne(session, table, place, limits.threads),
      );
      prepared.set(tableKey(table), made);
      onPrepared(i + 1, lacking.length, table.file.path);
    }
  });
  return prepared;
}

/** Two tables with the same name have the same bytes, and are read by the same columns. */
function keptName({ owner, file, format, year }: LakeTable, contentOf: ContentOf): string {
  const columns = owner.columns.map(column => [
    column.name,
    column.type,
    column.nullable,
    column.missingValues,
    column.form,
    column.physical,
    'role' in column ? column.role : null,
  ]);
  return digestOf([
    PROGRAM,
    tableKey({ owner, file }),
    contentOf(file),
    format,
    year,
    columns,
    owner.fileLayout,
  ]);
}

/** Prepares a table in a temporary folder, and keeps it if the lake's file stands as it was listed. */
async function prepareOne(
  session: Session,
  table: LakeTable,
  place: string,
  threads: number,
): Promise<PreparedTable> {
  const temporary = `${place}.making`;
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { recursive: true });
  const { files, diagnostics } = await prepareTable(session, table, temporary, threads);
  const kept = files.map((file): KeptFile => {
    const { bytes, sha256 } = digestFile(path.join(temporary, file.name));
    return { ...file, bytes, sha256 };
  });
  if (files.length === 0) {
    await rm(temporary, { recursive: true, force: true });
    return { slices: [], diagnostics };
  }
  await writeFile(
    path.join(temporary, NOTE),
    JSON.stringify({ files: kept, diagnostics } satisfies KeptTable),
  );
  await rm(place, { recursive: true, force: true });
  await rename(temporary, place);
  return { slices: slicesOf(table, place, kept), diagnostics };
}

/** Null if the files are missing or damaged. */
async function readKept(place: string): Promise<KeptTable | null> {
  try {
    const kept = JSON.parse(await readFile(path.join(place, NOTE), 'utf8')) as KeptTable;
    const isWhole = kept.files.every(
      ({ name, sha256 }) => digestFile(path.join(place, name)).sha256 === sha256,
    );
    return isWhole && kept.files.length > 0 ? kept : null;
  } catch {
    return null;
  }
}

function slicesOf(
  { file, year: stated }: LakeTable,
  place: string,
  kept: readonly KeptFile[],
): readonly PreparedSlice[] {
  return kept.map(({ year, name, bytes, sha256 }) => ({
    year,
    file: {
      path: year === null || stated !== null ? file.path : `${file.path}, rows of ${year}`,
      absolute: path.join(place, name),
      bytes,
      fingerprint: sha256,
      content: sha256,
      modified: file.modified,
      prepared: true,
    },
  }));
}

async function forgetOthers(folder: string, names: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!names.has(name)) await rm(path.join(folder, name), { recursive: true, force: true });
  }
}
