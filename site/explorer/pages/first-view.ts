/** Decides by a dataset's rows what its page shows first, its headline, and which questions it can answer. */
import { statisticsPath } from '../../../build/format/paths.ts';
import type { StatisticsDocument } from '../../../build/format/documents.ts';
import { parseQuery } from '../../query/query-string.ts';
import { type DrawnView, drawView, readShown } from '../panel/pictures.ts';
import { deriveJoins, type ExploredDataset, type Field, type Level, placesAt } from '../view/dataset.ts';
import { hasMoments } from '../view/moment.ts';
import {
  ALL_YEARS,
  freeOf,
  type Question,
  rankMetrics,
  startState,
  type ViewName,
  type ViewState,
  withDetail,
} from '../view/question.ts';
import { MOST_FIRST_ROWS, type Rows } from '../view/rows.ts';
import type { Series } from '../view/series.ts';
import { settleState } from '../view/settled-state.ts';
import { parseState } from '../view/state.ts';
import { possibleViews, VIEWS, withComparison, withView } from '../view/views.ts';

/** Periods with figures that lines need. */
const FEWEST_PERIODS = 3;

/** Values of an axis that a page shows side by side at first. */
const MOST_COMPARED = 6;

/** With fewer figures, bars say more than a map. */
const FEWEST_AREAS = 10;

/** Enough to decide something: by default all columns and rows. */
export interface RowsPart {
  readonly columns?: readonly string[];
  readonly limit?: number;
}

export interface RowsSource {
  readRows(question: Question, part?: RowsPart): Promise<Rows>;
  /** Null if the file does not exist. */
  readText(path: string): Promise<string | null>;
}

export interface FirstView {
  readonly state: ViewState;
  /** Null for a table. */
  readonly drawn: DrawnView | null;
}

/** The kind of the drawing; empty for a table. */
export function drawingOf({ drawn }: FirstView): DrawnView['drawing']['kind'][] {
  return drawn === null ? [] : [drawn.drawing.kind];
}

/**
 * Lines of the whole if three periods have figures, of each value of an axis that has no other default; else the level with
 * the fewest kinds of places, as a map if it has one year, else as bars with the whole; else bars of the whole's groups; else
 * any view that draws something; else the table.
 */
export async function readFirstView(source: RowsSource, dataset: ExploredDataset): Promise<FirstView> {
  const events = await readEventLevels(source, dataset);
  const names = rankMetrics(dataset).map(({ column }) => column.name);
  const key = names.filter(name => name === dataset.schema.key_metric);
  const free = freeOf(dataset);
  const read = columnsReader(source);
  // A level without the key measure shows another one only if no level has it.
  for (const measures of [key, names])
    for (const candidate of measures.length > 0 ? candidatesOf(dataset) : []) {
      if (events.has(candidate.state.detail)) continue;
      const state = await settleState(candidate.state, free, measures, read);
      if (state === null) continue;
      const { drawn } = await showFirst(source, state);
      if (drawn && isWorthShowing(drawn, candidate)) return { state, drawn };
    }
  const start = startState(dataset);
  const slice = dataset.manifest.slices.findLast(({ rows }) => rows > 0);
  // No measure has a figure: the rows as they are.
  const detail = slice?.detail ?? start.detail;
  return { state: { ...start, detail, years: ALL_YEARS, filters: new Map() }, drawn: null };
}

/** Levels whose rows have an identifier each, so that no figure compares with one of another time. */
async function readEventLevels(
  source: RowsSource,
  { schema, levels, fields, timeline }: ExploredDataset,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const axes = fields.filter(({ kind }) => kind === 'axis').map(({ column }) => column);
  for (const { name: level } of levels) {
    const text = await source.readText(statisticsPath(schema.main_topic, schema.topic, level));
    if (text === null) continue;
    const { columns, rows, years } = JSON.parse(text) as StatisticsDocument;
    const times = columns.find(({ name }) => name === timeline?.column)?.distinct ?? years.length;
    const isIdentifier = ({ name, distinct = 0 }: (typeof columns)[number]) =>
      axes.includes(name) && distinct > 1 && distinct === rows;
    if (times > 1 && columns.some(isIdentifier)) found.add(level);
  }
  return found;
}

function columnsReader(source: RowsSource) {
  return (question: Question, columns: readonly string[]) => source.readRows(question, { columns });
}

/** `drawn` is null for a table, and for more rows than the page's script would draw. */
async function showFirst(source: RowsSource, state: ViewState) {
  const shown = await readShown(state, async question => {
    const table = await source.readRows(question, { limit: MOST_FIRST_ROWS + 1 });
    return { table, total: table.rows };
  });
  if (shown.failure !== null) throw shown.failure;
  const count = shown.rows.rows;
  return { count, drawn: count > MOST_FIRST_ROWS ? null : await drawView(shown) };
}

