/** Which shard a machine builds, and how pieces of work are split into consecutive runs. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findShard } from '../../build/cli/arguments.ts';
import { splitEvenly } from '../../build/pipeline/shard.ts';

const weights = fc.array(fc.integer({ min: 1, max: 1e9 }), { maxLength: 12 });
const sum = (pieces: readonly { weight: number }[]) => pieces.reduce((total, one) => total + one.weight, 0);

test('no shard has more than its share and one piece', () => {
  fc.assert(
    fc.property(weights, fc.integer({ min: 1, max: 5 }), (list, count) => {
      const pieces = list.map((weight, i) => ({ weight, i }));
      const runs = splitEvenly(pieces, count);
      expect(runs).toHaveLength(count);
      expect(runs.flat()).toEqual(pieces);
      const most = Math.max(0, ...list);
      for (const run of runs) expect(sum(run)).toBeLessThanOrEqual(sum(pieces) / count + most);
    }),
    { numRuns: 100, seed: 1 },
  );
});

const AWS = 'AWS_BATCH_JOB_ARRAY_';
/** Variables of schedulers, and the error; no error if they say shard 2 of 3. */
test.for<readonly [variables: string, problem?: RegExp]>([
  ['CIVIC_SHARD_INDEX=1 CIVIC_SHARD_TOTAL=3'],
  [`${AWS}INDEX=1 ${AWS}SIZE=3 CIVIC_SHARD_INDEX=`],
  ['JOB_COMPLETION_INDEX=1 CIVIC_SHARD_TOTAL=3'],
  [`CIVIC_SHARD_INDEX=1 CIVIC_SHARD_TOTAL=3 ${AWS}INDEX=5 ${AWS}SIZE=8`],
  ['SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=3'],
  ['CIVIC_SHARD_TOTAL=3', /CIVIC_SHARD_INDEX and CIVIC_SHARD_TOTAL.*AWS_BATCH.*JOB_COMPLETION_INDEX/],
  ['CIVIC_SHARD_INDEX=1', /CIVIC_SHARD_INDEX is set and CIVIC_SHARD_TOTAL is not/],
  [`${AWS}INDEX=1`, /AWS_BATCH_JOB_ARRAY_SIZE is not/],
  ['CIVIC_SHARD_INDEX=3 CIVIC_SHARD_TOTAL=3', /CIVIC_SHARD_INDEX is "3".*from 0/],
  ['CIVIC_SHARD_INDEX=-1 CIVIC_SHARD_TOTAL=3', /CIVIC_SHARD_INDEX is "-1"/],
  ['JOB_COMPLETION_INDEX=0 CIVIC_SHARD_TOTAL=x', /CIVIC_SHARD_TOTAL is "x"/],
])('--shard auto of %s', ([variables, problem]) => {
  const find = () => findShard(Object.fromEntries(variables.split(' ').map(one => one.split('='))));
  if (problem) expect(find).toThrow(problem);
  else expect(find()).toEqual({ number: 2, of: 3 });
});
