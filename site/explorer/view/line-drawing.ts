/** Lines over time, in one chart if they are few, else in small charts with a common scale. */
import { t } from '../messages/messages.ts';
import { niceTicks } from './curve.tsx';
import type { Metric } from './dataset.ts';
import type { DrawInput, Line, LineDrawing, Panel } from './drawing.ts';
import { describeRanges } from './question.ts';
import { deriveSeries, isUnreliable, nameApart, type Series, seriesEnds } from './series.ts';
import { nameUnit, type Timeline, YEARS } from './timeline.ts';
import { describeStart, titleView } from './wording.ts';

/** If the lines' greatest figures differ by more than this factor, each line gets its own chart and scale. */
const TOO_FAR = 8;

/** More lines become small charts. */
const MOST_LINES = 8;

/** Most small charts if the reader has chosen no places. */
const MOST_PANELS = 60;

/** With more lines, the margins' strokes would cover one another. */
export const MOST_MARGINS = 4;

interface Drawn {
  readonly series: Series;
  readonly isContext: boolean;
}

export function drawLines({ state, metric, rows, beside, words }: DrawInput): LineDrawing {
  const { dataset, detail } = state;
  const own = deriveSeries(state, metric, rows, beside.length > 0);
  const others = beside.flatMap(({ question: asked, rows: found, role }) =>
    deriveSeries(asked, metric, found, true).map(series => ({
      series,
      isContext: role === 'context',
    })),
  );
  const named = nameApart(dataset, [...own.map(series => ({ series, isContext: false })), ...others]);
  const isChosen = state.places.length > 0;
  const apart = areFarApart(named);
  const all = layOutPanels(named, apart).map(panel => ({
    ...panel,
    ticks: ticksOf(apart ? panel.lines : named, metric.column.unit),
  }));
  const panels = isChosen ? all : all.slice(0, MOST_PANELS);
  const lines = panels.flatMap(panel => panel.lines);
  const series = lines.map(line => line.series);
  const known = series.flatMap(({ points }) =>
    points.filter(({ value }) => value !== null).map(({ year }) => year),
  );
  const timeline = dataset.timeline ?? YEARS;
  const { yearOf } = timeline;
  const years = [least(known), -least(known.map(at => -at))] as const;
  const breaks = dataset.comparability
    .breaksOf(metric.column.name, detail)
    .filter(({ after }) => after >= yearOf(years[0]) && after < yearOf(years[1]));
  const { pooledYears } = dataset.comparability;
  const ends = seriesEnds(series);
  const start = apart ? null : describeStart(ends, metric.column.unit, all[0]?.ticks);
  const most = Math.max(0, ...panels.map(panel => panel.lines.length));
  const empty = known.length === 0;
  return {
    ...words,
    // The years that are drawn, not those that were asked for.
    title: empty ? words.title : titleView(state, [yearOf(years[0]), yearOf(years[1])]),
    kind: 'lines',
    timeline,
    panels,
    years,
    breaks,
    notes: [
      all.length > panels.length && t.drawing.firstCharts(MOST_PANELS, all.length),
      panels.length > 1 && (apart ? t.drawing.ownScales : t.drawing.sameScale),
      ...breaks.map(({ after, reason }) => t.drawing.notComparable(after, reason)),
      pooledYears !== null && t.notices.pooling(pooledYears),
      ...describeMargins(metric, most, series),
      start,
      hasGaps(series, breaks, timeline) &&
        t.drawing.gap(nameUnit(timeline), describeRanges(state).length > 0),
    ].filter(note => note !== false && note !== null),
    figures: series.flatMap(({ detail, key, label, points }) =>
      points.map(point => ({ key: `${detail} ${key}`, label, ...point })),
    ),
    empty,
  };
}

/**
 * One chart of few lines; if they are of different size, one for each line. Of more lines, each group gets a small chart
 * if the places are few, since readers compare places; else each place gets one.
 */
function layOutPanels(drawn: readonly Drawn[], apart: boolean): Omit<Panel, 'ticks'>[] {
  const own = drawn.filter(({ isContext }) => !isContext);
  const places = [...new Set(own.map(({ series }) => series.place))];
  const groups = [...new Set(drawn.map(({ series }) => series.group))];
  const byGroup = groups.length > 1 && places.length <= MOST_LINES;
  const lookOf = ({ series: { place, group, label } }: Drawn, at: number): [string, string, number] => {
    if (apart) return [label, '', at];
    if (drawn.length <= MOST_LINES) return ['', label, own.indexOf(drawn[at]!)];
    return byGroup ? [group, place, places.indexOf(place)] : [place, group, groups.indexOf(group)];
  };
  const panels = new Map<string, Line[]>();
  for (const [at, one] of drawn.entries()) {
    const [title, label, color] = lookOf(one, at);
    const lines = panels.get(title) ?? [];
    panels.set(title, lines);
    lines.push({ series: one.series, label, color: one.isContext ? null : Math.max(0, color) });
  }
  return [...panels].map(([title, lines]) => ({ title, lines }));
}

/** Whether some of few lines would lie flat on the axis of the others. */
function areFarApart(drawn: readonly Drawn[]): boolean {
  const sizes = drawn
    .map(({ series }) => Math.max(0, ...series.points.map(({ value }) => Math.abs(value ?? 0))))
    .filter(size => size > 0);
  return drawn.length <= MOST_LINES && Math.max(0, ...sizes) > TOO_FAR * Math.min(Infinity, ...sizes);
}

/** The least span of an axis of shares: five points. Otherwise a tenth of a point would fill the chart. */
const LEAST_SPAN = 0.05;

function ticksOf(drawn: readonly { readonly series: Series }[], unit: string | null): readonly number[] {
  const ends = seriesEnds(drawn.map(({ series }) => series));
  const [low, high] = [least(ends), -least(ends.map(end => -end))];
  const lacking = unit === 'proportion' ? Math.max(0, LEAST_SPAN - (high - low)) / 2 : 0;
  return niceTicks(lacking > 0 ? Math.max(0, low - lacking) : low, high + lacking);
}

/** Math.min with thousands of arguments can fail. */
function least(numbers: readonly number[]): number {
  return numbers.reduce((low, number) => Math.min(low, number), Infinity);
}

/** Whether a line has a gap besides the breaks of its series. */
function hasGaps(
  series: readonly Series[],
  breaks: LineDrawing['breaks'],
  { isNext, yearOf }: Timeline,
): boolean {
  return series.some(({ segments }) =>
    segments.slice(1).some((segment, i) => {
      const [last, next] = [segments[i]?.at(-1)?.year ?? 0, segment[0]?.year ?? 0];
      return (
        !isNext(last, next) || !breaks.some(({ after }) => yearOf(last) <= after && after < yearOf(next))
      );
    }),
  );
}

function describeMargins({ margin }: Metric, lines: number, series: readonly Series[]): string[] {
  if (margin === null || series.every(({ points }) => points.every(point => point.margin === null)))
    return [];
  const drawn =
    lines <= MOST_MARGINS ? t.drawing.lineMargins(margin.label) : t.drawing.hiddenMargins(MOST_MARGINS);
  return series.some(({ points }) => points.some(isUnreliable))
    ? [drawn, t.drawing.unreliablePoint]
    : [drawn];
}
