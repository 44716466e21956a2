/** Bars of one period: content, layout, drawing, and reading them off one by one. */
import { useMemo, useState } from 'preact/hooks';
import { t } from '../messages/messages.ts';
import { linear, niceTicks } from '../view/curve.tsx';
import type { BarDrawing, BarTone, DrawInput, DrawnBar } from '../view/drawing.ts';
import { formatChange, formatCount, formatFigure, formatTick, percentOfOne } from '../view/format.ts';
import { levelOf, oneYear, type Question } from '../view/question.ts';
import type { Rows } from '../view/rows.ts';
import { deriveBars, describeFigure, isUnreliable } from '../view/series.ts';
import { comparedAxis } from '../view/views.ts';
import { describePeriod, titleView, wrapText } from '../view/wording.ts';
import {
  COLORS,
  HATCHES,
  LETTER,
  NARROW,
  openFigure,
  Pattern,
  PictureFrame,
  type PictureOf,
  ReadOff,
  ROW,
  useStop,
} from './picture-parts.tsx';

export const bars = { draw: drawBars, Picture: BarPicture };

/** Of more bars than `most`, the page first shows only the greatest and the least. */
const BRIEF = { most: 14, greatest: 9, least: 3 };

/**
 * Sorts places by size or change; values of an axis keep the dataset's order. Chosen places are all drawn.
 */
function drawBars({ state, metric, rows, beside }: DrawInput): BarDrawing {
  const { rank } = state;
  const { unit } = metric.column;
  const earlier = beside.filter(({ role }) => role === 'before');
  const shown = beside.filter(({ role }) => role !== 'before');
  const before = new Map(
    earlier.flatMap(one =>
      deriveBars(one.question, metric, one.rows, true).map(bar => [bar.key, bar] as const),
    ),
  );
  const barsOf = (asked: Question, found: Rows, tone: BarTone) =>
    deriveBars(asked, metric, found, tone !== 'own' || shown.length > 0).map(bar => ({
      ...bar,
      tone,
      before: before.get(bar.key)?.value ?? null,
      marginBefore: before.get(bar.key)?.margin ?? null,
    }));
  const axis = comparedAxis(state);
  const total = axis?.choices.find(({ value }) => value === axis.total)?.label;
  const own = barsOf(state, rows, 'own').map(
    (bar): DrawnBar => (bar.label === total ? { ...bar, tone: 'whole' } : bar),
  );
  const others = shown.flatMap(({ question: asked, rows: found, role }) => {
    const isWhole = levelOf(asked).places.length === 0;
    return barsOf(asked, found, role === 'context' ? 'context' : isWhole ? 'whole' : 'beside');
  });
  const arePlaces = axis === null;
  const isChosen = state.places.length > 0;
  const isSorted = arePlaces || rank === 'change';
  const sizeOf = (bar: DrawnBar) => (rank === 'change' ? changeOf(bar) : bar.value);
  const all = [...own, ...others];
  if (isSorted) all.sort((a, b) => (sizeOf(b) ?? -Infinity) - (sizeOf(a) ?? -Infinity));
  const yearBefore = all.some(bar => bar.before !== null) ? oneYear(earlier[0]!.question.years) : null;
  const sized = all.filter(bar => sizeOf(bar) !== null);
  const ends = isSorted
    ? [...sized.slice(0, BRIEF.greatest), ...sized.slice(-BRIEF.least)]
    : all.slice(0, BRIEF.most);
  const wanted = all.filter(({ tone }) => isChosen || tone !== 'own');
  const brief = all.length <= BRIEF.most ? all : [...ends, ...wanted];
  const notes = [
    yearBefore !== null && t.drawing.marks(yearBefore, percentOfOne(unit) !== null),
    metric.margin !== null &&
      all.some(({ margin }) => margin !== null) &&
      t.drawing.margins(metric.margin.label),
    all.some(isUnreliable) && t.drawing.unreliableBar,
  ];
  return {
    kind: 'bars',
    state,
    metric,
    title: titleView(state),
    bars: all,
    brief: new Set(brief.map(({ key }) => key)),
    yearBefore,
    period: describePeriod(state),
    notes: notes.filter(note => note !== false),
    figures: all.map(bar => ({ ...bar, year: null })),
    empty: all.every(({ value }) => value === null),
  };
}

function changeOf({ value, before }: DrawnBar): number | null {
  return value === null || before === null ? null : value - before;
}

type BarLayout = ReturnType<typeof layOutBars>;

