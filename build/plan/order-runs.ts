/** Divides a level's years into runs, each of which has its rows in one file for each order. Pure. */
import type { LakeSlice } from '../lake/inventory.ts';

/** Slices of one level, by year. */
export interface OrderRun {
  readonly detail: string;
  readonly slices: readonly LakeSlice[];
}

/**
 * A run has at most so many bytes of the lake, or one year. Longer runs answer questions over many years with fewer
 * reads; shorter ones leave a build less to write when one slice changes.
 */
const RUN_BYTES = 1 << 20;

/**
 * The runs of a level begin at years that a power of two divides, so that a new year changes the last run alone. A level
 * that is small enough is one run.
 */
export function orderRuns(slices: readonly LakeSlice[]): OrderRun[] {
  return [...new Set(slices.map(slice => slice.detail))].sort().flatMap(detail => {
    const own = slices.filter(slice => slice.detail === detail).sort((a, b) => a.year - b.year);
    const length = runLength(own);
    const runs = new Map<number, LakeSlice[]>();
    for (const slice of own) {
      const start = Math.floor(slice.year / length);
      runs.set(start, [...(runs.get(start) ?? []), slice]);
    }
    return [...runs.values()].map(one => ({ detail, slices: one }));
  });
}

/** Years. */
function runLength(slices: readonly LakeSlice[]): number {
  const bytes = slices.flatMap(slice => slice.files).reduce((sum, file) => sum + file.bytes, 0);
  if (bytes <= RUN_BYTES) return Number.POSITIVE_INFINITY;
  let years = 1;
  while ((2 * years * bytes) / slices.length <= RUN_BYTES) years *= 2;
  return years;
}

/** The name of a run within a dataset. Runs of the same name have the same slices. */
export function runName({ detail, slices }: OrderRun): string {
  return `${detail} ${slices.map(slice => slice.year).join(' ')}`;
}
