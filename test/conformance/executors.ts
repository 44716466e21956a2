/** A tree asked by way of each executor, with more room than any test takes. */
import { expect } from 'vitest';
import { fuzz } from '../../scripts/fuzz/run.ts';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { createDuckdbExecutor } from '../../site/edge/executors/duckdb.ts';
import { createHyparquetExecutor } from '../../site/edge/executors/hyparquet.ts';
import { createHandler } from '../../site/edge/fetch.ts';
import { randomRuns } from '../random-runs.ts';

export const BUDGET = { bytes: Number.POSITIVE_INFINITY, rows: 1_000_000 };

export const EXECUTORS = ['hyparquet', 'duckdb'] as const;

export type Ask = (path: string) => Promise<Response>;

export function askTree(folder: string, name: (typeof EXECUTORS)[number]): Ask {
  // A second answer from the same rows is of those in memory.
  const executor =
    name === 'duckdb'
      ? createDuckdbExecutor({ folder, budget: BUDGET })
      : createHyparquetExecutor(BUDGET, 1 << 20);
  const handler = createHandler(createFolderFiles(folder), { executors: [executor] });
  return path => handler(new Request(`http://edge.test${path}`));
}

/** Every random answer is what DuckDB finds in the lake. */
export async function expectRowsOfLake(folders: Pick<Parameters<typeof fuzz>[0], 'lake' | 'tree'>) {
  const seed = Date.now() % 2 ** 31;
  console.log(`seed ${seed}`);
  const requests = randomRuns(100);
  const { failure, answered, rows } = await fuzz({ ...folders, requests, seed });
  expect(failure).toBeNull();
  expect(answered).toBeGreaterThan(requests * 0.5);
  expect(rows).toBeGreaterThan(100);
}
