import { expect, test } from 'vitest';
import { withoutShared } from '../../site/query/past.ts';
import type { ScanPlan } from '../../site/query/plan.ts';

/** A plan that reads each row group of a file. */
function planOf(columns: string, hashes: string): ScanPlan {
  const groups = [...hashes].map(sha256 => ({ sha256 }));
  return {
    table: { columns: [...columns].map(name => ({ name })) },
    sources: [{ file: { entry: { row_groups: groups } }, groups: [...groups.keys()] }],
  } as unknown as ScanPlan;
}

test.each([
  ['have the same columns', 'ab', 'ab', {}, [[1], [1, 3]]],
  ['have a column of another name', 'ab', 'ac', { renamed: { b: 'c' } }, [[1], [1, 3]]],
  ['have names the other way round', 'ab', 'ab', { renamed: { a: 'b', b: 'a' } }, null],
  ['lack a column', 'ab', 'a', { dropped: ['b'] }, null],
  ['have a new column', 'a', 'ab', {}, null],
] as const)('which row groups of both releases are read, if they %s', (_, before, after, release, groups) => {
  const plans = withoutShared(planOf(before, '123'), planOf(after, '1x34'), release);
  const every = [
    [0, 1, 2],
    [0, 1, 2, 3],
  ];
  expect(plans.map(({ sources }) => sources[0]?.groups)).toEqual(groups ?? every);
});
