/** The stage that reads the lake's rows: it checks them and writes their files at the same time. */
import type { CheckStageResult } from '../check/check-stage.ts';
import type { Dataset, Dimension } from '../contract/dataset.ts';
import { type Diagnostic, sortDiagnostics } from '../contract/diagnostic.ts';
import { RefusedError, UnableError } from '../failure.ts';
import { type CheckOptions, refuses } from '../input/build-input.ts';
import type { Compiled } from '../input/compiled-input.ts';
import {
  type DatabaseOptions,
  isMemoryShortage,
  MemoryShortage,
  ofOneThread,
  portionOf,
  withSession,
} from '../lake/database.ts';
import { type Inventory, placedInSlices, takeInventory, usedFiles } from '../lake/inventory.ts';
import { compareListings, type Lake } from '../lake/lake.ts';
import type { LakeFile } from '../lake/lake-files.ts';
import {
  compareShape,
  emptyFiles,
  findDamagedFiles,
  type ParquetShape,
  readShapes,
} from '../lake/parquet-shape.ts';
import { neededFiles, type Piece, type WrittenRowsOf } from '../plan/pieces.ts';
import type { Reporter } from '../report.ts';
import { checkAll } from './findings.ts';
import { MadeRows, type RowsStageInput } from './made-rows.ts';
import { writePieces } from './written-pieces.ts';

export interface ReadRows {
  readonly checked: CheckStageResult;
  readonly written: WrittenRowsOf;
}

/** One database with one thread and half of the memory writes rows; others check them with the rest. */
export function writingLimits(limits: DatabaseOptions): DatabaseOptions {
  return ofOneThread(portionOf(limits, 2), limits.threads);
}

/** Runs every rule, and writes rows at the same time, unless the cache has the result. Refuses rows that break a rule. */
export async function readRows(input: RowsStageInput): Promise<ReadRows> {
  const { lake, compiled, clock, database, options, report } = input;
  const rows = new MadeRows(input);
  const lacking = await rows.findAll();
  const needed = neededFiles(lacking, compiled);
  await fetchFiles(lake, needed, report);
  const checkedDatasets = input.pieces.flatMap(one => (one.kind === 'checks' ? [one.plan.dataset] : []));
  const checking = portionOf(input.limits, 2);
  return unchangedWhile(lake, compiled, needed, checking, async () => {
    const { shapes, diagnostics } = await readPieceShapes(input, lacking);
    clock.lap('read');
    const stop = new AbortController();
    const check = (limits: DatabaseOptions) =>
      checkAll(
        options,
        limits,
        compiled,
        { datasets: checkedDatasets, shapes, make: rows.makeChecked },
        report,
      );
    const checks = check(checking);
    const alone = async () => {
      await checks.catch(() => undefined);
      await database.limit(ofOneThread(input.limits, 1));
    };
    // Writes nothing if a file does not fit its contract, and lets the checks report every other problem.
    const writing =
      diagnostics.length > 0
        ? null
        : writePieces({ ...input, pieces: lacking, shapes, rows, signal: stop.signal, alone });
    writing?.then(() => clock.split('slice')).catch(() => undefined);
    const checked = await checks.catch(async error => {
      if (writing !== null && error instanceof MemoryShortage) {
        // Checks that lack memory begin again when nothing else needs any.
        await writing;
        return check(input.limits);
      }
      stop.abort();
      await writing?.catch(() => undefined);
      throw error;
    });
    clock.split('check');
    if (writing === null)
      throw new RefusedError(placedInSlices(sortDiagnostics(diagnostics), compiled.inventory));
    await writing;
    reportFound(rows.diagnostics, options, report);
    clock.lap('rows');
    return { checked, written: rows.written };
  });
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

/** Columns and counts of the files that the pieces read, and diagnostics of those that do not fit their contract. */
async function readPieceShapes(
  { options, database, plan }: RowsStageInput,
  pieces: readonly Piece[],
): Promise<{
  shapes: ReadonlyMap<string, ParquetShape>;
  diagnostics: readonly Diagnostic[];
}> {
  if (pieces.length === 0) return { shapes: new Map(), diagnostics: [] };
  const owned = new Map<LakeFile, Dataset | Dimension>();
  const groups = new Set<readonly LakeFile[]>();
  for (const { dimension, file } of plan.dimensions) {
    owned.set(file, dimension);
    groups.add([file]);
  }
  for (const piece of pieces) {
    if (piece.kind === 'dimension') continue;
    for (const slice of piece.slices) {
      for (const file of slice.files) owned.set(file, piece.plan.dataset);
      groups.add(slice.files);
    }
  }
  const { shapes, diagnostics } = await readShapes(await database.connect(), [...owned.keys()]);
  const unfit = [...owned].flatMap(([file, contract]) => {
    const shape = shapes.get(file.path);
    if (shape === undefined) return [];
    const year =
      contract.kind === 'dataset' ? contract.columns.find(column => column.role === 'year') : undefined;
    const { key, columns, leftOut } = contract;
    return compareShape(key, columns, file, shape, year?.name ?? null, leftOut, options.maxRows);
  });
  return { shapes, diagnostics: [...diagnostics, ...unfit, ...emptyFiles([...groups], shapes)] };
}
