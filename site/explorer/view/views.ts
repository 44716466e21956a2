/**
 * The views of a dataset, with all that tells one from the others, and the question that each asks, so that every line,
 * bar and area is one row. `panel/pictures.ts` draws them.
 */
import { dimensionShapesPath } from '../../../build/format/paths.ts';
import type { ExploredDataset, Field } from './dataset.ts';
import { hasMoments, momentEnds, momentOf, withMoment, withoutMoment } from './moment.ts';
import {
  ALL_YEARS,
  inOrder,
  isOpen,
  latestYear,
  leafPlace,
  oneYear,
  type Question,
  settle,
  type ViewName,
  type ViewState,
  withDetail,
  withPlace,
  withValues,
} from './question.ts';

interface View {
  /** Whether it shows one year, or one shorter period. */
  readonly isOfOnePeriod: boolean;
  /** Whether the reader chooses what stands side by side: places of other levels, and the values of an axis. */
  readonly isCompared: boolean;
  /** Pixels of a frame in which the view and its source have room. */
  readonly frame: number;
  isPossible(dataset: ExploredDataset): boolean;
  /** The question that it asks, from that of another view. */
  ask(dataset: ExploredDataset, question: Question): Question;
}

/** Bars and areas are rows of one period, which only the bounds of the time column tell apart from its year. */
function hasOnePeriod(dataset: ExploredDataset): boolean {
  return !hasMoments(dataset) || momentEnds(dataset, dataset.schema.default_detail) !== null;
}

export const VIEWS: Readonly<Record<ViewName, View>> = {
  chart: {
    isOfOnePeriod: false,
    isCompared: true,
    frame: 700,
    isPossible: dataset =>
      dataset.metrics.length > 0 &&
      dataset.timeline !== null &&
      (hasMoments(dataset) || dataset.levels.some(({ years }) => years.length > 1)),
    ask: toLines,
  },
  bars: {
    isOfOnePeriod: true,
    isCompared: true,
    frame: 800,
    isPossible: dataset => dataset.metrics.length > 0 && hasOnePeriod(dataset),
    ask: toBars,
  },
  map: {
    isOfOnePeriod: true,
    isCompared: false,
    frame: 800,
    isPossible: dataset =>
      dataset.metrics.length > 0 && hasOnePeriod(dataset) && mappedField(dataset) !== null,
    ask: toMap,
  },
  table: {
    isOfOnePeriod: false,
    isCompared: false,
    frame: 800,
    isPossible: () => true,
    ask: (_dataset, question) => question,
  },
};

/** In the order of the tabs. */
const VIEW_NAMES = Object.keys(VIEWS) as readonly ViewName[];

export function isView(name: string): name is ViewName {
  return Object.hasOwn(VIEWS, name);
}

/** Returns the views that the dataset's levels and columns allow. */
export function possibleViews(dataset: ExploredDataset): readonly ViewName[] {
  return VIEW_NAMES.filter(name => VIEWS[name].isPossible(dataset));
}

export function withView(dataset: ExploredDataset, state: ViewState, view: ViewName): ViewState {
  return { ...state, view, question: VIEWS[view].ask(dataset, state.question) };
}

/** Adapts an address's question to its view: bars and maps show one period. */
export function fitView(dataset: ExploredDataset, state: ViewState): ViewState {
  const { view, question } = state;
  if (!VIEWS[view].isOfOnePeriod) return state;
  const isFit = hasMoments(dataset) ? momentOf(dataset, question) !== null : oneYear(question.years) !== null;
  return isFit ? state : { ...state, question: ofOnePeriod(dataset, question) };
}

/** Compares the values of one field; null compares none. */
export function withComparison(dataset: ExploredDataset, question: Question, field: Field | null): Question {
  const open = field && !isOpen(question, field) ? withValues(dataset, question, field.param, []) : question;
  return settleAxes(dataset, open, field);
}

/** Returns the axis that lines and bars compare: the first open one. */
export function comparedAxis({ fields }: ExploredDataset, question: Question): Field | null {
  return fields.find(field => field.kind === 'axis' && isOpen(question, field)) ?? null;
}

/** Whether rows of more than one place can answer. */
function hasSeveralPlaces(dataset: ExploredDataset, question: Question): boolean {
  if (question.places.length > 0) return question.places.length > 1;
  const leaf = leafPlace(dataset, question.detail);
  return leaf !== null && isOpen(question, leaf);
}

