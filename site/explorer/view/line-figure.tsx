/** Lines over time as SVG. They break at missing figures and at breaks of the series. */
import { t } from '../messages/messages.ts';
import type { Line, LineDrawing } from './drawing-parts.ts';
import { formatTick } from './format.ts';
import { MOST_MARGINS } from './line-drawing.ts';
import type { EndLabel, LineLayout, PanelLayout } from './line-layout.ts';
import { PictureFrame } from './picture-frame.tsx';
import { isUnreliable, type Point } from './series.ts';
import type { Theme } from './theme.ts';
import type { Tick } from './timeline.ts';

/** The strokes tell lines of the same colour apart. */
const DASHES = ['', '6 4', '2 3'];
/** A line of more figures has small dots. */
const MOST_DOTS = 60;

interface LineFigureProps {
  readonly drawing: LineDrawing;
  readonly layout: LineLayout;
  readonly theme: Theme;
  /** The year that is read off; null if none. */
  readonly year?: number | null;
}

export function LineFigure({ drawing, layout, theme, year = null }: LineFigureProps) {
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

interface PanelProps {
  readonly drawing: LineDrawing;
  readonly placed: PanelLayout;
  readonly named: readonly Tick[];
  readonly theme: Theme;
  readonly year: number | null;
}

function PanelFigure({ drawing, placed, named, theme, year }: PanelProps) {
  const { left, top, width, height, title, hasTicks, labels, panel, x, y } = placed;
  const { unit, breaks, timeline } = drawing;
  const { ticks } = panel;
  const isYearly = timeline === null || timeline.unit === 'year';
  // A break lies between the last period of a year and the next.
  const breakAt = (after: number) => (isYearly ? after + 0.5 : timeline.startOf(after + 1) - 0.5);
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
              {formatTick(tick, unit)}
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
  /** How far the strokes of margins stand beside their points; null if there are none. */
  readonly shift: number | null;
}

function LineStrokes({ line, placed, theme, year, shift }: StrokesProps) {
  const { x, y } = placed;
  const { segments, points } = line.series;
  const stroke = colorOf(line.color, theme);
  const dash = DASHES[Math.floor((line.color ?? 0) / theme.series.length)] ?? '';
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
          {...(dash === '' ? {} : { 'stroke-dasharray': dash })}
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

export function colorOf(color: number | null, theme: Theme): string {
  if (color === null) return theme.soft;
  return theme.series[color % theme.series.length] ?? theme.ink;
}

function Key({ entry: { x, y, color }, theme }: { readonly entry: EndLabel; readonly theme: Theme }) {
  const dash = DASHES[Math.floor((color ?? 0) / theme.series.length)] ?? '';
  return (
    <path
      d={`M${x - 22},${y - 4}H${x - 6}`}
      stroke={colorOf(color, theme)}
      stroke-width={color === null ? 1.5 : 3}
      {...(dash === '' ? {} : { 'stroke-dasharray': dash })}
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
