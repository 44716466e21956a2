/**
 * A check: what a rule means for rows, as data. It is derived from a contract, compiled to SQL and run on loaded
 * tables.
 */
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
  /** Whether the contract is written for another tool, whose queries may not run here: then the rule is skipped. */
  readonly foreign?: true;
  /** The place of the rule in the contract. */
  readonly place?: Place;
}

/** How a check counts. An SQL predicate is true for a row that breaks the check, and calls the row `t`. */
type Measure =
  /** Tests every row. */
  | { readonly kind: 'rows'; readonly violation: string }
  /** Tests the distinct values of a few columns and counts their rows: for axes, which have few values. */
  | { readonly kind: 'values'; readonly columns: readonly string[]; readonly violation: string }
  /** Counts rows that repeat the values of an earlier row in these columns; NULL is a value. */
  | { readonly kind: 'duplicates'; readonly columns: readonly string[]; readonly expectation: Expectation }
  /** A contract's own query. */
  | { readonly kind: 'query'; readonly query: string; readonly expectation: Expectation }
  /** Counts the rows that meet a condition, and compares the count with an expectation. */
  | { readonly kind: 'count'; readonly condition: string; readonly expectation: Expectation };

export const NONE: Expectation = { operator: 'mustBe', value: 0 };

export interface CheckOutcome {
  readonly check: Check;
  readonly result: 'passed' | 'failed' | 'warned' | 'skipped';
  /** How many rows break the check, or the number that its query returned; null if it was skipped or gave no number. */
  readonly found: number | null;
  /** The slices of the offending rows; empty if they are unknown. */
  readonly slices: readonly { readonly year: number; readonly detail: string; readonly count: number }[];
  /** Up to five offending rows. */
  readonly rows: readonly SqlRow[];
  /** Why the check was skipped or gave no number. */
  readonly reason: string | null;
  /** Why the rule cannot run, at its place in the contract. */
  readonly problem?: Diagnostic;
}
