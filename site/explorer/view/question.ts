/** A reader's question: its first values, the effect of each control on it, and the ranges that an address sets. */
import { compareText } from '../../query/order.ts';
import { joinItems, type Pair } from '../../query/query-string.ts';
import type { t } from '../messages/messages.ts';
import type { ExploredDataset, Field, Level, Metric } from './dataset.ts';
import { choosePin, type FigureAxis } from './figure.ts';
import type { Sort } from './rows.ts';

export type ViewName = keyof typeof t.view.names;

/** The order of bars. */
export type RankBy = 'value' | 'change';

/** Includes both ends; null leaves an end open. */
export interface Years {
  readonly min: number | null;
  readonly max: number | null;
}

export const ALL_YEARS: Years = { min: null, max: null };

/** A place: the level of its rows and its whole key, as in the API. The key of the whole is empty. */
export interface LevelPlace {
  readonly detail: string;
  readonly key: string;
}

/** Which rows of a dataset a reader asks for. */
export interface Question {
  readonly dataset: ExploredDataset;
  readonly detail: string;
  readonly years: Years;
  /** Whole keys of the level's places, as in the API; empty for all places. */
  readonly places: readonly string[];
  /** Chosen values by parameter. A parameter that is missing may have any value; lists are never empty. */
  readonly filters: ReadonlyMap<string, readonly string[]>;
}

/** A question, and how its rows are shown. */
export interface ViewState extends Question {
  readonly view: ViewName;
  /** Places of other levels in the same chart. */
  readonly beside: readonly LevelPlace[];
  /** Whether a single chosen place is shown without the larger places in grey. */
  readonly alone: boolean;
  /** The column that charts draw. */
  readonly metric: string | null;
  readonly rank: RankBy;
  /** The order of the table; null for the API's order. */
  readonly sort: Sort | null;
}

/** The latest year of the default level, with every axis pinned. */
export function startState(dataset: ExploredDataset): ViewState {
  const detail = dataset.schema.default_detail;
  const year = latestYear({ dataset, detail }, ALL_YEARS);
  return {
    dataset,
    detail,
    years: { min: year, max: year },
    places: [],
    filters: derivePins(dataset, year),
    view: 'table',
    beside: [],
    alone: false,
    metric: startMetric(dataset),
    rank: 'value',
    sort: null,
  };
}

export function startMetric({ schema, metrics }: ExploredDataset): string | null {
  const key = metrics.find(({ column }) => column.name === schema.key_metric);
  return (key ?? metrics[0])?.column.name ?? null;
}

/** The measure `start`, then the others; counts last, since many only say how large a group is. */
export function rankMetrics(dataset: ExploredDataset, start = startMetric(dataset)): Metric[] {
  const rank = ({ column: { name, unit } }: Metric) => (name === start ? 0 : unit === 'count' ? 2 : 1);
  return [...dataset.metrics].sort((a, b) => rank(a) - rank(b));
}

/** A level of a dataset. */
type OfLevel = Pick<Question, 'dataset' | 'detail'>;

export function levelOf({ dataset, detail }: OfLevel): Pick<Level, 'years' | 'places'> {
  return dataset.levels.find(level => level.name === detail) ?? { years: [], places: [] };
}

/** The level's latest year within the range; null if there is none. */
export function latestYear(of: OfLevel, years: Years): number | null {
  return levelOf(of).years.findLast(year => within(year, years)) ?? null;
}

export function within(year: number, { min, max }: Years): boolean {
  return (min === null || year >= min) && (max === null || year <= max);
}

export function oneYear({ min, max }: Years): number | null {
  return min === max ? min : null;
}

/** Whether figures of a column in two years compare: no break of the series lies between them, and they share no answers. */
export function comparisonOf({ dataset, detail }: OfLevel, column: string) {
  const { pooledYears, breaksOf } = dataset.comparability;
  const breaks = breaksOf(column, detail);
  return (before: number, year: number): boolean =>
    before <= year - (pooledYears ?? 0) && !breaks.some(({ after }) => before <= after && after < year);
}

/** The level's finest place column; null if the level is the whole. */
export function leafPlace(of: OfLevel): Field | null {
  const leaf = levelOf(of).places.at(-1);
  return of.dataset.fields.find(field => field.kind === 'place' && field.column === leaf) ?? null;
}

/** Whether the question allows several values of the field. */
export function isOpen({ filters }: Question, { param, choices }: Field): boolean {
  return (filters.get(param)?.length ?? choices.length) !== 1;
}

/** Changes the level. Drops place columns that the new level lacks, and replaces a year that it lacks by its latest. */
export function withDetail<Asked extends Question>(asked: Asked, detail: string): Asked {
  const { dataset } = asked;
  const { places, years } = levelOf({ dataset, detail });
  const filters = new Map(asked.filters);
  for (const field of dataset.fields) {
    if (field.kind === 'place' && !places.includes(field.column)) filters.delete(field.param);
  }
  const year = oneYear(asked.years);
  const latest = years.at(-1);
  const lacks = year !== null && latest !== undefined && !years.includes(year);
  return {
    ...asked,
    detail,
    years: lacks ? { min: latest, max: latest } : asked.years,
    places: detail === asked.detail ? asked.places : [],
    filters,
  };
}

