/** Reads which years and levels a dataset promises, has withdrawn, or corrects. */
import { isWithin } from '../format/changes.ts';
import type { Erratum, Withdrawal, WithdrawnSlices } from '../format/documents.ts';
import { isName, ONLY_LEVEL } from '../format/paths.ts';
import { isDate } from '../format/time-text.ts';
import type { ReadColumn } from './columns.ts';
import type { ObjectProperties, RootProperties, SeriesBreak, YearList } from './custom-profile.ts';
import type { Dataset, ForeignKey, LevelKeys } from './dataset.ts';
import { checkName } from './dataset-name.ts';
import { quote, quoteList, suggestion } from './diagnostic.ts';
import type { Problems } from './problems.ts';
import type { CustomProperties } from './shape.ts';
import type { Path } from './yaml-document.ts';

export interface Years {
  /** Ascending. */
  readonly years: readonly number[];
  /** Years without data between the first and the last, ascending. */
  readonly gaps: readonly number[];
}

const MAX_YEARS = 500;

const OPEN: Years = { years: [], gaps: [] };

/**
 * Reads `year_range`, `year_gaps` and `available_years`. Without a range and a list, both lists are empty:
 * the lake decides. Returns null, with a problem, if one isn't valid (`years-invalid`) or they contradict one
 * another (`years-inconsistent`).
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
  // A year missing at either end contradicts the range; it isn't a gap.
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

/** A range selects from the dataset's years; a list must contain only these. */
function readLevelYears(value: YearList, years: readonly number[], path: Path, problems: Problems) {
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

/** Returns null, with a problem, if the value is neither a range nor a list. */
function readYearList(value: YearList, path: Path, problems: Problems): readonly number[] | null {
  if (typeof value === 'object') return readList(value, path, problems);
  const range = readRange(value, path, problems);
  return range && Array.from({ length: range[1] - range[0] + 1 }, (_, i) => range[0] + i);
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

interface Levels {
  readonly levels: readonly string[];
  readonly defaultLevel: string;
}

/**
 * The first level is the default unless stated. If no levels are stated, the list is empty: the lake's files
 * name them. Returns null, with a problem, if a stated list can't be read.
 */
export function readLevels(
  object: CustomProperties<ObjectProperties>,
  table: string | null,
  problems: Problems,
): Levels | null {
  const { detail_levels: levels, default_detail } = object.values;
  if (levels === undefined) {
    if (object.states('detail_levels') && problems.native) return null;
    const only = default_detail !== undefined && isName(default_detail) ? default_detail : ONLY_LEVEL;
    problems.guess(table, `one level, ${only}, unless the lake’s files name others`);
    return { levels: [], defaultLevel: only };
  }
  const fitting = levels.map((level, i) =>
    checkName(level, 'detail level', object.pathOf('detail_levels', i), problems),
  );
  // Another tool's property.
  if (!problems.native && fitting.includes(false)) return { levels: [], defaultLevel: ONLY_LEVEL };
  const defaultLevel = default_detail ?? levels[0]!;
  const isKnown = checkLevel(defaultLevel, levels, object.pathOf('default_detail'), problems);
  return { levels, defaultLevel: isKnown || problems.native ? defaultLevel : levels[0]! };
}

function checkLevel(level: string, levels: readonly string[], path: Path, problems: Problems): boolean {
  // The lake's levels aren't known yet.
  if (levels.length === 0 || levels.includes(level)) return true;
  const message = `there is no level ${quote(level)}${suggestion(level, levels)}: the levels are ${quoteList(levels)}`;
  problems.doubt(path, 'level-unknown', message);
  return false;
}

/** Only levels that don't have all years. */
export function readYearsOfLevels(
  object: CustomProperties<ObjectProperties>,
  levels: readonly string[],
  years: readonly number[],
  problems: Problems,
): ReadonlyMap<string, readonly number[]> {
  const result = new Map<string, readonly number[]>();
  for (const [level, value] of Object.entries(object.values.level_years ?? {})) {
    const path = object.pathOf('level_years', level);
    if (!checkLevel(level, levels, path, problems)) continue;
    const promised = readLevelYears(value, years, path, problems);
    if (promised !== null && promised.length < years.length) result.set(level, promised);
  }
  return result;
}

/** For levels whose names don't match a join. */
export function readKeysOfLevels(
  object: CustomProperties<ObjectProperties>,
  levels: readonly string[],
  placeColumns: readonly string[],
  complete: boolean,
  problems: Problems,
): ReadonlyMap<string, readonly string[]> {
  // Errors in levels or columns would cause misleading errors here.
  if (!complete) return new Map();
  const result = new Map<string, readonly string[]>();
  for (const [level, columns] of Object.entries(object.values.level_keys ?? {})) {
    if (!checkLevel(level, levels, object.pathOf('level_keys', level), problems)) continue;
    for (const [i, column] of columns.entries()) {
      if (placeColumns.includes(column)) continue;
      const message = `${quote(column)} is not a place column${suggestion(column, placeColumns)}: a level's keys are among ${quoteList(placeColumns) || 'none'}`;
      problems.doubt(object.pathOf('level_keys', level, i), 'level-keys', message);
    }
    result.set(level, columns);
  }
  return result;
}

interface LevelKeysInput {
  readonly levels: readonly string[];
  readonly placeColumns: readonly string[];
  readonly columns: readonly { readonly name: string; readonly role: string; readonly nullable: boolean }[];
  readonly foreignKeys: readonly Pick<ForeignKey, 'column' | 'columns' | 'targetObject'>[];
}

/**
 * The nullable place columns that a level's rows fill: those of the join whose dimension, or whose role's
 * noun, is named like the level (schools: district_code and school_code). Without such a join (states), none.
 * Required columns are in neither list, since every row fills them. `stated` takes precedence.
 */
export function deriveLevelKeys(
  dataset: LevelKeysInput,
  stated: ReadonlyMap<string, readonly string[]> = new Map(),
): ReadonlyMap<string, LevelKeys> {
  const byName = new Map(dataset.columns.map(column => [column.name, column]));
  const nullable = dataset.placeColumns.filter(name => byName.get(name)?.nullable === true);
  const ownKey = (level: string) =>
    dataset.foreignKeys.find(
      key => key.targetObject === level && dataset.placeColumns.includes(key.column),
    ) ??
    dataset.foreignKeys.find(key => {
      const noun = byName.get(key.column)?.role.replace(/^fk_/, '') ?? '';
      return dataset.placeColumns.includes(key.column) && singular(noun) === singular(level);
    });
  return new Map(
    dataset.levels.map(level => {
      const own = stated.get(level) ?? ownKey(level)?.columns ?? [];
      const present = nullable.filter(name => own.includes(name));
      return [level, { present, absent: nullable.filter(name => !own.includes(name)) }];
    }),
  );
}

/** counties → county, schools → school */
function singular(noun: string): string {
  return noun.replace(/ies$/, 'y').replace(/s$/, '');
}

interface Promised {
  readonly years: readonly number[];
  readonly levels: readonly string[];
  readonly defaultLevel: string;
  readonly levelYears: ReadonlyMap<string, readonly number[]>;
}

export function isWithdrawnSlice(
  withdrawals: readonly WithdrawnSlices[],
  year: number,
  detail: string,
): boolean {
  return withdrawals.some(one => isWithin(one, { year, detail }));
}

/** `places`: paths of the properties `withdrawn` and `default_detail`. */
export function withoutWithdrawn<Stated extends Promised>(
  stated: Stated,
  withdrawals: readonly WithdrawnSlices[],
  places: { readonly withdrawn: Path; readonly defaultLevel: Path; readonly statesDefault: boolean },
  problems: Problems,
): Stated {
  if (withdrawals.length === 0) return stated;
  const left = new Map<string, readonly number[]>();
  for (const level of stated.levels) {
    const promised = stated.levelYears.get(level) ?? stated.years;
    const kept = promised.filter(year => !isWithdrawnSlice(withdrawals, year, level));
    if (kept.length > 0 || promised.length === 0) left.set(level, kept);
  }
  const levels = [...left.keys()];
  const years = stated.years.filter(year => [...left.values()].some(kept => kept.includes(year)));
  const [first] = levels;
  if (first === undefined) {
    const message =
      'the contract withdraws all years of all levels: withdraw the dataset instead, with status: retired and without years or levels here';
    problems.doubt(places.withdrawn, 'withdrawn-all', message);
    return stated;
  }
  const isDefaultGone = !left.has(stated.defaultLevel);
  if (isDefaultGone && places.statesDefault) {
    const message = `the level ${quote(stated.defaultLevel)} is withdrawn and cannot be the default: name another, such as ${first}`;
    problems.doubt(places.defaultLevel, 'withdrawn-default', message);
  }
  return {
    ...stated,
    years,
    levels,
    defaultLevel: isDefaultGone ? first : stated.defaultLevel,
    levelYears: new Map([...left].filter(([, kept]) => kept.length < years.length)),
  };
}

/**
 * The part of a dataset that the tree contains. A lake may lack years and levels that the contract promises.
 */
export interface Holdings {
  /** Ascending. */
  readonly years: readonly number[];
  /** In the contract's order. */
  readonly levels: readonly string[];
  /** Years by level, ascending. */
  readonly levelYears: ReadonlyMap<string, readonly number[]>;
}

interface Slice {
  readonly year: number;
  readonly detail: string;
}

export function holdingsOf({ levels }: Dataset, slices: readonly Slice[]): Holdings {
  const yearsOf = (own: readonly Slice[]) => ascending(own.map(({ year }) => year));
  const present = levels.map(
    level => [level, yearsOf(slices.filter(({ detail }) => detail === level))] as const,
  );
  const levelYears = new Map(present.filter(([, years]) => years.length > 0));
  return { levelYears, years: yearsOf(slices), levels: [...levelYears.keys()] };
}

/**
 * Takes open years and levels from the lake's slices. Levels are in alphabetical order; the default is the
 * stated one, otherwise the first.
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
    // Levels from the lake don't match joins by name.
    levelKeys: open.levels ? new Map(levels.map(level => [level, keys])) : dataset.levelKeys,
  };
}

/** Each once. */
export function ascending(years: Iterable<number>): number[] {
  return [...new Set(years)].sort((a, b) => a - b);
}

export function gapsOf(years: readonly number[]): number[] {
  const [first = 0, last = -1] = [years[0], years.at(-1)];
  return Array.from({ length: last - first + 1 }, (_, i) => first + i).filter(year => !years.includes(year));
}

/** ODCS statuses of contracts that are no longer published. */
const ENDED = ['deprecated', 'retired'];

interface Withdrawn {
  /** Of the whole contract; null if it is still published. */
  readonly withdrawal: Withdrawal | null;
  /** Of some years and levels; newest first. */
  readonly slices: readonly WithdrawnSlices[];
}

/** One withdrawal or a list. Without years and levels, the whole contract is withdrawn. */
export function readWithdrawn(
  root: CustomProperties<RootProperties>,
  status: string | undefined,
  problems: Problems,
): Withdrawn {
  const stated = root.values.withdrawn;
  const list = stated === undefined ? [] : 'date' in stated ? [stated] : stated;
  let withdrawal: Withdrawal | null = null;
  const slices: WithdrawnSlices[] = [];
  for (const [i, one] of list.entries()) {
    const at = (...inside: Path) => root.pathOf('withdrawn', ...(stated === one ? [] : [i]), ...inside);
    const { date, reason, replacement = null, levels = [] } = one;
    if (!isDate(date)) {
      problems.doubt(at('date'), 'withdrawn-date', DAY);
      continue;
    }
    if (one.years !== undefined || levels.length > 0) {
      const years = one.years === undefined ? [] : readYearList(one.years, at('years'), problems);
      if (years !== null) slices.push({ date, reason, replacement, years, levels, ...forgetting(one) });
    } else if (!ENDED.includes(status ?? '')) {
      const message = `the contract is withdrawn, but its status is ${quote(status ?? '')}: set the status to retired or remove withdrawn; to withdraw a part of a published contract, name its years or levels`;
      problems.doubt(at(), 'withdrawn-status', message);
    } else if (withdrawal === null) withdrawal = { withdrawn: date, reason, replacement };
    else
      problems.doubt(at(), 'withdrawn-twice', 'the whole contract is withdrawn twice: remove one of the two');
  }
  return { withdrawal, slices: slices.sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0)) };
}

