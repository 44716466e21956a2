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
  drawnKey,
  findTables,
  type PreparedSlice,
  type PreparedTable,
  type PreparedTables,
  rowFiles,
  tableKey,
} from '../lake/inventory.ts';
import type { Lake } from '../lake/lake.ts';
import { withinMemory } from '../lake/memory-shortage.ts';
import { drawDimension } from '../lake/drawn-dimension.ts';
import type { LakeFile } from '../lake/lake-files.ts';
import { type LakeTable, type Preparation, type PreparedFile, prepareTable } from '../lake/prepared-table.ts';
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
  await lake.fetch(tables.map(table => table.file));
  const prepared = new Map<string, PreparedTable>();
  const names = new Set<string>();
  const prepareAll = async (jobs: readonly Job[]): Promise<void> => {
    const lacking: Job[] = [];
    for (const job of jobs) {
      names.add(job.name);
      const kept = await readKept(path.join(folder, job.name));
      if (kept === null) lacking.push(job);
      else prepared.set(job.key, preparedTable(job, folder, kept));
    }
    if (lacking.length === 0) return;
    await withDatabase(limits, async database => {
      const session = await database.connect();
      for (const [i, job] of lacking.entries()) {
        const what = job.of.file.path;
        prepared.set(job.key, await withinMemory(what, () => prepareOne(session, job, folder)));
        onPrepared(i + 1, lacking.length, what);
      }
    });
  };
  await prepareAll(
    tables.map(
      (table): Job => ({
        key: tableKey(table),
        name: keptName(table, contentOf),
        of: table,
        write: (session, into) => prepareTable(session, table, into, limits.threads),
      }),
    ),
  );
  const drawn = [...contracts.dimensions.values()].flatMap(dimension => {
    const source = contracts.datasets.find(({ key }) => key === dimension.rowsOf);
    const files = source === undefined ? [] : rowFiles(source, lake, contracts, prepared);
    return files.length === 0 ? [] : [{ dimension, files }];
  });
  await lake.fetch(drawn.flatMap(({ files }) => files).filter(file => file.prepared !== true));
  await prepareAll(
    drawn.map(
      ({ dimension, files }): Job => ({
        key: drawnKey(dimension),
        name: digestOf([
          PROGRAM,
          drawnKey(dimension),
          files.map(file => file.content ?? contentOf(file)),
          dimension.columns.map(({ name }) => name),
          dimension.primaryKey,
        ]),
        of: { file: { path: `${dimension.path}, drawn from ${dimension.rowsOf}`, modified: 0 }, year: null },
        write: (session, into) => drawDimension(session, dimension, files, into),
      }),
    ),
  );
  await forgetOthers(folder, names);
  return prepared;
}

/** Whose rows they are; `year` if it is stated for all of them. */
interface RowsSource {
  readonly file: Pick<LakeFile, 'path' | 'modified'>;
  readonly year: number | null;
}

/** Parquet files that are read from a folder of this name, or written there. */
interface Job {
  /** Under which the build finds what is prepared. */
  readonly key: string;
  /** Equal for equal bytes. */
  readonly name: string;
  readonly of: RowsSource;
  readonly write: (session: Session, folder: string) => Promise<Preparation>;
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
async function prepareOne(session: Session, job: Job, folder: string): Promise<PreparedTable> {
  const place = path.join(folder, job.name);
  const temporary = `${place}.making`;
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { recursive: true });
  const { files, diagnostics } = await job.write(session, temporary);
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
  return preparedTable(job, folder, { files: kept, diagnostics });
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

function preparedTable(job: Job, folder: string, { files, diagnostics }: KeptTable): PreparedTable {
  const { file, year: stated } = job.of;
  const slices = files.map(
    ({ year, name, bytes, sha256 }): PreparedSlice => ({
      year,
      file: {
        path: year === null || stated !== null ? file.path : `${file.path}, rows of ${year}`,
        absolute: path.join(folder, job.name, name),
        bytes,
        fingerprint: sha256,
        content: sha256,
        modified: file.modified,
        prepared: true,
      },
    }),
  );
  return { slices, diagnostics };
}

async function forgetOthers(folder: string, names: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!names.has(name)) await rm(path.join(folder, name), { recursive: true, force: true });
  }
}
