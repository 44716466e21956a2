/** Bars of one period: content, layout, drawing, and reading them off one by one. */
import { useMemo, useState } from 'preact/hooks';
import { t } from '../messages/messages.ts';
import { linear, niceTicks } from '../view/curve.tsx';
import type { BarDrawing, BarTone, DrawInput, DrawnBar } from '../view/drawing.ts';
import { formatChange, formatCount, formatFigure, formatNumber, formatTick } from '../view/format.ts';
import { leafPlace, levelOf, oneYear } from '../view/question.ts';
import { type Bar, deriveBars, describeFigure, isUnreliable, median } from '../view/series.ts';
import { comparedAxis } from '../view/views.ts';
import { describePeriod, wrapText } from '../view/wording.ts';
import {
  clampTo,
  HATCHES,
  LETTER,
  NARROW,
  PAGE,
  Pattern,
  PictureFrame,
  type PlotProps,
  ReadOff,
  Readout,
  ROW,
  type StillProps,
  type Theme,
} from './picture-parts.tsx';

export const bars = { draw: drawBars, Still: BarStill, Plot: BarPlot };

const MOST_BARS = 300;

/** Of more bars than `most`, the page first shows only the greatest and the least. */
const BRIEF = { most: 14, greatest: 9, least: 3 };

/**
 * Sorts places by size or change; values of an axis keep the dataset's order. Chosen places are all drawn.
 */
function drawBars({ dataset, state, metric, rows, beside, words }: DrawInput): BarDrawing {
  const { question, rank } = state;
  const shown = beside.filter(({ role }) => role !== 'before');
  const earlier = beside.filter(({ role }) => role === 'before');
  const before = new Map(
    earlier.flatMap(one =>
      deriveBars(dataset, one.question, metric, one.rows, true).map(bar => [bar.key, bar] as const),
    ),
  );
  const toDrawn = (bar: Bar, tone: BarTone): DrawnBar => ({
    ...bar,
    tone,
    before: before.get(bar.key)?.value ?? null,
    marginBefore: before.get(bar.key)?.margin ?? null,
  });
  const own = deriveBars(dataset, question, metric, rows, shown.length > 0).map(bar => toDrawn(bar, 'own'));
  const others = shown.flatMap(({ question: asked, rows: found, role }) =>
    deriveBars(dataset, asked, metric, found, true).map(bar =>
      toDrawn(
        bar,
        role === 'context'
          ? 'context'
          : levelOf(dataset, asked.detail).places.length === 0
            ? 'whole'
            : 'beside',
      ),
    ),
  );
  const all = [...own, ...others];
  const places = comparedAxis(dataset, question) === null;
  const sizeOf = rank === 'change' ? changeOf : ({ value }: DrawnBar) => value;
  const isSorted = places || rank === 'change';
  const sorted = isSorted
    ? [...all].sort((a, b) => (sizeOf(b) ?? -Infinity) - (sizeOf(a) ?? -Infinity))
    : all;
  const isChosen = question.places.length > 0;
  const kept = new Set(
    sorted.filter(bar => !others.includes(bar)).slice(0, isChosen ? all.length : MOST_BARS),
  );
  const bars = sorted.filter(bar => kept.has(bar) || others.includes(bar));
  const known = own.flatMap(({ value }) => (value === null ? [] : [value]));
  const isLevel = places && !isChosen && leafPlace(dataset, question.detail) !== null;
  const middle = isLevel && known.length > 1 ? median(known) : null;
  const yearBefore = all.some(bar => bar.before !== null) ? oneYear(earlier[0]!.question.years) : null;
  return {
    ...words,
    kind: 'bars',
    bars,
    brief: briefOf(bars, isSorted, bar => isChosen || others.includes(bar), sizeOf),
    yearBefore,
    median: middle,
    period: describePeriod(dataset, question) ?? oneYear(question.years),
    notes: [
      ...(all.length > bars.length
        ? [
            isSorted
              ? t.drawing.greatestBars(MOST_BARS, own.length)
              : t.drawing.firstBars(MOST_BARS, own.length),
          ]
        : []),
      ...(yearBefore === null
        ? []
        : [
            metric.column.unit === 'proportion'
              ? t.drawing.marksInPoints(yearBefore)
              : t.drawing.marks(yearBefore),
          ]),
      ...(middle === null ? [] : [t.drawing.median(known.length, formatNumber(middle, metric.column.unit))]),
      ...(metric.margin === null || bars.every(({ margin }) => margin === null)
        ? []
        : [t.drawing.barMargins(metric.margin.label)]),
      ...(bars.some(isUnreliable) ? [t.drawing.unreliableBar] : []),
    ],
    figures: sorted.map(bar => ({ ...bar, year: null })),
    empty: all.every(({ value }) => value === null),
  };
}

function changeOf({ value, before }: DrawnBar): number | null {
  return value === null || before === null ? null : value - before;
}

function briefOf(
  bars: readonly DrawnBar[],
  isSorted: boolean,
  isWanted: (bar: DrawnBar) => boolean,
  sizeOf: (bar: DrawnBar) => number | null,
): ReadonlySet<string> {
  const { most, greatest, least } = BRIEF;
  if (bars.length <= most) return new Set(bars.map(({ key }) => key));
  const known = bars.filter(bar => sizeOf(bar) !== null);
  const ends = isSorted ? [...known.slice(0, greatest), ...known.slice(-least)] : bars.slice(0, most);
  return new Set([...ends, ...bars.filter(isWanted)].map(({ key }) => key));
}

