/** Random bounds of columns' values, from values of existing rows. */
import type { DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { type LakeTable, name } from './lake-tables.ts';

/** A parameter that bounds the values of a column. */
export interface SubjectRange {
  readonly param: string;
  readonly column: string;
  readonly bound: 'min' | 'max';
  /** Of rows, as a URL writes them. */
  readonly values: readonly string[];
  readonly type: string;
}

export interface AskedRange extends Pick<SubjectRange, 'param' | 'column' | 'bound'> {
  readonly value: string;
}

interface Filter {
  readonly param: string;
  readonly kind: string;
  readonly column?: string;
  readonly type?: string;
  readonly bound?: 'min' | 'max';
}

export async function describeRanges(
  connection: DuckDBConnection,
  table: LakeTable,
  filters: readonly Filter[],
): Promise<SubjectRange[]> {
  const ranges: SubjectRange[] = [];
  for (const { param, kind, column = param, type = 'string', bound = 'min' } of filters) {
    if (kind !== 'range') continue;
    const found = await connection.runAndReadAll(
      `SELECT DISTINCT ${name(column)} AS v FROM ${table.sqlName} WHERE v IS NOT NULL ORDER BY hash(v) LIMIT 20`,
    );
    const values = found.getRows().map(row => String(row[0]));
    if (values.length > 0) ranges.push({ param, column, bound, values, type });
  }
  return ranges;
}

/** At most one column's bounds, the least first: the other way round they are a mistake. */
export function askedRanges(known: readonly SubjectRange[]): fc.Arbitrary<readonly AskedRange[] | undefined> {
  if (known.length === 0) return fc.constant(undefined);
  return fc
    .tuple(fc.constantFrom(...known), fc.boolean(), fc.nat(), fc.nat())
    .map(([{ param, column, bound, values, type }, both, i, j]) => {
      const numeric = type === 'number' || type === 'integer';
      const order = (a: string, b: string) =>
        numeric ? Number(a) - Number(b) : a.replace('Z', '') < b.replace('Z', '') ? -1 : 1;
      const [least = '', most = ''] = [values[i % values.length]!, values[j % values.length]!].sort(order);
      const other = known.find(one => one.column === column && one.bound !== bound);
      if (!both || !other) return [{ param, column, bound, value: least }];
      return [
        { param, column, bound, value: bound === 'min' ? least : most },
        { param: other.param, column, bound: other.bound, value: bound === 'min' ? most : least },
      ];
    });
}

const RANGE_FAULTS = new Map([
  ['integer', 'int_parsing'],
  ['date', 'date_parsing'],
  ['timestamp', 'datetime_parsing'],
]);

/** The problem of a bound that is no value of its column. */
export function rangeFault(type: string): string {
  return RANGE_FAULTS.get(type) ?? 'float_parsing';
}
