/**
 * The edge in a reader's browser, over a host that only has files. It runs in a service worker, or in the page where
 * there is none. Only the browser's own cache stores anything, and the browser checks each stored file with the host,
 * so that an answer is of one release.
 */
import { createHandler, type Handler } from './fetch.ts';
import { createHttpFiles } from './files/http-files.ts';
import { Kept } from './files/kept.ts';
import { ColumnCache } from './rows/column-cache.ts';

/** A page's message to its service worker: what it loaded before the worker was there. */
export interface KeepMessage {
  readonly kind: 'keep';
  readonly page: string;
  readonly files: readonly string[];
}

/** A phone needs a second or two for this, and some 100 MB of memory. */
const BUDGET = { bytes: 8 << 20, rows: 200_000 };

/** Memory for decoded columns. */
const COLUMNS_BYTES = 32 << 20;

/** Milliseconds after which the browser checks whether another release is current. */
const REFRESH_AFTER = 10_000;

/** `root`: the address of the tree's root, with a final slash. */
export function createBrowserHandler(root: string, onError: (error: unknown) => void): Handler {
  const files = createHttpFiles(root, { kept: new Kept(0), cache: 'no-cache' });
  const base = new URL(root).pathname.slice(0, -1);
  const cache = new ColumnCache(COLUMNS_BYTES);
  return createHandler(files, { budget: BUDGET, cache, refreshAfter: REFRESH_AFTER, onError }, base);
}
