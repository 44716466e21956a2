/**
 * The views of a dataset: how they differ, and the question that each asks, in which every line, bar or area is one row.
 * `panel/pictures.ts` draws them.
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
  settleBeside,
  type ViewName,
  type ViewState,
  withDetail,
  withPlace,
  withValues,
} from './question.ts';

interface View {
  /** Whether it shows a single year or shorter period, all of them if none is asked for, or any number. */
  readonly periods: 'one' | 'all' | 'any';
  /** Whether it compares figures of one period by size: the whole is one more, and the year before is marked. */
  readonly isRanked: boolean;
  /** Whether it can compare places of several levels and the values of an axis. */
  readonly isCompared: boolean;
  /** Pixels of a frame with room for the view and its source. */
  readonly frame: number;
  isPossible(dataset: ExploredDataset): boolean;
  /** Adapts the question of another view. */
  ask<Asked extends Question>(asked: Asked): Asked;
}

/** Whether one period can be asked for. Periods shorter than a year are known only by the time column's bounds. */
function hasOnePeriod(dataset: ExploredDataset): boolean {
  return !hasMoments(dataset) || momentEnds(dataset, dataset.schema.default_detail) !== null;
}

export const VIEWS: Readonly<Record<ViewName, View>> = {
  chart: {
    periods: 'all',
    isRanked: false,
    isCompared: true,
    frame: 700,
    isPossible: dataset =>
      dataset.metrics.length > 0 &&
      dataset.timeline !== null &&
      (hasMoments(dataset) || dataset.levels.some(({ years }) => years.length > 1)),
    ask: toLines,
  },
  bars: {
    periods: 'one',
    isRanked: true,
    isCompared: true,
    frame: 800,
    isPossible: dataset => dataset.metrics.length > 0 && hasOnePeriod(dataset),
    ask: toBars,
  },
  map: {
    periods: 'one',
    isRanked: false,
    isCompared: false,
    frame: 800,
    isPossible: dataset => dataset.metrics.length > 0 && hasOnePeriod(dataset) && mapOf({ dataset }) !== null,
    ask: toMap,
  },
  table: {
    periods: 'any',
    isRanked: false,
    isCompared: false,
    frame: 800,
    isPossible: () => true,
    ask: asked => asked,
  },
};

/** In the order of the tabs. */
const VIEW_NAMES = Object.keys(VIEWS) as readonly ViewName[];

export function isView(name: string): name is ViewName {
  return Object.hasOwn(VIEWS, name);
}

export function possibleViews(dataset: ExploredDataset): readonly ViewName[] {
  return VIEW_NAMES.filter(name => VIEWS[name].isPossible(dataset));
}

export function withView(state: ViewState, view: ViewName): ViewState {
  return settleBeside({ ...VIEWS[view].ask(state), view });
}

/** Adapts the question of an address to its view: bars and maps show one period. */
export function fitView(state: ViewState): ViewState {
  if (VIEWS[state.view].periods !== 'one') return state;
  const isFit = state.dataset.timeline === null || momentOf(state) !== null;
  return isFit ? state : ofOnePeriod(state);
}

/** Compares the values of one field; null compares none. */
export function withComparison<Asked extends Question>(asked: Asked, field: Field | null): Asked {
  const open = field && !isOpen(asked, field) ? withValues(asked, field.param, []) : asked;
  return settleAxes(open, field);
}

/** The axis that lines and bars compare: the first open one. */
export function comparedAxis(question: Question): Field | null {
  return question.dataset.fields.find(field => field.kind === 'axis' && isOpen(question, field)) ?? null;
}

/** Whether the question is about more than one place. */
export function hasSeveralPlaces(question: Question): boolean {
  if (question.places.length > 0) return question.places.length > 1;
  const leaf = leafPlace(question);
  return leaf !== null && isOpen(question, leaf);
}

