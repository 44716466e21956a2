/** Applies conditions to decoded columns. Each distinct value is judged once, and rows are found by its number. */
import { compareValues, type Value } from '../../query/order.ts';
import { type Condition, columnsOf, type PlaceCondition } from '../../query/request.ts';
import type { ColumnChunk } from './column-cache.ts';

/** Some rows of a row group, ascending. */
export type RowNumbers = Uint32Array;

/** The rows among the `count` rows of a row group that satisfy all conditions. */
export type Matcher = (chunks: readonly (ColumnChunk | undefined)[], count: number) => RowNumbers;

type Test = (value: Value) => boolean;

/** The positions of the columns that conditions are about. */
export function conditionColumns(conditions: readonly Condition[]): readonly number[] {
  return [...new Set(conditions.flatMap(columnsOf).map(({ position }) => position))];
}

/** Rows of the group that is being matched. Nothing waits while they are in use, and mostly few rows of a group match. */
let scratch = new Uint32Array(0);

export function matcherOf(conditions: readonly Condition[]): Matcher {
  // Both bounds of a range are about one column, which is looked through once.
  const tests = new Map<number, Test[]>();
  for (const condition of conditions)
    for (const [position, test] of testsOf(condition))
      tests.set(position, [...(tests.get(position) ?? []), test]);
  // Each part of a place leaves fewer rows. Several places of several parts are then told apart as a whole.
  const wholes = conditions.flatMap(one =>
    one.bound === 'place' && one.parts.length > 1 && one.places.length > 1 ? [one] : [],
  );
  return (chunks, count) => {
    if (tests.size === 0) return Uint32Array.from({ length: count }, (_, row) => row);
    if (scratch.length < count) scratch = new Uint32Array(count);
    let left: number | null = null;
    for (const [position, own] of tests) {
      left = select(chunks[position]!, own, left);
      if (left === 0) break;
    }
    const rows = scratch.slice(0, left ?? 0);
    return wholes.reduce<RowNumbers>((some, whole) => keepPlaces(whole, chunks, some), rows);
  };
}

function testsOf(condition: Condition): readonly (readonly [position: number, test: Test])[] {
  switch (condition.bound) {
    case 'list':
      return [[condition.position, isOneOf(condition.values)]];
    case 'min':
      return [[condition.position, value => value !== null && compareValues(value, condition.value) >= 0]];
    case 'max':
      return [[condition.position, value => value !== null && compareValues(value, condition.value) <= 0]];
    case 'place':
      return condition.parts.map(({ position }, index) => [
        position,
        isOneOf(condition.places.map(place => place[index] ?? null)),
      ]);
    default:
      return condition satisfies never;
  }
}

function isOneOf(values: readonly Value[]): Test {
  const set = new Set(values);
  const [only] = values;
  return set.size === 1 ? value => value === only : value => set.has(value);
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

function keepPlaces(
  { parts, places }: PlaceCondition,
  chunks: readonly (ColumnChunk | undefined)[],
  rows: RowNumbers,
): RowNumbers {
  const keys = new Set(places.map(place => JSON.stringify(place)));
  const own = parts.map(({ position }) => chunks[position]!);
  return rows.filter(row => keys.has(JSON.stringify(own.map(({ values, codes }) => values[codes[row]!]))));
}
