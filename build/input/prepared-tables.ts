/** Parquet files that a build makes of tables of the lake, from which it then reads. */
import path from 'node:path';
import type { Cache, Recipe } from '../cache/cache.ts';
import type { ContentOf } from '../cache/file-contents.ts';
import type { Contracts } from '../contract/dataset.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { type DatabaseOptions, type Session, withDatabase, withinMemory } from '../lake/database.ts';
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
import type { LakeFile } from '../lake/lake-files.ts';
import {
  drawDimension,
  type LakeTable,
  type Preparation,
  type PreparedFile,
  prepareTable,
} from '../lake/prepared-table.ts';
import type { Reporter } from '../report.ts';
import { digestFile, digestText } from '../slice/file-digest.ts';

export interface TableOptions {
  readonly lake: Pick<Lake, 'files' | 'fetch'>;
  readonly cache: Cache;
  /** Where the build reads the Parquet files. */
  readonly folder: string;
  readonly limits: DatabaseOptions;
  readonly contentOf: ContentOf;
}

interface KeptFile extends PreparedFile {
  readonly bytes: number;
  readonly sha256: string;
}

interface KeptTable {
  readonly files: readonly KeptFile[];
  /** Warnings, which each build repeats. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Prepares every table of the lake that contracts promise: CSV, TSV, JSON lines, and tables of several years. */
export async function prepareTables(
  contracts: Contracts,
  { lake, cache, folder, limits, contentOf }: TableOptions,
  report: Reporter,
): Promise<PreparedTables> {
  const tables = findTables(lake, contracts);
  await lake.fetch(tables.map(table => table.file));
  const prepared = new Map<string, PreparedTable>();
  const prepareAll = async (jobs: readonly Job[]): Promise<void> => {
    const lacking: Job[] = [];
    for (const job of jobs) {
      const kept = await cache.find<KeptTable>(job.recipe, placeOf(job, folder));
      if (kept === undefined) lacking.push(job);
      else prepared.set(job.key, preparedTable(job, folder, kept));
    }
    if (lacking.length === 0) return;
    await withDatabase(limits, async database => {
      const session = await database.connect();
      for (const [i, job] of lacking.entries()) {
        const what = job.of.file.path;
        const made = await withinMemory(what, () =>
          cache.make<KeptTable>(job.recipe, into => prepareOne(session, job, into), placeOf(job, folder)),
        );
        prepared.set(job.key, preparedTable(job, folder, made));
        report({ kind: 'progress', stage: 'table', done: i + 1, total: lacking.length, what });
      }
    });
  };
  await prepareAll(
    tables.map(
      (table): Job => ({
        key: tableKey(table),
        recipe: tableRecipe(table, contentOf),
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
        recipe: {
          what: drawnKey(dimension),
          inputs: [
            files.map(file => file.content ?? contentOf(file)),
            dimension.columns.map(({ name }) => name),
            dimension.primaryKey,
          ],
        },
        of: { file: { path: `${dimension.path}, drawn from ${dimension.rowsOf}`, modified: 0 }, year: null },
        write: (session, into) => drawDimension(session, dimension, files, into),
      }),
    ),
  );
  return prepared;
}

/** Whose rows they are; `year` if it is stated for all of them. */
interface RowsSource {
  readonly file: Pick<LakeFile, 'path' | 'modified'>;
  readonly year: number | null;
}

interface Job {
  /** Under which the build finds what is prepared. */
  readonly key: string;
  readonly recipe: Recipe;
  readonly of: RowsSource;
  readonly write: (session: Session, folder: string) => Promise<Preparation>;
}

/** The same bytes, read by the same columns. */
function tableRecipe({ owner, file, format, year }: LakeTable, contentOf: ContentOf): Recipe {
  const columns = owner.columns.map(column => [
    column.name,
    column.type,
    column.nullable,
    column.missingValues,
    column.form,
    column.physical,
    'role' in column ? column.role : null,
  ]);
  return {
    what: tableKey({ owner, file }),
    inputs: [contentOf(file), format, year, columns, owner.fileLayout],
  };
}

/** A table that cannot be read is not kept, so that each build says why. */
async function prepareOne(session: Session, { write }: Job, folder: string) {
  const { files, diagnostics } = await write(session, folder);
  const kept = files.map((file): KeptFile => {
    const { bytes, sha256 } = digestFile(path.join(folder, file.name));
    return { ...file, bytes, sha256 };
  });
  return {
    value: { files: kept, diagnostics },
    files: kept.map(({ name, sha256 }) => ({ path: name, sha256 })),
    keep: files.length > 0,
  };
}

function placeOf({ key }: Pick<Job, 'key'>, folder: string): string {
  return path.join(folder, digestText(key));
}

function preparedTable(job: Job, folder: string, { files, diagnostics }: KeptTable): PreparedTable {
  const { file, year: stated } = job.of;
  const slices = files.map(
    ({ year, name, bytes, sha256 }): PreparedSlice => ({
      year,
      file: {
        path: year === null || stated !== null ? file.path : `${file.path}, rows of ${year}`,
        absolute: path.join(placeOf(job, folder), name),
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
