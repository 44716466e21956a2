/** Chooses the row groups that can hold a row that satisfies all conditions. Unknown means keep. */
import type { Scalar } from '../../build/format/documents.ts';
import type { RowGroup } from '../../build/format/manifest.ts';
import { compareValues, type Value } from './order.ts';
import type { Condition, ListCondition } from './request.ts';
import type { ParquetSource } from './table.ts';

export interface Pruned {
  /** Indexes of row groups, ascending. */
  readonly groups: readonly number[];
  /** Their compressed bytes. */
  readonly bytes: number;
  /** Their rows. No more than these can match. */
  readonly rows: number;
}

export function pruneGroups(source: ParquetSource, conditions: readonly Condition[]): Pruned {
  const all = source.entry.row_groups;
  const lead = leadCondition(source, conditions);
  const groups: number[] = [];
  let bytes = 0;
  let rows = 0;
  const visit = (index: number) => {
    const group = all[index]!;
    if (!canMatch(group, conditions)) return;
    groups.push(index);
    bytes += source.groupBytes[index]!;
    rows += group.rows;
  };
  if (!lead) {
    for (let i = 0; i < all.length; i++) visit(i);
    return { groups, bytes, rows };
  }
  let next = 0;
  for (const value of lead.values) {
    next = firstReaching(all, lead.key, value, next);
    while (next < all.length && compareValues(all[next]!.min[lead.key]!, value) <= 0) visit(next++);
  }
  return { groups, bytes, rows };
}

/** The condition on the column by which groups can be found by bisection; undefined where there is none. */
export function leadCondition(
  source: ParquetSource,
  conditions: readonly Condition[],
): ListCondition | undefined {
  if (source.lead < 0) return undefined;
  return conditions.find(
    (condition): condition is ListCondition => condition.bound === 'list' && condition.key === source.lead,
  );
}

function canMatch(group: RowGroup, conditions: readonly Condition[]): boolean {
  for (const condition of conditions) {
    const { key } = condition;
    if (key < 0) continue;
    const min = group.min[key];
    const max = group.max[key];
    if (min === undefined || max === undefined) continue;
    if (min === null || max === null) {
      if (group.nulls[key] === group.rows) return false;
      continue;
    }
    if (!overlaps(condition, min, max)) return false;
  }
  return true;
}

function overlaps(condition: Condition, min: Scalar, max: Scalar): boolean {
  switch (condition.bound) {
    case 'list':
      return someWithin(condition.values, min, max);
    case 'min':
      return compareValues(max, condition.value) >= 0;
    case 'max':
      return compareValues(min, condition.value) <= 0;
    default:
      return condition satisfies never;
  }
}

/** Whether one of the ascending values lies between two bounds. */
function someWithin(values: readonly Scalar[], min: Scalar, max: Scalar): boolean {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareValues(values[middle]!, min) < 0) low = middle + 1;
    else high = middle;
  }
  return low < values.length && compareValues(values[low]!, max) <= 0;
}

/** The first group from `from` on, of groups whose greatest values ascend, that reaches up to `least`. */
function firstReaching(groups: readonly RowGroup[], key: number, least: Value, from: number): number {
  let low = from;
  let high = groups.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareValues(groups[middle]!.max[key]!, least) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
