/** Lines over time. They break at missing figures and at breaks of the series. */
import {
  axisX,
  axisY,
  dot,
  gridY,
  line,
  type Markish,
  type PlotOptions,
  ruleX,
  text,
} from '@observablehq/plot';
import { type LineDrawing, MOST_MARGINS } from '../../../view/drawing.ts';
import { formatNumber, formatTick } from '../../../view/format.ts';
import { niceTicks } from '../../../view/line-path.ts';
import { seriesEnds } from '../../../view/series.ts';
import { shortenApart } from '../../../view/wording.ts';
import type { Theme } from '../theme.ts';

const HEIGHT = 360;
/** The strokes tell series of the same colour apart. */
const DASHES = ['', '6 4', '2 3'];
/** A line of more figures has small dots. */
const MOST_DOTS = 60;
/** Characters that fit next to the lines. */
const LONGEST_BESIDE = 22;

export function lineOptions(drawing: LineDrawing, width: number, theme: Theme): PlotOptions {
  const { series, breaks, unit, years, timeline } = drawing;
  const isYearly = timeline === null || timeline.unit === 'year';
  // A break lies between the last period of a year and the next.
  const breakAt = (after: number) => (isYearly ? after + 0.5 : timeline.startOf(after + 1) - 0.5);
  const ends = seriesEnds(series);
  const ticks = niceTicks(Math.min(...ends), Math.max(...ends));
  const narrow = width < 520;
  const named = series.length > 1;
  const below = named && (narrow || series.some(({ label }) => label.length > LONGEST_BESIDE));
  const marks: Markish[] = [
    gridY({ ticks, stroke: theme.line, strokeOpacity: 1 }),
    axisY({ ticks, tickSize: 0, tickFormat: (value: number) => formatTick(value, unit), label: null }),
    axisX({ ...axisTicks(drawing, narrow ? 4 : 10), tickSize: 4, label: null }),
    ruleX(breaks, { x: ({ after }) => breakAt(after), stroke: theme.soft, strokeDasharray: '3 3' }),
    text(breaks, {
      x: ({ after }) => breakAt(after),
      frameAnchor: 'top',
      text: () => 'not comparable',
      dy: -18,
      fill: theme.soft,
    }),
  ];
  series.forEach((one, index) => {
    const stroke = theme.series[index % theme.series.length] ?? theme.ink;
    const crowded = one.points.length > MOST_DOTS;
    const dash = DASHES[Math.floor(index / theme.series.length)] ?? '';
    const spread = named ? (index - (series.length - 1) / 2) * 3 : 0;
    const measured = series.length > MOST_MARGINS ? [] : one.points.filter(point => point.interval !== null);
    marks.push(
      ruleX(measured, {
        x: 'year',
        y1: point => point.interval[0],
        y2: point => point.interval[1],
        stroke,
        strokeOpacity: 0.45,
        strokeWidth: 2,
        dx: spread,
      }),
      ...one.segments.map(points =>
        line(points, {
          x: 'year',
          y: 'value',
          stroke,
          strokeWidth: crowded ? 1.5 : 2.5,
          ...(dash === '' ? {} : { strokeDasharray: dash }),
        }),
      ),
      dot(
        one.points.filter(point => point.value !== null),
        {
          x: 'year',
          y: 'value',
          fill: stroke,
          r: crowded ? 1.5 : 3.5,
          title: point =>
            `${one.label === '' ? '' : `${one.label}, `}${timeline?.label(point.year) ?? point.year}: ${formatNumber(point.value, unit)}`,
        },
      ),
    );
  });
  if (named) marks.push(...endLabels(drawing, theme, below, width));
  return {
    width,
    height: HEIGHT + (below ? series.length * 16 : 0),
    marginLeft: 64,
    marginTop: breaks.length > 0 ? 32 : 16,
    marginRight: named && !below ? 190 : 24,
    marginBottom: 32 + (below ? series.length * 16 : 0),
    x: { domain: isYearly ? [years[0] - 0.2, years[1] + 0.2] : pad(years), type: 'linear' },
    y: { domain: [ticks[0] ?? 0, ticks.at(-1) ?? 1], type: 'linear' },
    style: { background: 'none' },
    marks,
  };
}

/** Draws the names in the order of the lines' ends: next to the lines, or below a narrow chart. */
function endLabels({ series }: LineDrawing, theme: Theme, below: boolean, width: number): Markish[] {
  const names = shortenApart(
    series.map(({ label }) => label),
    below ? Math.floor((width - 60) / 7.2) : LONGEST_BESIDE,
  );
  const named = series
    .map(({ points }, index) => ({
      label: names[index] ?? '',
      index,
      value: points.findLast(point => point.value !== null)?.value ?? null,
    }))
    .sort((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity));
  return named.map(({ label, index }, rank) =>
    text([label], {
      frameAnchor: below ? 'bottom-left' : 'top-right',
      text: (name: string) => `${['●', '◆', '▲'][Math.floor(index / theme.series.length)] ?? '●'} ${name}`,
      textAnchor: 'start',
      dx: below ? -40 : 14,
      dy: below ? 44 + rank * 16 : 6 + rank * 18,
      fill: theme.series[index % theme.series.length] ?? theme.ink,
      fontWeight: 600,
      clip: false,
    }),
  );
}

function axisTicks({ years, timeline }: LineDrawing, most: number) {
  if (timeline === null || timeline.unit === 'year')
    return { ticks: axisYears(years, most > 4 ? 12 : 5), tickFormat: String };
  const ticks = timeline.ticks(years[0], years[1], most);
  const labels = new Map(ticks.map(({ at, label }) => [at, label]));
  return { ticks: ticks.map(({ at }) => at), tickFormat: (at: number) => labels.get(at) ?? '' };
}

/** Room at both ends, so that no dot lies on the edge. */
function pad([first, last]: readonly [number, number]): [number, number] {
  const room = Math.max(0.2, (last - first) / 100);
  return [first - room, last + room];
}

/** Returns at most so many whole years, always with the last. */
function axisYears([first, last]: readonly [number, number], most: number): number[] {
  const step = Math.max(1, Math.ceil((last - first + 1) / most));
  const years: number[] = [];
  for (let year = last; year >= first; year -= step) years.unshift(year);
  return years;
}
