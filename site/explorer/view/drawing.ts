/** A chart before it is drawn: what is in it, and all the words around it. */
import type { SeriesBreak } from './comparability.ts';
import type { ExploredDataset, Metric } from './dataset.ts';
import { countOf, formatCount } from './format.ts';
import { describePooling } from './notices.ts';
import { leafPlace, type Question, type ViewState } from './question.ts';
import { columnAt, type Rows } from './rows.ts';
import { type Bar, deriveBars, deriveSeries, type Series } from './series.ts';
import { comparedAxis, mappedField, mappedLevel } from './views.ts';
import {
  describeBars,
  describeNull,
  describeQuestion,
  describeSeries,
  describeSource,
  levelTitle,
  metricTitle,
} from './wording.ts';

interface Words {
  readonly title: string;
  readonly subtitle: string;
  /** The chart in sentences, for those who do not see it. */
  readonly summary: string;
  /** What a reader must know to read it right. */
  readonly notes: readonly string[];
  readonly source: string;
  readonly sample: boolean;
  readonly unit: string | null;
  readonly nullMeaning: string;
  /** Of what the figures are. */
  readonly labelTitle: string;
  readonly figures: readonly FigureCell[];
  readonly empty: boolean;
}

/** A figure of the chart, for the table beside it; `year` is null in bars and maps. */
export interface FigureCell {
  readonly key: string;
  readonly label: string;
  readonly year: number | null;
  readonly value: number | null;
  readonly margin: number | null;
}

export type Drawing = LineDrawing | BarDrawing | MapDrawing;

export interface LineDrawing extends Words {
  readonly kind: 'lines';
  readonly series: readonly Series[];
  /** First and last year of the axis. */
  readonly years: readonly [number, number];
  /** Where what is before cannot be compared with what is after. */
  readonly breaks: readonly SeriesBreak[];
}

export interface BarDrawing extends Words {
  readonly kind: 'bars';
  readonly bars: readonly Bar[];
}

export interface MapDrawing extends Words {
  readonly kind: 'map';
  /** By the code of the area. */
  readonly areas: ReadonlyMap<string, Bar>;
}

const MOST_LINES = 12;
const MOST_BARS = 60;

/** `state` decides the kind; of a table it is lines. */
export function deriveDrawing(
  dataset: ExploredDataset,
  state: ViewState,
  metric: Metric,
  rows: Rows,
): Drawing {
  const { question } = state;
  const words = deriveWords(dataset, question, metric);
  if (state.view === 'map') return deriveMap(dataset, question, metric, rows, words);
  return state.view === 'bars'
    ? drawBars(dataset, question, metric, rows, words)
    : drawLines(dataset, question, metric, rows, words);
}

type CommonWords = Omit<Words, 'summary' | 'notes' | 'figures' | 'empty'>;

function deriveWords(dataset: ExploredDataset, question: Question, metric: Metric): CommonWords {
  const compared = comparedAxis(dataset, question) ?? leafPlace(dataset, question.detail);
  return {
    title: metricTitle(metric),
    subtitle: `${dataset.schema.title}. ${describeQuestion(dataset, question)}`,
    source: describeSource(dataset),
    sample: dataset.manifest.sample === true,
    unit: metric.column.unit,
    nullMeaning: describeNull(dataset, metric.column.name),
    labelTitle: compared?.label ?? 'Figure',
  };
}

function drawLines(
  dataset: ExploredDataset,
  question: Question,
  metric: Metric,
  rows: Rows,
  words: CommonWords,
): LineDrawing {
  const all = deriveSeries(dataset, question, metric, rows);
  const series = all.slice(0, MOST_LINES);
  const known = series.flatMap(({ points }) =>
    points.filter(({ value }) => value !== null).map(({ year }) => year),
  );
  const years = [Math.min(...known), Math.max(...known)] as const;
  const breaks = dataset.comparability
    .breaksOf(metric.column.name, question.detail)
    .filter(({ after }) => after >= years[0] && after < years[1]);
  const { pooledYears } = dataset.comparability;
  return {
    ...words,
    kind: 'lines',
    series,
    years,
    breaks,
    summary: describeSeries(
      metric,
      series,
      breaks.map(({ after }) => after),
    ),
    notes: [
      ...(all.length > series.length
        ? [
            `The first ${MOST_LINES} of ${countOf(all.length, 'line')} are drawn; choose those that you want to compare.`,
          ]
        : []),
      ...breaks.map(({ after, reason }) => `Years up to ${after} do not compare with those after: ${reason}`),
      ...(pooledYears === null ? [] : [describePooling(pooledYears)]),
      ...describeMargin(metric, series.length),
      ...(hasGaps(series, breaks)
        ? ['A line is broken where a year is missing or its figure is not published.']
        : []),
    ],
    figures: series.flatMap(({ key, label, points }) => points.map(point => ({ key, label, ...point }))),
    empty: known.length === 0,
  };
}

