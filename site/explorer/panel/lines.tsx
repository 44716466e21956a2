/** Lines over time: layout, drawing, and reading them off period by period. */
import { useMemo, useState } from 'preact/hooks';
import { t } from '../messages/messages.ts';
import { linear } from '../view/curve.tsx';
import type { Line, LineDrawing, Panel } from '../view/drawing.ts';
import { formatTick } from '../view/format.ts';
import { drawLines, MOST_MARGINS } from '../view/line-drawing.ts';
import { isUnreliable, type Point, sayValue } from '../view/series.ts';
import { nameUnit, type Tick } from '../view/timeline.ts';
import { wrapText } from '../view/wording.ts';
import {
  clampTo,
  heightAt,
  LETTER,
  NARROW,
  PAGE,
  PictureFrame,
  type PlotProps,
  ReadOff,
  Readout,
  ROW,
  type StillProps,
  type Theme,
} from './picture-parts.tsx';

export const lines = { draw: drawLines, Still: LineStill, Plot: LinePlot };

interface LineLayout {
  readonly width: number;
  readonly height: number;
  readonly panels: readonly PanelLayout[];
  /** Names below the chart, if they don't fit at the ends of the lines. */
  readonly legend: readonly EndLabel[];
  /** Every place on the timeline with a point, ascending. */
  readonly years: readonly number[];
  /** Ticks of the time axis. */
  readonly named: readonly Tick[];
}

interface PanelLayout {
  readonly panel: Panel;
  /** The plot, without title and axis. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly title: readonly string[];
  /** Whether the axis has labels. */
  readonly hasTicks: boolean;
  readonly labels: readonly EndLabel[];
  x(year: number): number;
  y(value: number): number;
}

interface EndLabel {
  readonly color: number | null;
  readonly rows: readonly string[];
  readonly x: number;
  /** Of the first row. */
  readonly y: number;
}

/** Estimated width of a name's bold letter. */
const BOLD_LETTER = 7.3;
const LONGEST_LABEL = 26;
const PANEL_WIDTH = 210;
const PANEL_HEIGHT = 118;
/** Room for half of the last year's name. */
const EDGE = 14;

function layOutLines(drawing: LineDrawing, room: Size): LineLayout {
  const { panels, unit } = drawing;
  const years = [
    ...new Set(
      panels.flatMap(({ lines }) => lines.flatMap(({ series }) => series.points.map(({ year }) => year))),
    ),
  ];
  years.sort((a, b) => a - b);
  const labels = panels.flatMap(({ ticks }) => ticks.map(tick => formatTick(tick, unit, ticks)));
  const tickWidth = Math.max(0, ...labels.map(({ length }) => length)) * LETTER + 14;
  return panels.length === 1
    ? layOutOne(drawing, panels[0]!, room, tickWidth, years)
    : layOutMany(drawing, room, tickWidth, years);
}

function layOutOne(
  drawing: LineDrawing,
  panel: Panel,
  { width, height }: Size,
  left: number,
  years: readonly number[],
): LineLayout {
  const top = drawing.breaks.length > 0 ? 30 : 12;
  const named = panel.lines.filter(isNamed);
  const longest = Math.max(0, ...named.map(({ label }) => label.length));
  const letters = Math.min(LONGEST_LABEL, longest);
  const plot = height - top - 26;
  const rows = named.map(({ label }) => wrapText(label, letters));
  const fits = rows.reduce((sum, one) => sum + one.length * ROW + 4, 0) <= plot;
  const beside = named.length > 0 && width >= NARROW && fits;
  const right = beside ? letters * BOLD_LETTER + 22 : 18;
  const inner = { left, top, width: Math.max(60, width - left - right), height: plot };
  const scales = scaleOf(drawing, panel, inner);
  const placed: PanelLayout = {
    panel,
    ...inner,
    ...scales,
    title: [],
    hasTicks: true,
    labels: beside ? placeLabels(named, letters, { ...inner, ...scales }) : [],
  };
  const legend = beside || named.length === 0 ? [] : placeLegend(named, width, height + 8);
  return {
    width,
    height: height + legendHeight(legend, height),
    panels: [placed],
    legend,
    years,
    named: axisTicks(drawing, Math.floor(inner.width / (drawing.timeline.unit === 'year' ? 46 : 72))),
  };
}

