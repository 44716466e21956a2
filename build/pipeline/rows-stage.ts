/** The stage that reads the lake's rows: it checks them and writes their files at the same time. */

import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Cache } from '../cache/cache.ts';
import type { CheckStageResult, MakeChecked } from '../check/check-stage.ts';
import type { Dataset, Dimension } from '../contract/dataset.ts';
import { type Diagnostic, sortDiagnostics } from '../contract/diagnostic.ts';
import { RefusedError, UnableError } from '../failure.ts';
import { someOf } from '../format/shown-text.ts';
import {
  type Database,
  type DatabaseOptions,
  isMemoryShortage,
  MemoryShortage,
  ofOneThread,
  portionOf,
  type Session,
  spreadInMemory,
  withDatabase,
  withinMemory,
  withSession,
} from '../lake/database.ts';
import { placedInSlices, takeInventory, usedFiles } from '../lake/inventory.ts';
import { compareListings, type Lake } from '../lake/lake.ts';
import type { LakeFile, LakeSlice } from '../lake/lake-files.ts';
import { findDamagedFiles, type ParquetShape, readFittingShapes } from '../lake/parquet-shape.ts';
import { type BuildInput, type CheckOptions, databaseOptions, hashLake } from '../plan/build-input.ts';
import { type Compiled, type Compiling, compileInput } from '../plan/compiled-input.ts';
import {
  dimensionChecks,
  neededFiles,
  type Piece,
  type PieceInput,
  type PiecesPlan,
  piecesOf,
  planPieces,
  type RowsPiece,
  type WrittenRowsOf,
} from '../plan/pieces.ts';
import type { Reporter } from '../report.ts';
import type { CopyRun, WrittenCopies } from '../slice/dataset-rows.ts';
import type { WrittenDimension } from '../slice/dimension-rows.ts';
import type { WrittenSlice } from '../slice/rows-writer.ts';
import { createTypes } from '../slice/slice-table.ts';
import { checkAll, reportFound } from './findings.ts';
import { Stopwatch } from './publication.ts';

interface RowsStageInput {
  readonly options: CheckOptions;
  readonly compiled: Compiled;
  readonly plan: PiecesPlan;
  /** All pieces of the plan, or a share of them. */
  readonly pieces: readonly Piece[];
  readonly cache: Cache;
  /** Folder for the files of rows; null: they stay in the cache. */
  readonly made: string | null;
  readonly lake: Lake;
  readonly clock: Stopwatch;
  /** Writes the rows. Later stages use it too. */
  readonly database: Database;
  /** Limits of all databases together. */
  readonly limits: DatabaseOptions;
  readonly report: Reporter;
}

interface ReadRows {
  readonly checked: CheckStageResult;
  readonly written: WrittenRowsOf;
}

/** One database with one thread and half of the memory writes rows; others check them with the other half. */
export function writingLimits(limits: DatabaseOptions): DatabaseOptions {
  return ofOneThread(portionOf(limits, 2), limits.threads);
}

