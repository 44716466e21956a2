/** Messages between a page and its worker, with the number of their task. */
import type { Sort } from '../view/rows.ts';
import type { Parameters, Progress, Trouble } from './engine.ts';
import type { PackedTable } from './packed-table.ts';

export interface RowsTask {
  readonly key: string;
  readonly parameters: Parameters;
  /** Null for all rows. */
  readonly limit: number | null;
  /** Only with all rows; null for the API's order. */
  readonly sort: Sort | null;
}

export type Task =
  | ({ readonly kind: 'rows' } & RowsTask)
  | { readonly kind: 'sql'; readonly statement: string };

export type ToWorker =
  /** `silence`: milliseconds without a byte after which a read fails. */
  | { readonly kind: 'open'; readonly root: string; readonly silence: number }
  | { readonly kind: 'task'; readonly id: number; readonly task: Task }
  | { readonly kind: 'cancel'; readonly id: number };

export interface TaskResult {
  readonly table: PackedTable;
  readonly total: number | null;
}

export type FromWorker =
  /** The answer to `open`. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: Progress }
  | { readonly kind: 'result'; readonly id: number; readonly result: TaskResult }
  /** `trouble` is null for a bug. */
  | {
      readonly kind: 'failure';
      readonly id: number;
      readonly message: string;
      readonly trouble: Trouble | null;
    }
  /** A script of the worker didn't load; a new worker may load it. */
  | { readonly kind: 'broken' };

/** The channel on which a worker names the files that it has read: after each task, and when asked. */
export const READ_CHANNEL = 'civic-read';
