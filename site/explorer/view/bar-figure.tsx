/** Horizontal bars as SVG: name, figure and margin in words, then the bar with its interval. */
import { t } from '../messages/messages.ts';
import { changeOf } from './bar-drawing.ts';
import type { BarDrawing, BarTone, DrawnBar } from './drawing-parts.ts';
import { formatChange, formatMargin, formatNumber, formatTick } from './format.ts';
import { LETTER } from './line-layout.ts';
import { niceTicks } from './line-path.ts';
import { PictureFrame } from './picture-frame.tsx';
import { isUnreliable } from './series.ts';
import type { Theme } from './theme.ts';
import { wrapText } from './wording.ts';

interface BarLayout {
  readonly width: number;
  readonly height: number;
  readonly rows: readonly BarRow[];
  /** Values of the scale above the bars, ascending. */
  readonly ticks: readonly BarTick[];
  /** Where the median stands; null if none is drawn. */
  readonly medianX: number | null;
  readonly narrow: boolean;
  /** Where names end, and where figures end. */
  readonly nameEnd: number;
  readonly figureEnd: number;
  readonly changeEnd: number;
  x(value: number): number;
}

interface BarTick {
  readonly x: number;
  readonly label: string;
}

interface BarRow {
  readonly bar: DrawnBar;
  readonly name: readonly string[];
  readonly figure: string;
  /** Empty without a figure to compare with. */
  readonly change: string;
  /** Whether bars before it are left out. */
  readonly isApart: boolean;
  readonly top: number;
  readonly height: number;
}

const ROW = 15;
const NARROW = 520;
const LONGEST_NAME = 34;
/** Height of the scale. */
const SCALE = 22;
/** Room for the bars that are left out. */
const GAP = 12;

/** `isWhole`: lay out all bars, or the brief ones; all share one scale, shown or not. */
export function layOutBars(drawing: BarDrawing, width: number, isWhole: boolean): BarLayout {
  const { unit, median, brief } = drawing;
  const bars = isWhole ? drawing.bars : drawing.bars.filter(({ key }) => brief.has(key));
  const narrow = width < NARROW;
  const figures = bars.map(bar => writeFigure(bar, unit));
  const longest = Math.max(0, ...bars.map(({ label }) => label.length));
  const letters = narrow ? Math.floor((width - 90) / LETTER) : Math.min(LONGEST_NAME, longest);
  const changes = bars.map(bar => writeChange(bar, unit));
  const changeWidth = Math.max(0, ...changes.map(change => change.length)) * LETTER;
  const figureWidth =
    Math.max(0, ...figures.map(figure => figure.length)) * LETTER + 14 + (changeWidth && changeWidth + 8);
  const nameEnd = narrow ? width - figureWidth : letters * LETTER + 14;
  const figureEnd = narrow ? width : nameEnd + figureWidth;
  const names = bars.map(({ label }) =>
    wrapText(label, narrow ? Math.floor((width - figureWidth) / LETTER) : Math.max(8, letters)),
  );
  const left = narrow ? 2 : figureEnd + 12;
  const known = drawing.bars.filter(bar => bar.value !== null);
  const least = Math.min(0, ...known.map(({ value, interval }) => interval?.[0] ?? value ?? 0));
  const most = Math.max(
    0,
    ...known.map(({ value, interval, before }) => Math.max(value ?? 0, interval?.[1] ?? 0, before ?? 0)),
  );
  const span = most - least || 1;
  const x = (value: number) => left + ((value - least) / span) * (width - left - 8);
  let top = SCALE;
  let position = 0;
  const rows = bars.map((bar, i): BarRow => {
    const lines = names[i]!.length;
    const height = narrow ? lines * ROW + 24 : Math.max(26, lines * ROW + 8);
    const at = drawing.bars.indexOf(bar);
    const isApart = at > position;
    position = at + 1;
    if (isApart) top += GAP;
    const row = { bar, name: names[i]!, figure: figures[i]!, change: changes[i]!, top, height, isApart };
    top += height;
    return row;
  });
  const last = rows.at(-1);
  return {
    width,
    height: (last ? last.top + last.height : SCALE) + 6,
    rows,
    ticks: known.length === 0 ? [] : spaceTicks(niceTicks(least, most), unit, x, left, width),
    medianX: median === null ? null : x(median),
    narrow,
    nameEnd,
    figureEnd: figureEnd - (changeWidth && changeWidth + 8),
    changeEnd: figureEnd,
    x,
  };
}

/** Leaves out ticks beyond the scale, and those whose labels would touch. */
function spaceTicks(
  values: readonly number[],
  unit: string | null,
  x: (value: number) => number,
  left: number,
  width: number,
): BarTick[] {
  let end = -Infinity;
  return values.flatMap(value => {
    const label = formatTick(value, unit);
    const half = (label.length * LETTER) / 2;
    const at = x(value);
    if (at < left - 0.5 || at > width || at - half < end + 8) return [];
    end = at + half;
    return [{ x: at, label }];
  });
}

function writeFigure({ value, margin }: DrawnBar, unit: string | null): string {
  if (value === null) return t.words.noFigure;
  return [formatNumber(value, unit), margin === null ? '' : formatMargin(margin, unit, 'points')]
    .filter(Boolean)
    .join(' ');
}

function writeChange(bar: DrawnBar, unit: string | null): string {
  const change = changeOf(bar);
  return change === null ? '' : formatChange(change, unit);
}

interface BarFigureProps {
  readonly layout: BarLayout;
  readonly theme: Theme;
  /** Position of the bar that is read off; null if none. */
  readonly at?: number | null;
  /** Tells the patterns of two drawings on one page apart. */
  readonly id?: string;
}

