/** Lines over time: content, layout, drawing, and reading them off period by period. */
import { useMemo } from 'preact/hooks';
import { t } from '../messages/messages.ts';
import { linear, niceTicks } from '../view/curve.tsx';
import type { Metric } from '../view/dataset.ts';
import type { DrawInput, Line, LineDrawing, Panel } from '../view/drawing.ts';
import { formatTick } from '../view/format.ts';
import { deriveSeries, isUnreliable, type Point, type Series, sayValue, seriesEnds } from '../view/series.ts';
import { nameUnit, type Timeline, YEARS } from '../view/timeline.ts';
import { describeRanges, describeStart, titleView, wrapText } from '../view/wording.ts';
import {
  COLORS,
  heightAt,
  LETTER,
  NARROW,
  openFigure,
  PictureFrame,
  type PictureOf,
  ReadOff,
  ROW,
  type Stop,
  useStop,
} from './picture-parts.tsx';

export const lines = { draw: drawLines, Picture: LinePicture };

/** If the lines' greatest figures differ by more than this factor, each line gets its own chart and scale. */
const TOO_FAR = 8;

/** More lines become small charts. */
const MOST_LINES = 8;

/** Most small charts if the reader has chosen no places. */
const MOST_PANELS = 60;

/** With more lines, the margins' strokes would cover one another. */
const MOST_MARGINS = 4;

interface NamedSeries {
  readonly series: Series;
  readonly isContext: boolean;
}