/** Checks rows and writes them at the same time, unless the cache has the result. Throws RefusedError if a check fails. */
export async function readRows(input: RowsStageInput): Promise<ReadRows> {
  const { lake, compiled, clock, database, options, report } = input;
  const rows = new MadeRows(input);
  const lacking = await rows.findAll();
  const needed = neededFiles(lacking, compiled);
  await fetchFiles(lake, needed, report);
  const datasets = input.pieces.flatMap(({ write, contract }) =>
    write === null && contract.kind === 'dataset' ? [contract] : [],
  );
  const writes = lacking.some(({ write, contract }) => write !== null && contract.kind === 'dataset');
  const checking = writes ? portionOf(input.limits, 2) : input.limits;
  return unchangedWhile(lake, compiled, needed, checking, async () => {
    const { shapes, diagnostics } = await readPieceShapes(input, lacking);
    clock.lap('read');
    const stop = new AbortController();
    const check = (limits: DatabaseOptions) =>
      checkAll(options, limits, compiled, { datasets, shapes, make: rows.makeChecked }, report);
    const checks = check(checking);
    const alone = async () => {
      await checks.catch(() => undefined);
      await database.limit(ofOneThread(input.limits, 1));
    };
    // If a file doesn't fit its contract, only the checks run, to report all problems.
    const writing =
      diagnostics.length > 0
        ? null
        : writePieces({ ...input, pieces: lacking, shapes, rows, signal: stop.signal, alone });
    writing?.then(() => clock.split('slice')).catch(() => undefined);
    const checked = await checks.catch(async error => {
      if (writing !== null && error instanceof MemoryShortage) {
        // Checks that lacked memory start again when the writing has ended.
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
    return { checked, written: rows };
  });
}

/** Makes some pieces of a build into the cache, and publishes nothing. */
export async function makePieces(
  options: CheckOptions,
  input: BuildInput,
  { cache, temporary }: Pick<Compiling, 'cache' | 'temporary'>,
  choose: (pieces: readonly Piece[]) => Piece[],
  report: Reporter,
) {
  const clock = new Stopwatch();
  const limits = databaseOptions(options, temporary);
  const { lake } = input;
  await hashLake(lake, report);
  const compiled = await compileInput(options, input, { cache, temporary, limits }, report);
  const plan = planPieces(compiled);
  const pieces = choose(piecesOf(plan, compiled, options));
  const build = { options, compiled, plan, cache, report, lake, pieces, made: null, clock, limits };
  const { checked } = await withDatabase(writingLimits(limits), database => readRows({ ...build, database }));
  const files = neededFiles(pieces, compiled);
  return { compiled, checked, files, limits, seconds: clock.seconds };
}

async function fetchFiles(lake: Lake, files: readonly LakeFile[], report: Reporter): Promise<void> {
  const stored = files.filter(file => file.prepared !== true);
  await lake.fetch(stored, (done, total, what) =>
    report({ kind: 'progress', stage: 'fetch', done, total, what }),
  );
}

/**
 * Reads files, and discards the result if the lake has changed since its listing. Then any other error may follow from
 * the change, so only the change is reported.
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
  const isSame = compareListings(lake.files, listed).length === 0;
  const now = isSame ? inventory : takeInventory({ ...lake, files: listed }, contracts).inventory;
  const changes = compareListings(usedFiles(inventory), usedFiles(now));
  if (changes.length > 0) {
    const named = changes.map(({ path, change }) => `${path} (${change})`);
    throw new UnableError(
      'lake-changed',
      `The lake changed while the build read it: ${someOf(named, 5)}. Nothing was published. Build again when no program writes to it.`,
    );
  }
  if ('result' in outcome) return outcome.result;
  const { error } = outcome;
  if (error instanceof RefusedError || error instanceof UnableError || isMemoryShortage(error)) throw error;
  // A file with a sound footer may still have unreadable values.
  const damaged = await withSession(limits, session => findDamagedFiles(session, files));
  throw damaged.length > 0 ? new RefusedError(placedInSlices(damaged, inventory)) : error;
}

/** Columns and counts of the files that the pieces read, and diagnostics of files that don't fit their contract. */
async function readPieceShapes(
  { options, database, plan }: RowsStageInput,
  pieces: readonly Piece[],
): Promise<{
  shapes: ReadonlyMap<string, ParquetShape>;
  diagnostics: readonly Diagnostic[];
}> {
  if (pieces.length === 0) return { shapes: new Map(), diagnostics: [] };
  const read = new Set(pieces.flatMap(({ slices }) => slices));
  const owned = [
    ...plan.dimensions.map(({ dimension, file }) => ({ contract: dimension, groups: [[file]] })),
    ...plan.datasets.map(({ dataset, slices }) => ({
      contract: dataset,
      groups: slices.filter(slice => read.has(slice)).map(({ files }) => files),
    })),
  ];
  return readFittingShapes(await database.connect(), owned, undefined, options.maxRows);
}

/** The results of the pieces, from the cache or new. */
class MadeRows implements WrittenRowsOf {
  readonly folder: string;
  readonly #input: RowsStageInput;
  /** By what the piece is `of`. */
  readonly #made = new Map<Piece['of'], unknown>();

  constructor(input: RowsStageInput) {
    this.#input = input;
    this.folder = input.made ?? '';
  }

  readonly slice = (slice: LakeSlice) => this.#find<WrittenSlice>(slice);
  readonly copies = (run: CopyRun) => this.#find<WrittenCopies>(run);
  readonly dimension = (dimension: Dimension) => this.#find<WrittenDimension>(dimension);

  #find<Value>(of: Piece['of']): Value {
    const value = this.#made.get(of);
    if (value === undefined) throw new Error(`A piece was not made: ${JSON.stringify(of)}`);
    // What it is made of says which type it has.
    return value as Value;
  }

  /** Diagnostics of the shapes of dimensions. */
  get diagnostics(): Diagnostic[] {
    return this.#input.pieces.flatMap(({ contract }) =>
      contract.kind === 'dimension' ? this.dimension(contract).diagnostics : [],
    );
  }

  /** Takes what the cache has, and returns the other pieces. */
  async findAll(): Promise<Piece[]> {
    const { cache, pieces } = this.#input;
    const lacking: Piece[] = [];
    for (const piece of pieces) {
      const value = await cache.find(piece.recipe, this.#placeOf(piece));
      if (value === undefined) lacking.push(piece);
      else this.#made.set(piece.of, value);
      // Hashing the files of a large tree takes a while; progress must show.
      await setImmediate();
    }
    return lacking;
  }

  async make(piece: RowsPiece, input: Omit<PieceInput, 'folder'>): Promise<void> {
    const write = (folder: string) => piece.write({ ...input, folder });
    const value = await this.#input.cache.make(piece.recipe, write, this.#placeOf(piece));
    this.#made.set(piece.of, value);
  }

  makeChecked: MakeChecked = async <Value>(
    subject: Dataset | null,
    check: () => Promise<Value>,
    isSound: (value: Value) => boolean,
  ) => {
    const { compiled, options, cache, pieces } = this.#input;
    const found = subject && this.#made.get(subject);
    if (found) return found as Value;
    const piece = pieces.find(one => one.of === subject);
    return cache.make(piece?.recipe ?? dimensionChecks(compiled, options), async () => {
      const value = await check();
      return { value, files: [], keep: isSound(value) };
    });
  };

  /** The folder for a piece's files; null if it has no files or they stay in the cache. */
  #placeOf({ write, folder }: Piece): string | null {
    const { made } = this.#input;
    return made === null || write === null ? null : path.join(made, folder);
  }
}

interface WritingInput extends RowsStageInput {
  /** The pieces that the cache lacks. */
  readonly pieces: readonly Piece[];
  /** By path; of all files that the pieces read. */
  readonly shapes: ReadonlyMap<string, ParquetShape>;
  readonly rows: MadeRows;
  /** Stops the work after the current piece. */
  readonly signal: AbortSignal;
  /** Resolves when the database has all of the memory. */
  readonly alone: () => Promise<void>;
}

/** Starting a worker takes as long as writing this many rows. */
const WORKER_ROWS = 20_000;

/** Writes the largest pieces first, so that all workers end at about the same time. If one fails, the others stop. */
async function writePieces(input: WritingInput): Promise<void> {
  const { database, shapes } = input;
  const { contracts } = input.compiled;
  const { jobs } = input.options;
  const rowsOf = ({ files }: Piece) =>
    files.reduce((sum, file) => sum + (shapes.get(file.path)?.rows ?? 0), 0);
  const tasks = input.pieces
    .filter((piece): piece is RowsPiece => piece.write !== null)
    .map(piece => ({ piece, rows: rowsOf(piece) }))
    .sort((a, b) => b.rows - a.rows);
  if (tasks.length === 0) return;
  const rows = tasks.reduce((sum, task) => sum + task.rows, 0);
  // One more than there are jobs, because this thread hashes files while the others compute.
  const most = jobs === 1 ? 1 : jobs + 1;
  const workers = Math.max(1, Math.min(most, Math.ceil(rows / WORKER_ROWS)));
  const written = new Set(tasks.map(({ piece }) => piece.contract));
  const datasets = [...written].filter(contract => contract.kind === 'dataset');
  // Doesn't load dimensions that are neither written nor joined; they may be large.
  const joined = new Set(datasets.flatMap(({ foreignKeys }) => foreignKeys.map(key => key.dimension)));
  const dimensions = input.plan.dimensions.flatMap(one => {
    const shape = shapes.get(one.file.path);
    const isRead = written.has(one.dimension) || joined.has(one.dimension.key);
    return shape !== undefined && isRead ? [{ ...one, shape }] : [];
  });
  const sessions = await Promise.all(Array.from({ length: workers }, () => database.connect()));
  const types = await createTypes(sessions, datasets, dimensions, contracts);
  let done = 0;
  const run = async (session: Session, { piece, rows: own }: (typeof tasks)[number]) => {
    if (input.signal.aborted) return;
    await withinMemory(piece.what, () => input.rows.make(piece, { session, types, shapes, rows: own }));
    input.report({ kind: 'progress', stage: 'slice', done: ++done, total: tasks.length, what: piece.what });
  };
  await spreadInMemory(sessions, tasks, run, input.alone);
}
