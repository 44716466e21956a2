/**
 * A check: what a rule means for rows, as data. It is derived from a contract, compiled to SQL and run on loaded
 * tables.
 */
import type { BaseColumn, Expectation, Place, Severity } from '../contract/dataset.ts';
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
  | {
      readonly kind: 'values';
      readonly columns: readonly string[];
      readonly violation: string;
      /** SQL of the code that a wrong one is without its leading zeros, or NULL. Then messages name the wrong codes. */
      readonly meant?: string;
    }
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
  /** How many wrong codes there are, and the first few in words; absent from checks that name none. */
  readonly codes?: { readonly count: number; readonly named: readonly string[] };
  /** Where these rows are in files of the lake that have lines; null for a row that is in none. */
  readonly places?: readonly (string | null)[];
  /** Why the check was skipped or gave no number. */
  readonly reason: string | null;
  /** Why the rule cannot run, at its place in the contract. */
  readonly problem?: Diagnostic;
}

/** A check that follows from a column or, without one, from the table. */
export function derived(
  column: BaseColumn | null,
  name: string,
  dimension: string,
  description: string,
  violation: string,
): Check {
  // A time column may have as many values as rows.
  const axis = column !== null && 'role' in column && !/^(metric|attribute|time)$/.test(String(column.role));
  return {
    name,
    source: 'derived',
    column: column?.name ?? null,
    description,
    dimension,
    severity: 'error',
    measure: axis ? { kind: 'values', columns: [column.name], violation } : { kind: 'rows', violation },
    ...(column && { place: column.place }),
  };
}