const DAY = 'this is not a date: write a calendar date as YYYY-MM-DD';

interface Known {
  /** Null if the lake names them. */
  readonly levels: readonly string[] | null;
  readonly columns: readonly string[];
}

/** Newest first. An unknown level or column is only a warning: an earlier release may have had it. */
export function readErrata(
  root: CustomProperties<RootProperties>,
  { levels, columns }: Known,
  problems: Problems,
): Erratum[] {
  const errata = (root.values.errata ?? []).map((stated, i): Erratum => {
    if (!isDate(stated.date)) problems.doubt(root.pathOf('errata', i, 'date'), 'erratum-date', DAY);
    const look = (key: 'levels' | 'columns', noun: string, known: readonly string[] | null) => {
      for (const [j, name] of (stated[key] ?? []).entries()) {
        if (known === null || known.includes(name)) continue;
        const message = `the contract has no ${noun} ${quote(name)}${suggestion(name, known)}: correct the name, unless an earlier release had it`;
        problems.warning(root.pathOf('errata', i, key, j), 'erratum-unknown', message);
      }
    };
    look('levels', 'level', levels);
    look('columns', 'column', columns);
    const { date, wrong, corrected, releases = [], years = [] } = stated;
    return {
      date,
      wrong,
      corrected,
      releases,
      years,
      levels: stated.levels ?? [],
      columns: stated.columns ?? [],
      ...forgetting(stated),
    };
  });
  return errata.sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0));
}

