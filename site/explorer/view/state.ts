/** The state of a page in its URL: the API's parameters and the explorer's own. */
import { PLAIN_RULES } from '../../../build/format/grammar.ts';
import { describeConditions } from '../../query/condition.ts';
import type { Problem } from '../../query/problems.ts';
import { type Pair, parseQuery } from '../../query/query-string.ts';
import { formatPlaceKey, parseRequest, type RowsRequest } from '../../query/request.ts';
import { t } from '../messages/messages.ts';
import type { ExploredDataset } from './dataset.ts';
import {
  ALL_YEARS,
  derivePins,
  freeOf,
  inOrder,
  type LevelPlace,
  latestYear,
  levelOf,
  placeParam,
  type Question,
  rankMetrics,
  settleBeside,
  startMetric,
  startState,
  toParameters,
  type ViewState,
  YEAR_PARAMS,
  type Years,
} from './question.ts';
import type { Sort } from './rows.ts';
import { fitView, isView, possibleViews, VIEWS, withView } from './views.ts';

export interface ParsedState {
  readonly state: ViewState;
  /** What the API refuses in the URL, in its words; the state is read from the rest. */
  readonly problems: readonly Pick<Problem, 'param' | 'msg'>[];
  /** Parameters that the URL doesn't set. The explorer may change what it chose for them if that has no figure. */
  readonly free: readonly string[];
  /** The measure that the URL sets; if it sets none, all, the preferred first. */
  readonly measures: readonly string[];
}

const OWN_NAMES = ['view', 'metric', 'rank', 'sort', 'open', 'with', 'alone'] as const;
type OwnName = (typeof OWN_NAMES)[number];

/** The parameter's name, with underscores added if the dataset's API has a parameter of that name. */
function ownName({ table }: ExploredDataset, name: OwnName): string {
  let own: string = name;
  while (table.parameters.has(own)) own += '_';
  return own;
}

/**
 * Writes the whole question: a later release may have other defaults. `open` lists the axes (and the year) that may have
 * any value; other missing axes are pinned. `with` lists places of other levels in the same chart, as `level:key`, or as
 * `level` for the whole. `alone=yes` hides the larger places in grey.
 */
export function formatState(state: ViewState): Pair[] {
  const { dataset, years, filters, view, beside, alone, metric, rank, sort } = state;
  const pairs = toParameters(state);
  const open = dataset.fields
    .filter(({ kind, param }) => kind === 'axis' && !filters.has(param))
    .map(({ param }) => param);
  if (years.min === null && years.max === null) open.unshift(YEAR_PARAMS.exact);
  const add = (name: OwnName, value: string) => pairs.push({ name: ownName(dataset, name), value });
  if (open.length > 0) add('open', open.join(','));
  if (beside.length > 0)
    add('with', beside.map(({ detail, key }) => (key === '' ? detail : `${detail}:${key}`)).join(','));
  if (alone) add('alone', 'yes');
  if (view !== 'table') add('view', view);
  if (metric !== null && metric !== startMetric(dataset)) add('metric', metric);
  if (rank !== 'value') add('rank', rank);
  if (sort !== null) add('sort', (sort.descending ? '-' : '') + sort.column);
  return pairs;
}

/** The state of the page's address, or of `first`, its first view's address, if the page's address sets nothing. */
export function readAddress(dataset: ExploredDataset, search: string, first: string): ParsedState {
  const pairs = parseQuery(search) ?? [];
  const own = new Set(OWN_NAMES.map(name => ownName(dataset, name)));
  const isBare = pairs.every(({ name }) => !own.has(name) && !dataset.table.parameters.has(name));
  return parseState(dataset, isBare ? (parseQuery(first) ?? []) : pairs);
}

