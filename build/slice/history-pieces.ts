/** What a level's history is put together of: row groups of the one that is published, and rows that are written. Pure. */
import type { RowGroup } from '../format/manifest.ts';
import type { Run } from './history-runs.ts';
import type { GroupRange } from './parquet-assembly.ts';

/** Row groups that are taken over, with what is published of them. */
export interface StandingRange extends GroupRange {
  readonly groups: readonly RowGroup[];
}

/** Rows that are written, from the beginning of a row group. */
export interface WrittenRun {
  readonly rows: number;
}

export type Piece = StandingRange | WrittenRun;

export interface StandingRun {
  readonly run: Run;
  readonly range: StandingRange;
}

/** Whether a run begins and ends with the places that it had. */
export function isBetweenSamePlaces(run: Run, before: StandingRun | undefined): before is StandingRun {
  return before !== undefined && before.run.first === run.first && before.run.last === run.last;
}

/** A run as it is, of the same one as it was: `damaged` are its row groups whose rows are not what they were. */
export function revisedRun(
  run: Run,
  { range }: StandingRun,
  damaged: ReadonlySet<number>,
  groupRows: number,
): Piece[] {
  const pieces: Piece[] = [];
  for (let first = 0, end = 0; first < range.groups.length; first = end) {
    while (end < range.groups.length && damaged.has(end) === damaged.has(first)) end++;
    if (!damaged.has(first)) {
      pieces.push(partOf(range, first, end));
      continue;
    }
    // What is behind rows that come or go is damaged too: what stands begins where it did.
    const rows = (end === range.groups.length ? run.rows : end * groupRows) - first * groupRows;
    if (rows > 0) pieces.push({ rows });
  }
  return pieces;
}

/** Those of all row groups of a file that the pieces, in its order, do not take over. */
export function groupsBetween(all: StandingRange, pieces: readonly Piece[]): StandingRange[] {
  const taken = pieces.filter(isStanding);
  const ends = [all.first, ...taken.map(({ end }) => end)];
  const starts = [...taken.map(({ first }) => first), all.end];
  return ends.flatMap((first, i) => {
    const end = starts[i] ?? first;
    return end > first ? [partOf(all, first - all.first, end - all.first)] : [];
  });
}

/** Some of a range's row groups, by their number in it. */
export function partOf({ file, first, groups }: StandingRange, from: number, to: number): StandingRange {
  return { file, first: first + from, end: first + to, groups: groups.slice(from, to) };
}

export function isStanding(piece: Piece): piece is StandingRange {
  return 'groups' in piece;
}

export function writtenRows(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + (isStanding(piece) ? 0 : piece.rows), 0);
}

/** Pieces that are written to one file: rows that follow each other, and whole row groups but for the last. */
export interface Batch {
  readonly offset: number;
  readonly rows: number;
  readonly groups: number;
}

/** Where a written piece is: its row groups in the file of a batch, by its number. */
export interface BatchRange {
  readonly batch: number;
  readonly first: number;
  readonly end: number;
}

/** Batches of the pieces that are written, and where each of those pieces is; null for one that is taken over. */
export function inBatches(
  pieces: readonly Piece[],
  groupRows: number,
): { readonly batches: readonly Batch[]; readonly places: readonly (BatchRange | null)[] } {
  const batches: Batch[] = [];
  let isOpen = false;
  let offset = 0;
  const places = pieces.map((piece): BatchRange | null => {
    if (isStanding(piece)) return null;
    if (!isOpen) batches.push({ offset, rows: 0, groups: 0 });
    const batch = batches.pop()!;
    const end = batch.groups + Math.ceil(piece.rows / groupRows);
    batches.push({ ...batch, rows: batch.rows + piece.rows, groups: end });
    offset += piece.rows;
    isOpen = piece.rows % groupRows === 0;
    return { batch: batches.length - 1, first: batch.groups, end };
  });
  return { batches, places };
}
