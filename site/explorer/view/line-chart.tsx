/** A line over years as static SVG, for pages and place cards. */
import { formatNumber, formatTick } from './format.ts';
import { type LineShape, layOutLine, type YearValue } from './line-path.ts';
import { sayFigure, type Tick, type Timeline } from './timeline.ts';

const LEFT = 62;
const RIGHT = 18;
const TOP = 14;
const BOTTOM = 26;

interface LineChartProps {
  readonly points: readonly YearValue[];
  readonly unit: string | null;
  /** The chart in a sentence. */
  readonly label: string;
  /** Last years before a break of the series. */
  readonly breaks: readonly number[];
  /** Null if the points are years. */
  readonly timeline?: Timeline | null;
  /** Lines in grey: of the larger places, the first one solid and the next dashed. */
  readonly others?: readonly (readonly YearValue[])[];
  readonly width: number;
  readonly height: number;
}

/** A line of more figures is drawn without dots, except where a figure stands alone. */
const MOST_DOTS = 60;

function lonelyDots({ dots, lines }: LineShape, points: readonly YearValue[]): LineShape['dots'] {
  const alone = new Set(points.filter((_, i) => isLonely(points, i)));
  return lines.length === 0 ? dots : dots.filter(dot => alone.has(dot.point));
}

function isLonely(points: readonly YearValue[], at: number): boolean {
  return [points[at - 1], points[at + 1]].every(
    near => near === undefined || near.value === null || Math.abs(near.year - (points[at]?.year ?? 0)) > 1,
  );
}

/** The first period with a figure; Infinity if there is none. */
function firstKnown(points: readonly YearValue[]): number {
  return points.find(({ value }) => value !== null)?.year ?? Infinity;
}

/** Renders nothing if no period has a value. */
export function LineChart(props: LineChartProps) {
  const { unit, label, breaks, timeline = null, width, height } = props;
  // Years before the first figure of any line would leave the chart empty.
  const begun = Math.min(...[props.points, ...(props.others ?? [])].map(firstKnown));
  const [points = [], ...others] = [props.points, ...(props.others ?? [])].map(line =>
    line.filter(({ year }) => year >= begun),
  );
  const box = { width: width - LEFT - RIGHT, height: height - TOP - BOTTOM };
  const shape = layOutLine(points, box, breaks, timeline, others);
  if (shape === null) return null;
  const ticks = axisTicks(
    points.map(point => point.year),
    timeline,
  );
  // Many dots would hide the line.
  const dots = shape.dots.length > MOST_DOTS ? lonelyDots(shape, points) : shape.dots;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <g transform={`translate(${LEFT},${TOP})`}>
        {shape.ticks.map(({ y, value }) => (
          <g key={value}>
            <path class="rule" d={`M0,${y}H${width - LEFT - RIGHT}`} />
            <text x="-8" y={y} dy="0.35em" text-anchor="end">
              {formatTick(value, unit)}
            </text>
          </g>
        ))}
        {ticks.map(({ at, label: text }) => (
          <text key={at} x={shape.x(at)} y={height - TOP - BOTTOM + 19} text-anchor="middle">
            {text}
          </text>
        ))}
        {shape.others.map((d, i) => (
          <path key={d} class={i === 0 ? 'other' : 'other dashed'} d={d} />
        ))}
        {shape.bands.map(d => (
          <path key={d} class="margin" d={d} />
        ))}
        {shape.lines.map(d => (
          <path key={d} class="line" d={d} />
        ))}
        {dots.map(({ x, y, point, margin }) => (
          <g key={point.year}>
            {margin && <path class="margin-bar" d={`M${x},${margin[0]}V${margin[1]}`} />}
            <circle class="dot" cx={x} cy={y} r="3.5" />
          </g>
        ))}
      </g>
    </svg>
  );
}

function axisTicks(places: readonly number[], timeline: Timeline | null): readonly Tick[] {
  if (timeline === null || timeline.unit === 'year')
    return axisYears(places).map(year => ({ at: year, label: String(year) }));
  const [first, last] = [places[0] ?? 0, places.at(-1) ?? 0];
  const ticks = timeline.ticks(first, last, 5);
  // On a phone, long names would touch one another.
  return ticks.every(({ label }) => label.length <= 4) ? ticks : timeline.ticks(first, last, 3);
}

/** At most six years, counted back from the last. */
function axisYears(years: readonly number[]): number[] {
  const first = years[0] ?? 0;
  const last = years.at(-1) ?? first;
  const step = Math.max(1, Math.ceil((last - first) / 5));
  const shown: number[] = [];
  for (let year = last; year >= first; year -= step) shown.unshift(year);
  return shown;
}

/**
 * Describes a line for readers who cannot see it. Figures do not compare across a break, so this describes the part
 * after the last break that has figures.
 */
export function describeLine(
  points: readonly YearValue[],
  unit: string | null,
  breaks: readonly number[] = [],
  timeline: Timeline | null = null,
): string {
  const figures = points.filter(point => point.value !== null);
  const yearOf = timeline?.yearOf ?? (at => at);
  const latest = yearOf(figures.at(-1)?.year ?? 0);
  const after = Math.max(-Infinity, ...breaks.filter(year => year < latest));
  const known = figures.filter(point => yearOf(point.year) > after);
  const first = known[0];
  const last = known.at(-1);
  if (first === undefined || last === undefined) return `No ${timeline?.noun ?? 'year'} has a figure.`;
  const say = ({ value, year }: YearValue) => sayFigure(formatNumber(value ?? 0, unit), year, timeline);
  if (first === last) return `${say(first)}.`;
  const greatest = known.reduce((a, b) => ((b.value ?? 0) > (a.value ?? 0) ? b : a));
  const least = known.reduce((a, b) => ((b.value ?? 0) < (a.value ?? 0) ? b : a));
  const extremes = [
    ...(isApart(greatest, known) ? [`highest ${say(greatest)}`] : []),
    ...(isApart(least, known) ? [`lowest ${say(least)}`] : []),
  ];
  return `From ${say(first)} to ${say(last)}${extremes.length > 0 ? `; ${extremes.join(', ')}` : ''}.`;
}

/** Whether no margin of error leaves open that another figure is as high or as low. */
function isApart(extreme: YearValue, all: readonly YearValue[]): boolean {
  return all.every(one => {
    const margins = (one.margin ?? 0) + (extreme.margin ?? 0);
    return one === extreme || margins === 0 || Math.abs((one.value ?? 0) - (extreme.value ?? 0)) > margins;
  });
}
