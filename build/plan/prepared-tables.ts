/** Converts tables of the lake to Parquet. The cache keeps the files. */
import path from 'node:path';
import type { Recipe } from '../cache/cache.ts';
import type { Contracts } from '../contract/dataset.ts';
import { isMemoryShortage, type Session, withinMemory, withSessionLater } from '../lake/database.ts';
import {
  drawnKey,
  findTables,
  type PreparedSlice,
  type PreparedTable,
  type PreparedTables,
  rowFiles,
  tableKey,
} from '../lake/inventory.ts';
import type { LakeFile } from '../lake/lake-files.ts';
import { findDamagedFiles } from '../lake/parquet-shape.ts';
import { drawDimension, type LakeTable, type Preparation, prepareTable } from '../lake/prepared-table.ts';
import { digestFile, digestText } from '../slice/file-digest.ts';
import type { Work } from './build-input.ts';

interface Job {
  /** The rows' origin. */
  readonly from: Pick<LakeFile, 'path' | 'modified'>;
  readonly recipe: Recipe;
  readonly write: (session: Session, folder: string) => Promise<Preparation>;
}

/**
 * Converts every table of the lake that a contract describes (CSV, TSV, JSON lines, workbooks, and tables of several
 * years), and draws dimensions from the rows of datasets.
 */
export async function prepareTables(
  contracts: Contracts,
  { lake, cache, temporary, limits, report }: Work,
): Promise<PreparedTables> {
  const prepared = new Map<string, PreparedTable>();
  const prepareAll = (jobs: readonly Job[]) =>
    withSessionLater(limits, async session => {
      for (const [i, job] of jobs.entries()) {
        const { from, recipe } = job;
        const folder = path.join(temporary, 'tables', digestText(recipe.what));
        const write = async (into: string) => {
          const made = await prepareOne(await session(), job, into);
          report({ kind: 'progress', stage: 'table', done: i + 1, total: jobs.length, what: from.path });
          return made;
        };
        const { files, diagnostics } = await withinMemory(from.path, () => cache.make(recipe, write, folder));
        const slices = files.map(({ year, name, bytes, sha256 }): PreparedSlice => {
          const origin = year === null ? from.path : `${from.path}, rows of ${year}`;
          const absolute = path.join(folder, name);
          const content = { fingerprint: sha256, content: sha256, prepared: true } as const;
          return { year, file: { path: origin, absolute, bytes, modified: from.modified, ...content } };
        });
        // Warnings stay in the cache too, so each build repeats them.
        prepared.set(recipe.what, { slices, diagnostics });
      }
    });
  const tables = findTables(lake, contracts);
  await lake.fetch(tables.map(table => table.file));
  await prepareAll(
    tables.map(
      (table): Job => ({
        from: table.file,
        recipe: tableRecipe(table),
        write: (session, into) => prepareTable(session, table, into, limits.threads),
      }),
    ),
  );
  const drawn = [...contracts.dimensions.values()].flatMap(dimension => {
    const source = contracts.datasets.find(({ key }) => key === dimension.rowsOf);
    const files = source === undefined ? [] : rowFiles(source, lake, contracts, prepared);
    const inputs = [dimension.columns.map(({ name }) => name), dimension.primaryKey];
    const job = {
      from: { path: `${dimension.path}, drawn from ${dimension.rowsOf}`, modified: 0 },
      recipe: { what: drawnKey(dimension), inputs, files },
      write: (session: Session, into: string) => drawDimension(session, dimension, files, into),
    };
    return files.length === 0 ? [] : [job];
  });
  await lake.fetch(drawn.flatMap(({ recipe }) => recipe.files));
  await prepareAll(drawn);
  return prepared;
}

function tableRecipe({ owner, file, format, year }: LakeTable): Recipe {
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
    inputs: [format, year, columns, owner.fileLayout],
    files: [file],
  };
}

/** The cache doesn't keep an unreadable table, so each build reports it. */
async function prepareOne(session: Session, { write, recipe }: Job, folder: string) {
  const { files, diagnostics } = await write(session, folder).catch(async error => {
    const damaged = isMemoryShortage(error) ? [] : await findDamagedFiles(session, recipe.files);
    if (damaged.length === 0) throw error;
    return { files: [], diagnostics: damaged };
  });
  const written = files.map(file => ({ ...file, ...digestFile(path.join(folder, file.name)) }));
  return {
    value: { files: written, diagnostics },
    files: written.map(({ name, sha256 }) => ({ path: name, sha256 })),
    keep: files.length > 0,
  };
}