interface BarLayout {
  readonly width: number;
  readonly height: number;
  readonly rows: readonly BarRow[];
  /** Values of the scale above the bars, ascending. */
  readonly ticks: readonly BarTick[];
  /** Null without a median. */
  readonly medianX: number | null;
  readonly narrow: boolean;
  /** The right ends of names and figures. */
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
  /** Empty if no earlier figure compares. */
  readonly change: string;
  /** Whether bars before it aren't shown. */
  readonly isApart: boolean;
  readonly top: number;
  readonly height: number;
}

const LONGEST_NAME = 34;
/** Height of the scale. */
const SCALE = 22;
/** Room for the mark of bars that aren't shown. */
const GAP = 12;

/** `isWhole`: all bars instead of the brief ones. The scale is the same for both. */
function layOutBars(drawing: BarDrawing, width: number, isWhole: boolean): BarLayout {
  const { unit, median, brief } = drawing;
  const bars = isWhole ? drawing.bars : drawing.bars.filter(({ key }) => brief.has(key));
  const narrow = width < NARROW;
  const figures = bars.map(bar => formatFigure(bar, unit));
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
  const x = linear([least, most === least ? least + 1 : most], [left, width - 8]);
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
    const label = formatTick(value, unit, values);
    const half = (label.length * LETTER) / 2;
    const at = x(value);
    if (at < left - 0.5 || at > width || at - half < end + 8) return [];
    end = at + half;
    return [{ x: at, label }];
  });
}

function writeChange(bar: DrawnBar, unit: string | null): string {
  const change = changeOf(bar);
  return change === null ? '' : formatChange(change, unit);
}

interface BarFigureProps {
  readonly layout: BarLayout;
  readonly theme: Theme;
  /** The position of the bar that is read off; null if none is. */
  readonly at?: number | null;
  /** Distinguishes the patterns of two drawings in one page. */
  readonly id?: string;
}

function BarFigure({ layout, theme, at = null, id = 'bars' }: BarFigureProps) {
  const { width, height, rows, ticks, medianX, x, narrow, nameEnd, figureEnd, changeEnd } = layout;
  const middleOf = ({ top, height: tall }: BarRow) => (narrow ? top + tall - 12 : top + tall / 2);
  // One dash beside each bar: a whole line would cross the names.
  const dashes = rows.map(row => `M${medianX},${middleOf(row) - 10}v20`).join('');
  return (
    <PictureFrame width={width} height={height} fill={theme.ink}>
      <defs>
        {TONES.map(tone => (
          <Pattern
            key={tone}
            id={`${id}-${tone}`}
            d={HATCHES}
            paper={theme.paper}
            stroke={colorOf(tone, theme)}
            strokeWidth={1.5}
          />
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
            <text text-anchor={narrow ? 'start' : 'end'} font-weight={bar.tone === 'context' ? 400 : 500}>
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
        fill-opacity={bar.tone === 'context' && !unsure ? 0.6 : 1}
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

function BarStill({ drawing, width, theme, id }: StillProps<BarDrawing>) {
  return <BarFigure layout={layOutBars(drawing, width, false)} theme={theme} id={id} />;
}

function BarPlot({ drawing, width }: PlotProps<BarDrawing>) {
  const [isWhole, setWhole] = useState(false);
  const layout = useMemo(() => layOutBars(drawing, width, isWhole), [drawing, width, isWhole]);
  const [at, setAt] = useState<number | null>(null);
  const { rows } = layout;
  const say = (index: number) => {
    const row = rows[index];
    return row ? describeFigure(row.bar, drawing.unit, drawing.period) : '';
  };
  const onKey = (key: string) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: (at ?? -1) + 1,
      ArrowUp: (at ?? 1) - 1,
      Home: 0,
      End: rows.length - 1,
    };
    const next = steps[key];
    if (next !== undefined) setAt(clampTo(rows.length, next));
    return next !== undefined;
  };
  const onPoint = (_x: number, y: number) => {
    const found = rows.findIndex(({ top, height }) => y >= top && y < top + height);
    setAt(found < 0 ? null : found);
  };
  const row = at === null ? undefined : rows[at];
  const plot = (
    <ReadOff
      label={t.panel.readBars(drawing.title)}
      isVertical
      ends={[1, rows.length]}
      now={(at ?? 0) + 1}
      text={say(at ?? 0)}
      onKey={onKey}
      onPoint={onPoint}
      onLeave={() => setAt(null)}
    >
      <BarFigure layout={layout} theme={PAGE} at={at} id="shown" />
      {row && (
        <Readout x={layout.x(row.bar.value ?? 0)} y={row.top + row.height / 2}>
          {say(at!)}
        </Readout>
      )}
    </ReadOff>
  );
  return (
    <>
      {plot}
      {drawing.brief.size < drawing.bars.length && (
        <button
          type="button"
          class="button quiet small explore-all"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? t.panel.fewerBars : t.panel.allBars(formatCount(drawing.bars.length))}
        </button>
      )}
    </>
  );
}
