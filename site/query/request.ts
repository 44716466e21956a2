/** A request: what a reader asks of a table, typed and checked. Equal questions give equal requests. */
import type { RowFormat, Scalar } from '../../build/format/documents.ts';
import type { RowGroup } from '../../build/format/manifest.ts';
import { compareText, compareValues, firstWhere, type Value } from './order.ts';
import { quoteName, quoteText, renderOneOf } from './select-sql.ts';

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

export type Condition = KeyCondition | BoundCondition;

interface ColumnsCondition {
  readonly param: string;
  /** By name. Of a place the largest part first; of other filters one. */
  readonly columns: readonly string[];
  /** What is asked for, as the API writes it. */
  readonly texts: readonly string[];
  /** Present, and true, on timestamps in UTC. Their values have no Z, so that they sort by time. */
  readonly utc?: true;
}

/** The columns together must have one of these keys. NULL matches NULL, for which only places ask. */
export interface KeyCondition extends ColumnsCondition {
  readonly bound: 'key';
  /** Distinct, in the order of the rows, each with a value for every column. */
  readonly keys: readonly (readonly Value[])[];
}

/** The column's value must be at least (`min`) or at most (`max`) this one. A NULL in the column never matches. */
export interface BoundCondition extends ColumnsCondition {
  readonly bound: 'min' | 'max';
  readonly value: Scalar;
}

export const ALL_YEARS: YearRange = { exact: null, min: null, max: null };

/** Whether a row of a group can satisfy all conditions. Unknown means yes. `keyColumns`: those that have bounds. */
export function groupTest(
  conditions: readonly Condition[],
  keyColumns: readonly string[],
): (group: RowGroup) => boolean {
  const tests = conditions.map(condition => testOf(condition, keyColumns));
  return group => tests.every(test => test(group));
}

function testOf(condition: Condition, keyColumns: readonly string[]): (group: RowGroup) => boolean {
  const places = condition.columns.map(column => keyColumns.indexOf(column));
  switch (condition.bound) {
    case 'key': {
      const { keys } = condition;
      const [place = -1] = places;
      if (places.length === 1) {
        const values = keys.map(([value = null]) => value);
        return group => canHaveValue(group, place, values);
      }
      return group =>
        keys.some(key => places.every((one, index) => canHaveValue(group, one, [key[index] ?? null])));
    }
    case 'min':
    case 'max': {
      const { bound, value } = condition;
      const [place = -1] = places;
      return ({ min, max, nulls, rows }) => {
        const end = bound === 'min' ? max[place] : min[place];
        if (end === undefined) return true;
        if (end === null) return nulls[place] !== rows;
        return bound === 'min' ? compareValues(end, value) >= 0 : compareValues(end, value) <= 0;
      };
    }
    default:
      return condition satisfies never;
  }
}

/** The conditions as the envelope's `filters`: by parameter, with values as sorted texts. */
export function describeConditions(conditions: readonly Condition[]): Record<string, readonly string[]> {
  // fromEntries defines keys, so that a column named __proto__ stays an ordinary key.
  return Object.fromEntries(conditions.map(({ param, texts }) => [param, [...texts].sort(compareText)]));
}

/** A value as the API writes it. */
export function inZone(value: Scalar, { utc = false }: { readonly utc?: boolean | undefined }): string {
  return utc ? `${value}Z` : String(value);
}

/** Whether a row of the group can have one of the ascending values in a key column. */
function canHaveValue(group: RowGroup, key: number, values: readonly Value[]): boolean {
  const least = group.min[key];
  const greatest = group.max[key];
  if (least === undefined || greatest === undefined) return true;
  if (values[0] === null && group.nulls[key] !== 0) return true;
  if (least === null || greatest === null) return group.nulls[key] !== group.rows;
  const first =
    values.length === 1
      ? 0
      : firstWhere(0, values.length, index => compareValues(values[index]!, least) >= 0);
  const value = values[first];
  return value !== undefined && compareValues(value, least) >= 0 && compareValues(value, greatest) <= 0;
}

export function renderCondition(condition: Condition): string {
  const { columns, utc } = condition;
  const [column = ''] = columns;
  switch (condition.bound) {
    case 'key': {
      const { keys } = condition;
      // The values of each column stand first, although the keys say it all: DuckDB passes over row groups by the values
      // of one column, not by those of several together.
      const each = columns.map((name, index) =>
        renderValues(name, [...new Set(keys.map(key => key[index] ?? null))], utc),
      );
      if (columns.length === 1 || keys.length === 1) return each.join(' AND ');
      const whole = keys.map(
        key =>
          `(${columns.map((name, index) => renderValues(name, [key[index] ?? null], utc)).join(' AND ')})`,
      );
      return `${each.join(' AND ')} AND (${whole.join(' OR ')})`;
    }
    case 'min':
    case 'max':
      return `${quoteName(column)} ${condition.bound === 'min' ? '>=' : '<='} ${quoteScalar(condition.value, utc)}`;
    default:
      return condition satisfies never;
  }
}

/** One of the values; NULL matches NULL. */
function renderValues(column: string, values: readonly Value[], utc: true | undefined): string {
  const name = quoteName(column);
  const known = values.filter(value => value !== null);
  const isKnown = renderOneOf(
    column,
    known.map(value => quoteScalar(value, utc)),
  );
  if (known.length === values.length) return isKnown;
  return known.length === 0 ? `${name} IS NULL` : `(${name} IS NULL OR ${isKnown})`;
}

/** DuckDB reads plain digits as a DECIMAL, and does not always convert that to the nearest double. */
function quoteScalar(value: Scalar, utc: true | undefined): string {
  if (typeof value === 'string') return quoteText(inZone(value, { utc }));
  return typeof value === 'boolean' || Number.isSafeInteger(value) ? String(value) : `'${value}'::DOUBLE`;
}

/** The request as one text, however its query was written. ETags are made of it. */
export function canonicalText(table: string, request: RowsRequest): string {
  const { format, detail, years, conditions, offset, limit, asOf } = request;
  const { exact, min, max } = years;
  const filters = describeConditions(conditions);
  const all = [table, format, detail, exact, min, max, filters, offset, limit];
  return JSON.stringify(asOf === undefined ? all : [...all, asOf]);
}
