/** A tree asked by way of each executor, with more room than any test takes. */
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { createDuckdbExecutor } from '../../site/edge/executors/duckdb.ts';
import { createHyparquetExecutor } from '../../site/edge/executors/hyparquet.ts';
import { createHandler } from '../../site/edge/fetch.ts';

export const BUDGET = { bytes: Number.POSITIVE_INFINITY, rows: 1_000_000 };

export const EXECUTORS = ['hyparquet', 'duckdb'] as const;
export type ExecutorName = (typeof EXECUTORS)[number];

export type Ask = (path: string) => Promise<Response>;

export function askTree(folder: string, name: ExecutorName): Ask {
  // A second answer from the same rows is of those in memory.
  const executor =
    name === 'duckdb'
      ? createDuckdbExecutor({ folder, budget: BUDGET })
      : createHyparquetExecutor(BUDGET, 1 << 20);
  const handler = createHandler(createFolderFiles(folder), { executors: [executor] });
  return path => handler(new Request(`http://edge.test${path}`));
}
