/** A line chart that a reader reads off period by period: with the pointer, a finger or the arrow keys. */
import { useMemo, useState } from 'preact/hooks';
import { t } from '../messages/messages.ts';
import type { Line, LineDrawing } from '../view/drawing-parts.ts';
import { formatMargin, formatNumber } from '../view/format.ts';
import { colorOf, LineFigure } from '../view/line-figure.tsx';
import { type LineLayout, layOutLines } from '../view/line-layout.ts';
import { isUnreliable } from '../view/series.ts';
import { PAGE } from '../view/theme.ts';
import { nameUnit } from '../view/timeline.ts';
import { Readout } from './readout.tsx';

interface LinePlotProps {
  readonly drawing: LineDrawing;
  readonly width: number;
  readonly height: number;
}

/** Positions of a year and of a small chart. */
interface Cursor {
  readonly year: number;
  readonly panel: number;
}

export function LinePlot({ drawing, width, height }: LinePlotProps) {
  const layout = useMemo(() => layOutLines(drawing, { width, height }), [drawing, width, height]);
  const [cursor, setCursor] = useState<Cursor | null>(null);
  const { years, panels } = layout;
  const at = cursor && years[cursor.year] !== undefined && panels[cursor.panel] ? cursor : null;
  const year = at ? years[at.year]! : null;
  const placed = panels[at?.panel ?? 0]!;
  const say = (one: number, panel: number) => describeYear(drawing, layout, one, panel);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moveCursor(event.key, at ?? { year: years.length, panel: 0 }, years.length, panels.length);
    if (next === undefined) return;
    event.preventDefault();
    setCursor(next);
  };
  const onPointer = (event: PointerEvent & { readonly currentTarget: HTMLElement }) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    setCursor(findCursor(layout, event.clientX - left, event.clientY - top));
  };
  return (
    <div
      class="explore-plot"
      role="slider"
      tabIndex={0}
      aria-label={t.panel.readLines(drawing.title, nameUnit(drawing.timeline))}
      aria-valuemin={years[0] ?? 0}
      aria-valuemax={years.at(-1) ?? 0}
      aria-valuenow={year ?? years.at(-1) ?? 0}
      aria-valuetext={say(at?.year ?? years.length - 1, at?.panel ?? 0)}
      onKeyDown={onKeyDown}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      onPointerLeave={event => event.pointerType === 'mouse' && setCursor(null)}
      onBlur={() => setCursor(null)}
    >
      <LineFigure drawing={drawing} layout={layout} theme={PAGE} year={year} />
      {year !== null && (
        <Readout x={placed.x(year)} y={placed.top + placed.height / 2}>
          <strong>
            {[placed.panel.title, timeName(drawing, year)].filter(text => text !== '').join(', ')}
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
    </div>
  );
}

function timeName({ timeline }: LineDrawing, at: number): string {
  return timeline?.label(at) ?? String(at);
}

/** The lines of a panel from the highest value of the year down. */
function readYear(lines: readonly Line[], year: number): Line[] {
  const figureOf = ({ series }: Line) => series.points.find(point => point.year === year)?.value ?? -Infinity;
  return [...lines].sort((a, b) => figureOf(b) - figureOf(a));
}

function writeValue({ series }: Line, year: number, unit: string | null): string {
  const point = series.points.find(one => one.year === year);
  if (point === undefined) return t.words.noRow;
  if (point.value === null) return t.words.noFigure;
  const margin = point.margin === null ? '' : ` ${formatMargin(point.margin, unit, 'points')}`;
  return `${formatNumber(point.value, unit)}${margin}${isUnreliable(point) ? `, ${t.words.unreliable}` : ''}`;
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
  return `${[shown.panel.title, timeName(drawing, year)].filter(text => text !== '').join(', ')}: ${values.join('; ')}`;
}

/** Undefined if the key moves nothing. */
function moveCursor(
  key: string,
  { year, panel }: Cursor,
  years: number,
  panels: number,
): Cursor | null | undefined {
  const clamp = (value: number, count: number) => Math.min(count - 1, Math.max(0, value));
  switch (key) {
    case 'ArrowLeft':
      return { year: clamp(year - 1, years), panel };
    case 'ArrowRight':
      return { year: clamp(year + 1, years), panel };
    case 'ArrowDown':
      return panels > 1 ? { year: clamp(year, years), panel: clamp(panel + 1, panels) } : undefined;
    case 'ArrowUp':
      return panels > 1 ? { year: clamp(year, years), panel: clamp(panel - 1, panels) } : undefined;
    case 'Home':
      return { year: 0, panel };
    case 'End':
      return { year: years - 1, panel };
    case 'Escape':
      return null;
    default:
      return undefined;
  }
}

/** The nearest year of the nearest chart. */
function findCursor({ panels, years }: LineLayout, x: number, y: number): Cursor {
  const away = (value: number, from: number, size: number) => Math.max(from - value, value - from - size, 0);
  const distances = panels.map(({ left, top, width, height }) => away(x, left, width) + away(y, top, height));
  const panel = distances.indexOf(Math.min(...distances));
  const offsets = years.map(year => Math.abs(panels[panel]!.x(year) - x));
  return { panel, year: offsets.indexOf(Math.min(...offsets)) };
}
