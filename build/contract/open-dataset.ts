/** Completes a dataset whose contract leaves its years or its levels to the lake. Pure. */
import type { Dataset } from './dataset.ts';
import { isWithdrawnSlice } from './withdrawn-slices.ts';

interface Slice {
  readonly year: number;
  readonly detail: string;
}

/**
 * Fills in the years and levels that the contract leaves open from the slices of the lake. Levels are in alphabetical
 * order; the default is the stated one, otherwise the first.
 */
export function completeDataset(dataset: Dataset, slices: readonly Slice[]): Dataset {
  const { open } = dataset;
  if ((!open.years && !open.levels) || slices.length === 0) return dataset;
  const kept = slices.filter(({ year, detail }) => !isWithdrawnSlice(dataset.withdrawnSlices, year, detail));
  const levels = open.levels ? [...new Set(kept.map(({ detail }) => detail))].sort() : dataset.levels;
  const years = open.years ? ascending(kept.map(({ year }) => year)) : dataset.years;
  const levelYears = new Map(
    levels.flatMap((level): [string, readonly number[]][] => {
      const own = ascending(kept.filter(({ detail }) => detail === level).map(({ year }) => year));
      const promised = open.years ? own : dataset.levelYears.get(level);
      return promised !== undefined && promised.length > 0 && promised.length < years.length
        ? [[level, promised]]
        : [];
    }),
  );
  const keys = { present: [], absent: [] };
  return {
    ...dataset,
    years,
    yearGaps: open.years ? gapsOf(years) : dataset.yearGaps,
    levels,
    defaultLevel: levels.includes(dataset.defaultLevel) ? dataset.defaultLevel : (levels[0] ?? ''),
    levelYears,
    // Names of levels that the lake gives say nothing about places.
    levelKeys: open.levels ? new Map(levels.map(level => [level, keys])) : dataset.levelKeys,
  };
}

function ascending(years: readonly number[]): number[] {
  return [...new Set(years)].sort((a, b) => a - b);
}

function gapsOf(years: readonly number[]): number[] {
  const [first = 0, last = -1] = [years[0], years.at(-1)];
  return Array.from({ length: last - first + 1 }, (_, i) => first + i).filter(year => !years.includes(year));
}
