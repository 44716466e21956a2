/** How pieces of work are split into consecutive runs: all of them, in order, as evenly as they can be. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitEvenly } from '../../build/shards/shares.ts';

const weights = fc.array(fc.integer({ min: 1, max: 1e9 }), { maxLength: 12 });
const sum = (pieces: readonly { weight: number }[]) => pieces.reduce((total, one) => total + one.weight, 0);

/** The least of all heaviest runs, by trying every way to cut. */
function lightest(list: readonly number[], count: number): number {
  if (count === 1 || list.length === 0) return list.reduce((total, one) => total + one, 0);
  let best = Number.POSITIVE_INFINITY;
  for (let cut = 0; cut <= list.length; cut++) {
    const head = list.slice(0, cut).reduce((total, one) => total + one, 0);
    best = Math.min(best, Math.max(head, lightest(list.slice(cut), count - 1)));
  }
  return best;
}

test('splits as evenly as any way does', () => {
  fc.assert(
    fc.property(weights, fc.integer({ min: 1, max: 5 }), (list, count) => {
      const pieces = list.map((weight, i) => ({ weight, i }));
      const runs = splitEvenly(pieces, count);
      expect(runs).toHaveLength(count);
      expect(runs.flat()).toEqual(pieces);
      expect(Math.max(0, ...runs.map(sum))).toBe(lightest(list, count));
    }),
    { numRuns: 300, seed: 1 },
  );
});