function layOutMany(
  drawing: LineDrawing,
  { width }: Size,
  tickWidth: number,
  years: readonly number[],
): LineLayout {
  const shareScale = drawing.panels.every(({ ticks }) => ticks.join() === drawing.panels[0]?.ticks.join());
  // Charts with their own scales need room for the ticks.
  const gap = shareScale ? 16 : tickWidth + 16;
  const room = Math.floor((width - tickWidth) / (PANEL_WIDTH + (shareScale ? 0 : tickWidth)));
  const columns = Math.max(1, Math.min(room, drawing.panels.length));
  const each = (width - tickWidth - EDGE - (columns - 1) * gap) / columns;
  const titles = drawing.panels.map(({ title }) => wrapText(title, Math.floor((each - 4) / BOLD_LETTER)));
  const shared = drawing.panels.flatMap(panel => panel.lines);
  const entries = [...new Map(shared.filter(isNamed).map(line => [line.label, line])).values()];
  const legend = placeLegend(entries, width, 0);
  let top = legendHeight(legend, 0) + (legend.length > 0 ? 6 : 0);
  const panels: PanelLayout[] = [];
  for (let start = 0; start < drawing.panels.length; start += columns) {
    const row = drawing.panels.slice(start, start + columns);
    const rows = Math.max(...row.map((_, i) => titles[start + i]!.length));
    for (const [i, panel] of row.entries()) {
      const inner = {
        left: tickWidth + i * (each + gap),
        top: top + rows * ROW + 8,
        width: each,
        height: PANEL_HEIGHT,
      };
      const scales = scaleOf(drawing, panel, inner);
      panels.push({
        panel,
        ...inner,
        ...scales,
        title: titles[start + i]!,
        hasTicks: i === 0 || !shareScale,
        labels: [],
      });
    }
    top += rows * ROW + 8 + PANEL_HEIGHT + 34;
  }
  return {
    width,
    height: top,
    panels,
    legend,
    years,
    named: axisTicks(drawing, drawing.timeline.unit === 'year' ? 4 : 2),
  };
}

type Box = Pick<PanelLayout, 'left' | 'top' | 'width' | 'height'>;
type Size = Pick<PanelLayout, 'width' | 'height'>;

function scaleOf(
  { years: [first, last] }: LineDrawing,
  { ticks }: Panel,
  box: Box,
): Pick<PanelLayout, 'x' | 'y'> {
  const [bottom, most] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const inset = 8;
  return {
    x: linear([first, last], [box.left + inset, box.left + box.width - inset]),
    y: linear([bottom, most], [box.top + box.height, box.top]),
  };
}

function isNamed({ label }: Line): boolean {
  return label !== '';
}

function lastPoint({ series }: Line): Point | undefined {
  return series.points.findLast(({ value }) => value !== null);
}

/** Names at the ends of their lines, moved apart if they would overlap. */
function placeLabels(lines: readonly Line[], letters: number, box: Box & Pick<PanelLayout, 'y'>): EndLabel[] {
  const wanted = lines
    .map(line => ({
      color: line.color,
      rows: wrapText(line.label, letters),
      y: box.y(lastPoint(line)?.value ?? 0),
    }))
    .sort((a, b) => a.y - b.y);
  const tops: number[] = [];
  let free = box.top - 6;
  for (const { rows, y } of wanted) {
    const top = Math.max(free, y - (rows.length * ROW) / 2);
    tops.push(top);
    free = top + rows.length * ROW + 4;
  }
  let bottom = box.top + box.height + 8;
  for (let i = wanted.length - 1; i >= 0; i--) {
    tops[i] = Math.min(tops[i]!, bottom - wanted[i]!.rows.length * ROW);
    bottom = tops[i]! - 4;
  }
  return wanted.map(({ color, rows }, i) => ({
    color,
    rows,
    x: box.left + box.width + 14,
    y: tops[i]! + 12,
  }));
}

