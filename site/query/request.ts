/** A request: what a reader asks of a table, typed and checked. Equal questions give equal requests. */
import type { RowFormat, Scalar } from '../../build/format/documents.ts';
import { compareText } from './order.ts';

export interface RowsRequest {
  readonly format: RowFormat;
  /** The level of detail; a dimension has only one. */
  readonly detail: string;
  readonly years: YearRange;
  /** In the alphabetical order of their parameters. A row must satisfy all of them. */
  readonly conditions: readonly Condition[];
  readonly offset: number;
  /** The most rows; null means all. Never null in JSON. */
  readonly limit: number | null;
}

/** The years that a question asks for. All three bounds must hold; null sets no bound. */
export interface YearRange {
  readonly exact: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

/** The column must have one of these values. NULL is never among them, and a NULL in the column never matches. */
export interface Condition {
  readonly param: string;
  readonly column: string;
  /** Position of the column in the rows. */
  readonly position: number;
  /** Its position in the bounds of a row group; -1 where a row group has no bounds of it. */
  readonly key: number;
  /** Distinct, in the order of the rows. */
  readonly values: readonly Scalar[];
}

export const ALL_YEARS: YearRange = { exact: null, min: null, max: null };

/** The conditions as the envelope's `filters`: by parameter, with values as sorted texts. */
export function describeConditions(conditions: readonly Condition[]): Record<string, readonly string[]> {
  // fromEntries defines keys, so that a column named __proto__ stays an ordinary key.
  return Object.fromEntries(
    conditions.map(({ param, values }) => [param, values.map(String).sort(compareText)]),
  );
}

/** The request as one text, however its query was written. ETags are made of it. */
export function canonicalText(table: string, request: RowsRequest): string {
  const { format, detail, years, conditions, offset, limit } = request;
  const { exact, min, max } = years;
  return JSON.stringify([
    table,
    format,
    detail,
    exact,
    min,
    max,
    describeConditions(conditions),
    offset,
    limit,
  ]);
}
