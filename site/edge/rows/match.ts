/** Applies conditions to decoded columns. Each distinct value is judged once, and rows are found by its number. */
import { type Condition, valueTest } from '../../query/condition.ts';
import type { Value } from '../../query/order.ts';
import { positionOf, type Table } from '../../query/table.ts';
import type { ColumnChunk } from './column-cache.ts';

/** Some rows of a row group, ascending. */
export type RowNumbers = Uint32Array;

/** The rows among the `count` rows of a row group that satisfy all conditions. */
export type Matcher = (chunks: readonly (ColumnChunk | undefined)[], count: number) => RowNumbers;

type Test = (value: Value) => boolean;

type Columns = Pick<Table, 'columns'>;

/** The positions of the columns that conditions are about. */
export function conditionColumns(table: Columns, conditions: readonly Condition[]): readonly number[] {
  return [...new Set(conditions.flatMap(({ columns }) => columns).map(name => positionOf(table, name)))];
}

/** Rows of the group that is being matched. Nothing waits while they are in use, and mostly few rows of a group match. */
let scratch = new Uint32Array(0);

export function matcherOf(table: Columns, conditions: readonly Condition[]): Matcher {
  // Both bounds of a range are about one column, which is looked through once.
  const tests = new Map<number, Test[]>();
  for (const condition of conditions)
    for (const [index, name] of condition.columns.entries()) {
      const position = positionOf(table, name);
      tests.set(position, [...(tests.get(position) ?? []), valueTest(condition, index)]);
    }
  // Each part of a place leaves fewer rows. Several places of several parts are then told apart as a whole.
  const wholes = conditions.filter(one => one.columns.length > 1 && one.keys.length > 1);
  return (chunks, count) => {
    if (tests.size === 0) return allRows(count);
    if (scratch.length < count) scratch = new Uint32Array(count);
    let left: number | null = null;
    for (const [position, own] of tests) {
      left = select(chunks[position]!, own, left);
      if (left === 0) break;
    }
    const rows = scratch.slice(0, left ?? 0);
    return wholes.reduce<RowNumbers>((some, whole) => keepKeys(table, whole, chunks, some), rows);
  };
}

function allRows(count: number): RowNumbers {
  const rows = new Uint32Array(count);
  for (let row = 0; row < count; row++) rows[row] = row;
  return rows;
}

/**
 * Leaves those of the first `left` rows in `scratch`, or of all rows if that is null, whose values pass. Returns their
 * number.
 */
function select({ values, codes }: ColumnChunk, tests: readonly Test[], left: number | null): number {
  const wanted = new Uint8Array(values.length);
  let some = 0;
  for (let code = 0; code < wanted.length; code++) {
    if (!tests.every(test => test(values[code]!))) continue;
    wanted[code] = 1;
    some++;
  }
  if (some === 0) return 0;
  if (some === wanted.length && left !== null) return left;
  const rows = scratch;
  const count = left ?? codes.length;
  let at = 0;
  // Without a branch, which a processor could not foresee.
  for (let index = 0; index < count; index++) {
    const row = left === null ? index : rows[index]!;
    rows[at] = row;
    at += wanted[codes[row]!]!;
  }
  return at;
}

function keepKeys(
  table: Columns,
  { columns, keys: wanted }: Condition,
  chunks: readonly (ColumnChunk | undefined)[],
  rows: RowNumbers,
): RowNumbers {
  const keys = new Set(wanted.map(key => JSON.stringify(key)));
  const own = columns.map(name => chunks[positionOf(table, name)]!);
  return rows.filter(row => keys.has(JSON.stringify(own.map(({ values, codes }) => values[codes[row]!]))));
}
