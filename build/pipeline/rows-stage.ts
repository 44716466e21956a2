/** The stage that reads the lake's rows: it checks them and writes their files at the same time. */
import { setImmediate } from 'node:timers/promises';
import { type CheckStageResult, type MakeChecked, runCheckStage } from '../check/check-stage.ts';
import { sortDiagnostics } from '../contract/diagnostic.ts';
import { RefusedError, UnableError } from '../failure.ts';
import { someOf } from '../format/shown-text.ts';
import {
  allEnded,
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
import { compareListings } from '../lake/lake.ts';
import type { LakeFile } from '../lake/lake-files.ts';
import { findDamagedFiles, type ParquetShape, readFittingShapes } from '../lake/parquet-shape.ts';
import { reportFound, type Work } from '../plan/build-input.ts';
import { MadePieces, neededFiles, type Piece } from '../plan/pieces.ts';
import type { Compiled } from '../plan/plan.ts';
import { MOST_VALUES_IN_MEMORY } from '../slice/dataset-rows.ts';
import { createTypes } from '../slice/slice-table.ts';

interface RowsStageInput extends Work {
  readonly plan: Compiled;
  /** All pieces of the plan, or a share of them. */
  readonly pieces: readonly Piece[];
  /** Gets their results. */
  readonly made: MadePieces;
  /** Writes the rows. Later stages use it too. */
  readonly database: Database;
}

interface ReadRows extends Pick<RowsStageInput, 'made' | 'database'> {
  readonly checked: CheckStageResult;
}

/** `folder`: where the pieces' files go; null if they stay in the cache. `use` may use the database, which is then closed. */
export async function withRows<Result>(
  work: Work,
  plan: Compiled,
  pieces: readonly Piece[],
  folder: string | null,
  use: (rows: ReadRows) => Promise<Result>,
): Promise<Result> {
  const made = new MadePieces(work.cache, folder);
  // One database with one thread and half of the memory writes rows; others check them with the other half.
  const limits = ofOneThread(portionOf(work.limits, 2), work.limits.threads);
  return withDatabase(limits, async database => {
    const checked = await readRows({ ...work, plan, pieces, made, database });
    return use({ made, database, checked });
  });
}

/** Checks rows and writes them at the same time, unless the cache has the result. Throws RefusedError if a check fails. */
async function readRows(input: RowsStageInput): Promise<CheckStageResult> {
  const { lake, plan, pieces, made, database, options, limits, report } = input;
  const lacking: Piece[] = [];
  for (const piece of pieces) {
    if (!(await made.find(piece))) lacking.push(piece);
    // Hashing the files of a large tree takes a while; progress must show.
    await setImmediate();
  }
  const needed = neededFiles(lacking);
  await lake.fetch(needed, (done, total, what) =>
    report({ kind: 'progress', stage: 'fetch', done, total, what }),
  );
  const datasets = pieces.flatMap(({ of }) =>
    of !== null && 'kind' in of && of.kind === 'dataset' ? [of] : [],
  );
  const make: MakeChecked = (subject, check, isSound) => {
    const piece = pieces.find(({ of }) => of === subject);
    if (piece === undefined) throw new Error(`${subject?.key} isn't among the pieces.`);
    return made.make(piece, async () => {
      const value = await check();
      return { value, files: [], keep: isSound(value) };
    });
  };
  const writes = lacking.some(({ write, contract }) => write !== null && contract?.kind === 'dataset');
  return unchangedWhile(input, plan, needed, async () => {
    const { shapes, diagnostics } = await readShapes(input, new Set(needed));
    const stop = new AbortController();
    const { contracts, inventory } = plan;
    const onChecked = (done: number, total: number, what: string) =>
      report({ kind: 'progress', stage: 'check', done, total, what });
    const check = async (own: DatabaseOptions) => {
      const input = { ...options, contracts, inventory, datasets, shapes, make, onChecked, limits: own };
      const found = await runCheckStage(input);
      const { notices, warnings, diagnostics, failures } = found;
      if (notices.length > 0) report({ kind: 'notices', outcomes: notices });
      if (warnings.length > 0) report({ kind: 'warnings', diagnostics: warnings });
      if (diagnostics.length > 0 || failures.length > 0) throw new RefusedError(diagnostics, failures);
      return found;
    };
    const checking = check(writes ? portionOf(limits, 2) : limits);
    const alone = async () => {
      await checking.catch(() => undefined);
      await database.limit(ofOneThread(limits, 1));
    };
    // If a file doesn't fit its contract, only the checks run, to report all problems.
    const isFit = diagnostics.length === 0;
    const writing = isFit && writePieces({ ...input, pieces: lacking, shapes, signal: stop.signal, alone });
    const [checked] = await allEnded([
      checking.catch(async error => {
        if (!writing || !(error instanceof MemoryShortage)) {
          stop.abort();
          throw error;
        }
        // Checks that lacked memory start again when the writing has ended.
        await writing;
        return check(limits);
      }),
      Promise.resolve(writing),
    ]);
    if (!isFit) throw new RefusedError(placedInSlices(sortDiagnostics(diagnostics), plan.inventory));
    const ofShapes = pieces.flatMap(({ contract }) =>
      contract?.kind === 'dimension' ? made.dimension(contract).diagnostics : [],
    );
    reportFound(ofShapes, options, report);
    return checked;
  });
}

/**
 * Reads files, and discards the result if the lake has changed since its listing. Then any other error may follow from
 * the change, so only the change is reported.
 */
export async function unchangedWhile<Result>(
  { lake, limits }: Pick<Work, 'lake' | 'limits'>,
  { contracts, inventory }: Compiled,
  files: readonly LakeFile[],
  read: () => Promise<Result>,
): Promise<Result> {
  const outcome = await read().then(
    result => ({ result }),
    (error: unknown) => ({ error }),
  );
  const listed = await lake.list();
  const now = takeInventory({ ...lake, files: listed }, contracts).inventory;
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

/** Columns and counts of the needed files, and diagnostics of files that don't fit their contract. */
async function readShapes({ options, database, plan }: RowsStageInput, needed: ReadonlySet<LakeFile>) {
  const isNeeded = (files: readonly LakeFile[]) => files.every(file => needed.has(file));
  const owned = [
    ...plan.dimensions.map(({ dimension, file }) => ({ contract: dimension, groups: [[file]] })),
    ...plan.datasets.map(({ dataset: contract, slices }) => ({
      contract,
      groups: slices.map(one => one.files),
    })),
  ].map(({ contract, groups }) => ({ contract, groups: groups.filter(isNeeded) }));
  return readFittingShapes(await database.connect(), owned, undefined, options.maxRows);
}

interface WritingInput extends RowsStageInput {
  /** By path; of all files that the pieces read. */
  readonly shapes: ReadonlyMap<string, ParquetShape>;
  /** Stops the work after the current piece. */
  readonly signal: AbortSignal;
  /** Resolves when the database has all of the memory. */
  readonly alone: () => Promise<void>;
}

/** Starting a worker takes as long as writing this many rows. */
const WORKER_ROWS = 20_000;

/** Writes the largest pieces first, so that all workers end at about the same time. If one fails, the others stop. */
async function writePieces(input: WritingInput): Promise<void> {
  const { database, shapes, plan, made, signal, report } = input;
  const { jobs } = input.options;
  const tasks = input.pieces
    .flatMap(piece => {
      const { write, files } = piece;
      const rows = files.reduce((sum, file) => sum + (shapes.get(file.path)?.rows ?? 0), 0);
      return write === null ? [] : [{ piece, write, rows }];
    })
    .sort((a, b) => b.rows - a.rows);
  if (tasks.length === 0) return;
  const rows = tasks.reduce((sum, task) => sum + task.rows, 0);
  // One more than there are jobs, because this thread hashes files while the others compute.
  const most = jobs === 1 ? 1 : jobs + 1;
  const workers = Math.max(1, Math.min(most, Math.ceil(rows / WORKER_ROWS)));
  const datasets = [...new Set(tasks.map(({ piece }) => piece.contract))].filter(
    contract => contract?.kind === 'dataset',
  );
  // Doesn't load dimensions that are neither written nor joined; they may be large.
  const read = new Set(neededFiles(tasks.map(({ piece }) => piece)));
  const dimensions = plan.dimensions.flatMap(one => {
    const shape = shapes.get(one.file.path);
    return shape !== undefined && read.has(one.file) ? [{ ...one, shape }] : [];
  });
  const sessions = await Promise.all(Array.from({ length: workers }, () => database.connect()));
  const types = await createTypes(sessions, datasets, dimensions, plan.contracts);
  let done = 0;
  const run = async (session: Session, { piece, write, rows }: (typeof tasks)[number]) => {
    if (signal.aborted) return;
    const { what } = piece;
    await withinMemory(what, () =>
      made.make(piece, folder => write({ session, types, shapes, rows, folder })),
    );
    report({ kind: 'progress', stage: 'slice', done: ++done, total: tasks.length, what });
  };
  const isLarge = ({ piece, rows }: (typeof tasks)[number]) =>
    rows * (piece.contract?.columns.length ?? 0) > MOST_VALUES_IN_MEMORY;
  // Sorting that spills to the disk needs memory that others can't take from it.
  await spreadInMemory(sessions.slice(0, 1), tasks.filter(isLarge), run, input.alone);
  const others = tasks.filter(task => !isLarge(task));
  await spreadInMemory(sessions, others, run, input.alone);
}