const LONGEST_NAME = 34;
/** Width of a digit in the widest of the usual fonts. Letters are narrower on average. */
const DIGIT = 7.7;
/** Height of the scale. */
const SCALE = 22;
/** Room for the mark of bars that aren't shown. */
const GAP = 12;

/** `isWhole`: all bars instead of the brief ones. The scale is the same for both. */
function layOutBars(drawing: BarDrawing, width: number, isWhole: boolean) {
  const { metric, brief } = drawing;
  const { unit } = metric.column;
  const bars = isWhole ? drawing.bars : drawing.bars.filter(({ key }) => brief.has(key));
  const isNarrow = width < NARROW;
  const longest = (texts: readonly string[]) => Math.max(0, ...texts.map(({ length }) => length));
  const figures = bars.map(bar => formatFigure(bar, unit));
  const changes = bars.map(bar => {
    const change = changeOf(bar);
    return change === null ? '' : formatChange(change, unit, bar.value || (bar.before ?? 0));
  });
  const letters = Math.min(LONGEST_NAME, longest(bars.map(({ label }) => label)));
  const changeWidth = longest(changes) === 0 ? 0 : longest(changes) * DIGIT + 8;
  const figureWidth = longest(figures) * DIGIT + 14 + changeWidth;
  const nameEnd = isNarrow ? width - figureWidth : letters * LETTER + 14;
  const changeEnd = isNarrow ? width : nameEnd + figureWidth;
  const left = isNarrow ? 2 : changeEnd + 12;
  const known = drawing.bars.filter(({ value }) => value !== null);
  const ends = known.flatMap(({ value, interval, before }) => [value ?? 0, before ?? 0, ...(interval ?? [])]);
  const [least, most] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const x = linear([least, most === least ? least + 1 : most], [left, width - 8]);
  const positions = new Map(drawing.bars.map((bar, at) => [bar, at]));
  let top = SCALE;
  let position = 0;
  const rows = bars.map((bar, i) => {
    const name = wrapText(bar.label, isNarrow ? Math.floor(nameEnd / LETTER) : Math.max(8, letters));
    const height = isNarrow ? name.length * ROW + 24 : Math.max(26, name.length * ROW + 8);
    const at = positions.get(bar) ?? 0;
    /** Whether bars before it aren't shown. */
    const isApart = at > position;
    position = at + 1;
    if (isApart) top += GAP;
    const middle = isNarrow ? top + height - 12 : top + height / 2;
    const row = { bar, name, figure: figures[i]!, change: changes[i]!, isApart, middle };
    const stop = { left: 0, top, width, height };
    top += height;
    return { ...row, ...stop };
  });
  return {
    width,
    height: top + 6,
    rows,
    ticks: known.length === 0 ? [] : spaceTicks(niceTicks(least, most), unit, x, left, width),
    isNarrow,
    /** The right ends of names, figures and changes. */
    nameEnd,
    figureEnd: changeEnd - changeWidth,
    changeEnd,
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
) {
  let end = -Infinity;
  return values.flatMap(value => {
    const label = formatTick(value, unit, values);
    const half = (label.length * LETTER) / 2;
    const at = x(value);
    if (at < left - 0.5 || at > width || at - half < end + 8) return [];
    end = at + half;
    return [{ at, label, middle: Math.min(width - half, Math.max(half, at)) }];
  });
}

interface BarFigureProps {
  readonly layout: BarLayout;
  /** The position of the bar that is read off; null if none is. */
  readonly at: number | null;
  /** Distinguishes the patterns of two drawings in one page. */
  readonly id: string;
}

function BarFigure({ layout, at, id }: BarFigureProps) {
  const { width, height, rows, ticks, x, isNarrow, nameEnd, figureEnd, changeEnd } = layout;
  return (
    <PictureFrame width={width} height={height} fill={COLORS.ink}>
      <defs>
        {Object.entries(TONES).map(([tone, color]) => (
          <Pattern
            key={tone}
            id={`${id}-${tone}`}
            d={HATCHES}
            paper={COLORS.paper}
            stroke={color}
            strokeWidth={1.5}
          />
        ))}
      </defs>
      {ticks.map(tick => (
        <g key={tick.label}>
          <path d={`M${tick.at},${SCALE - 4}V${height - 4}`} stroke={COLORS.line} />
          <text x={tick.middle} y={SCALE - 9} text-anchor="middle" fill={COLORS.soft}>
            {tick.label}
          </text>
        </g>
      ))}
      {rows.map(({ bar, name, figure, change, top, height: tall, isApart, middle }, i) => {
        const base = isNarrow ? top + 12 : middle + 4;
        const first = isNarrow ? base : base - ((name.length - 1) * ROW) / 2;
        const isKnown = bar.value !== null;
        return (
          <g key={bar.key}>
            {i === at && <rect y={top} width={width} height={tall} fill={COLORS.line} fill-opacity="0.5" />}
            <text text-anchor={isNarrow ? 'start' : 'end'} font-weight={bar.tone === 'context' ? 400 : 500}>
              {name.map((words, line) => (
                <tspan key={words} x={isNarrow ? 2 : nameEnd - 6} y={first + line * ROW}>
                  {words}
                </tspan>
              ))}
            </text>
            <text
              x={figureEnd - 2}
              y={base}
              text-anchor="end"
              fill={isKnown ? COLORS.ink : COLORS.soft}
              font-style={isKnown ? 'normal' : 'italic'}
            >
              {figure}
            </text>
            <text x={changeEnd - 2} y={base} text-anchor="end" fill={COLORS.soft}>
              {change}
            </text>
            {isApart && (
              <path
                d={`M${isNarrow ? 2 : 8},${top - GAP / 2}H${width - 2}`}
                stroke={COLORS.soft}
                stroke-dasharray="1 5"
              />
            )}
            <BarStrokes bar={bar} middle={middle} x={x} id={id} />
          </g>
        );
      })}
      <path d={`M${x(0)},${SCALE - 4}V${height - 4}`} stroke={COLORS.soft} />
    </PictureFrame>
  );
}

/** A mark that is seen on bars of any colour. */
function Outlined({ d, width }: { readonly d: string; readonly width: number }) {
  return (
    <>
      <path d={d} fill="none" stroke={COLORS.paper} stroke-width={width + 2.5} />
      <path d={d} fill="none" stroke={COLORS.ink} stroke-width={width} />
    </>
  );
}

const TONES: Readonly<Record<BarTone, string>> = {
  own: COLORS.series[0]!,
  beside: COLORS.series[1]!,
  whole: COLORS.soft,
  context: COLORS.soft,
};

interface StrokesProps extends Pick<BarFigureProps, 'id'>, Pick<BarLayout, 'x'> {
  readonly bar: DrawnBar;
  readonly middle: number;
}

function BarStrokes({ bar: { value, before, interval, margin, tone }, middle, x, id }: StrokesProps) {
  if (value === null) return null;
  const [from, to] = [Math.min(x(0), x(value)), Math.max(x(0), x(value))];
  const color = TONES[tone];
  const isUnsure = isUnreliable({ value, margin });
  return (
    <>
      <rect
        x={from}
        y={middle - 8}
        width={Math.max(to - from, 0.5)}
        height="16"
        fill={isUnsure ? `url(#${id}-${tone})` : color}
        fill-opacity={tone === 'context' && !isUnsure ? 0.6 : 1}
        stroke={color}
      />
      {before !== null && <Outlined d={`M${x(before)},${middle - 11}v22`} width={2} />}
      {interval && (
        <Outlined d={`M${x(interval[0])},${middle - 4}v8m0,-4H${x(interval[1])}m0,-4v8`} width={1.5} />
      )}
    </>
  );
}

function BarPicture({ drawing, width, id, isLive, isLinked }: PictureOf<BarDrawing>) {
  const [isWhole, setWhole] = useState(false);
  const layout = useMemo(() => layOutBars(drawing, width, isWhole), [drawing, width, isWhole]);
  const { rows, x } = layout;
  const [at, setAt] = useStop(rows);
  const say = (row: number) => describeFigure(rows[row]!.bar, drawing.metric.column.unit, drawing.period);
  return (
    <>
      <ReadOff
        isLive={isLive}
        width={width}
        label={t.panel.readBars(drawing.title)}
        isDown
        stops={rows}
        start={0}
        at={at}
        onAt={setAt}
        say={say}
        readout={row => [x(rows[row]!.bar.value ?? 0), say(row)]}
        onFigure={isLinked ? row => openFigure(rows[row]!.bar) : undefined}
      >
        <BarFigure layout={layout} at={at} id={id} />
      </ReadOff>
      {isLive && drawing.brief.size < drawing.bars.length && (
        <button
          type="button"
          class="button quiet small"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? t.panel.fewerBars : t.panel.allBars(formatCount(drawing.bars.length))}
        </button>
      )}
    </>
  );
}
