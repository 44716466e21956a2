/** Applies the conditions of a residual to a row group, column by column. */
import type { ColumnValues } from './encode.ts';
import { compareValues, type Value } from './order.ts';
import type { BoundCondition, Condition, PlaceCondition } from './request.ts';

/** The values of a column, by its position among the table's columns. */
export type ColumnReader = (position: number) => ColumnValues | Promise<ColumnValues>;

/** The rows among `rows`, or among all where that is null, that satisfy the condition, in their order. */
export async function selectRows(
  condition: Condition,
  column: ColumnReader,
  rows: readonly number[] | null,
): Promise<readonly number[]> {
  switch (condition.bound) {
    case 'list':
      return selectValues(condition.values, await column(condition.position), rows);
    case 'min':
    case 'max':
      return selectBounded(condition, await column(condition.position), rows);
    case 'place':
      return selectPlaces(condition, column, rows);
    default:
      return condition satisfies never;
  }
}

function selectValues(
  wanted: readonly Value[],
  values: ColumnValues,
  rows: readonly number[] | null,
): readonly number[] {
  const [only] = wanted;
  const set = wanted.length === 1 ? null : new Set<unknown>(wanted);
  const selected: number[] = [];
  const count = rows === null ? values.length : rows.length;
  for (let i = 0; i < count; i++) {
    const row = rows === null ? i : rows[i]!;
    const value = values[row] ?? null;
    if (set === null ? value === only : set.has(value)) selected.push(row);
  }
  return selected;
}

function selectBounded(
  { bound, value: limit }: BoundCondition,
  values: ColumnValues,
  rows: readonly number[] | null,
): readonly number[] {
  const sign = bound === 'min' ? 1 : -1;
  const selected: number[] = [];
  const count = rows === null ? values.length : rows.length;
  for (let i = 0; i < count; i++) {
    const row = rows === null ? i : rows[i]!;
    const value = values[row] ?? null;
    if (value !== null && sign * compareValues(value, limit) >= 0) selected.push(row);
  }
  return selected;
}

/** Each part leaves fewer rows, and a part that leaves none saves the columns of the others. */
async function selectPlaces(
  { parts, places }: PlaceCondition,
  column: ColumnReader,
  rows: readonly number[] | null,
): Promise<readonly number[]> {
  const columns: ColumnValues[] = [];
  let left = rows;
  for (const [index, { position }] of parts.entries()) {
    const values = await column(position);
    columns.push(values);
    left = selectValues([...new Set(places.map(place => place[index] ?? null))], values, left);
    if (left.length === 0) return left;
  }
  if (parts.length === 1 || places.length === 1) return left ?? [];
  const keys = new Set(places.map(place => JSON.stringify(place)));
  return (left ?? []).filter(row => keys.has(JSON.stringify(columns.map(values => values[row] ?? null))));
}