function drawLines({ state, metric, rows, beside }: DrawInput): LineDrawing {
  const { dataset, detail } = state;
  const own = deriveSeries(state, metric, rows, beside.length > 0).map(series => ({
    series,
    isContext: false,
  }));
  const others = beside.flatMap(({ question: asked, rows: found, role }) =>
    deriveSeries(asked, metric, found, true).map(series => ({
      series,
      isContext: role === 'context',
    })),
  );
  const named = [...own, ...others];
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
    kind: 'lines',
    state,
    metric,
    // The years that are drawn, not those that were asked for.
    title: titleView(state, empty ? null : [yearOf(years[0]), yearOf(years[1])]),
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
function layOutPanels(drawn: readonly NamedSeries[], apart: boolean): Omit<Panel, 'ticks'>[] {
  const own = drawn.filter(({ isContext }) => !isContext);
  const places = [...new Set(own.map(({ series }) => series.place))];
  const groups = [...new Set(drawn.map(({ series }) => series.group))];
  const byGroup = groups.length > 1 && places.length <= MOST_LINES;
  const lookOf = ({ series: { place, group, label } }: NamedSeries, at: number): [string, string, number] => {
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
function areFarApart(drawn: readonly NamedSeries[]): boolean {
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
  { longestStep, yearOf }: Timeline,
): boolean {
  return series.some(({ points, segments }) => {
    const longest = longestStep(points.map(({ year }) => year));
    return segments.slice(1).some((segment, i) => {
      const [last, next] = [segments[i]?.at(-1)?.year ?? 0, segment[0]?.year ?? 0];
      return (
        next - last > longest || !breaks.some(({ after }) => yearOf(last) <= after && after < yearOf(next))
      );
    });
  });
}

function describeMargins({ margin }: Metric, lines: number, series: readonly Series[]): string[] {
  if (margin === null || series.every(({ points }) => points.every(point => point.margin === null)))
    return [];
  const drawn =
    lines <= MOST_MARGINS ? t.drawing.margins(margin.label) : t.drawing.hiddenMargins(MOST_MARGINS);
  return series.some(({ points }) => points.some(isUnreliable))
    ? [drawn, t.drawing.unreliablePoint]
    : [drawn];
}

/** Estimated width of a name's bold letter. */
const BOLD_LETTER = 7.3;
const LONGEST_LABEL = 26;
const PANEL_WIDTH = 210;
const PANEL_HEIGHT = 118;
/** Room for half of the last year's name. */
const EDGE = 14;
/** Room for the time axis, and between two rows of panels. */
const AXIS = 34;
/** Pixels between the axis of values and the first year. */
const INSET = 8;

type LineLayout = ReturnType<typeof layOutLines>;
type PanelLayout = LineLayout['panels'][number];

/** One large chart, or small ones in rows. */
function layOutLines(drawing: LineDrawing, width: number) {
  const { panels, metric, years, breaks, timeline } = drawing;
  const { unit } = metric.column;
  const [first, last] = years;
  const shown = panels.flatMap(panel => panel.lines);
  const named = [
    ...new Map(shown.filter(({ label }) => label !== '').map(line => [line.label, line])).values(),
  ];
  const labels = panels.flatMap(({ ticks }) => ticks.map(tick => formatTick(tick, unit, ticks)));
  const tickWidth = Math.max(0, ...labels.map(({ length }) => length)) * LETTER + 14;
  const isOne = panels.length === 1;
  const room = isOne ? heightAt('lines', width) : 0;
  const letters = Math.min(LONGEST_LABEL, Math.max(0, ...named.map(({ label }) => label.length)));
  const tall = named.reduce((sum, { label }) => sum + wrapText(label, letters).length * ROW + 4, 0);
  // Names that don't fit at the ends of the lines are above the chart.
  const areBeside = isOne && width >= NARROW && tall <= room - 2 * AXIS;
  const legend = areBeside ? [] : placeLegend(named, width);
  const legendHeight = Math.max(0, ...legend.map(({ y, rows }) => y + (rows.length - 1) * ROW + 14));

  const shareScale = panels.every(({ ticks }) => ticks.join() === panels[0]?.ticks.join());
  // Charts with their own scales need room for the ticks.
  const gap = shareScale ? 16 : tickWidth + 16;
  const fitting = Math.floor((width - tickWidth) / (PANEL_WIDTH + (shareScale ? 0 : tickWidth)));
  const columns = Math.max(1, Math.min(fitting, panels.length));
  const right = areBeside && named.length > 0 ? letters * BOLD_LETTER + 22 : EDGE;
  const each = Math.max(60, (width - tickWidth - right - (columns - 1) * gap) / columns);
  const titles = panels.map(({ title }) => wrapText(title, Math.floor((each - 4) / BOLD_LETTER)));
  let top = legendHeight;
  const placed = panels.map((panel, i) => {
    const column = i % columns;
    const title = titles[i]!;
    const rows = Math.max(...titles.slice(i - column, i - column + columns).map(({ length }) => length));
    const above = isOne && breaks.length > 0 ? 30 : rows * ROW + 8;
    const left = tickWidth + column * (each + gap);
    const height = isOne ? room - above - AXIS : PANEL_HEIGHT;
    const box = { left, top: top + above, width: each, height };
    if (column === columns - 1 || i === panels.length - 1) top += above + height + AXIS;
    const x = linear([first, last], [left + INSET, left + each - INSET]);
    const y = linear([panel.ticks[0] ?? 0, panel.ticks.at(-1) ?? 1], [box.top + height, box.top]);
    return {
      panel,
      ...box,
      title,
      x,
      y,
      /** Whether the axis has labels. */
      hasTicks: column === 0 || !shareScale,
      labels: areBeside ? placeLabels(named, letters, box, y) : [],
    };
  });
  const times = [...new Set(shown.flatMap(({ series }) => series.points.map(({ year }) => year)))];
  times.sort((a, b) => a - b);
  const most = isOne
    ? Math.floor(each / (timeline.unit === 'year' ? 46 : 72))
    : timeline.unit === 'year'
      ? 4
      : 2;
  return {
    width,
    height: top,
    panels: placed,
    legend,
    /** Ticks of the time axis. */
    times: timeline.ticks(first, last, Math.max(2, most)),
    /** Each period of each panel. */
    stops: placed.flatMap(one =>
      times.map(year => ({ one, year, left: one.x(year), top: one.top, width: 0, height: one.height })),
    ),
  };
}

interface Label {
  readonly color: number | null;
  readonly rows: readonly string[];
  readonly x: number;
  /** Of the first row. */
  readonly y: number;
}

/** Names at the ends of their lines, moved apart if they would overlap. */
function placeLabels(
  lines: readonly Line[],
  letters: number,
  box: Stop,
  y: (value: number) => number,
): Label[] {
  const lastOf = ({ series }: Line) => series.points.findLast(({ value }) => value !== null)?.value ?? 0;
  const wanted = lines
    .map(line => ({ color: line.color, rows: wrapText(line.label, letters), end: y(lastOf(line)) }))
    .sort((a, b) => a.end - b.end);
  let free = box.top - 6;
  const tops = wanted.map(({ rows, end }) => {
    const top = Math.max(free, end - (rows.length * ROW) / 2);
    free = top + rows.length * ROW + 4;
    return top;
  });
  let bottom = box.top + box.height + 8;
  for (let i = wanted.length - 1; i >= 0; i--) {
    tops[i] = Math.min(tops[i]!, bottom - wanted[i]!.rows.length * ROW);
    bottom = tops[i]! - 4;
  }
  const x = box.left + box.width + 14;
  return wanted.map(({ color, rows }, i) => ({ color, rows, x, y: tops[i]! + 12 }));
}

/** Names in rows, as many as fit in each. */
function placeLegend(lines: readonly Line[], width: number): Label[] {
  let [x, y, tall] = [22, 12, 1];
  return lines.map(({ label, color }) => {
    const rows = wrapText(label, Math.max(10, Math.floor((width - 26) / BOLD_LETTER)));
    const wide = Math.max(...rows.map(row => row.length)) * BOLD_LETTER + 40;
    if (x > 22 && x + wide > width) {
      x = 22;
      y += tall * ROW + 4;
      tall = 1;
    }
    const placed = { color, rows, x, y };
    x += wide;
    tall = Math.max(tall, rows.length);
    return placed;
  });
}

/** Tell apart lines of the same colour. */
const DASHES = ['', '6 4', '2 3'];
/** A line with more figures has small dots. */
const MOST_DOTS = 60;

interface LineFigureProps {
  readonly drawing: LineDrawing;
  readonly layout: LineLayout;
  /** The period that is read off; null if none is. */
  readonly year: number | null;
}

function LineFigure(props: LineFigureProps) {
  const { layout } = props;
  return (
    <PictureFrame width={layout.width} height={layout.height} fill={COLORS.soft}>
      {layout.legend.map(label => (
        <g key={label.rows.join(' ')}>
          <path
            d={`M${label.x - 22},${label.y - 4}H${label.x - 6}`}
            stroke={colorOf(label.color)}
            stroke-width={label.color === null ? 1.5 : 3}
            {...dashOf(label.color)}
          />
          <Name label={label} />
        </g>
      ))}
      {layout.panels.map(placed => (
        <PanelFigure key={placed.panel.title} placed={placed} {...props} />
      ))}
    </PictureFrame>
  );
}

function Name({ label: { color, rows, x, y } }: { readonly label: Label }) {
  return (
    <text x={x} y={y} fill={colorOf(color)} font-weight={color === null ? 400 : 600}>
      {rows.map((row, i) => (
        <tspan key={row} x={x} dy={i === 0 ? 0 : ROW}>
          {row}
        </tspan>
      ))}
    </text>
  );
}

function PanelFigure(props: LineFigureProps & { readonly placed: PanelLayout }) {
  const { drawing, placed, layout, year } = props;
  const { left, top, width, height, title, hasTicks, labels, panel, x, y } = placed;
  const { metric, breaks, timeline } = drawing;
  const { unit } = metric.column;
  const { ticks } = panel;
  const bottom = top + height;
  const lines = [...panel.lines].sort((a, b) => Number(a.color !== null) - Number(b.color !== null));
  const own = panel.lines.filter(({ color }) => color !== null);
  return (
    <g>
      {title.map((row, i) => (
        <text
          key={row}
          x={left}
          y={top - 10 - (title.length - 1 - i) * ROW}
          fill={COLORS.ink}
          font-weight="600"
        >
          {row}
        </text>
      ))}
      {ticks.map(tick => (
        <g key={tick}>
          <path d={`M${left},${y(tick)}H${left + width}`} stroke={tick === 0 ? COLORS.soft : COLORS.line} />
          {hasTicks && (
            <text data-mark="tick" x={left - 8} y={y(tick) + 4} text-anchor="end">
              {formatTick(tick, unit, ticks)}
            </text>
          )}
        </g>
      ))}
      {layout.times.map(({ at, label }) => {
        // Within the panel, or it would touch a label of the next one.
        const half = (label.length * LETTER) / 2;
        const middle = Math.max(left + half, Math.min(left + width - half, x(at)));
        return (
          <text key={at} x={middle} y={bottom + 18} text-anchor="middle">
            {label}
          </text>
        );
      })}
      {breaks.map(({ after }) => {
        // Between the last period of a year and the next one.
        const at = x(timeline.startOf(after + 1) - 0.5);
        return (
          <g key={after}>
            <path d={`M${at},${top}V${bottom}`} stroke={COLORS.soft} stroke-dasharray="3 3" />
            {title.length === 0 && (
              <text x={at} y={top - 8} text-anchor="middle">
                {t.drawing.breakLabel}
              </text>
            )}
          </g>
        );
      })}
      {year !== null && <path d={`M${x(year)},${top}V${bottom}`} stroke={COLORS.ink} stroke-width="1" />}
      {lines.map(line => (
        <LineStrokes
          key={`${line.series.detail} ${line.series.key}`}
          line={line}
          placed={placed}
          year={year}
          shift={
            lines.length > MOST_MARGINS || line.color === null
              ? null
              : (own.indexOf(line) - (own.length - 1) / 2) * 3
          }
        />
      ))}
      {labels.map(label => (
        <Name key={label.rows.join(' ')} label={label} />
      ))}
    </g>
  );
}

interface StrokesProps extends Pick<LineFigureProps, 'year'> {
  readonly line: Line;
  readonly placed: PanelLayout;
  /** Pixels between the strokes of margins and their points; null if margins aren't drawn. */
  readonly shift: number | null;
}

function LineStrokes({ line: { series, color }, placed: { x, y, title }, year, shift }: StrokesProps) {
  const { segments, points } = series;
  const stroke = colorOf(color);
  const isCrowded = points.length > MOST_DOTS;
  const radius = isCrowded ? 1.5 : title.length > 0 ? 2 : 3.5;
  const at = (point: Point) => `${x(point.year)},${y(point.value ?? 0)}`;
  return (
    <g>
      {points.map(({ year: one, interval }) =>
        shift === null || interval === null ? null : (
          <path
            key={one}
            data-mark="margin"
            d={`M${x(one) + shift},${y(interval[0])}V${y(interval[1])}`}
            stroke={stroke}
            stroke-width="2"
            stroke-opacity="0.55"
          />
        ),
      )}
      {segments.map(segment => (
        <path
          key={segment[0]?.year}
          data-mark="line"
          d={`M${segment.map(at).join('L')}`}
          fill="none"
          stroke={stroke}
          stroke-width={color === null || isCrowded ? 1.5 : 2.5}
          stroke-linejoin="round"
          {...dashOf(color)}
        />
      ))}
      {points.map(point =>
        point.value === null || (color === null && point.year !== year) ? null : (
          <circle
            key={point.year}
            cx={x(point.year)}
            cy={y(point.value)}
            r={point.year === year ? 5 : radius}
            fill={isUnreliable(point) ? COLORS.paper : stroke}
            stroke={stroke}
            stroke-width="1.5"
          />
        ),
      )}
    </g>
  );
}

function colorOf(color: number | null): string {
  if (color === null) return COLORS.soft;
  return COLORS.series[color % COLORS.series.length] ?? COLORS.ink;
}

function dashOf(color: number | null) {
  const dash = DASHES[Math.floor((color ?? 0) / COLORS.series.length)] ?? '';
  return dash === '' ? {} : { 'stroke-dasharray': dash };
}

function LinePicture({ drawing, width, isLive, isLinked }: PictureOf<LineDrawing>) {
  const { timeline, metric } = drawing;
  const layout = useMemo(() => layOutLines(drawing, width), [drawing, width]);
  const { stops, panels } = layout;
  const [at, setAt] = useStop(stops);
  const read = (stop: number) => {
    const { one, year, left } = stops[stop]!;
    const title = [one.panel.title, timeline.label(year)].filter(Boolean).join(', ');
    return { left, title, values: readYear(one.panel, year, metric.column.unit) };
  };
  return (
    <ReadOff
      isLive={isLive}
      width={width}
      label={t.panel.readLines(drawing.title, nameUnit(timeline))}
      stops={stops}
      start={stops.length / panels.length - 1}
      at={at}
      onAt={setAt}
      say={stop => {
        const { title, values } = read(stop);
        return `${title}: ${values.map(({ label, words }) => `${label} ${words}`.trim()).join('; ')}`;
      }}
      readout={stop => {
        const { left, title, values } = read(stop);
        return [
          left,
          <>
            <strong>{title}</strong>
            {values.map(({ key, color, label, words }) => (
              <span key={key} class="explore-value">
                <svg width="14" height="10" aria-hidden="true">
                  <rect y="3" width="12" height="4" fill={colorOf(color)} />
                </svg>
                <span>
                  {label} <b>{words}</b>
                </span>
              </span>
            ))}
          </>,
        ];
      }}
      onFigure={stop => {
        const { one, year } = stops[stop]!;
        const found = one.panel.lines.flatMap(({ series }) => series.points.filter(at => at.year === year));
        // Of several lines, the table shows which figure is meant.
        if (isLinked && found.length === 1) openFigure(found[0]!);
      }}
    >
      <LineFigure drawing={drawing} layout={layout} year={at === null ? null : stops[at]!.year} />
    </ReadOff>
  );
}

/** A panel's lines in a period, the highest first. */
function readYear({ lines }: Panel, year: number, unit: string | null) {
  return lines
    .map(({ series, label, color }) => {
      const point = series.points.find(one => one.year === year);
      return {
        key: `${series.detail} ${series.key}`,
        label,
        color,
        value: point?.value ?? -Infinity,
        words: point === undefined ? t.words.noRow : sayValue(point, unit),
      };
    })
    .sort((a, b) => b.value - a.value);
}
