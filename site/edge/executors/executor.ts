/** What carries out a scan. All executors give the same rows in the same order; they differ in what they can bear. */
import type { ColumnValues } from '../../query/encode.ts';
import type { ScanPlan } from '../../query/plan.ts';
import type { Files } from '../files/files.ts';

export interface Executor {
  readonly name: string;
  readonly budget: Budget;
  /**
   * Rows that satisfy the residual, in the order of the answer, from its offset on, at most `limit` of them (null:
   * all). Throws TreeMismatch where a file is not what the manifest says, BudgetExceeded where it would cost too much.
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
  /** Rows held in memory to be sorted. */
  readonly rows: number;
}

/** Some rows, column by column, in the order of the table's columns. Integers are numbers. */
export interface Batch {
  readonly rows: number;
  readonly columns: readonly ColumnValues[];
}

/** The answer costs more than this edge allows. */
export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded';
}
