/** Chooses the row groups that can hold a row that satisfies all conditions. Unknown means keep. */
import type { RowGroup } from '../../build/format/manifest.ts';
import { compareValues, firstWhere, type Value } from './order.ts';
import { canMatch, columnsOf, type Condition, keysOf } from './request.ts';
import type { ParquetSource } from './table.ts';

/** Indexes of row groups, ascending. */
export function pruneGroups(source: ParquetSource, conditions: readonly Condition[]): number[] {
  const { row_groups: all } = source.entry;
  const values = leadValues(source, conditions);
  const groups = values ? reachedGroups(all, source.lead, values) : [...all.keys()];
  return groups.filter(index => canMatch(all[index]!, conditions));
}

/**
 * The values, ascending, that the column by which groups can be found by bisection must have; null where the conditions
 * leave it free.
 */
export function leadValues(
  { lead }: ParquetSource,
  conditions: readonly Condition[],
): readonly Value[] | null {
  if (lead < 0) return null;
  for (const condition of conditions) {
    if (columnsOf(condition)[0]?.key !== lead) continue;
    const keys = keysOf(condition)?.keys;
    if (!keys) continue;
    const values = [...new Set(keys.map(key => key[0] ?? null))];
    // Bisection passes over the groups of NULLs, which come first.
    if (!values.includes(null)) return values;
  }
  return null;
}

/** The groups, whose bounds ascend, that reach one of the ascending values. */
function reachedGroups(all: readonly RowGroup[], key: number, values: readonly Value[]): number[] {
  const groups: number[] = [];
  let next = 0;
  for (const value of values) {
    next = firstWhere(next, all.length, index => compareValues(all[index]!.max[key]!, value) >= 0);
    while (next < all.length && compareValues(all[next]!.min[key]!, value) <= 0) groups.push(next++);
  }
  return groups;
}

/** The row groups that hold the rows of a file from `from` up to `to`. */
export function groupsBetween({ starts }: ParquetSource, from: number, to: number): number[] {
  const groups: number[] = [];
  const first = firstWhere(0, starts.length, index => starts[index]! > from) - 1;
  for (let index = first; index < starts.length && starts[index]! < to; index++) groups.push(index);
  return groups;
}