/** Names in rows, as many as fit in each. */
function placeLegend(lines: readonly Line[], width: number, top: number): EndLabel[] {
  const entries: EndLabel[] = [];
  let [x, y, tall] = [22, top + 12, 1];
  for (const { label, color } of lines) {
    const rows = wrapText(label, Math.max(10, Math.floor((width - 26) / BOLD_LETTER)));
    const wide = Math.max(...rows.map(row => row.length)) * BOLD_LETTER + 40;
    if (x > 22 && x + wide > width) {
      x = 22;
      y += tall * ROW + 4;
      tall = 1;
    }
    entries.push({ color, rows, x, y });
    x += wide;
    tall = Math.max(tall, rows.length);
  }
  return entries;
}

function legendHeight(legend: readonly EndLabel[], top: number): number {
  return Math.max(0, ...legend.map(({ y, rows }) => y + (rows.length - 1) * ROW + 8 - top));
}

function axisTicks({ years: [first, last], timeline }: LineDrawing, most: number): readonly Tick[] {
  return timeline.ticks(first, last, Math.max(2, most));
}

/** Tell apart lines of the same colour. */
const DASHES = ['', '6 4', '2 3'];
/** A line with more figures has small dots. */
const MOST_DOTS = 60;

interface LineFigureProps {
  readonly drawing: LineDrawing;
  readonly layout: LineLayout;
  readonly theme: Theme;
  /** The year that is read off; null if none is. */
  readonly year?: number | null;
}

function LineFigure({ drawing, layout, theme, year = null }: LineFigureProps) {
  const { width, height, panels, legend } = layout;
  return (
    <PictureFrame width={width} height={height} fill={theme.soft}>
      {legend.map(entry => (
        <g key={entry.rows.join(' ')}>
          <Key entry={entry} theme={theme} />
          <Label label={entry} theme={theme} />
        </g>
      ))}
      {panels.map(placed => (
        <PanelFigure
          key={placed.panel.title}
          drawing={drawing}
          placed={placed}
          named={layout.named}
          theme={theme}
          year={year}
        />
      ))}
    </PictureFrame>
  );
}

interface PanelProps extends Pick<LineFigureProps, 'drawing' | 'theme'> {
  readonly placed: PanelLayout;
  readonly named: readonly Tick[];
  readonly year: number | null;
}

function PanelFigure({ drawing, placed, named, theme, year }: PanelProps) {
  const { left, top, width, height, title, hasTicks, labels, panel, x, y } = placed;
  const { unit, breaks, timeline } = drawing;
  const { ticks } = panel;
  // A break lies between the last period of a year and the next one.
  const breakAt = (after: number) => timeline.startOf(after + 1) - 0.5;
  const lines = [...panel.lines].sort((a, b) => Number(a.color !== null) - Number(b.color !== null));
  const spreads = panel.lines.filter(({ color }) => color !== null);
  return (
    <g>
      {title.map((row, i) => (
        <text
          key={row}
          x={left}
          y={top - 10 - (title.length - 1 - i) * 15}
          fill={theme.ink}
          font-weight="600"
        >
          {row}
        </text>
      ))}
      {ticks.map(tick => (
        <g key={tick}>
          <path d={`M${left},${y(tick)}H${left + width}`} stroke={tick === 0 ? theme.soft : theme.line} />
          {hasTicks && (
            <text data-mark="tick" x={left - 8} y={y(tick) + 4} text-anchor="end">
              {formatTick(tick, unit, ticks)}
            </text>
          )}
        </g>
      ))}
      {named.map(({ at, label }) => (
        <text key={at} x={x(at)} y={top + height + 18} text-anchor="middle">
          {label}
        </text>
      ))}
      {breaks.map(({ after }) => (
        <g key={after}>
          <path
            d={`M${x(breakAt(after))},${top}V${top + height}`}
            stroke={theme.soft}
            stroke-dasharray="3 3"
          />
          {title.length === 0 && (
            <text x={x(breakAt(after))} y={top - 8} text-anchor="middle">
              {t.drawing.breakLabel}
            </text>
          )}
        </g>
      ))}
      {year !== null && <path d={`M${x(year)},${top}V${top + height}`} stroke={theme.ink} stroke-width="1" />}
      {lines.map(line => (
        <LineStrokes
          key={`${line.series.detail} ${line.series.key}`}
          line={line}
          placed={placed}
          theme={theme}
          year={year}
          shift={
            panel.lines.length > MOST_MARGINS || line.color === null
              ? null
              : (spreads.indexOf(line) - (spreads.length - 1) / 2) * 3
          }
        />
      ))}
      {labels.map(label => (
        <Label key={label.rows.join(' ')} label={label} theme={theme} />
      ))}
    </g>
  );
}

