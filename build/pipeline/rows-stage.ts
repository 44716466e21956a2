/** The stage that reads the lake's rows: it checks them and writes their files at the same time. */

import type { CheckStageResult } from '../check/check-stage.ts';
import type { Dataset, Dimension } from '../contract/dataset.ts';
import { type Diagnostic, sortDiagnostics } from '../contract/diagnostic.ts';
import { datasetFilters, keyColumns } from '../contract/filters.ts';
import { holdingsOf } from '../documents/dataset-documents.ts';
import { RefusedError, UnableError } from '../failure.ts';
import { type CheckOptions, refuses } from '../input/build-input.ts';
import type { Compiled } from '../input/compiled-input.ts';
import { findDamagedFiles } from '../lake/damaged-files.ts';
import {
  type Database,
  type DatabaseOptions,
  ofOneThread,
  portionOf,
  withSession,
} from '../lake/database.ts';
import { type Inventory, placedInSlices, takeInventory, usedFiles } from '../lake/inventory.ts';
import { compareListings, type Lake } from '../lake/lake.ts';
import type { LakeFile } from '../lake/lake-files.ts';
import { isMemoryShortage, MemoryShortage } from '../lake/memory-shortage.ts';
import { compareShape, emptyFiles, type ParquetShape, readShapes } from '../lake/parquet-shape.ts';
import type { BuildMemory } from '../memory/build-memory.ts';
import type { CheckMemory } from '../memory/kept-counts.ts';
import { runName } from '../plan/copy-runs.ts';
import type { TreePlan } from '../plan/tree-plan.ts';
import { neededFiles, type Work, writtenSlices } from '../plan/work.ts';
import type { Reporter } from '../report.ts';
import { filteredColumns } from '../slice/copy-choice.ts';
import { type DatasetWork, runSliceStage, type WrittenRowsOf } from '../slice/slice-stage.ts';
import type { Workspace } from '../tree/workspace.ts';
import { checkAll } from './findings.ts';
import type { Stopwatch } from './stopwatch.ts';

export interface ReadRows {
  readonly checked: CheckStageResult;
  readonly written: WrittenRowsOf;
}

export interface RowsStageInput {
  readonly options: CheckOptions;
  readonly workspace: Workspace;
  readonly lake: Lake;
  readonly compiled: Compiled;
  readonly plan: TreePlan;
  readonly work: Work;
  readonly clock: Stopwatch;
  /** The database that writes rows. Its tables stay for the stages that follow. */
  readonly database: Database;
  /** Limits of all databases together. */
  readonly limits: DatabaseOptions;
  /** Null if the build keeps nothing for the next one. */
  readonly memory: BuildMemory | null;
  /** Called with all files that the stage is about to read. */
  readonly onFetched?: (files: readonly LakeFile[]) => void;
}

/** One database with one thread and half of the memory writes rows; others check them with the rest. */
export function writingLimits(limits: DatabaseOptions): DatabaseOptions {
  return ofOneThread(portionOf(limits, 2), limits.threads);
}

/** Runs every rule, and writes rows at the same time. Refuses rows that break a rule. */
export async function readRows(input: RowsStageInput, report: Reporter): Promise<ReadRows> {
  const { lake, compiled, work, clock, database } = input;
  const needed = neededFiles(compiled, work);
  await fetchFiles(lake, needed, report);
  const checking = portionOf(input.limits, 2);
  const read = await unchangedWhile(lake, compiled, needed, checking, async () => {
    input.onFetched?.(needed);
    const { shapes, diagnostics } = await readWorkShapes(input);
    clock.lap('read');
    const stop = new AbortController();
    const checks = checkWork(input, checking, shapes, report);
    const alone = async () => {
      await checks.catch(() => undefined);
      await database.limit(ofOneThread(input.limits, 1));
    };
    // Writes nothing if a file does not fit its contract, and lets the checks report every other problem.
    const writing = diagnostics.length > 0 ? null : writeWork(input, shapes, alone, stop.signal, report);
    writing?.then(() => clock.split('slice')).catch(() => undefined);
    const checked = await checks.catch(async error => {
      if (writing !== null && error instanceof MemoryShortage) {
        // Checks that lack memory begin again when nothing else needs any.
        await writing;
        return checkWork(input, input.limits, shapes, report);
      }
      stop.abort();
      await writing?.catch(() => undefined);
      throw error;
    });
    clock.split('check');
    if (writing === null)
      throw new RefusedError(placedInSlices(sortDiagnostics(diagnostics), compiled.inventory));
    const written = await writing;
    clock.lap('rows');
    return { checked, written };
  });
  for (const dataset of work.checks) {
    const counts = countsOf(input, dataset);
    if (counts !== null) await input.memory?.keepCounts(counts);
  }
  return read;
}

export async function fetchFiles(lake: Lake, files: readonly LakeFile[], report: Reporter): Promise<void> {
  const stored = files.filter(file => file.prepared !== true);
  await lake.fetch(stored, (done, total, what) =>
    report({ kind: 'progress', stage: 'fetch', done, total, what }),
  );
}

/**
 * Reads files, and discards the result if the lake has changed since its listing. A file that is replaced while it is
 * read may break rules and reads for no other reason, so the change is the only error that is reported.
 */
