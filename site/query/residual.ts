/** Applies the conditions of a residual to a row group, column by column. */
import type { ColumnValues } from './encode.ts';
import type { Condition } from './request.ts';

/** The rows among `rows`, or among all where that is null, whose value satisfies the condition, in their order. */
export function selectRows(
  condition: Condition,
  values: ColumnValues,
  rows: readonly number[] | null,
): readonly number[] {
  const [only] = condition.values;
  const set = condition.values.length === 1 ? null : new Set<unknown>(condition.values);
  const selected: number[] = [];
  const count = rows === null ? values.length : rows.length;
  for (let i = 0; i < count; i++) {
    const row = rows === null ? i : rows[i]!;
    const value = values[row];
    if (set === null ? value === only : set.has(value)) selected.push(row);
  }
  return selected;
}
