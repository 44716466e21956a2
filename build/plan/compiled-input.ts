/** Compiles contracts and the lake's inventory, and converts tables of the lake to Parquet. */
import path from 'node:path';
import type { Cache, Recipe } from '../cache/cache.ts';
import type { Contracts, Dataset } from '../contract/dataset.ts';
import { matchesGlob } from '../contract/dataset-name.ts';
import { type Diagnostic, sortDiagnostics } from '../contract/diagnostic.ts';
import { parseContracts } from '../contract/parse-contracts.ts';
import { completeDataset } from '../contract/years-and-levels.ts';
import { RefusedError, UnableError } from '../failure.ts';
import { nearest } from '../format/nearest.ts';
import {
  type DatabaseOptions,
  isMemoryShortage,
  type Session,
  withinMemory,
  withSessionLater,
} from '../lake/database.ts';
import {
  drawnKey,
  findTables,
  type Inventory,
  type PreparedSlice,
  type PreparedTable,
  type PreparedTables,
  rowFiles,
  tableKey,
  takeInventory,
} from '../lake/inventory.ts';
import { summarizeMissing } from '../lake/inventory-diagnostics.ts';
import type { Lake } from '../lake/lake.ts';
import type { LakeFile } from '../lake/lake-files.ts';
import { findDamagedFiles } from '../lake/parquet-shape.ts';
import {
  drawDimension,
  type LakeTable,
  type Preparation,
  type PreparedFile,
  prepareTable,
} from '../lake/prepared-table.ts';
import type { Reporter } from '../report.ts';
import { digestFile, digestText } from '../slice/file-digest.ts';
import { type BuildInput, type CheckOptions, refuses } from './build-input.ts';

export interface Compiled {
  readonly contracts: Contracts;
  /** The datasets of --only, or all, that have rows in the lake; sorted by key. */
  readonly asked: readonly Dataset[];
  /** The datasets of --only, or all, that contracts withdraw. */
  readonly withdrawn: readonly Dataset[];
  readonly inventory: Inventory;
}

export interface Compiling {
  readonly cache: Cache;
  /** Gets a folder with the Parquet files of the lake's tables. */
  readonly temporary: string;
  readonly limits: DatabaseOptions;
}

/** Throws RefusedError if contracts or the lake have errors. */
export async function compileInput(
  options: CheckOptions & { readonly out?: string },
  { contractFiles, lake }: BuildInput,
  compiling: Compiling,
  report: Reporter,
): Promise<Compiled> {
  // Parsing thirty contracts would take a third of a build with one changed slice.
  const recipe = { what: 'contracts', inputs: [process.version, contractFiles] };
  const parsed = await compiling.cache.make(recipe, async () => ({
    value: parseContracts(contractFiles),
    files: [],
  }));
  if (refuses(parsed.diagnostics, options.strict))
    throw new RefusedError(sortDiagnostics(parsed.diagnostics));
  const datasets = parsed.contracts.datasets.filter(dataset => matchesGlob(options.only, dataset.key));
  const withdrawn = parsed.contracts.withdrawn.datasets.filter(({ key }) => matchesGlob(options.only, key));
  // A build with --only may only withdraw datasets.
  const withdraws = options.out !== undefined && options.only !== null && withdrawn.length > 0;
  const nothing = nothingToBuild(options, parsed.contracts, withdraws ? withdrawn : datasets);
  if (nothing !== null) {
    if (parsed.diagnostics.length > 0) report({ kind: 'warnings', diagnostics: parsed.diagnostics });
    throw new UnableError('nothing-to-build', nothing);
  }
  const prepared = await prepareTables(parsed.contracts, lake, compiling, report);
  const { inventory, diagnostics } = takeInventory(lake, parsed.contracts, datasets, prepared);
  const complete = (dataset: Dataset) => completeDataset(dataset, inventory.slices.get(dataset.key) ?? []);
  const contracts = { ...parsed.contracts, datasets: parsed.contracts.datasets.map(complete) };
  const found = summarizeMissing(diagnostics, datasets, inventory.slices, options.data);
  const all = sortDiagnostics([...parsed.diagnostics, ...found]);
  if (refuses(all, options.strict)) throw new RefusedError(all);
  if (all.length > 0) report({ kind: 'warnings', diagnostics: all });
  const keys = new Set(datasets.map(({ key }) => key).filter(key => inventory.slices.has(key)));
  const asked = contracts.datasets.filter(({ key }) => keys.has(key));
  if (asked.length === 0 && !withdraws) {
    throw new UnableError(
      'lake-empty',
      `${options.data} has no rows of any dataset of the contracts. Name the lake's folder.`,
    );
  }
  return { contracts, asked, withdrawn, inventory };
}