/** `forget: false` is left out. */
function forgetting({ forget }: { readonly forget?: boolean }): { readonly forget?: true } {
  return forget === true ? { forget } : {};
}

/**
 * Reports `series-break` for a break without a year before or after it, stated twice, with an unknown level,
 * or of a column that isn't a metric.
 */
export function checkComparability(
  object: CustomProperties<ObjectProperties>,
  columns: readonly ReadColumn[],
  years: readonly number[],
  levels: readonly string[],
  problems: Problems,
): void {
  const checkBreaks = (breaks: readonly SeriesBreak[], pathOf: (...inside: Path) => Path) => {
    for (const [index, { after, levels: named = [] }] of breaks.entries()) {
      const fail = (message: string, ...inside: Path) =>
        problems.doubt(pathOf(index, ...inside), 'series-break', message);
      const [first, last] = [years[0] ?? after, years.at(-1) ?? after];
      // The lake's years aren't known yet.
      if (years.length > 0 && (after < first || after >= last)) {
        const remedy = `name a year from ${first} to ${last - 1}`;
        fail(`a break after ${after} needs at least one year on each side: ${remedy}`, 'after');
      }
      const same = (one: SeriesBreak) => one.after === after && `${one.levels ?? []}` === `${named}`;
      if (breaks.findIndex(same) < index) fail(`a break after ${after} is stated twice: remove one`, 'after');
      for (const [at, level] of named.entries()) {
        if (levels.length === 0 || levels.includes(level)) continue;
        fail(`there is no level ${quote(level)}${suggestion(level, levels)}: correct the name`, 'levels', at);
      }
    }
  };
  checkBreaks(object.values.series_breaks ?? [], (...inside) => object.pathOf('series_breaks', ...inside));
  for (const { base, custom } of columns) {
    const breaks = custom.values.series_breaks ?? [];
    if (breaks.length > 0 && custom.values.column_role !== 'metric') {
      const message = `${quote(base.name)} is not a metric, so it has no series to break: remove series_breaks`;
      problems.doubt(custom.pathOf('series_breaks'), 'series-break', message);
    }
    checkBreaks(breaks, (...inside) => custom.pathOf('series_breaks', ...inside));
  }
}
