import { spellYears } from '../format/year-runs.ts';
import type { ReadColumn } from './base-columns.ts';
import type { RootProperties, YearList } from './custom-profile.ts';
import type { CustomProperties } from './custom-properties.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';
import type { Path } from './yaml-document.ts';

export interface Years {
  /** Years with data, ascending. */
  readonly years: readonly number[];
  /** Years between the first and the last that have none, ascending. */
  readonly gaps: readonly number[];
}

const MAX_YEARS = 500;

const OPEN: Years = { years: [], gaps: [] };

/**
 * Reads a dataset's years from `year_range`, `year_gaps` and `available_years`. Without a range and a list, both lists
 * are empty: the dataset has the years that the lake has. Returns null, with a problem, if one of the three is not valid
 * (`years-invalid`), or if they contradict one another (`years-inconsistent`).
 */
export function readYears(root: CustomProperties<RootProperties>, problems: Problems): Years | null {
  const { year_range, year_gaps, available_years } = root.values;
  if (year_range === undefined && available_years === undefined) {
    const isStated = root.states('year_range') || root.states('available_years');
    return isStated && problems.native ? null : OPEN;
  }
  const range = year_range === undefined ? null : readRange(year_range, root.pathOf('year_range'), problems);
  const listed = available_years && readList(available_years, root.pathOf('available_years'), problems);
  const stated = year_gaps && readGaps(year_gaps, root.pathOf('year_gaps'), problems);
  if ((year_range && !range) || (available_years && !listed) || (year_gaps && !stated)) return null;
  const bounds = range ?? (listed && ([listed[0]!, listed.at(-1)!] as const));
  if (!bounds) return null;

  const [first, last] = bounds;
  const all = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  // A year missing at either end contradicts the range; it is not a gap.
  const within = (year: number) => listed && year > listed[0]! && year < listed.at(-1)!;
  const gaps = stated ?? all.filter(year => within(year) && !listed?.includes(year));
  const years = all.filter(year => !gaps.includes(year));
  const outside = gaps.find(year => year < first || year > last);
  if (outside !== undefined) {
    const message = `the gap ${outside} is not between ${first} and ${last}: remove it or widen year_range`;
    problems.doubt(root.pathOf('year_gaps'), 'years-inconsistent', message);
    return null;
  }
  const wrong = listed
    ? (years.find(y => !listed.includes(y)) ?? listed.find(y => !years.includes(y)))
    : undefined;
  if (wrong !== undefined) {
    const side = years.includes(wrong) ? 'leaves it out' : 'lists it';
    const message = `year_range and year_gaps ${years.includes(wrong) ? 'include' : 'exclude'} ${wrong}, but available_years ${side}: make them agree`;
    problems.doubt(root.pathOf('available_years'), 'years-inconsistent', message);
    return null;
  }
  if (years.length === 0) {
    problems.doubt(
      root.pathOf('year_gaps'),
      'years-inconsistent',
      'the gaps leave no years: remove some of them',
    );
    return null;
  }
  return { years, gaps };
}

/**
 * Reads a level's entry in `level_years`: from a range the years that the dataset has, from a list exactly its years.
 */
export function readLevelYears(value: YearList, years: readonly number[], path: Path, problems: Problems) {
  if (typeof value === 'object') {
    const list = readList(value, path, problems);
    const unknown = list?.find(year => !years.includes(year));
    if (unknown === undefined) return list;
    const message = `the dataset has no year ${unknown}: remove it or correct year_range`;
    problems.doubt(path, 'years-inconsistent', message);
    return null;
  }
  const range = readRange(value, path, problems);
  if (range === null) return null;
  const within = years.filter(year => year >= range[0] && year <= range[1]);
  if (within.length > 0) return within;
  problems.doubt(path, 'years-inconsistent', 'the dataset has none of these years: correct the range');
  return null;
}

/** All years of a range or a list, ascending. Returns null, with a problem, if the value is neither. */
export function readYearList(value: YearList, path: Path, problems: Problems): readonly number[] | null {
  if (typeof value === 'object') return readList(value, path, problems);
  const range = readRange(value, path, problems);
  return range && Array.from({ length: range[1] - range[0] + 1 }, (_, i) => range[0] + i);
}

/** Warns of a year column's example that the dataset has no rows for (`year-example`). */
export function checkYearExample(
  columns: readonly ReadColumn[],
  years: readonly number[],
  problems: Problems,
): void {
  for (const { base, custom, path } of columns) {
    const { example } = base;
    if (custom.values.column_role !== 'year' || example === null || years.includes(Number(example))) continue;
    const message = `the dataset has no year ${quote(example)}, so a request for the example finds no rows: name one of ${spellYears(years)}`;
    problems.warning([...path, 'examples', 0], 'year-example', message);
  }
}

function readRange(value: YearList, path: Path, problems: Problems): readonly [number, number] | null {
  const text = typeof value === 'object' ? value.join('-') : String(value).trim();
  const match = /^(\d{1,4})(?:\s*[-–]\s*(\d{1,4}))?$/.exec(text);
  const first = Number(match?.[1]);
  const last = Number(match?.[2] ?? match?.[1]);
  if (match === null || first < 1 || last < first || last - first >= MAX_YEARS) {
    const message = `${quote(value)} is not a range of years: write "2004-2024" or one year, at most ${MAX_YEARS} years, from year 1 on`;
    problems.doubt(path, 'years-invalid', message);
    return null;
  }
  return [first, last];
}

function readList(list: readonly number[], path: Path, problems: Problems): readonly number[] | null {
  const sorted = [...list].sort((a, b) => a - b);
  if (
    sorted.length > 0 &&
    isYear(sorted[0]!) &&
    isYear(sorted.at(-1)!) &&
    sorted.at(-1)! - sorted[0]! < MAX_YEARS
  ) {
    return sorted;
  }
  const message = `the list must have at least one year, all between 1 and 9999 and within ${MAX_YEARS} years: correct it`;
  problems.doubt(path, 'years-invalid', message);
  return null;
}

function readGaps(list: readonly number[], path: Path, problems: Problems): readonly number[] | null {
  return list.length === 0 ? [] : readList(list, path, problems);
}

function isYear(year: number): boolean {
  return year >= 1 && year <= 9999;
}