/** Why there is nothing to build; null if there is. A pattern without a match counts: the build would silently publish less. */
function nothingToBuild(
  { only, contracts: folder }: CheckOptions,
  contracts: Contracts,
  asked: readonly Dataset[],
): string | null {
  const keys = [...contracts.datasets, ...contracts.withdrawn.datasets].map(({ key }) => key);
  const unmatched = (only?.split(',') ?? []).filter(part => !keys.some(key => matchesGlob(part, key)));
  if (unmatched.length === 0 && asked.length > 0) return null;
  if (only === null) return `${folder} has no active data contract. Name the folder of the contracts.`;
  const near = unmatched[0] === undefined ? null : nearest(unmatched[0], keys);
  const meant = near === null ? '' : ` Did you mean ${near}?`;
  return `No dataset matches --only ${unmatched.join(',') || only}.${meant} Name it as domain/topic; * stands for any name.`;
}

interface KeptFile extends PreparedFile {
  readonly bytes: number;
  readonly sha256: string;
}

interface KeptTable {
  readonly files: readonly KeptFile[];
  /** Warnings. Each build repeats them. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Converts every table of the lake that a contract describes: CSV, TSV, JSON lines, and tables of several years. */
async function prepareTables(
  contracts: Contracts,
  lake: Lake,
  { cache, temporary, limits }: Compiling,
  report: Reporter,
): Promise<PreparedTables> {
  const folder = path.join(temporary, 'tables');
  const tables = findTables(lake, contracts);
  await lake.fetch(tables.map(table => table.file));
  const prepared = new Map<string, PreparedTable>();
  const prepareAll = (jobs: readonly Job[]) =>
    withSessionLater(limits, async session => {
      for (const [i, job] of jobs.entries()) {
        const what = job.file.path;
        const write = async (into: string) => {
          const made = await prepareOne(await session(), job, into);
          report({ kind: 'progress', stage: 'table', done: i + 1, total: jobs.length, what });
          return made;
        };
        const kept = await withinMemory(what, () => cache.make(job.recipe, write, placeOf(job, folder)));
        prepared.set(job.recipe.what, preparedTable(job, folder, kept));
      }
    });
  await prepareAll(
    tables.map(
      (table): Job => ({
        ...table,
        recipe: tableRecipe(table),
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
        file: { path: `${dimension.path}, drawn from ${dimension.rowsOf}`, modified: 0 },
        year: null,
        recipe: {
          what: drawnKey(dimension),
          inputs: [dimension.columns.map(({ name }) => name), dimension.primaryKey],
          files,
        },
        write: (session, into) => drawDimension(session, dimension, files, into),
      }),
    ),
  );
  return prepared;
}

interface Job {
  readonly file: Pick<LakeFile, 'path' | 'modified'>;
  /** That of all rows, if the table's name states it. */
  readonly year: number | null;
  readonly recipe: Recipe;
  readonly write: (session: Session, folder: string) => Promise<Preparation>;
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
    const damaged = isMemoryShortage(error) ? [] : await findDamagedFiles(session, recipe.files ?? []);
    if (damaged.length === 0) throw error;
    return { files: [], diagnostics: damaged };
  });
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

function placeOf({ recipe }: Job, folder: string): string {
  return path.join(folder, digestText(recipe.what));
}

function preparedTable(job: Job, folder: string, { files, diagnostics }: KeptTable): PreparedTable {
  const { file, year: stated } = job;
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
