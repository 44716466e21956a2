/** What a page and its worker say to each other. Each task has a number that all messages about it carry. */
import type { Parameters, Progress, SortKey } from './engine.ts';
import type { PackedTable } from './packed-table.ts';

export type Task =
  | {
      readonly kind: 'first';
      readonly key: string;
      readonly parameters: Parameters;
      readonly limit: number;
    }
  | {
      readonly kind: 'ask';
      readonly key: string;
      readonly parameters: Parameters;
      readonly sort: readonly SortKey[];
    }
  | { readonly kind: 'sql'; readonly statement: string };

export type ToWorker =
  | { readonly kind: 'open'; readonly root: string }
  | { readonly kind: 'task'; readonly id: number; readonly task: Task }
  | { readonly kind: 'cancel'; readonly id: number };

/** What every task ends in. */
export interface TaskResult {
  readonly table: PackedTable;
  readonly total: number | null;
  readonly notices: readonly string[];
}

export type FromWorker =
  | { readonly kind: 'progress'; readonly id: number; readonly progress: Progress }
  | { readonly kind: 'result'; readonly id: number; readonly result: TaskResult }
  /** `expected`: in words for the reader. */
  | { readonly kind: 'failure'; readonly id: number; readonly message: string; readonly expected: boolean };
