/** Writes slices, copies and dimensions from the lake's rows, several at a time. */
import type { Made } from '../cache/cache.ts';
import { hasErrors } from '../contract/diagnostic.ts';
import { type Session, spreadInMemory, withinMemory } from '../lake/database.ts';
import { type ParquetShape, rowsOf } from '../lake/parquet-shape.ts';
import type { Piece } from '../plan/pieces.ts';
import { copyByPlace, copyByValues, writeDatasetSlice } from '../slice/dataset-rows.ts';
import { writeDimensionRows } from '../slice/dimension-rows.ts';
import { publishedColumns } from '../slice/row-columns.ts';
import type { WrittenRows, WrittenSlice } from '../slice/rows-writer.ts';
import { createTypes, type ValueTypes } from '../slice/slice-table.ts';
import type { MadeRows, RowsStageInput } from './made-rows.ts';

interface WritingInput extends RowsStageInput {
  /** Those that the cache lacks. */
  readonly pieces: readonly Piece[];
  /** Of all files that the pieces read, by path. */
  readonly shapes: ReadonlyMap<string, ParquetShape>;
  /** Takes what a piece makes. */
  readonly rows: MadeRows;
  /** Stops the work between two files. */
  readonly signal: AbortSignal;
  /** Ends once the database has the memory of all stages. */
  readonly alone: () => Promise<void>;
}

interface Worker {
  readonly session: Session;
  readonly types: ValueTypes;
}

type WrittenPiece = Exclude<Piece, { kind: 'checks' }>;

/** Starting a worker takes as long as writing this many rows. */
const WORKER_ROWS = 20_000;

/** Writes the largest pieces first, so that none is left over at the end. A failed one stops the others. */
export async function writePieces(input: WritingInput): Promise<void> {
  const { database, shapes } = input;
  const { contracts } = input.compiled;
  const { jobs } = input.options;
  const tasks = input.pieces
    .flatMap(piece => (piece.kind === 'checks' ? [] : [{ piece, rows: rowsOfPiece(piece, shapes) }]))
    .sort((a, b) => b.rows - a.rows);
  if (tasks.length === 0) return;
  const rows = tasks.reduce((sum, task) => sum + task.rows, 0);
  // One more than there are jobs: this thread hashes a file while the others compute.
  const most = jobs === 1 ? 1 : jobs + 1;
  const workers = Math.max(1, Math.min(most, Math.ceil(rows / WORKER_ROWS)));
  const written = new Set(tasks.flatMap(({ piece }) => (piece.kind === 'dimension' ? [piece.placed] : [])));
  const datasets = [
    ...new Set(tasks.flatMap(({ piece }) => (piece.kind === 'dimension' ? [] : [piece.plan.dataset]))),
  ];
  // Loading a large dimension that is neither written nor joined would take time.
  const joined = new Set(datasets.flatMap(({ foreignKeys }) => foreignKeys.map(key => key.dimension)));
  // Rows may join a dimension that is not among the pieces.
  const dimensions = input.plan.dimensions.flatMap(one => {
    const shape = shapes.get(one.file.path);
    const isRead = written.has(one) || joined.has(one.dimension.key);
    return shape !== undefined && isRead ? [{ ...one, shape }] : [];
  });
  const sessions = await Promise.all(Array.from({ length: workers }, () => database.connect()));
  const types = await createTypes(sessions, datasets, dimensions, contracts);
  let done = 0;
  const run = async (session: Session, { piece, rows: own }: (typeof tasks)[number]) => {
    if (input.signal.aborted) return;
    const write = (folder: string) => writePiece(input, piece, own, { session, types }, folder);
    await withinMemory(piece.what, () => input.rows.make(piece, write));
    input.report({ kind: 'progress', stage: 'slice', done: ++done, total: tasks.length, what: piece.what });
  };
  await spreadInMemory(sessions, tasks, run, input.alone);
}

function rowsOfPiece(piece: WrittenPiece, shapes: WritingInput['shapes']): number {
  return piece.kind === 'dimension'
    ? (shapes.get(piece.placed.file.path)?.rows ?? 0)
    : rowsOf(piece.slices, shapes);
}

async function writePiece(
  { compiled: { contracts, inventory }, shapes }: WritingInput,
  piece: WrittenPiece,
  rows: number,
  worker: Worker,
  folder: string,
): Promise<Made<unknown>> {
  const { publisher } = contracts;
  const own = { ...worker, contracts, publisher, sample: inventory.sample, shapes, folder };
  if (piece.kind === 'dimension') {
    const value = await writeDimensionRows({ ...own, ...piece.placed, rows });
    return { value, files: filesOf(value), keep: !hasErrors(value.diagnostics) };
  }
  const { dataset, keyColumns, filtered } = piece.plan;
  const input = { ...own, dataset, keyColumns, columns: publishedColumns(dataset, contracts) };
  switch (piece.kind) {
    case 'slice': {
      const value = await writeDatasetSlice(input, piece.slice, rows);
      return { value, files: filesOf(value) };
    }
    case 'place':
    case 'values': {
      const years = piece.slices.map(slice => ({ year: slice.year, rows: rowsOf([slice], shapes) }));
      const value =
        piece.kind === 'place'
          ? await copyByPlace(input, piece.run, years)
          : await copyByValues(input, piece.run, filtered, rows);
      return { value, files: value.copies.map(copy => copy.file) };
    }
    default:
      return piece satisfies never;
  }
}

/** The files of a slice or dimension, relative to its folder. */
function filesOf({ json, csv, parquet }: WrittenSlice): readonly WrittenRows[] {
  return [...json, ...csv, parquet];
}
