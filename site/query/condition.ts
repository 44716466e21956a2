/** What a request demands of the values of a row: what it prunes, which values satisfy it, its SQL, and its words. */
import type { Scalar } from '../../build/format/documents.ts';
import type { RowGroup } from '../../build/format/manifest.ts';
import { compareText, compareValues, firstWhere, type Value } from './order.ts';
import { quoteName, quoteText, renderOneOf } from './select-sql.ts';

export interface Condition {
  readonly param: string;
  /** By name. Of a place the largest part first; of other filters one. */
  readonly columns: readonly string[];
  /**
   * `key`: the columns together must have one of the keys. NULL matches NULL, for which only places ask. `min`, `max`: the
   * column's value must be at least, or at most, that of the only key. A NULL in the column never matches.
   */
  readonly bound: Bound;
  /** Distinct, in the order of the rows, each with a value for every column. */
  readonly keys: readonly (readonly Value[])[];
  /** What is asked for, as the API writes it. */
  readonly texts: readonly string[];
  /** Present, and true, on timestamps in UTC. Their values have no Z, so that they sort by time. */
  readonly utc?: true;
}

export type Bound = 'key' | 'min' | 'max';

/** Whether a value of the column at `index` can satisfy a condition, whatever the other columns of its key have. */
export function valueTest({ bound, keys }: Condition, index: number): (value: Value) => boolean {
  const wanted = keys.map(key => key[index] ?? null);
  const [only = null] = wanted;
  switch (bound) {
    case 'key': {
      const set = new Set(wanted);
      return set.size === 1 ? value => value === only : value => set.has(value);
    }
    case 'min':
      return value => value !== null && compareValues(value, only) >= 0;
    case 'max':
      return value => value !== null && compareValues(value, only) <= 0;
    default:
      return bound satisfies never;
  }
}

/** Whether a row of a group can satisfy all conditions. Unknown means yes. `keyColumns`: those that have bounds. */
export function groupTest(
  conditions: readonly Condition[],
  keyColumns: readonly string[],
): (group: RowGroup) => boolean {
  const tests = conditions.map(condition => testOf(condition, keyColumns));
  return group => tests.every(test => test(group));
}

function testOf(
  { bound, columns, keys }: Condition,
  keyColumns: readonly string[],
): (group: RowGroup) => boolean {
  const places = columns.map(column => keyColumns.indexOf(column));
  const [place = -1] = places;
  const firsts = keys.map(([value = null]) => value);
  const [only = null] = firsts;
  switch (bound) {
    case 'key':
      if (places.length === 1) return group => canHaveValue(group, place, firsts);
      return group =>
        canHaveValue(group, place, firsts) &&
        keys.some(key => places.every((one, index) => canHaveValue(group, one, [key[index] ?? null])));
    case 'min':
    case 'max':
      return ({ min, max, nulls, rows }) => {
        const end = bound === 'min' ? max[place] : min[place];
        if (end === undefined) return true;
        if (end === null) return nulls[place] !== rows;
        return bound === 'min' ? compareValues(end, only) >= 0 : compareValues(end, only) <= 0;
      };
    default:
      return bound satisfies never;
  }
}

/** Whether a row of the group can have one of the ascending values in a key column. */
function canHaveValue(group: RowGroup, key: number, values: readonly Value[]): boolean {
  const least = group.min[key];
  const greatest = group.max[key];
  if (least === undefined || greatest === undefined) return true;
  if (values[0] === null && group.nulls[key] !== 0) return true;
  if (least === null || greatest === null) return group.nulls[key] !== group.rows;
  const reaches = (index: number) => compareValues(values[index]!, least) >= 0;
  const value = values[values.length === 1 ? 0 : firstWhere(0, values.length, reaches)];
  return value !== undefined && compareValues(value, least) >= 0 && compareValues(value, greatest) <= 0;
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

export function renderCondition({ bound, columns, keys, utc }: Condition): string {
  switch (bound) {
    case 'key': {
      const render = (some: Condition['keys']) =>
        columns.map((name, index) => renderValues(name, new Set(some.map(key => key[index] ?? null)), utc));
      // The values of each column stand first, although the keys say it all: DuckDB passes over row groups by the values
      // of one column, not by those of several together.
      const each = render(keys).join(' AND ');
      if (columns.length === 1 || keys.length === 1) return each;
      return `${each} AND (${keys.map(key => `(${render([key]).join(' AND ')})`).join(' OR ')})`;
    }
    case 'min':
    case 'max': {
      const [[value = null] = []] = keys;
      return `${quoteName(columns[0] ?? '')} ${bound === 'min' ? '>=' : '<='} ${quoteScalar(value ?? '', utc)}`;
    }
    default:
      return bound satisfies never;
  }
}

/** One of the values; NULL matches NULL. */
function renderValues(column: string, values: ReadonlySet<Value>, utc: true | undefined): string {
  const known = [...values].flatMap(value => (value === null ? [] : [quoteScalar(value, utc)]));
  const isNull = `${quoteName(column)} IS NULL`;
  if (known.length === 0) return isNull;
  const isKnown = renderOneOf(column, known);
  return known.length === values.size ? isKnown : `(${isNull} OR ${isKnown})`;
}

/** DuckDB reads plain digits as a DECIMAL, and does not always convert that to the nearest double. */
function quoteScalar(value: Scalar, utc: true | undefined): string {
  if (typeof value === 'string') return quoteText(inZone(value, { utc }));
  return typeof value === 'boolean' || Number.isSafeInteger(value) ? String(value) : `'${value}'::DOUBLE`;
}
