/** Which shard of how many a machine builds, and how pieces of work are split into consecutive runs. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findShard, parseShard } from '../../build/shards/shard-number.ts';
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
    { numRuns: 100, seed: 1 },
  );
});

test('a shard is stated as its number and that of all', () => {
  expect(parseShard('3/8')).toEqual({ number: 3, of: 8 });
  for (const text of ['0/3', '4/3', '3', '1/x', '-1/2', '1/0', '1/99999'])
    expect([text, parseShard(text)]).toMatchObject([
      text,
      { problem: expect.stringMatching(/such as 3\/8/) },
    ]);
});

/** Variables of batch systems, and the shard, or what is wrong. */
test.each<readonly [Readonly<Record<string, string>>, RegExp | null]>([
  [{ CIVIC_SHARD_INDEX: '1', CIVIC_SHARD_TOTAL: '3' }, null],
  [{ AWS_BATCH_JOB_ARRAY_INDEX: '1', AWS_BATCH_JOB_ARRAY_SIZE: '3', CIVIC_SHARD_INDEX: '' }, null],
  [{ JOB_COMPLETION_INDEX: '1', CIVIC_SHARD_TOTAL: '3' }, null],
  [
    {
      CIVIC_SHARD_INDEX: '1',
      CIVIC_SHARD_TOTAL: '3',
      AWS_BATCH_JOB_ARRAY_INDEX: '5',
      AWS_BATCH_JOB_ARRAY_SIZE: '8',
    },
    null,
  ],
  [
    { CIVIC_SHARD_TOTAL: '3' },
    /CIVIC_SHARD_INDEX and CIVIC_SHARD_TOTAL.*AWS_BATCH_JOB_ARRAY_INDEX.*JOB_COMPLETION_INDEX/,
  ],
  [{ CIVIC_SHARD_INDEX: '1' }, /CIVIC_SHARD_INDEX is set and CIVIC_SHARD_TOTAL is not/],
  [{ AWS_BATCH_JOB_ARRAY_INDEX: '1' }, /AWS_BATCH_JOB_ARRAY_SIZE is not/],
  [{ CIVIC_SHARD_INDEX: '3', CIVIC_SHARD_TOTAL: '3' }, /CIVIC_SHARD_INDEX is "3".*from 0/],
  [{ CIVIC_SHARD_INDEX: '-1', CIVIC_SHARD_TOTAL: '3' }, /CIVIC_SHARD_INDEX is "-1"/],
  [{ JOB_COMPLETION_INDEX: '0', CIVIC_SHARD_TOTAL: 'x' }, /CIVIC_SHARD_TOTAL is "x"/],
])('--shard auto of %j', (variables, problem) => {
  const expected = problem === null ? { number: 2, of: 3 } : { problem: expect.stringMatching(problem) };
  expect(findShard(variables)).toEqual(expected);
});