/** All years, and the whole if no place is chosen. */
function toLines<Asked extends Question>(asked: Asked): Asked {
  const { dataset, places, filters } = asked;
  const years = oneYear(asked.years) === null ? asked.years : ALL_YEARS;
  const whole = dataset.levels.find(level => level.places.length === 0 && level.years.length > 0);
  const leaf = leafPlace(asked);
  const chosen =
    places.length > 0 || dataset.fields.some(field => field.kind === 'place' && filters.has(field.param));
  let next: Asked = { ...withoutMoment(asked), years };
  if (leaf && !chosen && whole) next = withDetail(next, whole.name);
  else if (leaf && places.length === 0 && !filters.has(leaf.param)) {
    const first = leaf.choices.find(({ keys }) =>
      Object.entries(keys).every(([name, value]) => filters.get(name)?.includes(value) ?? true),
    );
    if (first) next = withPlace(next, leaf.param, first);
  }
  return settleAxes(next, comparedAxis(next));
}

/** One period, by places if several match, else by an axis. */
function toBars<Asked extends Question>(asked: Asked): Asked {
  const single = ofOnePeriod(asked);
  if (hasSeveralPlaces(single)) return settleAxes(single, null);
  const axis =
    comparedAxis(single) ??
    asked.dataset.fields.find(field => field.kind === 'axis' && field.choices.length > 1) ??
    null;
  return withComparison(single, axis);
}

function toMap<Asked extends Question>(asked: Asked): Asked {
  const map = mapOf(asked);
  if (map === null) return asked;
  const moved = asked.detail === map.level ? asked : withDetail(asked, map.level);
  const single = ofOnePeriod({ ...moved, places: [] });
  return settleAxes(withValues(single, map.param, []), null);
}

/** Keeps the question's period if it has one, else takes the latest of its years. */
function ofOnePeriod<Asked extends Question>(asked: Asked): Asked {
  const { dataset, detail } = asked;
  const year = latestYear(asked, asked.years) ?? latestYear(asked, ALL_YEARS);
  if (!hasMoments(dataset)) return { ...asked, years: { min: year, max: year } };
  const ends = momentEnds(dataset, detail);
  const at = momentOf(asked) ?? momentEnds(dataset, detail, year)?.last ?? ends?.last;
  return at === undefined ? asked : withMoment(asked, at);
}

function settleAxes<Asked extends Question>(asked: Asked, compared: Field | null): Asked {
  const filters = new Map(asked.filters);
  for (const field of asked.dataset.fields) {
    if (field.kind !== 'axis' || field.param === compared?.param) continue;
    const value = settle(asked, field);
    if (value !== null) filters.set(field.param, [value]);
  }
  return { ...asked, filters: inOrder(asked.dataset, filters) };
}

/** The Census Bureau's five digits: two of the state, three of the county. Excludes two digits that no state has. */
const COUNTY = /^(?!03|07|14|43|52)([0-4]\d|5[0-6]|6[069]|72|78)\d{3}$/;

/** The map tolerates some wrong codes; the page and the build name them. */
const MOSTLY = 0.9;

/** Whether nearly all codes are counties, whose shapes the atlas has. */
export function areCounties(codes: readonly string[]): boolean {
  const matching = codes.filter(code => COUNTY.test(code)).length;
  return matching > 0 && matching >= MOSTLY * codes.length;
}

function isMapped({ kind, shapes, choices }: Field): boolean {
  return kind === 'place' && (shapes !== null || areCounties(choices.map(({ value }) => value)));
}

/** What a map shows, preferably of the level `detail`; null if there is none. */
export function mapOf({ dataset, detail }: { readonly dataset: ExploredDataset; readonly detail?: string }) {
  const { levels, fields, schema } = dataset;
  const mapped = fields.filter(isMapped).flatMap(({ param, column }) => {
    // One row is one area of the map.
    const level = levels.find(({ places }) => places.length === 1 && places[0] === column);
    return level === undefined ? [] : [{ param, column, level: level.name }];
  });
  const found = mapped.find(({ level }) => level === detail) ?? mapped[0];
  const join = schema.foreign_keys.find(({ column }) => column === found?.column);
  if (found === undefined || join === undefined) return null;
  const { target_object: id, target_columns: key } = join;
  return {
    ...found,
    /** The path of the shapes from the tree's root. */
    shapes: dimensionShapesPath(schema.main_topic, id),
    /** The dimension of the places; null if it has a longer key. */
    dimension: key.length === 1 ? { id, key } : null,
  };
}
