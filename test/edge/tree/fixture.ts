/** The small tree in a folder of its own, and ways to ask for it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createFolderFiles } from '../../../site/edge/adapters/folder.ts';
import type { Budget } from '../../../site/edge/executors/executor.ts';
import { createHyparquetExecutor } from '../../../site/edge/executors/hyparquet.ts';
import { createHandler, type Handler } from '../../../site/edge/fetch.ts';
import { type CountingFiles, countReads } from '../counting-files.ts';
import { type TreeOptions, writeTree } from './write.ts';

export const BUDGET: Budget = { bytes: 64 << 20, rows: 100_000 };
export const THINGS = '/api/v1/demo/things';
export const SLICE = '/api/v1/demo/things/year=2022/areas';

export interface Fixture {
  readonly folder: string;
  ask(path: string, init?: RequestInit, from?: Handler): Promise<Response>;
  /** A handler of its own, and what it reads. */
  count(): { readonly files: CountingFiles; readonly handler: Handler };
}

/** Writes the tree before the tests of a file and removes it after them. */
export function useTree(options: TreeOptions = {}): Fixture {
  let folder = '';
  let handler: Handler;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tree-'));
    await writeTree(folder, options);
    handler = makeHandler(folder);
  }, 120_000);
  afterAll(() => rm(folder, { recursive: true }));
  return {
    get folder() {
      return folder;
    },
    ask: (path, init, from = handler) => askHandler(from, path, init),
    count() {
      const files = countReads(createFolderFiles(folder));
      return { files, handler: createHandler(files, { executors: [createHyparquetExecutor(BUDGET)] }) };
    },
  };
}

export function makeHandler(root: string, budget: Budget = BUDGET): Handler {
  return createHandler(createFolderFiles(root), {
    executors: [createHyparquetExecutor(budget)],
    refreshAfter: 0,
  });
}

export function askHandler(handler: Handler, path: string, init?: RequestInit): Promise<Response> {
  return handler(new Request(`http://edge.test${path}`, init));
}
