/** Applies the conditions of a residual to a row group, column by column. */
import type { ColumnValues } from './encode.ts';
import { compareValues, type Value } from './order.ts';
import type { Condition } from './request.ts';

/** The rows among `rows`, or among all where that is null, whose value satisfies the condition, in their order. */
export function selectRows(
  condition: Condition,
  values: ColumnValues,
  rows: readonly number[] | null,
): readonly number[] {
  const matches = matcher(condition);
  const selected: number[] = [];
  const count = rows === null ? values.length : rows.length;
  for (let i = 0; i < count; i++) {
    const row = rows === null ? i : rows[i]!;
    if (matches(values[row] ?? null)) selected.push(row);
  }
  return selected;
}

function matcher(condition: Condition): (value: Value) => boolean {
  if (condition.bound === 'list') {
    const { values } = condition;
    const [only] = values;
    if (values.length === 1) return value => value === only;
    const set = new Set<Value>(values);
    return value => set.has(value);
  }
  const { bound, value: limit } = condition;
  if (typeof limit === 'number') {
    return bound === 'min'
      ? value => value !== null && (value as number) >= limit
      : value => value !== null && (value as number) <= limit;
  }
  const sign = bound === 'min' ? 1 : -1;
  return value => value !== null && sign * compareValues(value, limit) >= 0;
}
