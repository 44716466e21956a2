/**
 * Executors carry out scans. All give the same rows in the same order; they differ in how large a scan they can take.
 */
import type { ColumnValues, LineKind } from '../../query/encode.ts';
import type { ScanPlan } from '../../query/plan.ts';
import type { Files } from '../files/files.ts';

export interface Executor {
  readonly name: string;
  readonly budget: Budget;
  /**
   * Rows that satisfy the residual, in the order of the answer, from its offset on; at most `limit` of them, or all
   * where that is null. Throws TreeMismatch where a file does not match the manifest, BudgetExceeded where a scan costs
   * too much.
   */
  scan(plan: ScanPlan, limit: number | null, context: ScanContext): AsyncIterable<Batch>;
}

export interface ScanContext {
  readonly files: Files;
  readonly signal: AbortSignal | undefined;
}

export interface Budget {
  /** Compressed bytes of row groups. */
  readonly bytes: number;
  /**
   * How many of these bytes may be of rows that the answer leaves out; by default all. Another executor passes over such
   * rows faster, but none brings the rows of the answer faster into JavaScript.
   */
  readonly passed?: number;
  /** Rows held in memory to be sorted. */
  readonly rows: number;
}

/** Some rows, column by column, in the order of the table's columns. Integers are of type number. */
export interface Batch {
  readonly rows: number;
  readonly columns: readonly ColumnValues[];
  /** One column, where the others take time to be made. */
  column?(position: number): ColumnValues;
  /** The rows from `from` up to `to`. */
  cut?(from: number, to: number): Batch;
  /** The rows as lines of text, where they are known. */
  lines?(kind: LineKind): readonly Uint8Array[];
}

/** The rows from `from` up to `to`. */
export function cutBatch(batch: Batch, from: number, to: number): Batch {
  if (from === 0 && to === batch.rows) return batch;
  return (
    batch.cut?.(from, to) ?? {
      rows: to - from,
      columns: batch.columns.map(column => Array.from(column).slice(from, to)),
    }
  );
}

/** The answer costs more than this edge allows. */
export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded';
}
