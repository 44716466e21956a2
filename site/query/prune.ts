/** Chooses the row groups that can hold a row that satisfies all conditions. Unknown means keep. */
import type { RowGroup } from '../../build/format/manifest.ts';
import { compareValues, type Value } from './order.ts';
import type { BoundCondition, Condition, PlaceCondition } from './request.ts';
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
  const lead = leadValues(source, conditions);
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
  for (const value of lead) {
    next = firstReaching(all, source.lead, value, next);
    while (next < all.length && compareValues(all[next]!.min[source.lead]!, value) <= 0) visit(next++);
  }
  return { groups, bytes, rows };
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
    if (condition.bound === 'place') {
      const values = condition.parts[0]?.key === lead ? firstValues(condition) : [null];
      // Bisection passes over the groups of NULLs, which come first.
      if (!values.includes(null)) return values;
    } else if (condition.bound === 'list' && condition.key === lead) return condition.values;
  }
  return null;
}

/** Places are in the order of the rows, so these ascend. */
function firstValues({ places }: PlaceCondition): readonly Value[] {
  return [...new Set(places.map(place => place[0] ?? null))];
}

export function canMatch(group: RowGroup, conditions: readonly Condition[]): boolean {
  return conditions.every(condition => {
    switch (condition.bound) {
      case 'list':
        return canHaveValue(group, condition.key, condition.values);
      case 'min':
      case 'max':
        return canReach(group, condition);
      case 'place':
        return canHavePlace(group, condition);
      default:
        return condition satisfies never;
    }
  });
}

/** Whether a row of the group can have one of the ascending values in a key column. */
function canHaveValue(group: RowGroup, key: number, values: readonly Value[]): boolean {
  if (key < 0) return true;
  const min = group.min[key];
  const max = group.max[key];
  if (min === undefined || max === undefined) return true;
  if (values[0] === null && group.nulls[key] !== 0) return true;
  if (min === null || max === null) return group.nulls[key] !== group.rows;
  return someWithin(values, min, max);
}

/** Whether a row of the group can have a value on the right side of a bound. */
function canReach(group: RowGroup, { bound, key, value }: BoundCondition): boolean {
  const end = bound === 'min' ? group.max[key] : group.min[key];
  if (end === undefined) return true;
  if (end === null) return group.nulls[key] !== group.rows;
  return bound === 'min' ? compareValues(end, value) >= 0 : compareValues(end, value) <= 0;
}

function canHavePlace(group: RowGroup, { parts, places }: PlaceCondition): boolean {
  return places.some(place =>
    parts.every(({ key }, index) => canHaveValue(group, key, [place[index] ?? null])),
  );
}

/** Whether one of the ascending values lies between two bounds. */
function someWithin(values: readonly Value[], min: Value, max: Value): boolean {
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
