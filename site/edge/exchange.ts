import type { Incoming } from './answer.ts';
import type { Catalog, Tree } from './catalog.ts';
import type { Files } from './files/files.ts';
import type { Kept } from './files/kept.ts';
import type { ColumnCache } from './rows/column-cache.ts';
import type { Budget } from './rows/scan.ts';

/** What an edge answers from. */
export interface Site {
  readonly files: Files;
  readonly catalog: Catalog;
  /** Small stored files, which need no look at the disk; null where the host keeps none. */
  readonly kept: Kept<Uint8Array> | null;
  readonly cache: ColumnCache;
  /** What an answer may cost; null where the host can't compute any. */
  readonly budget: Budget | null;
  readonly endOfTurn: (() => Promise<void> | null) | undefined;
}

/** One request, and the release of the tree that answers it. */
export interface Exchange extends Site {
  readonly incoming: Incoming;
  readonly tree: Tree;
}
