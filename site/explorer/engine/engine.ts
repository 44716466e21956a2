/**
 * What the explorer asks of a tree. Questions are the API's own parameters, so a page shows the same rows as the API,
 * in the same order.
 */
import type { Pair } from '../../query/query-string.ts';
import type { Rows, Sort } from '../view/rows.ts';

/** The progress of an answer, in bytes; `total` is null if not known. */
export interface Progress {
  readonly stage: 'plan' | 'fetch' | 'start' | 'compute';
  readonly done: number;
  readonly total: number | null;
}

export interface AskOptions {
  /** Cancels the work: the promise rejects with an AbortError. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** Parameters of the API, in order. */
export type Parameters = readonly Pair[];

/** An answer to SQL: at most the first 100,000 rows. */
export interface SqlRows extends Rows {
  /** Whether the answer has more rows. */
  readonly more: boolean;
}

/** The most rows of one JSON page of the API, and of `first`. More than any place, dimension or year has. */
export const MOST_FIRST_ROWS = 10_000;

/** The first rows of an answer, read without DuckDB. */
export interface FirstRows {
  readonly table: Rows;
  /** Rows of the whole answer; null if that takes more reading. */
  readonly total: number | null;
}

/** Why a question has no answer. The page says it in the reader's language: a worker has no texts. */
export type Trouble =
  /** The API or DuckDB refuses the question, in its own words. */
  | { readonly kind: 'refusal'; readonly words: string }
  | { readonly kind: 'dataset'; readonly key: string }
  | { readonly kind: 'select' }
  /** A table of a statement has more rows than a page can hold. */
  | { readonly kind: 'size'; readonly table: string; readonly rows: number }
  /** The host gives no bytes; `status` and `silence` as in HostError. */
  | {
      readonly kind: 'rows' | 'database';
      readonly status: number | null;
      readonly silence: number | null;
    }
  /** The file of DuckDB is damaged. */
  | { readonly kind: 'module' }
  /** A file does not match its manifest. */
  | { readonly kind: 'mismatch'; readonly path: string; readonly words: string }
  /** The worker's script did not arrive. */
  | { readonly kind: 'worker' };

export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly trouble: Trouble;

  constructor(trouble: Trouble) {
    super('words' in trouble ? trouble.words : trouble.kind);
    this.trouble = trouble;
  }

  /** Whether the same question may be answered later: the fault lies with the host, not in the question. */
  get mayPass(): boolean {
    return !['refusal', 'dataset', 'select', 'size'].includes(this.trouble.kind);
  }
}

export interface Engine {
  /** Loads the engine ahead of the first question. */
  prepare(): void;
  /** Reads the stored page or a few row groups in plain JavaScript. `key` is `domain/topic`. */
  first(key: string, parameters: Parameters, limit: number, options?: AskOptions): Promise<FirstRows>;
  /** Reads all rows, sorted by a column, else in the API's order. NULLs sort first ascending, as in the API, and last descending. */
  ask(key: string, parameters: Parameters, sort: Sort | null, options?: AskOptions): Promise<Rows>;
  /**
   * Runs one SELECT over tables named after topics (`"domain/topic"` too) and dimensions. First loads the tables that
   * it names, with all their years and levels.
   */
  sql(statement: string, options?: AskOptions): Promise<SqlRows>;
  /** Frees workers and memory. */
  close(): Promise<void>;
}
