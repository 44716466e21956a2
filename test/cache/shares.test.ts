/** Which shard a machine builds, and how pieces of work are split into consecutive runs. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findShard } from '../../build/cli/arguments.ts';
import type { LakeFile } from '../../build/lake/lake-files.ts';
import { shareOf } from '../../build/pipeline/shard.ts';

const sizes = fc.array(fc.integer({ min: 1_000_000, max: 1e9 }), { maxLength: 12 });

test('no shard has more than its share and one piece', () => {
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 5 }), (list, of) => {
      const pieces = list.map((bytes, i) => ({ effort: 1 + (i % 4), files: [{ bytes }] as LakeFile[] }));
      const work = (some: typeof pieces) =>
        some.reduce((sum, { effort, files: [file] }) => sum + 20_000 + effort * (file?.bytes ?? 0), 0);
      const runs = Array.from({ length: of }, (_, i) => shareOf(pieces, { number: i + 1, of }));
      expect(runs.flat()).toEqual(pieces);
      const most = Math.max(0, ...pieces.map(piece => work([piece])));
      for (const run of runs) expect(work(run)).toBeLessThanOrEqual(work(pieces) / of + most + 1);
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
