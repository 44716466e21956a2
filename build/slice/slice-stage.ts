/** Writes the changed slices, copies and dimensions, several at a time. */
import path from 'node:path';
import type { Contracts, Dataset, Publisher } from '../contract/dataset.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { datasetFolder, dimensionFolder, NO_YEAR } from '../format/paths.ts';
import type { Database, Session } from '../lake/database.ts';
import { type LakeSlice, sliceName } from '../lake/inventory.ts';
import type { LakeFile } from '../lake/lake-files.ts';
import { withinMemory } from '../lake/memory-shortage.ts';
import { type ParquetShape, rowsOf } from '../lake/parquet-shape.ts';
import { spreadInMemory } from '../lake/side-by-side.ts';
import { type CopyRun, copyByPlace, copyByValues, type WrittenCopies } from './copy-writer.ts';
import { type SliceInput, writeDatasetSlice } from './dataset-slices.ts';
import { writeDimensionRows } from './dimension-rows.ts';
import { type DimensionShapes, readShapes } from './dimension-shapes.ts';
import { publishedColumns } from './row-columns.ts';
import type { WrittenSlice } from './rows-writer.ts';
import { createTypes, type DimensionInput } from './value-types.ts';

/** The slices and copies of a dataset to write. */
export interface DatasetWork {
  readonly dataset: Dataset;
  readonly shapes: ReadonlyMap<string, ParquetShape>;
  readonly keyColumns: readonly string[];
  readonly slices: readonly LakeSlice[];
  /** The columns that requests compare with a list of values. */
  readonly filtered: readonly string[];
  readonly runs: readonly RunWork[];
}

/** Years of a level to copy. */
export interface RunWork extends CopyRun {
  readonly name: string;
}

/** A dimension to join, and to write if it changed. */
export interface DimensionWork extends DimensionInput {
  /** GeoJSON or TopoJSON of the lake; null if the dimension brings none. */
  readonly boundaries: LakeFile | null;
  /** The domain under which the stage writes its files. */
  readonly home: string;
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
  /** The staged tree's root. */
  readonly root: string;
  /** Stops the work between two files. */
  readonly signal: AbortSignal;
  /** Called with what is wrong with the shapes of a dimension; throws if the build must end. */
  readonly onFound: (diagnostics: readonly Diagnostic[]) => void;
  readonly onWritten: (done: number, total: number, what: string) => void;
  /** Ends once the database has the memory of all stages. */
  readonly alone: () => Promise<void>;
}

export interface WrittenRowsOf {
  /** By dataset key, then `year/level`. */
  readonly slices: ReadonlyMap<string, ReadonlyMap<string, WrittenSlice>>;
  /** By dataset key, then name of a run. */
  readonly copies: ReadonlyMap<string, ReadonlyMap<string, WrittenCopies>>;
  /** By dimension key. */
  readonly dimensions: ReadonlyMap<string, WrittenDimension>;
}

/** A dimension's files, and its shapes if it has any. */
export interface WrittenDimension extends WrittenSlice {
  readonly shapes: DimensionShapes | null;
}

type Worker = Pick<SliceInput, 'session' | 'types'>;

interface Task {
  readonly what: string;
  readonly rows: number;
  readonly run: (worker: Worker) => Promise<void>;
}

export async function runSliceStage(input: SliceStageInput): Promise<WrittenRowsOf> {
  const slices = new Map(input.work.map(({ dataset }) => [dataset.key, new Map<string, WrittenSlice>()]));
  const copies = new Map(input.work.map(({ dataset }) => [dataset.key, new Map<string, WrittenCopies>()]));
  const dimensions = new Map<string, WrittenDimension>();
  const changed = input.dimensions.filter(one => one.changed);
  const tasks: Task[] = changed.map(({ dimension, home, shape, ...lake }) => ({
    what: dimension.key,
    rows: shape.rows,
    run: async worker => {
      const { publisher } = input.contracts;
      const folder = path.join(input.root, dimensionFolder(home, dimension.name));
      const written = await writeDimensionRows({
        ...worker,
        dimension,
        publisher,
        sample: input.sample,
        rows: shape.rows,
        folder,
      });
      const { shapes, diagnostics } = await readShapes(worker.session, { dimension, ...lake });
      input.onFound(diagnostics);
      dimensions.set(dimension.key, { ...written, shapes });
    },
  }));
  for (const work of input.work) {
    const { dataset } = work;
    for (const slice of work.slices) {
      const rows = rowsOf([slice], work.shapes);
      tasks.push({
        what: [dataset.key, ...(slice.year === NO_YEAR ? [] : [slice.year]), slice.detail].join(' '),
        rows,
        run: async worker => {
          const written = await writeDatasetSlice(sliceInput(input, work, worker), slice, rows);
          slices.get(dataset.key)?.set(sliceName(slice), written);
        },
      });
    }
    for (const run of work.runs) {
      const years = run.slices.map(slice => ({ year: slice.year, rows: rowsOf([slice], work.shapes) }));
      const rows = rowsOf(run.slices, work.shapes);
      tasks.push({
        what: `${dataset.key} copies of ${run.name}`,
        rows,
        run: async worker => {
          const own = sliceInput(input, work, worker);
          const written =
            run.by === 'place'
              ? await copyByPlace(own, run, years)
              : await copyByValues(own, run, work.filtered, rows);
          copies.get(dataset.key)?.set(run.name, written);
        },
      });
    }
  }
  await runTasks(input, tasks);
  return { slices, copies, dimensions };
}

function sliceInput(input: SliceStageInput, work: DatasetWork, worker: Worker): SliceInput {
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
    folder: path.join(input.root, datasetFolder(dataset.domain, dataset.topic)),
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