/** Whether a contract's question has rows to draw. */
export async function isAnswered(
  source: RowsSource,
  dataset: ExploredDataset,
  address: string,
): Promise<boolean> {
  const { state, problems, free } = parseState(dataset, parseQuery(address) ?? []);
  if (problems.length > 0) return false;
  const measures = state.metric === null ? [] : [state.metric];
  const settled = free.length > 0 ? await settleState(state, free, measures, columnsReader(source)) : null;
  const { count, drawn } = await showFirst(source, settled ?? state);
  if (drawn?.drawing.kind === 'lines') return periodsOf(drawn) > 1;
  return drawn === null ? count > 0 : !drawn.drawing.empty;
}

interface Candidate {
  readonly state: ViewState;
  /** The least figures, or periods of lines, that are worth showing. */
  readonly fewest: number;
}

function candidatesOf(dataset: ExploredDataset): Candidate[] {
  const views = possibleViews(dataset);
  const start = startState(dataset);
  const joins = deriveJoins(dataset.schema);
  const levels = dataset.levels
    .filter(({ name }) => rowsAt(dataset, name) > 0)
    .sort((a, b) => kinds(a) - kinds(b) || rowsAt(dataset, a.name) - rowsAt(dataset, b.name));
  function kinds(level: Level): number {
    return placesAt(level, joins).length;
  }
  const whole = levels.find(({ places }) => places.length === 0);
  const placed = levels.filter(({ places }) => places.length > 0);
  const at = (view: ViewName, detail: string, fewest: number): Candidate[] => {
    if (!views.includes(view)) return [];
    const state = withView(withDetail(start, detail), view);
    const isBeside = VIEWS[view].isRanked && whole && whole.name !== detail;
    const beside = isBeside ? [{ detail: whole.name, key: '' }] : [];
    return [{ state: { ...state, beside }, fewest }];
  };
  // A map changes the question to its own level.
  const mapOf = (detail: string) =>
    at('map', detail, FEWEST_AREAS).filter(({ state }) => state.detail === detail);
  const groups = (detail: string): Candidate[] =>
    at('bars', detail, 2).flatMap(({ state, fewest }) =>
      dataset.fields
        .filter(({ kind, choices }) => kind === 'axis' && choices.length > 1)
        .map(field => ({
          state: withComparison({ ...state, beside: [] }, field),
          fewest,
        })),
    );
  const lines = hasMoments(dataset) ? 2 : FEWEST_PERIODS;
  const compared = undecidedAxis(dataset);
  return [
    ...(whole ? at('chart', whole.name, lines) : []).map(({ state, fewest }) => ({
      state: compared ? withComparison(state, compared) : state,
      fewest,
    })),
    ...(hasMoments(dataset) ? placed.flatMap(({ name }) => at('chart', name, lines)) : []),
    ...placed.flatMap(({ name, years }) => [
      // Bars also show the year before; a map can't.
      ...(years.length < 2 ? mapOf(name) : []),
      ...at('bars', name, 2),
    ]),
    ...(whole ? groups(whole.name) : []),
    ...placed.flatMap(({ name }) => at('chart', name, lines)),
    ...levels.flatMap(({ name }) => [...at('bars', name, 1), ...at('chart', name, 1)]),
  ];
}

/** The only axis of which no value stands for the whole: neither a total nor the contract's choice. Null if it has many. */
function undecidedAxis({ fields }: ExploredDataset): Field | null {
  const [only = null, another] = fields.filter(
    ({ kind, total, headline, choices }) =>
      kind === 'axis' &&
      choices.length > 1 &&
      !choices.some(({ value }) => value === total || value === headline),
  );
  return another === undefined && only !== null && only.choices.length <= MOST_COMPARED ? only : null;
}

function rowsAt({ manifest }: ExploredDataset, detail: string): number {
  return manifest.slices.reduce((sum, slice) => sum + (slice.detail === detail ? slice.rows : 0), 0);
}

function isWorthShowing(drawn: DrawnView, { fewest }: Candidate): boolean {
  const { drawing } = drawn;
  if (drawing.empty) return false;
  if (drawing.kind === 'lines') return periodsOf(drawn) >= fewest;
  return drawing.figures.filter(({ value }) => value !== null).length >= fewest;
}

function periodsOf({ drawing }: DrawnView): number {
  const periods = drawing.figures.filter(({ value }) => value !== null).map(({ year }) => year);
  return new Set(periods).size;
}

/** The figure of the sentence above a view. */
export interface Headline {
  /** Measure, groups, place and period. */
  readonly name: string;
  readonly figure: string;
  /** The line that ends with the figure, in runs of comparable periods; empty if the view draws no line. */
  readonly runs: Series['segments'];
}

/** Null if the sentence isn't about a single line, bar or whole. */
export function headlineOf({ drawn }: FirstView): Headline | null {
  const { drawing, sentence: [before = '', figure = ''] = [] } = drawn ?? {};
  if (drawing === undefined || !before.endsWith(': ')) return null;
  const lines = drawing.kind === 'lines' ? drawing.panels.flatMap(panel => panel.lines) : [];
  const bars = drawing.kind === 'bars' ? drawing.bars : [];
  if (lines.length !== 1 && bars.length !== 1 && bars.every(({ tone }) => tone !== 'whole')) return null;
  return { name: before.slice(0, -2), figure, runs: lines[0]?.series.segments ?? [] };
}
