/**
 * What the explorer asks a tree. Questions are the API's parameters, so a page shows the same rows as the
 * API, in the same order.
 */
import type { Pair } from '../../query/query-string.ts';
import type { Rows, Sort } from '../view/rows.ts';
import type { CodedRows } from './coded-rows.ts';

/** Bytes; `total` is null if unknown. */
export interface Progress {
  readonly stage: 'plan' | 'fetch' | 'start' | 'compute';
  readonly done: number;
  readonly total: number | null;
}

export interface AskOptions {
  /** Cancels the work: the promise rejects with an AbortError. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export type Parameters = readonly Pair[];

interface RowsOptions extends AskOptions {
  /** The most rows to read. All are read without it. */
  readonly limit?: number;
  /** Only for all rows. NULLs are first ascending, as in the API, and last descending. */
  readonly sort?: Sort | null;
}

export interface FoundRows {
  readonly table: Rows;
  /** Rows of the whole answer; null if there are more, and counting them takes more reading. */
  readonly total: number | null;
}

/** Why a question has no answer. The page writes it in the reader's language, since a worker has no texts. */
export type Trouble =
  /** The API or DuckDB refuses the question, in its own words. */
  | { readonly kind: 'refusal'; readonly words: string }
  | { readonly kind: 'dataset'; readonly key: string }
  | { readonly kind: 'select' }
  /** A table has more rows than a page can hold. */
  | { readonly kind: 'size'; readonly table: string; readonly rows: number }
  /** The host sends no bytes; `status` and `silence` as in HostError. */
  | {
      readonly kind: 'rows' | 'database';
      readonly status: number | null;
      readonly silence: number | null;
    }
  /** DuckDB's module is damaged. */
  | { readonly kind: 'module' }
  /** A file does not match its manifest. */
  | { readonly kind: 'mismatch'; readonly path: string; readonly words: string };

export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly trouble: Trouble;

  constructor(trouble: Trouble) {
    super('words' in trouble ? trouble.words : trouble.kind);
    this.trouble = trouble;
  }
}

export interface Engine {
  /** Rows in the API's order, or sorted by a column. `key` is `domain/topic`. */
  ask(key: string, parameters: Parameters, options?: RowsOptions): Promise<FoundRows>;
  /**
   * Runs one SELECT over tables named after topics (also `"domain/topic"`) and dimensions. First loads the
   * tables that it names, with all years and levels. Answers at most 100,000 rows.
   */
  sql(statement: string, options?: AskOptions): Promise<FoundRows>;
}

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

/** A page's message to its worker, with a port for the answer. Any message on the port cancels the task. */
export interface ToWorker {
  /** The tree's root, ending in a slash. */
  readonly root: string;
  /** Milliseconds without a byte after which a read fails. */
  readonly silence: number;
  readonly task: Task;
}

export interface TaskResult {
  readonly table: CodedRows;
  /** Rows of the whole answer; null if unknown. */
  readonly total: number | null;
}

/** The worker's messages on a task's port. The last one is a result or a failure. */
export type TaskMessage =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'result'; readonly result: TaskResult }
  /** `trouble` is null for a bug. */
  | { readonly kind: 'failure'; readonly message: string; readonly trouble: Trouble | null };

/** `broken`: a script of the worker didn't load; a new worker may load it. */
export type FromWorker = 'ready' | 'broken';

/** The channel on which a worker names the files that it has read: after each task, and when asked. */
export const READ_CHANNEL = 'civic-read';
