/** Years and levels that a release would lose, in words and as YAML for a contract. Pure. */
import { NO_YEAR } from '../format/paths.ts';
import { spellYears, yearRuns } from '../format/time-text.ts';

export interface SliceName {
  readonly year: number;
  readonly detail: string;
}

/** Slices that one phrase names: all levels of some years, all years of some levels, or some of both. */
export interface Loss {
  /** Ascending; empty for all years. */
  readonly years: readonly number[];
  /** Empty for all levels. */
  readonly levels: readonly string[];
}

/** The `lost` ones among the `published` slices, in as few phrases as possible. */
export function compressLosses(published: readonly SliceName[], lost: readonly SliceName[]): Loss[] {
  const isLost = (one: SliceName) =>
    lost.some(({ year, detail }) => year === one.year && detail === one.detail);
  const ofYear = (year: number) => published.filter(one => one.year === year);
  const ofLevel = (detail: string) => published.filter(one => one.detail === detail);
  const details = [...new Set(lost.map(one => one.detail))].sort();
  const goneLevels = details.filter(detail => ofLevel(detail).every(isLost));
  const goneYears = ascending(lost.map(one => one.year)).filter(
    year =>
      year !== NO_YEAR &&
      ofYear(year).every(isLost) &&
      ofYear(year).some(one => !goneLevels.includes(one.detail)),
  );
  const levels = goneLevels.filter(detail => ofLevel(detail).some(one => !goneYears.includes(one.year)));
  const rest = lost.filter(one => !goneYears.includes(one.year) && !levels.includes(one.detail));
  const byYears = new Map<string, Loss>();
  for (const detail of [...new Set(rest.map(one => one.detail))].sort()) {
    const years = ascending(rest.filter(one => one.detail === detail).map(one => one.year));
    const known = byYears.get(String(years));
    byYears.set(String(years), { years, levels: [...(known?.levels ?? []), detail] });
  }
  return [
    ...(goneYears.length === 0 ? [] : [{ years: goneYears, levels: [] }]),
    ...(levels.length === 0 ? [] : [{ years: [], levels }]),
    ...byYears.values(),
  ];
}

function ascending(years: readonly number[]): number[] {
  return [...new Set(years)].sort((a, b) => a - b);
}

/** `2000 to 2009; the level tracts; counties of 2012` */
export function describeLosses(losses: readonly Loss[]): string {
  return losses
    .map(({ years: all, levels }) => {
      const years = all.filter(year => year !== NO_YEAR);
      if (levels.length === 0) return spellYears(years);
      const named = levels.join(', ');
      return years.length === 0
        ? `the ${levels.length === 1 ? 'level' : 'levels'} ${named}`
        : `${named} of ${spellYears(years)}`;
    })
    .join('; ');
}

/** An entry of a contract's `withdrawn`, as YAML on one line. */
export function withdrawalYaml({ years, levels }: Loss, date: string): string {
  const runs = yearRuns(years);
  const [run] = runs;
  const list =
    runs.length === 1 && run && run.first < run.last ? `"${run.first}-${run.last}"` : `[${years.join(', ')}]`;
  const parts = [
    `date: ${date}`,
    'reason: "…"',
    ...(years.length === 0 ? [] : [`years: ${list}`]),
    ...(levels.length === 0 ? [] : [`levels: [${levels.join(', ')}]`]),
  ];
  return `{ ${parts.join(', ')} }`;
}
