/** A chart before it is drawn: its content and its words. */
import type { SeriesBreak } from './comparability.ts';
import type { ExploredDataset, Metric } from './dataset.ts';
import { countOf, formatCount } from './format.ts';
import { levelTitle } from './levels.ts';
import { describePooling } from './notices.ts';
import { leafPlace, type Question, type ViewState } from './question.ts';
import { columnAt, type Rows } from './rows.ts';
import { type Bar, deriveBars, deriveSeries, type Series, seriesEnds } from './series.ts';
import type { Timeline } from './timeline.ts';
import { comparedAxis, mappedField, mappedLevel } from './views.ts';
import {
  describeBars,
  describeNull,
  describeQuestion,
  describeSeries,
  describeSource,
  describeStart,
  metricTitle,
} from './wording.ts';

interface Words {
  readonly title: string;
  readonly subtitle: string;
  /** The chart in sentences, for readers who cannot see it. */
  readonly summary: string;
  /** Warnings and explanations. */
  readonly notes: readonly string[];
  readonly source: string;
  readonly sample: boolean;
  readonly unit: string | null;
  readonly nullMeaning: string;
  /** Title of the column with the labels. */
  readonly labelTitle: string;
  readonly figures: readonly FigureCell[];
  readonly empty: boolean;
}

/** A figure of the chart, for its table; `year`, its place on the timeline, is null in bars and maps. */
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
  readonly timeline: Timeline | null;
  /** First and last place of the axis on the timeline. */
  readonly years: readonly [number, number];
  /** Breaks of the series within the years. */
  readonly breaks: readonly SeriesBreak[];
}

export interface BarDrawing extends Words {
  readonly kind: 'bars';
  readonly bars: readonly Bar[];
}

export interface MapDrawing extends Words {
  readonly kind: 'map';
  /** Figures by area code. */
  readonly areas: ReadonlyMap<string, Bar>;
}

const MOST_LINES = 12;
const MOST_BARS = 60;

/** Derives the drawing of the state's view; a table gives lines. */
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
  const { timeline } = dataset;
  const yearOf = timeline?.yearOf ?? (at => at);
  const years = [least(known), -least(known.map(at => -at))] as const;
  const breaks = dataset.comparability
    .breaksOf(metric.column.name, question.detail)
    .filter(({ after }) => after >= yearOf(years[0]) && after < yearOf(years[1]));
  const { pooledYears } = dataset.comparability;
  const start = describeStart(seriesEnds(series), metric.column.unit);
  return {
    ...words,
    kind: 'lines',
    timeline,
    series,
    years,
    breaks,
    summary: describeSeries(
      metric,
      series,
      breaks.map(({ after }) => after),
      timeline,
    ),
    notes: [
      ...(all.length > series.length
        ? [
            `The first ${MOST_LINES} of ${countOf(all.length, 'line')} are drawn. Choose the ones that you want to compare.`,
          ]
        : []),
      ...breaks.map(
        ({ after, reason }) => `Figures up to ${after} are not comparable with later ones: ${reason}`,
      ),
      ...(pooledYears === null ? [] : [describePooling(pooledYears)]),
      ...describeMargin(metric, series.length),
      ...(start === null ? [] : [start]),
      ...(hasGaps(series, breaks, timeline)
        ? [`A gap in a line is a ${timeline?.noun ?? 'year'} without a published figure.`]
        : []),
    ],
    figures: series.flatMap(({ key, label, points }) => points.map(point => ({ key, label, ...point }))),
    empty: known.length === 0,
  };
}

/** The least of many numbers: a call has no room for thousands. */
function least(numbers: readonly number[]): number {
  return numbers.reduce((low, number) => Math.min(low, number), Infinity);
}

/** Whether a line has a gap besides the breaks of its series. */
function hasGaps(
  series: readonly Series[],
  breaks: readonly SeriesBreak[],
  timeline: Timeline | null,
): boolean {
  const isNext = timeline?.isNext ?? ((last: number, at: number) => at <= last + 1);
  const yearOf = timeline?.yearOf ?? (at => at);
  return series.some(({ segments }) =>
    segments.slice(1).some((segment, i) => {
      const [last, next] = [segments[i]?.at(-1)?.year ?? 0, segment[0]?.year ?? 0];
      return (
        !isNext(last, next) || !breaks.some(({ after }) => yearOf(last) <= after && after < yearOf(next))
      );
    }),
  );
}

/** With more lines, the strokes hide one another. */
export const MOST_MARGINS = 4;

function describeMargin({ margin }: Metric, lines: number): string[] {
  if (margin === null) return [];
  return lines <= MOST_MARGINS
    ? [`Vertical strokes show the margin of error (“${margin.label}”).`]
    : [
        `Every figure has a margin of error. The chart shows it for up to ${MOST_MARGINS} lines; the table below lists it.`,
      ];
}

/** Draws places by size, and the values of an axis in the dataset's order; at most `MOST_BARS`. */
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
            `The ${MOST_BARS} ${places ? 'greatest' : 'first'} of ${countOf(all.length, 'figure')} are drawn. The table has all of them.`,
          ]
        : []),
      ...(metric.margin === null
        ? []
        : [`Strokes across the ends of the bars show the margin of error (“${metric.margin.label}”).`]),
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

/** Says why there is nothing to draw: no rows, rows of another level, or unpublished figures. */
export function describeEmpty(
  dataset: ExploredDataset,
  { detail }: Question,
  { kind, title, nullMeaning, figures }: Drawing,
): string {
  const mapped = kind === 'map' ? mappedField(dataset) : null;
  const level = mapped && mappedLevel(dataset, mapped);
  if (level && level !== detail)
    return `The map only shows rows of the level “${levelTitle(dataset, level)}”.`;
  if (figures.length === 0) return 'No rows match your selection.';
  return `None of these ${formatCount(figures.length)} rows has a figure for “${title}”. ${nullMeaning.replace(/\.?$/, '.')}`;
}