interface StrokesProps {
  readonly line: Line;
  readonly placed: PanelLayout;
  readonly theme: Theme;
  readonly year: number | null;
  /** Pixels between the strokes of margins and their points; null if margins aren't drawn. */
  readonly shift: number | null;
}

function LineStrokes({ line, placed, theme, year, shift }: StrokesProps) {
  const { x, y } = placed;
  const { segments, points } = line.series;
  const stroke = colorOf(line.color, theme);
  const crowded = points.length > MOST_DOTS;
  const small = placed.title.length > 0 || crowded;
  const at = ({ year: one, value }: Point) => `${x(one)},${y(value ?? 0)}`;
  return (
    <g>
      {shift !== null &&
        points.map(
          ({ year: one, interval }) =>
            interval && (
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
      {segments.map(points => (
        <path
          key={points[0]?.year}
          data-mark="line"
          d={`M${points.map(at).join('L')}`}
          fill="none"
          stroke={stroke}
          stroke-width={line.color === null || crowded ? 1.5 : 2.5}
          stroke-linejoin="round"
          {...dashOf(line.color, theme)}
        />
      ))}
      {points.map(point =>
        point.value === null || (line.color === null && point.year !== year) ? null : (
          <circle
            key={point.year}
            cx={x(point.year)}
            cy={y(point.value)}
            r={point.year === year ? 5 : crowded ? 1.5 : small ? 2 : 3.5}
            fill={isUnreliable(point) ? theme.paper : stroke}
            stroke={stroke}
            stroke-width="1.5"
          />
        ),
      )}
    </g>
  );
}

function colorOf(color: number | null, theme: Theme): string {
  if (color === null) return theme.soft;
  return theme.series[color % theme.series.length] ?? theme.ink;
}

function dashOf(color: number | null, theme: Theme) {
  const dash = DASHES[Math.floor((color ?? 0) / theme.series.length)] ?? '';
  return dash === '' ? {} : { 'stroke-dasharray': dash };
}

function Key({ entry: { x, y, color }, theme }: { readonly entry: EndLabel; readonly theme: Theme }) {
  return (
    <path
      d={`M${x - 22},${y - 4}H${x - 6}`}
      stroke={colorOf(color, theme)}
      stroke-width={color === null ? 1.5 : 3}
      {...dashOf(color, theme)}
    />
  );
}

function Label({ label: { color, rows, x, y }, theme }: { readonly label: EndLabel; readonly theme: Theme }) {
  return (
    <text x={x} y={y} fill={colorOf(color, theme)} font-weight={color === null ? 400 : 600}>
      {rows.map((row, i) => (
        <tspan key={row} x={x} dy={i === 0 ? 0 : 15}>
          {row}
        </tspan>
      ))}
    </text>
  );
}

function LineStill({ drawing, width, theme }: StillProps<LineDrawing>) {
  const layout = layOutLines(drawing, { width, height: heightAt('lines', width) });
  return <LineFigure drawing={drawing} layout={layout} theme={theme} />;
}

/** Indexes of a year and of a small chart. */
interface Cursor {
  readonly year: number;
  readonly panel: number;
}

function LinePlot({ drawing, width }: PlotProps<LineDrawing>) {
  const layout = useMemo(
    () => layOutLines(drawing, { width, height: heightAt('lines', width) }),
    [drawing, width],
  );
  const [cursor, setCursor] = useState<Cursor | null>(null);
  const { years, panels } = layout;
  const at = cursor && years[cursor.year] !== undefined && panels[cursor.panel] ? cursor : null;
  const year = at ? years[at.year]! : null;
  const placed = panels[at?.panel ?? 0]!;
  const say = (one: number, panel: number) => describeYear(drawing, layout, one, panel);
  const onKey = (key: string) => {
    const next = moveCursor(key, at ?? { year: years.length, panel: 0 }, years.length, panels.length);
    if (next !== undefined) setCursor(next);
    return next !== undefined;
  };
  return (
    <ReadOff
      label={t.panel.readLines(drawing.title, nameUnit(drawing.timeline))}
      ends={[years[0] ?? 0, years.at(-1) ?? 0]}
      now={year ?? years.at(-1) ?? 0}
      text={say(at?.year ?? years.length - 1, at?.panel ?? 0)}
      onKey={onKey}
      onPoint={(x, y) => setCursor(findCursor(layout, x, y))}
      onLeave={() => setCursor(null)}
    >
      <LineFigure drawing={drawing} layout={layout} theme={PAGE} year={year} />
      {year !== null && (
        <Readout x={placed.x(year)} y={placed.top + placed.height / 2}>
          <strong>
            {[placed.panel.title, drawing.timeline.label(year)].filter(text => text !== '').join(', ')}
          </strong>
          {readYear(placed.panel.lines, year).map(line => (
            <span key={`${line.series.detail} ${line.series.key}`} class="explore-value">
              <svg width="14" height="10" aria-hidden="true">
                <rect y="3" width="12" height="4" fill={colorOf(line.color, PAGE)} />
              </svg>
              <span>
                {line.label} <b>{writeValue(line, year, drawing.unit)}</b>
              </span>
            </span>
          ))}
        </Readout>
      )}
    </ReadOff>
  );
}

/** The lines of a panel, the highest value of the year first. */
function readYear(lines: readonly Line[], year: number): Line[] {
  const figureOf = ({ series }: Line) => series.points.find(point => point.year === year)?.value ?? -Infinity;
  return [...lines].sort((a, b) => figureOf(b) - figureOf(a));
}

function writeValue({ series }: Line, year: number, unit: string | null): string {
  const point = series.points.find(one => one.year === year);
  return point === undefined ? t.words.noRow : sayValue(point, unit);
}

function describeYear(
  drawing: LineDrawing,
  { years, panels }: LineLayout,
  at: number,
  panel: number,
): string {
  const year = years[at];
  const shown = panels[panel];
  if (year === undefined || !shown) return t.words.nullFigure;
  const values = readYear(shown.panel.lines, year).map(line =>
    [line.label, writeValue(line, year, drawing.unit)].filter(text => text !== '').join(' '),
  );
  const title = [shown.panel.title, drawing.timeline.label(year)].filter(text => text !== '').join(', ');
  return `${title}: ${values.join('; ')}`;
}

/** Undefined if the key doesn't move the cursor. */
function moveCursor(
  key: string,
  { year, panel }: Cursor,
  years: number,
  panels: number,
): Cursor | null | undefined {
  if (key === 'Escape') return null;
  const steps: Readonly<Record<string, Cursor>> = {
    ArrowLeft: { year: year - 1, panel },
    ArrowRight: { year: year + 1, panel },
    Home: { year: 0, panel },
    End: { year: years - 1, panel },
    ...(panels > 1 && { ArrowDown: { year, panel: panel + 1 }, ArrowUp: { year, panel: panel - 1 } }),
  };
  const step = steps[key];
  return step && { year: clampTo(years, step.year), panel: clampTo(panels, step.panel) };
}

/** The nearest year of the nearest chart. */
function findCursor({ panels, years }: LineLayout, x: number, y: number): Cursor {
  const away = (value: number, from: number, size: number) => Math.max(from - value, value - from - size, 0);
  const distances = panels.map(({ left, top, width, height }) => away(x, left, width) + away(y, top, height));
  const panel = distances.indexOf(Math.min(...distances));
  const offsets = years.map(year => Math.abs(panels[panel]!.x(year) - x));
  return { panel, year: offsets.indexOf(Math.min(...offsets)) };
}
