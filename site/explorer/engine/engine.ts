/**
 * What the explorer asks of a tree. Questions are the API's own (parameters as in its URLs), so that what a page shows
 * and what the API answers are the same rows in the same order.
 */
import type { ColumnType } from '../../../build/format/documents.ts';

export type Cell = string | number | boolean | null;

export interface TableColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** Rows, column by column, however they are held. */
export interface TableData {
  readonly columns: readonly TableColumn[];
  readonly rows: number;
  /** NULL is null. */
  cell(row: number, column: number): Cell;
}

/** How far an answer is; amounts are bytes, `total` null where it is not known. */
export interface Progress {
  readonly stage: 'plan' | 'fetch' | 'decode' | 'start' | 'compute';
  readonly done: number;
  readonly total: number | null;
}

export interface AskOptions {
  /** Ends the work; the promise is rejected with an AbortError. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** Parameters of the API, in order: `[['year', '2024'], ['detail', 'stations']]`. */
export type Parameters = readonly (readonly [string, string])[];

export interface SortKey {
  readonly column: string;
  readonly descending: boolean;
}

/** What SQL gives: the first 100,000 rows at most. */
export interface SqlRows extends TableData {
  /** Whether there are more. */
  readonly more: boolean;
}

/** The first rows of an answer, before anything heavy is loaded. */
export interface FirstRows {
  readonly table: TableData;
  /** Rows of the whole answer; null where that is not known without reading more. */
  readonly total: number | null;
  /** What the API says beside the rows: an empty year, a sample. */
  readonly notices: readonly string[];
}

/** A question that the API refuses, in its words; or a file that is not what its manifest says. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}

export interface Engine {
  /** Loads the engine itself, while the page still finds out what to ask. */
  prepare(): void;
  /** From the stored page or a few row groups, in plain JavaScript. `key` is `domain/topic`. */
  first(key: string, parameters: Parameters, limit: number, options?: AskOptions): Promise<FirstRows>;
  /** All rows, in the API's order. NULLs sort first ascending, as in the API, and last descending. */
  ask(
    key: string,
    parameters: Parameters,
    sort: readonly SortKey[],
    options?: AskOptions,
  ): Promise<TableData>;
  /**
   * One SELECT over tables named as the topics (`"domain/topic"` too) and dimensions; those that the statement names
   * are loaded first, with all their years and levels.
   */
  sql(statement: string, options?: AskOptions): Promise<SqlRows>;
  /** Frees workers and memory. */
  close(): Promise<void>;
}
