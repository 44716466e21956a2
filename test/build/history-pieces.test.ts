/** What a revised history is put together of. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RowGroup } from '../../build/format/manifest.ts';
import {
  groupsBetween,
  inBatches,
  isBetweenSamePlaces,
  isStanding,
  type Piece,
  revisedRun,
  type StandingRange,
  type StandingRun,
  writtenRows,
} from '../../build/slice/history-pieces.ts';
import type { Run } from '../../build/slice/history-runs.ts';

const SIZE = 10;
const groupOf = (rows: number): RowGroup => ({ rows, start: 0, sizes: [], min: [], max: [], nulls: [] });

/** A run of so many rows whose row groups begin with the `first` of its file. */
function standing(rows: number, first = 0): StandingRun {
  const groups = Array.from({ length: Math.ceil(rows / SIZE) }, (_, i) =>
    groupOf(Math.min(SIZE, rows - i * SIZE)),
  );
  const range = { file: 'h', first, end: first + groups.length, groups };
  return { run: runOf(rows), range };
}

const runOf = (rows: number): Run => ({ first: 1, last: 9, rows });
const shown = (pieces: readonly Piece[]) =>
  pieces.map(piece => (isStanding(piece) ? [piece.first, piece.end] : piece.rows));

describe('a run', () => {
  test.each<[string, number, readonly number[], number, unknown]>([
    ['of which nothing is damaged', 35, [], 35, [[4, 8]]],
    ['with damage inside', 35, [1], 35, [[4, 5], 10, [6, 8]]],
    ['with damage at both ends', 35, [0, 3], 35, [10, [5, 7], 5]],
    ['that is damaged to its end, and longer', 35, [2, 3], 47, [[4, 6], 27]],
    ['that lost its last row group', 31, [2, 3], 29, [[4, 6], 9]],
    ['that lost all rows behind what stands', 31, [3], 30, [[4, 7]]],
    ['that is damaged whole', 20, [0, 1], 25, [25]],
  ])('%s', (_, before, damaged, now, expected) => {
    expect(shown(revisedRun(runOf(now), standing(before, 4), new Set(damaged), SIZE))).toEqual(expected);
  });

  test('may be what it was between the same places', () => {
    const before = standing(20);
    const same = runOf(20);
    expect(
      [same, { ...same, first: 2 }, { ...same, last: 8 }].map(run => isBetweenSamePlaces(run, before)),
    ).toEqual([true, false, false]);
    expect(isBetweenSamePlaces(same, undefined)).toBe(false);
  });
});

/** Pieces of a file of `groups` row groups: for each whether it stands. */
const piecesOf = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 40 })), {
  minLength: 1,
  maxLength: 12,
});

test('what is not taken over is what lies between', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }), taken => {
      const groups = taken.map((_, i) => groupOf(i + 1));
      const all: StandingRange = { file: 'h', first: 0, end: taken.length, groups };
      const pieces = taken.flatMap((stands, i): Piece[] =>
        stands ? [{ file: 'h', first: i, end: i + 1, groups: groups.slice(i, i + 1) }] : [{ rows: 3 }],
      );
      const rest = groupsBetween(all, pieces).flatMap(range => range.groups);
      expect(rest).toEqual(groups.filter((_, i) => !taken[i]));
    }),
  );
});

test('batches hold all rows that are written, in order; only their last row group may be short', () => {
  fc.assert(
    fc.property(piecesOf, list => {
      const pieces = list.map(
        ([stands, rows]): Piece =>
          stands ? { file: 'h', first: 0, end: 1, groups: [groupOf(1)] } : { rows },
      );
      const { batches, places } = inBatches(pieces, SIZE);
      expect(batches.reduce((sum, batch) => sum + batch.rows, 0)).toBe(writtenRows(pieces));
      let offset = 0;
      for (const batch of batches) {
        expect(batch.offset).toBe(offset);
        expect(batch.groups).toBe(Math.ceil(batch.rows / SIZE));
        offset += batch.rows;
      }
      const ends = batches.map(() => 0);
      for (const [i, piece] of pieces.entries()) {
        const place = places[i];
        if (isStanding(piece)) {
          expect(place).toBeNull();
          continue;
        }
        // One begins where the one before it in the batch ends, which was whole.
        expect(place!.first).toBe(ends[place!.batch]);
        expect(place!.end - place!.first).toBe(Math.ceil(piece.rows / SIZE));
        ends[place!.batch] = place!.end;
      }
      expect(ends).toEqual(batches.map(batch => batch.groups));
    }),
  );
});
