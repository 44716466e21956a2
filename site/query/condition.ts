/** A condition on a row's values: which row groups it prunes, which values satisfy it, and its SQL. */
import type { Scalar } from '../../build/format/documents.ts';
import type { RowGroup } from '../../build/format/manifest.ts';
import { compareText, compareValues, firstWhere, type Value } from './order.ts';
import { quoteName, quoteText, renderOneOf } from './select-sql.ts';

export interface Condition {
  readonly param: string;
  /** A place's columns, the largest part first; otherwise one column. */
  readonly columns: readonly string[];
  /**
   * `key`: the columns together equal one of the keys; NULL equals NULL. `min`, `max`: the column is at least
   * or at most the only key; NULL never is.
   */
  readonly bound: Bound;
  /** Distinct, in row order, each with a value for every column. */
  readonly keys: readonly (readonly Value[])[];
  /** The keys as the API writes them. */
  readonly texts: readonly string[];
  /** Timestamps in UTC. Values have no Z, so they sort by time. */
  readonly utc?: true;
}

export type Bound = 'key' | End;
type End = 'min' | 'max';

/** Whether the bound is an end of a range; every other one takes a list. */
export function isEnd(bound: Bound): bound is End {
  return bound === 'min' || bound === 'max';
}

type Keys = Condition['keys'];

interface BoundKind {
  /** Tests the value of a key's part at `index` by itself. */
  testValue(keys: Keys, index: number): (value: Value) => boolean;
  /** Whether a row group can have such rows. `places`: the columns' positions among those with bounds. */
  testGroup(keys: Keys, places: readonly number[]): (group: RowGroup) => boolean;
  render(condition: Condition): string;
}

const BOUNDS: Readonly<Record<Bound, BoundKind>> = {
  key: {
    testValue(keys, index) {
      const set = new Set(keys.map(key => key[index] ?? null));
      const [only] = set;
      return set.size === 1 ? value => value === only : value => set.has(value);
    },
    testGroup(keys, places) {
      const firsts = keys.map(([value = null]) => value);
      const canHaveFirst = (group: RowGroup) => canHaveValue(group, places[0] ?? -1, firsts);
      if (places.length === 1) return canHaveFirst;
      const canHave = (group: RowGroup, key: readonly Value[]) =>
        places.every((place, index) => canHaveValue(group, place, [key[index] ?? null]));
      return group => canHaveFirst(group) && keys.some(key => canHave(group, key));
    },
    render({ columns, keys, utc }) {
      const render = (some: Keys) =>
        columns.map((name, index) => renderValues(name, new Set(some.map(key => key[index] ?? null)), utc));
      // DuckDB prunes row groups by one column at a time, so each column's values come first although the
      // keys imply them.
      const each = render(keys).join(' AND ');
      if (columns.length === 1 || keys.length === 1) return each;
      return `${each} AND (${keys.map(key => `(${render([key]).join(' AND ')})`).join(' OR ')})`;
    },
  },
  min: endKind('>=', 'max', sign => sign >= 0),
  max: endKind('<=', 'min', sign => sign <= 0),
};

/** `far`: the row group's bound that is most likely to satisfy the condition. */
function endKind(operator: string, far: 'min' | 'max', holds: (sign: number) => boolean): BoundKind {
  return {
    testValue([[end = null] = []]) {
      return value => value !== null && holds(compareValues(value, end));
    },
    testGroup([[end = null] = []], [place = -1]) {
      return ({ [far]: { [place]: bound }, nulls, rows }) => {
        if (bound === undefined) return true;
        return bound === null ? nulls[place] !== rows : holds(compareValues(bound, end));
      };
    },
    render({ columns: [column = ''], keys: [[end = null] = []], utc }) {
      return `${quoteName(column)} ${operator} ${quoteScalar(end ?? '', utc)}`;
    },
  };
}

/** Tests a column's value by itself, whatever the key's other columns have. */
export function valueTest({ bound, keys }: Condition, index: number): (value: Value) => boolean {
  return BOUNDS[bound].testValue(keys, index);
}

/**
 * Whether a group can have a row that satisfies all conditions. Unknown means yes. `keyColumns`: those with
 * bounds.
 */
export function groupTest(
  conditions: readonly Condition[],
  keyColumns: readonly string[],
): (group: RowGroup) => boolean {
  const tests = conditions.map(({ bound, keys, columns }) =>
    BOUNDS[bound].testGroup(
      keys,
      columns.map(column => keyColumns.indexOf(column)),
    ),
  );
  return group => tests.every(test => test(group));
}

export function renderCondition(condition: Condition): string {
  return BOUNDS[condition.bound].render(condition);
}

/** `values`: ascending. */
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
  return value !== undefined && compareValues(value, greatest) <= 0 && compareValues(value, least) >= 0;
}

/** The envelope's `filters`. */
export function describeConditions(conditions: readonly Condition[]): Record<string, readonly string[]> {
  // fromEntries keeps a column named __proto__ an ordinary key.
  return Object.fromEntries(conditions.map(({ param, texts }) => [param, [...texts].sort(compareText)]));
}

export function inZone(value: Scalar, { utc = false }: { readonly utc?: boolean | undefined }): string {
  return utc ? `${value}Z` : String(value);
}

function renderValues(column: string, values: ReadonlySet<Value>, utc: true | undefined): string {
  const known = [...values].flatMap(value => (value === null ? [] : [quoteScalar(value, utc)]));
  const isNull = `${quoteName(column)} IS NULL`;
  if (known.length === 0) return isNull;
  const isKnown = renderOneOf(column, known);
  return known.length === values.size ? isKnown : `(${isNull} OR ${isKnown})`;
}

/** DuckDB reads plain digits as a DECIMAL and doesn't always convert that to the nearest double. */
function quoteScalar(value: Scalar, utc: true | undefined): string {
  if (typeof value === 'string') return quoteText(inZone(value, { utc }));
  return typeof value === 'boolean' || Number.isSafeInteger(value) ? String(value) : `'${value}'::DOUBLE`;
}
