/** The state of a page in its URL: the API's parameters, and four of the explorer's. */
import type { Problem } from '../../query/problems.ts';
import type { Pair } from '../../query/query-string.ts';
import { describeConditions, type RowsRequest } from '../../query/request.ts';
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
  /** The parts of the URL that the API refuses, in its words; the state is the rest. */
  readonly problems: readonly Pick<Problem, 'param' | 'msg'>[];
  /** Whether the URL chooses no axis: the explorer may then change its own pins if they have no rows. */
  readonly untouched: boolean;
}

type OwnName = 'view' | 'metric' | 'sort' | 'open';

/** The name of an explorer's parameter, with underscores added if the dataset's API has the same name. */
function ownName({ table }: ExploredDataset, name: OwnName): string {
  let own: string = name;
  while (table.parameters.has(own)) own += '_';
  return own;
}

/**
 * Writes the whole question, so that the URL gives the same view under the defaults of a later release. `open` lists
 * the axes (and the year) that may have any value; any other missing axis is pinned.
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

/** Reads a URL's pairs. Ignores unknown names, and reports what the API refuses. */
export function parseState(dataset: ExploredDataset, pairs: readonly Pair[]): ParsedState {
  const own = new Map(pairs.map(({ name, value }) => [name, value]));
  const ownValue = (name: OwnName) => own.get(ownName(dataset, name)) ?? null;
  const asked = pairs.filter(({ name }) => {
    const kind = dataset.table.parameters.get(name)?.kind;
    return kind === 'year' || kind === 'detail' || kind === 'column' || kind === 'range';
  });
  const { request, problems: refused } = readRequest(dataset, asked);
  const view = possibleViews(dataset).find(name => name === ownValue('view')) ?? 'table';
  const problems = [...refused, ...explainView(dataset, view, ownValue('view'))];
  const open = new Set((ownValue('open') ?? '').split(','));
  const start = startState(dataset);
  const metric = readMetric(dataset, ownValue('metric'));
  const sort = readSort(dataset, ownValue('sort'));
  // A link that only names a view opens the view's own question.
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
  for (const condition of request?.conditions ?? []) {
    if (condition.bound === 'list') filters.set(condition.param, condition.values.map(String));
  }
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

/** Parses the pairs, or the valid ones among them. */
function readRequest(
  { table }: ExploredDataset,
  pairs: readonly Pair[],
): { readonly request: RowsRequest | null; readonly problems: readonly Problem[] } {
  const parsed = parseRequest(table, pairs);
  if ('request' in parsed) return { request: parsed.request, problems: [] };
  const corrected = parseRequest(table, parsed.corrected);
  return { request: 'request' in corrected ? corrected.request : null, problems: parsed.problems };
}

/** Reports a view that these rows do not have. */
function explainView(dataset: ExploredDataset, shown: ViewName, asked: string | null) {
  if (asked === shown || !VIEWS.some(name => name === asked)) return [];
  const msg =
    asked === 'map'
      ? 'The map has no shapes for the places of this dataset'
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
