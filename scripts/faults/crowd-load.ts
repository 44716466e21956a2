/** Runs a load in a process of its own and of low priority: the one that started it measures meanwhile. */
import { setPriority } from 'node:os';
import { type LoadOptions, runLoad } from '../bench/load.ts';

export interface OrderedLoad {
  readonly url: string;
  /** Asked in turn, over and over. */
  readonly paths: readonly string[];
  readonly options: LoadOptions;
}

export interface LoadCounts {
  readonly answers: number;
  readonly refused: number;
}

const PRIORITY = 5;

process.once('message', async ({ url, paths, options }: OrderedLoad) => {
  setPriority(PRIORITY);
  let at = 0;
  const { answers, refused } = await runLoad(url, () => paths[at++ % paths.length] ?? null, options);
  const counts: LoadCounts = { answers, refused: [...refused.values()].reduce((sum, one) => sum + one, 0) };
  process.send?.(counts, () => process.disconnect());
});
