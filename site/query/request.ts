/** A request: what a reader asks of a table, typed and checked. Equal questions give equal requests. */
import type { RowFormat, Scalar } from '../../build/format/documents.ts';
import { compareText, type Value } from './order.ts';
import { formatPlaceKey } from './place-key.ts';

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
  /** The date or the release whose rows are asked for; absent for those of today. */
  readonly asOf?: string;
  /** Present, and true, if each value that one figure had is asked for. */
  readonly history?: true;
}

/** The years that a question asks for. All three bounds must hold; null sets no bound. */
export interface YearRange {
  readonly exact: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

export type Condition = ListCondition | PlaceCondition | BoundCondition;

interface ColumnCondition {
  readonly param: string;
  readonly column: string;
  /** Position of the column in the rows. */
  readonly position: number;
  /** Its position in the bounds of a row group; -1 where a row group has no bounds of it. */
  readonly key: number;
  /** Present, and true, on timestamps in UTC. Their values have no Z, so that they sort by time. */
  readonly utc?: true;
}

/** The column must have one of these values. NULL is never among them, and a NULL in the column never matches. */
export interface ListCondition extends ColumnCondition {
  readonly bound: 'list';
  /** Distinct, in the order of the rows. */
  readonly values: readonly Scalar[];
}

/** The column's value must be at least (`min`) or at most (`max`) this one. A NULL in the column never matches. */
export interface BoundCondition extends ColumnCondition {
  readonly bound: 'min' | 'max';
  readonly value: Scalar;
}

/** The parts together must be one of these places. */
export interface PlaceCondition {
  readonly bound: 'place';
  readonly param: string;
  /** The columns of a place, the largest first; at least one. */
  readonly parts: readonly PlacePart[];
  /** Distinct, in the order of the rows, each with a value for every part. NULL matches NULL. */
  readonly places: readonly (readonly Value[])[];
}

export type PlacePart = Pick<ListCondition, 'column' | 'position' | 'key'>;

export const ALL_YEARS: YearRange = { exact: null, min: null, max: null };

/** The conditions as the envelope's `filters`: by parameter, with values as sorted texts. */
export function describeConditions(conditions: readonly Condition[]): Record<string, readonly string[]> {
  // fromEntries defines keys, so that a column named __proto__ stays an ordinary key.
  return Object.fromEntries(
    conditions.map(condition => [condition.param, describeValues(condition).sort(compareText)]),
  );
}

function describeValues(condition: Condition): string[] {
  switch (condition.bound) {
    case 'list':
      return condition.values.map(value => inZone(value, condition));
    case 'min':
    case 'max':
      return [inZone(condition.value, condition)];
    case 'place':
      return condition.places.map(formatPlaceKey);
    default:
      return condition satisfies never;
  }
}

/** A value as the API writes it. */
export function inZone(value: Scalar, { utc }: Pick<ListCondition, 'utc'>): string {
  return utc ? `${value}Z` : String(value);
}

/** The request as one text, however its query was written. ETags are made of it. */
export function canonicalText(table: string, request: RowsRequest): string {
  const { format, detail, years, conditions, offset, limit, asOf } = request;
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
    ...(asOf === undefined ? [] : [asOf]),
  ]);
}
