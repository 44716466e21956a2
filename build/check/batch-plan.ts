/** Which slices' rows are counted together. Pure. */
import type { Dataset } from '../contract/dataset.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import type { Check } from './check.ts';
import { conditionOf, type Rules } from './slice-counts.ts';

/** Rows that are loaded at once, unless a year has more: few enough to stay in memory. */
export const BATCH_ROWS = 500_000;

/** Batches of whole years, as numbers of slices; `rows` are those of each slice, and slices in `known` are in no batch. */
export function planBatches(
  slices: readonly LakeSlice[],
  rows: readonly number[],
  known: ReadonlySet<number>,
): number[][] {
  const years = new Map<number, number[]>();
  slices.forEach(({ year }, index) => {
    if (!known.has(index)) years.set(year, [...(years.get(year) ?? []), index]);
  });
  const batches: number[][] = [];
  let room = 0;
  for (const own of years.values()) {
    const count = own.reduce((sum, index) => sum + (rows[index] ?? 0), 0);
    if (batches.length === 0 || count > room) {
      batches.push([]);
      room = BATCH_ROWS;
    }
    batches.at(-1)?.push(...own);
    room -= count;
  }
  return batches;
}

/**
 * Checks whose counts of batches make up those of all rows: those that look at each row by itself, or for rows that are
 * alike in their year and more. Another check sees to it that a row's year is that of its slice.
 */
export function countedInBatches({ columns }: Dataset, checks: readonly Check[], rules: Rules): Check[] {
  const year = columns.find(column => column.role === 'year')?.name;
  return checks.filter(check => {
    const { measure } = check;
    if (measure.kind === 'duplicates') return year !== undefined && measure.columns.includes(year);
    return conditionOf(check, rules) !== null;
  });
}