/** Whether a line is broken elsewhere than where its figures do not compare. */
function hasGaps(series: readonly Series[], breaks: readonly SeriesBreak[]): boolean {
  return series.some(({ segments }) =>
    segments.slice(1).some((segment, i) => {
      const [last, next] = [segments[i]?.at(-1)?.year ?? 0, segment[0]?.year ?? 0];
      return next > last + 1 || !breaks.some(({ after }) => after === last);
    }),
  );
}

/** Strokes of more lines than this hide one another. */
export const MOST_MARGINS = 4;

function describeMargin({ margin }: Metric, lines: number): string[] {
  if (margin === null) return [];
  return lines <= MOST_MARGINS
    ? [`Upright strokes show the margin of error (“${margin.label}”).`]
    : [
        `Every figure has a margin of error; it is drawn for ${MOST_MARGINS} lines or fewer, and stands in the table below.`,
      ];
}

/** Of many bars the greatest are drawn, in order; of few, all, as the dataset has them. */
function drawBars(
  dataset: ExploredDataset,
  question: Question,
  metric: Metric,
  rows: Rows,
  words: CommonWords,
): BarDrawing {
  const all = deriveBars(dataset, question, metric, rows);
  const places = comparedAxis(dataset, question) === null;
  const sorted = places ? [...all].sort((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity)) : all;
  const bars = sorted.slice(0, MOST_BARS);
  return {
    ...words,
    kind: 'bars',
    bars,
    summary: describeBars(metric, all),
    notes: [
      ...(all.length > bars.length
        ? [
            `The ${MOST_BARS} ${places ? 'greatest' : 'first'} of ${countOf(all.length, 'figure')} are drawn; the table has all.`,
          ]
        : []),
      ...(metric.margin === null
        ? []
        : [`Strokes across the ends show the margin of error (“${metric.margin.label}”).`]),
    ],
    figures: sorted.map(bar => ({ ...bar, year: null })),
    empty: all.every(({ value }) => value === null),
  };
}

function deriveMap(
  dataset: ExploredDataset,
  question: Question,
  metric: Metric,
  rows: Rows,
  words: CommonWords,
): MapDrawing {
  const bars = deriveBars(dataset, question, metric, rows);
  const field = mappedField(dataset);
  const column = field ? columnAt(rows, field.column) : -1;
  const areas = new Map(
    bars.flatMap((bar, row): [string, Bar][] => {
      const code = column < 0 ? null : rows.cell(row, column);
      return code === null ? [] : [[String(code), bar]];
    }),
  );
  const sorted = [...bars].sort((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity));
  return {
    ...words,
    kind: 'map',
    areas,
    summary: describeBars(metric, bars),
    notes: bars.some(({ value }) => value === null)
      ? [`Hatched areas have no figure. ${words.nullMeaning}`]
      : [],
    figures: sorted.map(bar => ({ ...bar, year: null })),
    empty: bars.every(({ value }) => value === null) || areas.size === 0,
  };
}

/** Why there is nothing to draw: no rows, or rows that the view has no place for, or figures that are not published. */
export function describeEmpty(
  dataset: ExploredDataset,
  { detail }: Question,
  { kind, title, nullMeaning, figures }: Drawing,
): string {
  const mapped = kind === 'map' ? mappedField(dataset) : null;
  const level = mapped && mappedLevel(dataset, mapped);
  if (level && level !== detail) return `The map shows rows of the level “${levelTitle(level)}” alone.`;
  if (figures.length === 0) return 'There are no rows for this question.';
  return `“${title}” is in none of these ${formatCount(figures.length)} rows. ${nullMeaning.replace(/\.?$/, '.')}`;
}
