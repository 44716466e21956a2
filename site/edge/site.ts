import type { Catalog } from './catalog.ts';
import type { Executor } from './executor.ts';
import type { Files } from './files.ts';

/** What every route needs. */
export interface Site {
  readonly files: Files;
  readonly catalog: Catalog;
  readonly executors: readonly Executor[];
}