/** Ignores unknown names, and reports what the API refuses. */
export function parseState(dataset: ExploredDataset, pairs: readonly Pair[]): ParsedState {
  const own = new Map(pairs.map(({ name, value }) => [name, value]));
  const ownValue = (name: OwnName) => own.get(ownName(dataset, name)) ?? null;
  const asked = pairs.filter(({ name }) => {
    const parameter = dataset.table.parameters.get(name);
    return parameter !== undefined && PLAIN_RULES.every(rule => rule.name !== name);
  });
  const { request, problems: refused } = readRequest(dataset, asked);
  const asView = ownValue('view');
  const view = possibleViews(dataset).find(name => name === asView) ?? 'table';
  const { beside, problems: unknown } = readBeside(dataset, ownValue('with'));
  const absent =
    asView !== null && asView !== view && isView(asView)
      ? [{ param: ownName(dataset, 'view'), msg: t.view.absent[asView] }]
      : [];
  const problems = [...refused, ...unknown, ...absent];
  const open = new Set((ownValue('open') ?? '').split(','));
  const start = startState(dataset);
  const measure = dataset.metrics.find(({ column }) => column.name === ownValue('metric'));
  const measures = (measure ? [measure] : rankMetrics(dataset)).map(({ column }) => column.name);
  const shown = {
    view,
    beside,
    alone: ownValue('alone') === 'yes',
    metric: measures[0] ?? null,
    rank: ownValue('rank') === 'change' ? ('change' as const) : ('value' as const),
    sort: readSort(dataset, ownValue('sort')),
  };
  // A link that only names a view opens the view's own question.
  if (asked.length === 0 && !own.has(ownName(dataset, 'open')))
    return { state: { ...withView(start, view), ...shown }, problems, free: freeOf(dataset), measures };
  const detail = request?.detail ?? start.detail;
  const latest = latestYear({ dataset, detail }, ALL_YEARS);
  const askedYears = readYears(request);
  const isOpen = VIEWS[view].periods === 'all' || open.has(YEAR_PARAMS.exact);
  const years = askedYears ?? (isOpen ? ALL_YEARS : { min: latest, max: latest });
  const filters = new Map<string, readonly string[]>();
  for (const [param, pin] of derivePins(dataset, years.max)) {
    if (!open.has(param)) filters.set(param, pin);
  }
  let places: readonly string[] = [];
  for (const condition of request?.conditions ?? []) {
    if (condition.param === placeParam(dataset)) places = condition.texts;
    else filters.set(condition.param, describeConditions([condition])[condition.param] ?? []);
  }
  const question = toWholeKeys({ dataset, detail, years, places, filters: inOrder(dataset, filters) });
  return {
    state: fitView(settleBeside({ ...question, ...shown })),
    problems,
    free: freeOf(dataset).filter(
      param => !own.has(param) && !open.has(param) && (param !== YEAR_PARAMS.exact || askedYears === null),
    ),
    measures,
  };
}

/** Parses the pairs, or those of them that are valid. */
function readRequest(
  { table }: ExploredDataset,
  pairs: readonly Pair[],
): { readonly request: RowsRequest | null; readonly problems: readonly Problem[] } {
  const parsed = parseRequest(table, pairs);
  if ('request' in parsed) return { request: parsed.request, problems: [] };
  const corrected = parseRequest(table, parsed.corrected);
  return { request: 'request' in corrected ? corrected.request : null, problems: parsed.problems };
}

/** Reads places of other levels; reports those that the API would refuse. */
function readBeside(dataset: ExploredDataset, text: string | null) {
  const param = ownName(dataset, 'with');
  const beside: LevelPlace[] = [];
  const problems: Pick<Problem, 'param' | 'msg'>[] = [];
  for (const item of text === null || text === '' ? [] : text.split(',')) {
    const [detail = '', ...codes] = item.split(':');
    const key = codes.join(':');
    const asked = [{ name: 'detail', value: detail }];
    if (key !== '') asked.push({ name: placeParam(dataset), value: key });
    const { request, problems: refused } = readRequest(dataset, asked);
    const isWhole = levelOf({ dataset, detail }).places.length === 0;
    const [condition] = request?.conditions ?? [];
    if (refused.length > 0 || (key === '' && !isWhole))
      problems.push({ param, msg: refused[0]?.msg ?? t.view.noPlaceOfLevel(item) });
    else if (condition === undefined) beside.push({ detail, key: '' });
    else beside.push(...condition.texts.map(key => ({ detail, key })));
  }
  const distinct = new Map(beside.map(place => [`${place.detail}:${place.key}`, place]));
  return { beside: [...distinct.values()], problems };
}

/** Turns filters on place columns into whole keys, if they name one place, or several places with keys of one part. */
function toWholeKeys(question: Question): Question {
  const { places } = levelOf(question);
  const { dataset, filters } = question;
  const fields = places.flatMap(
    column => dataset.fields.find(one => one.kind === 'place' && one.column === column) ?? [],
  );
  const lists = fields.map(({ param }) => filters.get(param) ?? []);
  const isKey = lists.length === places.length && lists.every(({ length }) => length === 1);
  const isOnePart = places.length === 1 && (lists[0]?.length ?? 0) > 0;
  if (question.places.length > 0 || places.length === 0 || !(isKey || isOnePart)) return question;
  const keys = isKey
    ? [formatPlaceKey(lists.map(([code]) => code ?? null))]
    : (lists[0] ?? []).map(code => formatPlaceKey([code]));
  const left = new Map([...filters].filter(([param]) => !fields.some(field => field.param === param)));
  return { ...question, filters: left, places: keys };
}

function readYears(request: RowsRequest | null): Years | null {
  if (!request) return null;
  const { exact, min, max } = request.years;
  if (exact === null && min === null && max === null) return null;
  if (exact === null) return { min, max };
  return { min: Math.max(exact, min ?? exact), max: Math.min(exact, max ?? exact) };
}

function readSort({ manifest }: ExploredDataset, text: string | null): Sort | null {
  if (text === null) return null;
  const descending = text.startsWith('-');
  const column = descending ? text.slice(1) : text;
  return manifest.columns.some(({ name }) => name === column) ? { column, descending } : null;
}
