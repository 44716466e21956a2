/** Adapts a question to a view, so that every line, bar and area is one row. */
import type { ExploredDataset, Field } from './dataset.ts';
import {
  ALL_YEARS,
  inOrder,
  isOpen,
  latestYear,
  leafPlace,
  levelOf,
  oneYear,
  type Question,
  settle,
  startState,
  VIEWS,
  type ViewName,
  type ViewState,
  withDetail,
  withPlace,
  withValues,
} from './question.ts';

export function withView(dataset: ExploredDataset, state: ViewState, view: ViewName): ViewState {
  switch (view) {
    case 'table':
      return { ...state, view };
    case 'chart':
      return { ...state, view, question: toLines(dataset, state.question) };
    case 'bars':
      return { ...state, view, question: toBars(dataset, state.question) };
    case 'map':
      return { ...state, view, question: toMap(dataset, state.question) };
    default:
      return view satisfies never;
  }
}

/** Returns the views that the dataset has. */
export function possibleViews(dataset: ExploredDataset): readonly ViewName[] {
  return VIEWS.filter(view => {
    if (view === 'table') return true;
    if (dataset.metrics.length === 0 || (view === 'map' && mappedField(dataset) === null)) return false;
    // Lines need a time. Bars and areas are rows of one period, which a question names by its year alone.
    const unit = dataset.timeline?.unit ?? 'none';
    return view === 'chart' ? unit !== 'none' : unit === 'none' || unit === 'year';
  });
}

/** Returns the view of a page whose address has none: lines of the whole, else bars, else the table. */
export function firstView(dataset: ExploredDataset): ViewName {
  if (dataset.metrics.length === 0) return 'table';
  const { question } = withView(dataset, startState(dataset), 'chart');
  const { places, years } = levelOf(dataset, question.detail);
  return places.length === 0 && years.length > 1 ? 'chart' : 'bars';
}

/** Adapts an address's question to its view: bars and maps show one year. */
export function fitView(dataset: ExploredDataset, state: ViewState): ViewState {
  const { view, question } = state;
  if (view !== 'bars' && view !== 'map') return state;
  if (oneYear(question.years) !== null) return state;
  return { ...state, question: { ...question, years: singleYear(dataset, question) } };
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
export function hasSeveralPlaces(dataset: ExploredDataset, question: Question): boolean {
  if (question.places.length > 0) return question.places.length > 1;
  const leaf = leafPlace(dataset, question.detail);
  return leaf !== null && isOpen(question, leaf);
}

/** Shows all years, and the whole if no place is chosen. */
function toLines(dataset: ExploredDataset, question: Question): Question {
  const years = oneYear(question.years) === null ? question.years : ALL_YEARS;
  const whole = dataset.levels.find(level => level.places.length === 0 && level.years.length > 0);
  const leaf = leafPlace(dataset, question.detail);
  const chosen =
    question.places.length > 0 ||
    dataset.fields.some(field => field.kind === 'place' && question.filters.has(field.param));
  let next: Question = { ...question, years };
  if (leaf && !chosen && whole) next = withDetail(dataset, next, whole.name);
  else if (leaf && question.places.length === 0 && !question.filters.has(leaf.param)) {
    const first = leaf.choices.find(({ keys }) =>
      Object.entries(keys).every(([name, value]) => question.filters.get(name)?.includes(value) ?? true),
    );
    if (first) next = withPlace(dataset, next, leaf.param, first);
  }
  return settleAxes(dataset, next, comparedAxis(dataset, next));
}

/** Shows one year, by places if they are free, else by an axis. */
function toBars(dataset: ExploredDataset, question: Question): Question {
  const single = { ...question, years: singleYear(dataset, question) };
  if (hasSeveralPlaces(dataset, single)) return settleAxes(dataset, single, null);
  const axis =
    comparedAxis(dataset, single) ??
    dataset.fields.find(field => field.kind === 'axis' && field.choices.length > 1) ??
    null;
  return withComparison(dataset, single, axis);
}

function toMap(dataset: ExploredDataset, question: Question): Question {
  const mapped = mappedField(dataset);
  const level = mapped && mappedLevel(dataset, mapped);
  if (!mapped || !level) return question;
  const moved = {
    ...(question.detail === level ? question : withDetail(dataset, question, level)),
    places: [],
  };
  const single = { ...moved, years: singleYear(dataset, moved) };
  return settleAxes(dataset, withValues(dataset, single, mapped.param, []), null);
}

function singleYear(dataset: ExploredDataset, { detail, years }: Question) {
  const year = latestYear(dataset, detail, years) ?? latestYear(dataset, detail, ALL_YEARS);
  return { min: year, max: year };
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

/** The Census Bureau's five digits: two of the state, three of the county. */
const COUNTY = /^\d{5}$/;

/** Returns the place column with counties; null if the dataset has none. */
export function mappedField(dataset: ExploredDataset): Field | null {
  const field = dataset.fields.find(
    ({ kind, choices }) =>
      kind === 'place' && choices.length > 0 && choices.every(({ value }) => COUNTY.test(value)),
  );
  return field && mappedLevel(dataset, field) !== null ? field : null;
}

/** Returns the level with one row per area of the map. */
export function mappedLevel({ levels }: ExploredDataset, { column }: Field): string | null {
  return levels.find(({ places }) => places.length === 1 && places[0] === column)?.name ?? null;
}
