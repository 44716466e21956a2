/** The state of a page in its URL: the API's own parameters, and four of the explorer. */
import type { Problem } from '../../query/problems.ts';
import type { Pair } from '../../query/query-string.ts';
import type { RowsRequest } from '../../query/request.ts';
import { parseRequest } from '../../query/request-parser.ts';
import type { ExploredDataset } from './dataset.ts';
import { derivePins } from './pins.ts';
import {
  ALL_YEARS,
  inOrder,
  latestYear,
  type Sort,
  startMetric,
  startState,
  toParameters,
  VIEWS,
  type ViewName,
  type ViewState,
  type Years,
  yearParams,
} from './question.ts';
import { fitView, possibleViews, withView } from './views.ts';

export interface ParsedState {
  readonly state: ViewState;
  /** What the URL asks that the API would refuse, in its words; the state is what remains. */
  readonly problems: readonly Pick<Problem, 'param' | 'msg'>[];
  /** No axis was chosen: all pins are the explorer's own, and may be others where they have no rows together. */
  readonly untouched: boolean;
}

type OwnName = 'view' | 'metric' | 'sort' | 'open';

/** A parameter of the explorer; where the API of this dataset has one of that name, underscores are added. */
function ownName({ table }: ExploredDataset, name: OwnName): string {
  let own: string = name;
  while (table.parameters.has(own)) own += '_';
  return own;
}

/**
 * Everything that is asked is in it, so that the URL gives the same view when a later release has other defaults.
 * `open` lists the axes (and the year) that may have any value: an axis that a URL does not name is pinned.
 */
export function formatState(dataset: ExploredDataset, state: ViewState): Pair[] {
  const { question, view, metric, sort } = state;
  const pairs = toParameters(dataset, question).map(([name, value]): Pair => ({ name, value }));
  const open = dataset.fields
    .filter(({ kind, param }) => kind === 'axis' && !question.filters.has(param))
    .map(({ param }) => param);
  if (question.years.min === null && question.years.max === null) open.unshift(yearParams(dataset).exact);
  const add = (name: OwnName, value: string) => pairs.push({ name: ownName(dataset, name), value });
  if (open.length > 0) add('open', open.join(','));
  if (view !== 'table') add('view', view);
  if (metric !== null && metric !== startMetric(dataset)) add('metric', metric);
  if (sort !== null) add('sort', (sort.descending ? '-' : '') + sort.column);
  return pairs;
}

/** Reads a URL's pairs. What the explorer does not know is ignored; what the API would refuse is told. */
export function parseState(dataset: ExploredDataset, pairs: readonly Pair[]): ParsedState {
  const own = new Map(pairs.map(({ name, value }) => [name, value]));
  const ownValue = (name: OwnName) => own.get(ownName(dataset, name)) ?? null;
  const asked = pairs.filter(({ name }) => {
    const kind = dataset.table.parameters.get(name)?.kind;
    return kind === 'year' || kind === 'detail' || kind === 'column';
  });
  const { request, problems: refused } = readRequest(dataset, asked);
  const view = possibleViews(dataset).find(name => name === ownValue('view')) ?? 'table';
  const problems = [...refused, ...explainView(dataset, view, ownValue('view'))];
  const open = new Set((ownValue('open') ?? '').split(','));
  const start = startState(dataset);
  const metric = readMetric(dataset, ownValue('metric'));
  const sort = readSort(dataset, ownValue('sort'));
  // A link that names a view alone asks for what the view would show.
  if (asked.length === 0 && !own.has(ownName(dataset, 'open')))
    return { state: { ...withView(dataset, start, view), metric, sort }, problems, untouched: true };
  const detail = request?.detail ?? start.question.detail;
  const latest = latestYear(dataset, detail, ALL_YEARS);
  const free = view === 'chart' || open.has(yearParams(dataset).exact);
  const years = readYears(request) ?? (free ? ALL_YEARS : { min: latest, max: latest });
  const filters = new Map<string, readonly string[]>();
  for (const [param, pin] of derivePins(dataset, detail, years.max)) {
    if (!open.has(param)) filters.set(param, pin);
  }
  for (const { param, values } of request?.conditions ?? []) filters.set(param, values.map(String));
  return {
    state: fitView(dataset, {
      view,
      question: { detail, years, filters: inOrder(dataset, filters) },
      metric,
      sort,
    }),
    problems,
    untouched: !dataset.fields.some(({ kind, param }) => kind === 'axis' && own.has(param)),
  };
}

/** The request that the pairs make, or as much of it as is right. */
function readRequest(
  { table }: ExploredDataset,
  pairs: readonly Pair[],
): { readonly request: RowsRequest | null; readonly problems: readonly Problem[] } {
  const parsed = parseRequest(table, pairs);
  if ('request' in parsed) return { request: parsed.request, problems: [] };
  const corrected = parseRequest(table, parsed.corrected);
  return { request: 'request' in corrected ? corrected.request : null, problems: parsed.problems };
}

/** A view that there is, but not of these rows. */
function explainView(dataset: ExploredDataset, shown: ViewName, asked: string | null) {
  if (asked === shown || !VIEWS.some(name => name === asked)) return [];
  const msg =
    asked === 'map'
      ? 'The map knows no place of this dataset, so there is no map of it'
      : 'This dataset has no figures to draw';
  return [{ param: ownName(dataset, 'view'), msg }];
}

function readYears(request: RowsRequest | null): Years | null {
  if (!request) return null;
  const { exact, min, max } = request.years;
  if (exact === null && min === null && max === null) return null;
  if (exact === null) return { min, max };
  return { min: Math.max(exact, min ?? exact), max: Math.min(exact, max ?? exact) };
}

function readMetric(dataset: ExploredDataset, text: string | null): string | null {
  const found = dataset.metrics.find(({ column }) => column.name === text);
  return found?.column.name ?? startMetric(dataset);
}

function readSort({ manifest }: ExploredDataset, text: string | null): Sort | null {
  if (text === null) return null;
  const descending = text.startsWith('-');
  const column = descending ? text.slice(1) : text;
  return manifest.columns.some(({ name }) => name === column) ? { column, descending } : null;
}
