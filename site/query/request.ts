/** What a reader asks of a table, typed and checked: the planner's input. Equal questions are equal requests. */
import type { RowFormat, Scalar } from '../../build/format/documents.ts';
import { compareText } from './order.ts';

export interface RowsRequest {
  readonly format: RowFormat;
  /** Level of detail; of a dimension its only one. */
  readonly detail: string;
  readonly years: YearRange;
  /** In the alphabetical order of their parameters. All must hold. */
  readonly conditions: readonly Condition[];
  readonly offset: number;
  /** Rows at most; null: all. Never null in JSON. */
  readonly limit: number | null;
}

/** Years asked for; null where the question leaves it open. All three must hold. */
export interface YearRange {
  readonly exact: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

/** A column has one of these values. No value is NULL, and NULL is none of them. */
export interface Condition {
  readonly param: string;
  readonly column: string;
  /** Position of the column in the rows. */
  readonly position: number;
  /** Its position in the bounds of a row group; -1 where a row group has none of it. */
  readonly key: number;
  /** Distinct, in the order of the rows. */
  readonly values: readonly Scalar[];
}

export const ALL_YEARS: YearRange = { exact: null, min: null, max: null };

/** The conditions as the envelope's `filters` say them: by parameter, values as sorted text. */
export function describeConditions(conditions: readonly Condition[]): Record<string, readonly string[]> {
  const described: Record<string, readonly string[]> = {};
  for (const { param, values } of conditions) described[param] = values.map(String).sort(compareText);
  return described;
}

/** The request as one text, the same for all ways to write it: what an ETag is made of. */
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