export async function unchangedWhile<Result>(
  lake: Lake,
  { contracts, inventory }: Compiled,
  files: readonly LakeFile[],
  limits: DatabaseOptions,
  read: () => Promise<Result>,
): Promise<Result> {
  const outcome = await read().then(
    result => ({ result }),
    (error: unknown) => ({ error }),
  );
  const listed = await lake.list();
  const stood = compareListings(lake.files, listed).length === 0;
  const now = stood ? inventory : takeInventory({ ...lake, files: listed }, contracts).inventory;
  const changes = compareListings(usedFiles(inventory), usedFiles(now));
  if (changes.length > 0) {
    const named = changes.slice(0, 5).map(({ path, change }) => `${path} (${change})`);
    const more = changes.length > named.length ? `, and ${changes.length - named.length} more` : '';
    throw new UnableError(
      'lake-changed',
      `The lake changed while the build read it: ${named.join(', ')}${more}. Nothing was published. Build again when no program writes to it.`,
    );
  }
  if ('error' in outcome) throw await explainedBy(files, inventory, limits, outcome.error);
  return outcome.result;
}

/** Finds damaged files behind a database error: a file with a sound footer may still have unreadable values. */
async function explainedBy(
  files: readonly LakeFile[],
  inventory: Inventory,
  limits: DatabaseOptions,
  error: unknown,
): Promise<unknown> {
  if (error instanceof RefusedError || error instanceof UnableError || isMemoryShortage(error)) return error;
  const damaged = await withSession(limits, session => findDamagedFiles(session, files));
  return damaged.length > 0 ? new RefusedError(placedInSlices(damaged, inventory)) : error;
}

/** Refuses errors, and with `--strict` warnings. */
export function reportFound(
  found: readonly Diagnostic[],
  { strict }: Pick<CheckOptions, 'strict'>,
  report: Reporter,
): void {
  if (refuses(found, strict)) throw new RefusedError(sortDiagnostics(found));
  if (found.length > 0) report({ kind: 'warnings', diagnostics: found });
}

/** Where the counts of a dataset are kept; null if nothing is. */
function countsOf({ memory, plan }: RowsStageInput, { key }: Dataset): CheckMemory | null {
  const state = plan.datasets.find(one => one.dataset.key === key)?.state;
  return state === undefined || memory === null ? null : memory.countsOf(key, state);
}

async function checkWork(
  input: RowsStageInput,
  checking: DatabaseOptions,
  shapes: ReadonlyMap<string, ParquetShape>,
  report: Reporter,
): Promise<CheckStageResult> {
  const { options, compiled, work } = input;
  return checkAll(
    options,
    checking,
    compiled,
    {
      datasets: work.checks,
      dimensions: work.checksDimensions,
      shapes,
      memory: dataset => countsOf(input, dataset),
    },
    report,
  );
}

/** Columns and counts of the files that the stage reads, and diagnostics of those that do not fit their contract. */
async function readWorkShapes({ options, database, plan, work }: RowsStageInput): Promise<{
  shapes: ReadonlyMap<string, ParquetShape>;
  diagnostics: readonly Diagnostic[];
}> {
  const owned = new Map<LakeFile, Dataset | Dimension>();
  const groups: (readonly LakeFile[])[] = [];
  for (const { dimension, file } of plan.dimensions.placed) {
    owned.set(file, dimension);
    groups.push([file]);
  }
  for (const part of work.rows) {
    const { plan: one } = part;
    // The checks need all files of a dataset, so this reads their shapes once for both.
    const read = work.checks.includes(one.dataset) ? one.slices : writtenSlices(part);
    for (const slice of read) for (const file of slice.files) owned.set(file, one.dataset);
    groups.push(...new Set(read.map(slice => slice.files)));
  }
  const { shapes, diagnostics } = await readShapes(await database.connect(), [...owned.keys()]);
  const unfit = [...owned].flatMap(([file, contract]) => {
    const shape = shapes.get(file.path);
    const year =
      contract.kind === 'dataset' ? contract.columns.find(column => column.role === 'year') : undefined;
    return shape === undefined
      ? []
      : compareShape(
          contract.key,
          contract.columns,
          file,
          shape,
          year?.name ?? null,
          contract.leftOut,
          options.maxRows,
        );
  });
  return { shapes, diagnostics: [...diagnostics, ...unfit, ...emptyFiles(groups, shapes)] };
}

async function writeWork(
  { options, workspace, database, compiled, plan, work }: RowsStageInput,
  shapes: ReadonlyMap<string, ParquetShape>,
  alone: () => Promise<void>,
  signal: AbortSignal,
  report: Reporter,
): Promise<WrittenRowsOf> {
  const { contracts, inventory } = compiled;
  const rows = work.rows.map(({ plan: one, slices, runs }): DatasetWork => {
    const filters = datasetFilters(one.dataset, contracts, holdingsOf(one, 0).levels);
    return {
      dataset: one.dataset,
      shapes,
      keyColumns: keyColumns(one.dataset, filters),
      slices,
      filtered: filteredColumns(one.dataset, filters),
      runs: runs.map(run => ({ ...run, name: runName(run) })),
    };
  });
  const dimensions = plan.dimensions.placed.flatMap(one => {
    const shape = shapes.get(one.file.path);
    return shape === undefined ? [] : [{ ...one, shape, changed: work.dimensions.includes(one) }];
  });
  return runSliceStage({
    contracts,
    dimensions,
    work: rows,
    database,
    jobs: options.jobs,
    sample: inventory.sample,
    root: workspace.staging,
    signal,
    alone,
    onFound: found => reportFound(found, options, report),
    onWritten: (done, total, what) => report({ kind: 'progress', stage: 'slice', done, total, what }),
  });
}
