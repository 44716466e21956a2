/** A check: what a rule means for rows, as data. Derived from a contract, compiled to SQL, run on loaded tables. */
import type { Expectation, Place, Severity } from '../contract/dataset.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import type { SqlRow } from '../lake/database.ts';

export interface Check {
  readonly name: string;
  readonly source: 'contract' | 'derived';
  readonly column: string | null;
  readonly description: string;
  readonly dimension: string;
  readonly severity: Severity;
  readonly measure: Measure;
  /** Where a contract states it. */
  readonly place?: Place;
}

/** How a check counts. SQL predicates are true for a row that breaks the check, and speak of the row as `t`. */
export type Measure =
  /** Tests every row. */
  | { readonly kind: 'rows'; readonly violation: string }
  /** Tests the distinct values of a few columns, and counts their rows: for axes, whose values are few. */
  | { readonly kind: 'values'; readonly columns: readonly string[]; readonly violation: string }
  /** Counts rows whose values in these columns stand in an earlier row too, NULL being a value. */
  | { readonly kind: 'duplicates'; readonly columns: readonly string[]; readonly expectation: Expectation }
  /** A contract's own query. */
  | { readonly kind: 'query'; readonly query: string; readonly expectation: Expectation }
  /** A count over all rows, held against a number that need not be 0. */
  | { readonly kind: 'count'; readonly condition: string; readonly expectation: Expectation };

export const NONE: Expectation = { operator: 'mustBe', value: 0 };

export interface CheckOutcome {
  readonly check: Check;
  readonly result: 'passed' | 'failed' | 'warned' | 'skipped';
  /** Rows that break the check, or what its query returned; null where it was skipped. */
  readonly found: number | null;
  /** Where the offending rows are, where that can be told. */
  readonly slices: readonly { readonly year: number; readonly detail: string; readonly count: number }[];
  /** Up to five offending rows. */
  readonly rows: readonly SqlRow[];
  /** Why it was skipped, or gave no number. */
  readonly reason: string | null;
  /** A rule that cannot be run, at its place in the contract. */
  readonly problem?: Diagnostic;
}
