/** Writes slices, copies and dimensions, several at a time. */
import type { Contracts, Dataset, Publisher } from '../contract/dataset.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { NO_YEAR } from '../format/paths.ts';
import type { Database, Session } from '../lake/database.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import type { LakeFile } from '../lake/lake-files.ts';
import { withinMemory } from '../lake/memory-shortage.ts';
import { type ParquetShape, rowsOf } from '../lake/parquet-shape.ts';
import { spreadInMemory } from '../lake/side-by-side.ts';
import { type CopyRun, copyByPlace, copyByValues, type WrittenCopies } from './copy-writer.ts';
import { type SliceInput, writeDatasetSlice } from './dataset-slices.ts';
import { writeDimensionRows } from './dimension-rows.ts';
import { type DimensionShapes, readShapes } from './dimension-shapes.ts';
import { publishedColumns } from './row-columns.ts';
import type { WrittenRows, WrittenSlice } from './rows-writer.ts';
import { createTypes, type DimensionInput } from './value-types.ts';

/** The slices and copies of a dataset to write. */
export interface DatasetWork {
  readonly dataset: Dataset;
  readonly shapes: ReadonlyMap<string, ParquetShape>;
  readonly keyColumns: readonly string[];
  readonly slices: readonly LakeSlice[];
  /** The columns that requests compare with a list of values. */
  readonly filtered: readonly string[];
  readonly runs: readonly CopyRun[];
}

/** A dimension to join, and to write if it changed. */
export interface DimensionWork extends DimensionInput {
  /** GeoJSON or TopoJSON of the lake; null if the dimension brings none. */
  readonly boundaries: LakeFile | null;
  /** Whether to write its files. */
  readonly changed: boolean;
}

export interface SliceStageInput {
  readonly contracts: Contracts;
  readonly dimensions: readonly DimensionWork[];
  readonly work: readonly DatasetWork[];
  /** Opened with `ofOneThread`. */
  readonly database: Database;
  readonly jobs: number;
  readonly sample: boolean;
  readonly keep: RowsKeeper;
  /** Stops the work between two files. */
  readonly signal: AbortSignal;
  readonly onWritten: (done: number, total: number, what: string) => void;
  /** Ends once the database has the memory of all stages. */
  readonly alone: () => Promise<void>;
}

/** Takes what the stage makes. `write` writes files into the folder that it gets, and returns what they are. */
export interface RowsKeeper {
  slice(dataset: Dataset, slice: LakeSlice, write: Write<WrittenSlice>): Promise<void>;
  copiesOf(dataset: Dataset, run: CopyRun, write: Write<WrittenCopies>): Promise<void>;
  dimension(key: string, write: Write<WrittenDimension>): Promise<void>;
}

export type Write<Written> = (folder: string) => Promise<Written>;

/** A dimension's files, and its shapes if it has any. */
export interface WrittenDimension extends WrittenSlice {
  readonly shapes: DimensionShapes | null;
  /** What is wrong with its shapes, short of an error. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The files of a slice or dimension, relative to its folder. */
export function filesOf({ json, csv, parquet }: WrittenSlice): readonly WrittenRows[] {
  return [...json, ...csv, parquet];
}

type Worker = Pick<SliceInput, 'session' | 'types'>;

interface Task {
  readonly what: string;
  readonly rows: number;
  readonly run: (worker: Worker) => Promise<void>;
}

export async function runSliceStage(input: SliceStageInput): Promise<void> {
  const { keep } = input;
  const changed = input.dimensions.filter(one => one.changed);
  const tasks: Task[] = changed.map(({ dimension, shape, ...lake }) => ({
    what: dimension.key,
    rows: shape.rows,
    run: worker =>
      keep.dimension(dimension.key, async folder => {
        const { publisher } = input.contracts;
        const own = { ...worker, dimension, publisher, sample: input.sample, rows: shape.rows, folder };
        const written = await writeDimensionRows(own);
        return { ...written, ...(await readShapes(worker.session, { dimension, ...lake })) };
      }),
  }));
  for (const work of input.work) {
    const { dataset } = work;
    for (const slice of work.slices) {
      const rows = rowsOf([slice], work.shapes);
      tasks.push({
        what: [dataset.key, ...(slice.year === NO_YEAR ? [] : [slice.year]), slice.detail].join(' '),
        rows,
        run: worker =>
          keep.slice(dataset, slice, folder =>
            writeDatasetSlice(sliceInput(input, work, worker, folder), slice, rows),
          ),
      });
    }
    for (const run of work.runs) {
      const years = run.slices.map(slice => ({ year: slice.year, rows: rowsOf([slice], work.shapes) }));
      const rows = rowsOf(run.slices, work.shapes);
      tasks.push({
        what: `${dataset.key} copies of ${run.detail} by ${run.by}`,
        rows,
        run: worker =>
          keep.copiesOf(dataset, run, folder => {
            const own = sliceInput(input, work, worker, folder);
            return run.by === 'place'
              ? copyByPlace(own, run, years)
              : copyByValues(own, run, work.filtered, rows);
          }),
      });
    }
  }
  await runTasks(input, tasks);
}

function sliceInput(input: SliceStageInput, work: DatasetWork, worker: Worker, folder: string): SliceInput {
  const { dataset, shapes, keyColumns } = work;
  const publisher: Publisher = input.contracts.publisher;
  return {
    ...worker,
    dataset,
    contracts: input.contracts,
    columns: publishedColumns(dataset, input.contracts),
    shapes,
    publisher,
    sample: input.sample,
    keyColumns,
    folder,
  };
}

/** Starting a worker takes as long as writing this many rows. */
const WORKER_ROWS = 20_000;

/** Runs the largest tasks first, so that none is left over at the end. A failed task stops the others. */
async function runTasks(input: SliceStageInput, tasks: readonly Task[]): Promise<void> {
  if (tasks.length === 0) return;
  const rows = tasks.reduce((sum, task) => sum + task.rows, 0);
  // One more than there are jobs: this thread hashes a file while the others compute.
  const most = input.jobs === 1 ? 1 : input.jobs + 1;
  const workers = Math.max(1, Math.min(most, Math.ceil(rows / WORKER_ROWS)));
  // Skip dimensions that are neither written nor joined: loading a large one takes time.
  const joined = new Set(input.work.flatMap(({ dataset }) => dataset.foreignKeys.map(key => key.dimension)));
  const dimensions = input.dimensions.filter(one => one.changed || joined.has(one.dimension.key));
  const datasets = input.work.map(({ dataset }) => dataset);
  const sessions = await Promise.all(Array.from({ length: workers }, () => input.database.connect()));
  const types = await createTypes(sessions, datasets, dimensions, input.contracts);
  let done = 0;
  const largestFirst = [...tasks].sort((a, b) => b.rows - a.rows);
  const run = async (session: Session, task: Task) => {
    if (input.signal.aborted) return;
    await withinMemory(task.what, () => task.run({ session, types }));
    input.onWritten(++done, tasks.length, task.what);
  };
  await spreadInMemory(sessions, largestFirst, run, input.alone);
}