/** Shows all years, and the whole if no place is chosen. */
export function toLines(dataset: ExploredDataset, question: Question): Question {
  const years = oneYear(question.years) === null ? question.years : ALL_YEARS;
  const whole = dataset.levels.find(level => level.places.length === 0 && level.years.length > 0);
  const leaf = leafPlace(dataset, question.detail);
  const chosen =
    question.places.length > 0 ||
    dataset.fields.some(field => field.kind === 'place' && question.filters.has(field.param));
  let next: Question = { ...withoutMoment(dataset, question), years };
  if (leaf && !chosen && whole) next = withDetail(dataset, next, whole.name);
  else if (leaf && question.places.length === 0 && !question.filters.has(leaf.param)) {
    const first = leaf.choices.find(({ keys }) =>
      Object.entries(keys).every(([name, value]) => question.filters.get(name)?.includes(value) ?? true),
    );
    if (first) next = withPlace(dataset, next, leaf.param, first);
  }
  return settleAxes(dataset, next, comparedAxis(dataset, next));
}

/** Shows one period, by places if they are free, else by an axis. */
function toBars(dataset: ExploredDataset, question: Question): Question {
  const single = ofOnePeriod(dataset, question);
  if (hasSeveralPlaces(dataset, single)) return settleAxes(dataset, single, null);
  const axis =
    comparedAxis(dataset, single) ??
    dataset.fields.find(field => field.kind === 'axis' && field.choices.length > 1) ??
    null;
  return withComparison(dataset, single, axis);
}

function toMap(dataset: ExploredDataset, question: Question): Question {
  const mapped = mappedField(dataset, question.detail);
  const level = mapped && mappedLevel(dataset, mapped);
  if (!mapped || !level) return question;
  const moved = {
    ...(question.detail === level ? question : withDetail(dataset, question, level)),
    places: [],
  };
  const single = ofOnePeriod(dataset, moved);
  return settleAxes(dataset, withValues(dataset, single, mapped.param, []), null);
}

/** Keeps the period if the question has one; else takes the latest of its years. */
function ofOnePeriod(dataset: ExploredDataset, question: Question): Question {
  const { detail, years } = question;
  const year = latestYear(dataset, detail, years) ?? latestYear(dataset, detail, ALL_YEARS);
  if (!hasMoments(dataset)) return { ...question, years: { min: year, max: year } };
  const ends = momentEnds(dataset, detail);
  const at = momentOf(dataset, question) ?? momentEnds(dataset, detail, year)?.last ?? ends?.last;
  return at === undefined ? question : withMoment(dataset, question, at);
}

function settleAxes(dataset: ExploredDataset, question: Question, compared: Field | null): Question {
  const filters = new Map(question.filters);
  for (const field of dataset.fields) {
    if (field.kind !== 'axis' || field.param === compared?.param) continue;
    const value = settle(dataset, question, field);
    if (value !== null) filters.set(field.param, [value]);
  }
  return { ...question, filters: inOrder(dataset, filters) };
}

/**
 * The Census Bureau's five digits: two of the state, three of the county. Other countries' codes of five digits use
 * numbers that no state has.
 */
const COUNTY = /^(?!03|07|14|43|52)([0-4]\d|5[0-6]|6[069]|72|78)\d{3}$/;

/** A wrong code or two cost no map; the page names them. */
const MOSTLY = 0.9;

/** Whether the map has places for the values: the dimension has shapes, or nearly all values are counties of the atlas. */
function isMapped({ kind, shapes, choices }: Field): boolean {
  if (kind !== 'place') return false;
  const inAtlas = choices.filter(({ value }) => COUNTY.test(value)).length;
  return shapes !== null || (inAtlas > 0 && inAtlas >= MOSTLY * choices.length);
}

/** Returns the place column that the map shows, that of the level `detail` before others; null if there is none. */
export function mappedField(dataset: ExploredDataset, detail?: string): Field | null {
  const mapped = dataset.fields.filter(field => isMapped(field) && mappedLevel(dataset, field) !== null);
  return mapped.find(field => mappedLevel(dataset, field) === detail) ?? mapped[0] ?? null;
}

/** Path of the shapes of the level's places from the tree's root; null without a map. */
export function shapesPath(dataset: ExploredDataset, detail: string): string | null {
  const { main_topic: domain, foreign_keys } = dataset.schema;
  const field = mappedField(dataset, detail);
  const join = foreign_keys.find(key => key.column === field?.column);
  return join ? dimensionShapesPath(domain, join.target_object) : null;
}

/** Returns the level with one row per area of the map. */
export function mappedLevel({ levels }: ExploredDataset, { column }: Field): string | null {
  return levels.find(({ places }) => places.length === 1 && places[0] === column)?.name ?? null;
}
