/** Where the parts of a line chart stand, in pixels. */
import type { Line, LineDrawing, Panel } from './drawing-parts.ts';
import { formatTick } from './format.ts';
import type { Point } from './series.ts';
import type { Tick } from './timeline.ts';
import { wrapText } from './wording.ts';

export interface LineLayout {
  readonly width: number;
  readonly height: number;
  readonly panels: readonly PanelLayout[];
  /** Names under the charts, if they have no room at the ends of the lines. */
  readonly legend: readonly EndLabel[];
  /** Every place on the timeline with a point, ascending. */
  readonly years: readonly number[];
  /** What the axis names. */
  readonly named: readonly Tick[];
}

export interface PanelLayout {
  readonly panel: Panel;
  /** Corner of the plot, without title and axis. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly title: readonly string[];
  /** Whether the values of the axis are written. */
  readonly hasTicks: boolean;
  readonly labels: readonly EndLabel[];
  x(year: number): number;
  y(value: number): number;
}

export interface EndLabel {
  readonly color: number | null;
  readonly rows: readonly string[];
  readonly x: number;
  /** Of the first row. */
  readonly y: number;
}

interface Room {
  readonly width: number;
  readonly height: number;
}

/** Estimates for letters of 12 pixels: usual ones, and the bold ones of names. */
export const LETTER = 6.5;
const BOLD_LETTER = 7.3;
const ROW = 15;
const NARROW = 520;
const LONGEST_LABEL = 26;
const PANEL_WIDTH = 210;
const PANEL_HEIGHT = 118;
/** Room for the half of the last year's name. */
const EDGE = 14;

export function layOutLines(drawing: LineDrawing, room: Room): LineLayout {
  const { panels, unit } = drawing;
  const years = [
    ...new Set(
      panels.flatMap(({ lines }) => lines.flatMap(({ series }) => series.points.map(({ year }) => year))),
    ),
  ];
  years.sort((a, b) => a - b);
  const ticks = panels.flatMap(panel => panel.ticks);
  const tickWidth = Math.max(0, ...ticks.map(tick => formatTick(tick, unit).length)) * LETTER + 14;
  return panels.length === 1
    ? layOutOne(drawing, panels[0]!, room, tickWidth, years)
    : layOutMany(drawing, room, tickWidth, years);
}

function layOutOne(
  drawing: LineDrawing,
  panel: Panel,
  { width, height }: Room,
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
    named: axisTicks(drawing, Math.floor(inner.width / tickRoom(drawing))),
  };
}

function layOutMany(
  drawing: LineDrawing,
  { width }: Room,
  tickWidth: number,
  years: readonly number[],
): LineLayout {
  const shareScale = drawing.panels.every(({ ticks }) => ticks.join() === drawing.panels[0]?.ticks.join());
  // Charts with scales of their own have room for them.
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
    named: axisTicks(drawing, drawing.timeline?.unit === 'year' ? 4 : 2),
  };
}

type Box = Pick<PanelLayout, 'left' | 'top' | 'width' | 'height'>;

function scaleOf(
  { years: [first, last] }: LineDrawing,
  { ticks }: Panel,
  box: Box,
): Pick<PanelLayout, 'x' | 'y'> {
  const [bottom, most] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const inset = 8;
  return {
    x: year =>
      box.left +
      (last === first ? box.width / 2 : inset + ((year - first) / (last - first)) * (box.width - 2 * inset)),
    y: value => box.top + box.height - ((value - bottom) / (most - bottom || 1)) * box.height,
  };
}

function isNamed({ label }: Line): boolean {
  return label !== '';
}

function lastPoint({ series }: Line): Point | undefined {
  return series.points.findLast(({ value }) => value !== null);
}

/** Names stand at the ends of their lines, moved apart where they would cover one another. */
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

/** Names in rows, whole. */
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

/** Pixels that the name of a tick takes, with room around it. */
function tickRoom({ timeline }: LineDrawing): number {
  return timeline === null || timeline.unit === 'year' ? 46 : 72;
}

function axisTicks({ years, timeline }: LineDrawing, most: number): readonly Tick[] {
  if (timeline === null || timeline.unit === 'year')
    return axisYears(years, most).map(at => ({ at, label: String(at) }));
  return timeline.ticks(years[0], years[1], Math.max(2, most));
}

/** Returns at most so many whole years, always with the last. */
function axisYears([first, last]: readonly [number, number], most: number): number[] {
  const step = Math.max(1, Math.ceil((last - first + 1) / Math.max(2, most)));
  const years: number[] = [];
  for (let year = last; year >= first; year -= step) years.unshift(year);
  return years;
}