/** A place of the question's own level isn't beside it: the whole is the question itself, others are its own places. */
export function settleBeside(state: ViewState): ViewState {
  const { detail, places, beside } = state;
  const own = beside.filter(one => one.detail === detail && one.key !== '').map(({ key }) => key);
  return {
    ...state,
    places: [...new Set([...places, ...own])],
    beside: beside.filter(one => one.detail !== detail),
  };
}

/** Chooses values of a field; an empty list means any value. */
export function withValues<Asked extends Question>(
  asked: Asked,
  param: string,
  values: readonly string[],
): Asked {
  const filters = new Map(asked.filters);
  if (values.length === 0) filters.delete(param);
  else filters.set(param, [...new Set(values)]);
  return { ...asked, filters: inOrder(asked.dataset, filters) };
}

/** Adds a place with all parts of its key. */
export function withPlace<Asked extends Question>(
  asked: Asked,
  param: string,
  choice: { readonly value: string; readonly keys: Readonly<Record<string, string>> },
): Asked {
  const add = (from: Asked, name: string, value: string) =>
    withValues(from, name, [...(from.filters.get(name) ?? []), value]);
  let next = add(asked, param, choice.value);
  for (const [name, value] of Object.entries(choice.keys)) {
    if (asked.dataset.fields.some(field => field.param === name)) next = add(next, name, value);
  }
  return next;
}

/** Sorts filters and values: equal questions then have equal addresses. */
export function inOrder(
  { table }: ExploredDataset,
  filters: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...table.parameters].flatMap(([param, parameter]) => {
      const values = [...new Set(filters.get(param))];
      if (parameter.kind !== 'column' || values.length === 0) return [];
      const isNumeric = parameter.type === 'integer' || parameter.type === 'number';
      return [[param, values.sort(isNumeric ? (a, b) => Number(a) - Number(b) : compareText)] as const];
    }),
  );
}

/** The question as the API's parameters. */
export function toParameters(question: Question): Pair[] {
  const { dataset, years, detail, places, filters } = question;
  const pairs: Pair[] = [];
  const add = (name: string, value: string | number | null) => {
    if (value !== null) pairs.push({ name, value: String(value) });
  };
  const year = oneYear(years);
  add(YEAR_PARAMS.exact, year);
  if (year === null) {
    add(YEAR_PARAMS.min, years.min);
    add(YEAR_PARAMS.max, years.max);
  }
  add('detail', detail);
  if (places.length > 0) add(placeParam(dataset), places.join(','));
  for (const [param, values] of inOrder(dataset, filters)) add(param, joinItems(values));
  return pairs;
}

/** The API's parameter of whole keys. */
export function placeParam({ table }: ExploredDataset): string {
  return [...table.parameters].find(([, { kind }]) => kind === 'place')?.[0] ?? 'place';
}

export const YEAR_PARAMS = { exact: 'year', min: 'year_min', max: 'year_max' } as const;

/** The value of an axis that a chart doesn't compare: the total if it is chosen, else the first chosen value, else the pin. */
export function settle(question: Question, field: Field): string | null {
  const chosen = question.filters.get(field.param);
  const { total } = field;
  if (total !== null && chosen?.includes(total)) return total;
  return chosen?.[0] ?? derivePin(field, oneYear(question.years));
}

/** The axis's pin among the values with rows in the year. */
function derivePin(field: Field, year: number | null): string | null {
  const possible = field.choices.filter(
    ({ years }) => year === null || years.length === 0 || years.includes(year),
  );
  const counts = new Map(possible.map(({ value, rows }) => [value, rows]));
  return choosePin(axisOf(field), counts) ?? field.total ?? field.choices[0]?.value ?? null;
}

export function axisOf({ column, total, headline, choices }: Field): FigureAxis {
  return { column, total, headline, values: choices.map(({ value }) => value) };
}

/** The parameters that a page chooses if its address doesn't: the year's, and those of all axes. */
export function freeOf({ fields }: ExploredDataset): string[] {
  return [YEAR_PARAMS.exact, ...fields.filter(({ kind }) => kind === 'axis').map(({ param }) => param)];
}

/** A pin for each axis, in the shape of a question's `filters`. */
export function derivePins(
  { fields }: ExploredDataset,
  year: number | null,
): ReadonlyMap<string, readonly string[]> {
  const pins = new Map<string, readonly string[]>();
  for (const field of fields) {
    if (field.kind !== 'axis') continue;
    const pin = derivePin(field, year);
    if (pin !== null) pins.set(field.param, [pin]);
  }
  return pins;
}
