/** Divides a level's years into runs, each of which has its rows in one file of each copy. Pure. */
import type { LakeSlice } from '../lake/inventory.ts';
import type { CopyRun } from '../slice/copy-writer.ts';

/** In a dataset with one year, the slices have the order of the copy by place. */
export function copyRuns(slices: readonly LakeSlice[]): CopyRun[] {
  const isOneYear = new Set(slices.map(slice => slice.year)).size < 2;
  return levelsOf(slices).flatMap(({ detail, own }) => [
    ...(isOneYear ? [] : [{ by: 'place' as const, detail, slices: own }]),
    ...valueRuns(own).map(run => ({ by: 'values' as const, detail, slices: run })),
  ]);
}

function levelsOf(slices: readonly LakeSlice[]) {
  return [...new Set(slices.map(slice => slice.detail))].sort().map(detail => ({
    detail,
    own: slices.filter(slice => slice.detail === detail).sort((a, b) => a.year - b.year),
  }));
}

/**
 * A run has at most so many bytes of the lake, or one year. Longer runs answer questions over many years with fewer
 * reads; shorter ones leave a build less to write when one slice changes.
 */
const RUN_BYTES = 1 << 20;

/**
 * Runs begin at years that a power of two divides, so that a new year changes the last run alone. A level that is small
 * enough is one run.
 */
function valueRuns(slices: readonly LakeSlice[]): LakeSlice[][] {
  const length = runLength(slices);
  const runs = new Map<number, LakeSlice[]>();
  for (const slice of slices) {
    const start = Math.floor(slice.year / length);
    runs.set(start, [...(runs.get(start) ?? []), slice]);
  }
  return [...runs.values()];
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
export function runName({ by, detail, slices }: CopyRun): string {
  return `${detail} by ${by} ${slices.map(slice => slice.year).join(' ')}`;
}