export function BarFigure({ layout, theme, at = null, id = 'bars' }: BarFigureProps) {
  const { width, height, rows, ticks, medianX, x, narrow, nameEnd, figureEnd, changeEnd } = layout;
  const middleOf = ({ top, height: tall }: BarRow) => (narrow ? top + tall - 12 : top + tall / 2);
  // Beside each bar, and so over no name.
  const dashes = rows.map(row => `M${medianX},${middleOf(row) - 10}v20`).join('');
  return (
    <PictureFrame width={width} height={height} fill={theme.ink}>
      <defs>
        {TONES.map(tone => (
          <Hatching key={tone} id={`${id}-${tone}`} color={colorOf(tone, theme)} paper={theme.paper} />
        ))}
      </defs>
      {ticks.map(({ x: tick, label }) => {
        const half = (label.length * LETTER) / 2;
        return (
          <g key={label}>
            <path d={`M${tick},${SCALE - 4}V${height - 4}`} stroke={theme.line} />
            <text
              x={Math.min(width - half, Math.max(half, tick))}
              y={SCALE - 9}
              text-anchor="middle"
              fill={theme.soft}
            >
              {label}
            </text>
          </g>
        );
      })}
      {rows.map((row, i) => {
        const { bar, name, figure, change, top, height: tall, isApart } = row;
        const middle = middleOf(row);
        const first = narrow ? top + 12 : middle + 4 - ((name.length - 1) * ROW) / 2;
        return (
          <g key={bar.key}>
            {i === at && (
              <rect x="0" y={top} width={width} height={tall} fill={theme.line} fill-opacity="0.5" />
            )}
            <text text-anchor={narrow ? 'start' : 'end'} font-weight={bar.isContext ? 400 : 500}>
              {name.map((words, line) => (
                <tspan key={words} x={narrow ? 2 : nameEnd - 6} y={first + line * ROW}>
                  {words}
                </tspan>
              ))}
            </text>
            <text
              x={figureEnd - 2}
              y={narrow ? top + 12 : middle + 4}
              text-anchor="end"
              fill={bar.value === null ? theme.soft : theme.ink}
              font-style={bar.value === null ? 'italic' : 'normal'}
            >
              {figure}
            </text>
            {change !== '' && (
              <text x={changeEnd - 2} y={narrow ? top + 12 : middle + 4} text-anchor="end" fill={theme.soft}>
                {change}
              </text>
            )}
            {isApart && (
              <path
                d={`M${narrow ? 2 : 8},${top - GAP / 2}H${width - 2}`}
                stroke={theme.soft}
                stroke-dasharray="1 5"
              />
            )}
            <BarStrokes bar={bar} middle={middle} x={x} theme={theme} id={id} />
          </g>
        );
      })}
      {medianX !== null && (
        <>
          <path d={dashes} stroke={theme.paper} stroke-width="3.5" />
          <path d={dashes} stroke={theme.ink} stroke-width="1.5" />
        </>
      )}
      <path d={`M${x(0)},${SCALE - 4}V${height - 4}`} stroke={theme.soft} />
    </PictureFrame>
  );
}

const TONES = ['own', 'beside', 'whole', 'context'] as const satisfies readonly BarTone[];

function colorOf(tone: BarTone, theme: Theme): string {
  switch (tone) {
    case 'own':
      return theme.series[0] ?? theme.ink;
    case 'beside':
      return theme.series[1] ?? theme.ink;
    case 'whole':
    case 'context':
      return theme.soft;
    default:
      return tone satisfies never;
  }
}

interface StrokesProps {
  readonly bar: DrawnBar;
  readonly middle: number;
  readonly theme: Theme;
  readonly id: string;
  x(value: number): number;
}

function BarStrokes({ bar, middle, x, theme, id }: StrokesProps) {
  if (bar.value === null) return null;
  const [from, to] = [Math.min(x(0), x(bar.value)), Math.max(x(0), x(bar.value))];
  const color = colorOf(bar.tone, theme);
  const hatched = `url(#${id}-${bar.tone})`;
  const unsure = isUnreliable(bar);
  const { interval } = bar;
  const whisker = interval && `M${x(interval[0])},${middle - 4}v8m0,-4H${x(interval[1])}m0,-4v8`;
  return (
    <>
      <rect
        x={from}
        y={middle - 8}
        width={Math.max(to - from, 0.5)}
        height="16"
        fill={unsure ? hatched : color}
        fill-opacity={bar.isContext && !unsure ? 0.6 : 1}
        stroke={color}
      />
      {bar.before !== null && (
        <>
          <path d={`M${x(bar.before)},${middle - 11}v22`} stroke={theme.paper} stroke-width="4.5" />
          <path d={`M${x(bar.before)},${middle - 11}v22`} stroke={theme.ink} stroke-width="2" />
        </>
      )}
      {whisker && <path d={whisker} fill="none" stroke={theme.paper} stroke-width="4.5" />}
      {whisker && <path d={whisker} fill="none" stroke={theme.ink} stroke-width="1.5" />}
    </>
  );
}

/** Marks figures that are unreliable. */
function Hatching(props: { readonly id: string; readonly color: string; readonly paper: string }) {
  return (
    <pattern id={props.id} width="6" height="6" patternUnits="userSpaceOnUse">
      <rect width="6" height="6" fill={props.paper} />
      <path d="M-1,1l2,-2M0,6l6,-6M5,7l2,-2" stroke={props.color} stroke-width="1.5" />
    </pattern>
  );
}
