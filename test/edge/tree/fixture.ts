/** The small tree, made once for all tests that read it, and ways to ask for it. */
import { cp } from 'node:fs/promises';
import { createFolderFiles } from '../../../site/edge/adapters/folder.ts';
import { createHandler, type Handler } from '../../../site/edge/fetch.ts';
import type { Files } from '../../../site/edge/files/files.ts';
import { ColumnCache } from '../../../site/edge/rows/column-cache.ts';
import type { Budget } from '../../../site/edge/rows/scan.ts';
import { keptFolder } from '../../kept-folder.ts';
import { type TreeOptions, writeTree } from './write.ts';

export const BUDGET: Budget = { bytes: 64 << 20, rows: 100_000 };
export const THINGS = '/api/v1/demo/things';
export const SLICE = '/api/v1/demo/things/year=2022/areas';

/** Folder of the tree, which tests read and copy. */
export function thingsTree(options: TreeOptions = {}): Promise<string> {
  const name = ['things', ...Object.keys(options).sort()].join('-');
  return keptFolder(name, ['test/edge/tree', 'build/slice/rows-writer.ts', 'package-lock.json'], out =>
    writeTree(out, options),
  );
}

/** Copies the tree to a new folder. */
export async function copyThings(folder: string, options: TreeOptions = {}): Promise<void> {
  await cp(await thingsTree(options), folder, { recursive: true, preserveTimestamps: true });
}

export async function openThings(options: TreeOptions = {}) {
  const folder = await thingsTree(options);
  const handler = makeHandler(folder);
  return {
    folder,
    ask: (path: string, init?: RequestInit, from = handler) =>
      from(new Request(`http://edge.test${path}`, init)),
    /** Another handler, with its reads. `memory`: bytes for decoded columns. */
    count(memory = 1 << 20) {
      const files = countReads(createFolderFiles(folder));
      const cache = new ColumnCache(memory);
      // The manifest isn't read again, however long a test takes.
      const options = { budget: BUDGET, cache, refreshAfter: Number.POSITIVE_INFINITY };
      return { files, handler: createHandler(files, options) };
    },
  };
}

export function makeHandler(root: string, budget: Budget = BUDGET): Handler {
  const cache = new ColumnCache(1 << 20);
  return createHandler(createFolderFiles(root), { budget, cache, refreshAfter: 0 });
}

interface CountingFiles extends Files {
  readonly reads: { readonly path: string; readonly bytes: number }[];
}

export function countReads(files: Files): CountingFiles {
  const reads: { path: string; bytes: number }[] = [];
  return {
    reads,
    stat: (path, signal) => files.stat(path, signal),
    async read(path, range, signal) {
      const found = await files.read(path, range, signal);
      reads.push({ path, bytes: found?.bytes.length ?? 0 });
      return found;
    },
  };
}
