/** Asks a tree through the edge, with more memory than any test needs. */
import { expect } from 'vitest';
import { fuzz } from '../../scripts/fuzz/run.ts';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { createHandler } from '../../site/edge/fetch.ts';
import { ColumnCache } from '../../site/edge/rows/column-cache.ts';
import { randomRuns } from '../random-runs.ts';

export const BUDGET = { bytes: Number.POSITIVE_INFINITY, rows: 1_000_000 };

/** With room for all rows. */
const WORKBOOKS = { cells: 1_000_000, open: () => import('../../site/edge/respond/workbook.ts') };

export type Ask = (path: string) => Promise<Response>;

export function askTree(folder: string): Ask {
  // Repeated questions are answered from memory.
  const cache = new ColumnCache(1 << 20);
  const handler = createHandler(createFolderFiles(folder), { budget: BUDGET, workbooks: WORKBOOKS, cache });
  return path => handler(new Request(`http://edge.test${path}`));
}

/**
 * Every random answer is what DuckDB finds in the lake. `server`: asked in place of the edge in this process.
 */
export async function expectRowsOfLake(
  folders: Pick<Parameters<typeof fuzz>[0], 'lake' | 'tree' | 'server'>,
  count = 40,
) {
  const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 2 ** 31);
  console.log(`seed ${seed}`);
  const requests = randomRuns(count);
  const { failure, answered, rows } = await fuzz({ ...folders, requests, seed });
  expect(failure).toBeNull();
  expect(answered).toBeGreaterThan(requests * 0.5);
  expect(rows).toBeGreaterThan(count);
}
