/**
 * A check: what a rule means for rows, as data. It is derived from a contract, compiled to SQL and run on
 * loaded tables.
 */
import type { BaseColumn, Expectation, Place, Severity } from '../contract/dataset.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import type { RuleResult } from '../format/documents.ts';
import { countOf } from '../format/shown-text.ts';
import type { SqlRow } from '../lake/database.ts';

export interface Check {
  readonly name: string;
  readonly source: 'contract' | 'derived';
  readonly column: string | null;
  readonly description: string;
  readonly dimension: string;
  readonly severity: Severity;
  readonly measure: Measure;
  /** The contract is written for another tool. If its query doesn't run here, the rule is skipped. */
  readonly foreign?: true;
  readonly place?: Place;
}

/** How a check counts. SQL predicates are true for rows that break the check, and call the row `t`. */
type Measure =
  /** Counts the rows that meet a condition. */
  | { readonly kind: 'rows'; readonly condition: string; readonly expectation: Expectation }
  /** Tests distinct values and counts their rows; for columns with few values. */
  | {
      readonly kind: 'values';
      readonly columns: readonly string[];
      readonly violation: string;
      /**
       * SQL of the code with its leading zeros, if a wrong one lost them; otherwise NULL. Messages then name
       * wrong codes.
       */
      readonly meant?: string;
    }
  /** Counts rows that repeat an earlier row's values; NULL is a value. */
  | { readonly kind: 'duplicates'; readonly columns: readonly string[]; readonly expectation: Expectation }
  | { readonly kind: 'query'; readonly query: string; readonly expectation: Expectation };

export const NONE: Expectation = { operator: 'mustBe', value: 0 };

export interface CheckOutcome {
  readonly check: Check;
  readonly result: 'passed' | 'failed' | 'warned' | 'skipped';
  /**
   * The number of rows that break the check, or the number that its query returned; null if skipped or
   * without a number.
   */
  readonly found: number | null;
  /** Of the offending rows; empty if unknown. */
  readonly slices: readonly { readonly year: number; readonly detail: string; readonly count: number }[];
  /** Up to five offending rows. */
  readonly rows: readonly SqlRow[];
  /** The number of wrong codes, and the first few in words. */
  readonly codes?: { readonly count: number; readonly named: readonly string[] };
  /** Lines of these rows in the lake's files; null for rows that aren't found. */
  readonly places?: readonly (string | null)[];
  readonly reason: string | null;
  /** Why the rule can't run, at its place in the contract. */
  readonly problem?: Diagnostic;
}

/** A check's outcome on the rows of a dataset or a dimension. */
export interface SubjectOutcome {
  /** Key of the dataset or dimension. */
  readonly subject: string;
  readonly outcome: CheckOutcome;
}

/** A rule's result as quality.json has it. A failed error never gets here, because it stops the build. */
export function ruleResult({ check, result, found, reason }: CheckOutcome): RuleResult {
  if (result === 'failed') throw new Error(`The rule ${check.name} failed and cannot be published.`);
  const { name, source, column, description, dimension, severity, measure } = check;
  return {
    ...{ name, source, column, description, dimension, severity },
    query: measure.kind === 'query' ? measure.query : null,
    result,
    found,
    ...(reason === null ? {} : { reason }),
  };
}

/** A check implied by a column or, without one, by the table. */
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
    measure: axis
      ? { kind: 'values', columns: [column.name], violation }
      : { kind: 'rows', condition: violation, expectation: NONE },
    ...(column && { place: column.place }),
  };
}

export interface WrongCode {
  /** Of several columns, separated by spaces. */
  readonly code: string;
  readonly rows: number;
  /** The last column's code with its leading zeros; null if it lost none. */
  readonly meant: string | null;
}

export function nameCode({ code, rows, meant }: WrongCode): string {
  const last = code.split(' ').at(-1) ?? '';
  const zeros = meant !== null && meant.length - last.length === 1 ? 'zero' : 'zeros';
  const looks = meant === null ? '' : `, looks like ${meant} without its leading ${zeros}`;
  return `${code} (${countOf(rows, 'row')}${looks})`;
}
