/** Applies conditions to decoded columns. Each distinct value is judged once, and rows are found by its number. */
import { compareValues, type Value } from '../../query/order.ts';
import { type Condition, columnsOf, type PlaceCondition } from '../../query/request.ts';
import type { ColumnChunk } from './column-chunk.ts';

/** Some rows of a row group, ascending. */
export type RowNumbers = Uint32Array;

/** The positions of the columns that conditions are about. */
export function conditionColumns(conditions: readonly Condition[]): readonly number[] {
  return [...new Set(conditions.flatMap(columnsOf).map(({ position }) => position))];
}

/** The rows among the `count` rows of a row group that satisfy all conditions. */
export function matchRows(
  conditions: readonly Condition[],
  chunks: readonly (ColumnChunk | undefined)[],
  count: number,
): RowNumbers {
  let rows: RowNumbers | null = null;
  for (const condition of conditions) {
    rows = matchOne(condition, chunks, rows);
    if (rows.length === 0) return rows;
  }
  return rows ?? Uint32Array.from({ length: count }, (_, row) => row);
}

/** `rows`: those that satisfy the conditions before; null: all. */
function matchOne(
  condition: Condition,
  chunks: readonly (ColumnChunk | undefined)[],
  rows: RowNumbers | null,
): RowNumbers {
  switch (condition.bound) {
    case 'list': {
      const [only] = condition.values;
      const set = new Set<Value>(condition.values);
      const isWanted = set.size === 1 ? (value: Value) => value === only : (value: Value) => set.has(value);
      return select(chunks[condition.position]!, isWanted, rows);
    }
    case 'min':
      return select(
        chunks[condition.position]!,
        value => value !== null && compareValues(value, condition.value) >= 0,
        rows,
      );
    case 'max':
      return select(
        chunks[condition.position]!,
        value => value !== null && compareValues(value, condition.value) <= 0,
        rows,
      );
    case 'place':
      return matchPlaces(condition, chunks, rows);
    default:
      return condition satisfies never;
  }
}

function select(
  { values, codes }: ColumnChunk,
  isWanted: (value: Value) => boolean,
  rows: RowNumbers | null,
): RowNumbers {
  const wanted = new Uint8Array(values.length);
  let some = 0;
  for (let code = 0; code < wanted.length; code++) {
    if (!isWanted(values[code]!)) continue;
    wanted[code] = 1;
    some++;
  }
  if (some === 0) return new Uint32Array(0);
  if (some === wanted.length && rows) return rows;
  const count = rows?.length ?? codes.length;
  const found = new Uint32Array(count);
  let at = 0;
  for (let index = 0; index < count; index++) {
    const row = rows === null ? index : rows[index]!;
    if (wanted[codes[row]!] === 1) found[at++] = row;
  }
  return found.subarray(0, at);
}

/** Each part leaves fewer rows. Several places of several parts are then told apart as a whole. */
function matchPlaces(
  { parts, places }: PlaceCondition,
  chunks: readonly (ColumnChunk | undefined)[],
  rows: RowNumbers | null,
): RowNumbers {
  let left = rows;
  for (const [index, { position }] of parts.entries()) {
    const wanted = new Set<Value>(places.map(place => place[index] ?? null));
    left = select(chunks[position]!, value => wanted.has(value), left);
  }
  if (left === null || parts.length === 1 || places.length === 1) return left ?? new Uint32Array(0);
  const keys = new Set(places.map(place => JSON.stringify(place)));
  const own = parts.map(({ position }) => chunks[position]!);
  return left.filter(row => keys.has(JSON.stringify(own.map(({ values, codes }) => values[codes[row]!]))));
}
