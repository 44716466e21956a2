/** Plans which slices' rows are counted together. Pure. */
import type { Dataset } from '../contract/dataset.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import type { Check } from './check.ts';
import { conditionOf, type Rules } from './slice-counts.ts';

/** How many rows one batch has at most, unless a year has more: few enough to stay in memory. */
export const BATCH_ROWS = 500_000;

/** Plans batches of whole years, as numbers of slices. `rows`: the rows of each slice. */
export function planBatches(slices: readonly LakeSlice[], rows: readonly number[]): number[][] {
  const years = new Map<number, number[]>();
  slices.forEach(({ year }, index) => {
    years.set(year, [...(years.get(year) ?? []), index]);
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
 * The checks that can be counted batch by batch: those that judge each row by itself, and those for duplicates of keys
 * with the year or the time. Another check ensures that a row's year is its slice's.
 */
export function countedInBatches({ columns }: Dataset, checks: readonly Check[], rules: Rules): Check[] {
  const years = columns.filter(({ role }) => role === 'year' || role === 'time').map(({ name }) => name);
  return checks.filter(check => {
    const { measure } = check;
    if (measure.kind === 'duplicates') return measure.columns.some(name => years.includes(name));
    return conditionOf(check, rules) !== null;
  });
}
