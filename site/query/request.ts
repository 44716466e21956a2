/** A request: what a reader asks of a table, typed and checked. Equal questions give equal requests. */
import type { RowFormat, Scalar } from '../../build/format/documents.ts';
import type { RowGroup } from '../../build/format/manifest.ts';
import { compareText, compareValues, firstWhere, type Value } from './order.ts';
import { formatPlaceKey } from './place-key.ts';
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

export type Condition = ListCondition | PlaceCondition | BoundCondition;

/** Where a column is. */
export interface ColumnPlace {
  readonly column: string;
  /** Position of the column in the rows. */
  readonly position: number;
  /** Its position in the bounds of a row group; -1 where a row group has no bounds of it. */
  readonly key: number;
}

interface ColumnCondition extends ColumnPlace {
  readonly param: string;
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

export type PlacePart = ColumnPlace;

export const ALL_YEARS: YearRange = { exact: null, min: null, max: null };

/** What a kind of condition means. */
interface ConditionKind<Kind extends Condition> {
  readonly columns: (condition: Kind) => readonly ColumnPlace[];
  /** The same condition on other columns, as many. */
  readonly move: (condition: Kind, columns: readonly ColumnPlace[]) => Kind;
  /** The values that its columns must have together, in the order of the rows; null if it names none. */
  readonly keys: (condition: Kind) => readonly (readonly Value[])[] | null;
  /** Its values as the API writes them. */
  readonly describe: (condition: Kind) => string[];
  /** Whether a row of the group can satisfy it. Unknown means yes. */
  readonly test: (condition: Kind, group: RowGroup) => boolean;
  readonly sql: (condition: Kind) => string;
}

const BOUND: ConditionKind<BoundCondition> = {
  columns: condition => [condition],
  move: (condition, [column]) => ({ ...condition, ...column }),
  keys: () => null,
  describe: condition => [inZone(condition.value, condition)],
  test: ({ bound, key, value }, { min, max, nulls, rows }) => {
    const end = bound === 'min' ? max[key] : min[key];
    if (end === undefined) return true;
    if (end === null) return nulls[key] !== rows;
    return bound === 'min' ? compareValues(end, value) >= 0 : compareValues(end, value) <= 0;
  },
  sql: condition => {
    const { bound, column, value, utc } = condition;
    const limit = quoteScalar(utc ? inZone(value, condition) : value);
    return `${quoteName(column)} ${bound === 'min' ? '>=' : '<='} ${limit}`;
  },
};

type ConditionOf<Bound> = Condition extends infer Kind
  ? Kind extends { readonly bound: infer Own }
    ? Bound extends Own
      ? Kind
      : never
    : never
  : never;

/** All kinds. A new one is an entry here, and in `matchOne` of the edge. */
const KINDS: {
  readonly [Bound in Condition['bound']]: ConditionKind<ConditionOf<Bound> & Condition>;
} = {
  list: {
    columns: condition => [condition],
    move: (condition, [column]) => ({ ...condition, ...column }),
    keys: ({ values }) => values.map(value => [value]),
    describe: condition => condition.values.map(value => inZone(value, condition)),
    test: ({ key, values }, group) => canHaveValue(group, key, values),
    sql: condition =>
      renderValues(
        condition.column,
        condition.utc ? condition.values.map(value => inZone(value, condition)) : condition.values,
      ),
  },
  place: {
    columns: ({ parts }) => parts,
    move: (condition, parts) => ({ ...condition, parts }),
    keys: ({ places }) => places,
    describe: ({ places }) => places.map(formatPlaceKey),
    test: ({ parts, places }, group) =>
      places.some(place => parts.every(({ key }, index) => canHaveValue(group, key, [place[index] ?? null]))),
    sql: renderPlaces,
  },
  min: BOUND,
  max: BOUND,
};

function kindOf({ bound }: Condition): ConditionKind<Condition> {
  return KINDS[bound] as ConditionKind<Condition>;
}

export function columnsOf(condition: Condition): readonly ColumnPlace[] {
  return kindOf(condition).columns(condition);
}

export function moveCondition(condition: Condition, columns: readonly ColumnPlace[]): Condition {
  return kindOf(condition).move(condition, columns);
}

/** The columns of a condition, and the values that they must have together; null if the condition names none. */
export function keysOf(condition: Condition) {
  const keys = kindOf(condition).keys(condition);
  return keys && { columns: columnsOf(condition), keys };
}

/** Whether a row of the group can satisfy all conditions. */
export function canMatch(group: RowGroup, conditions: readonly Condition[]): boolean {
  for (const condition of conditions) if (!kindOf(condition).test(condition, group)) return false;
  return true;
}

export function renderCondition(condition: Condition): string {
  return kindOf(condition).sql(condition);
}

/** The conditions as the envelope's `filters`: by parameter, with values as sorted texts. */
export function describeConditions(conditions: readonly Condition[]): Record<string, readonly string[]> {
  // fromEntries defines keys, so that a column named __proto__ stays an ordinary key.
  return Object.fromEntries(
    conditions.map(condition => [condition.param, kindOf(condition).describe(condition).sort(compareText)]),
  );
}

/** A value as the API writes it. */
export function inZone(value: Scalar, { utc }: Pick<ListCondition, 'utc'>): string {
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

/** One of the values; NULL matches NULL. */
function renderValues(column: string, values: readonly Value[]): string {
  const name = quoteName(column);
  const known = values.filter(value => value !== null);
  const isKnown = renderOneOf(column, known.map(quoteScalar));
  if (known.length === values.length) return isKnown;
  return known.length === 0 ? `${name} IS NULL` : `(${name} IS NULL OR ${isKnown})`;
}

/**
 * The values of each part stand first, although the places say it all: DuckDB passes over row groups by the values of
 * one column, not by those of several together.
 */
function renderPlaces({ parts, places }: PlaceCondition): string {
  const each = parts.map(({ column }, index) =>
    renderValues(column, [...new Set(places.map(place => place[index] ?? null))]),
  );
  if (parts.length === 1 || places.length === 1) return each.join(' AND ');
  const whole = places.map(
    place =>
      `(${parts.map(({ column }, index) => renderValues(column, [place[index] ?? null])).join(' AND ')})`,
  );
  return `${each.join(' AND ')} AND (${whole.join(' OR ')})`;
}

/** DuckDB reads plain digits as a DECIMAL, and does not always convert that to the nearest double. */
function quoteScalar(value: Scalar): string {
  if (typeof value === 'string') return quoteText(value);
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
