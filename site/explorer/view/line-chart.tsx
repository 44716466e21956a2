/** A line over years as static SVG, for pages and place cards. */
import { formatNumber, formatTick } from './format.ts';
import { layOutLine, type YearValue } from './line-path.ts';

const LEFT = 62;
const RIGHT = 18;
const TOP = 14;
const BOTTOM = 26;

export interface LineChartProps {
  readonly points: readonly YearValue[];
  readonly unit: string | null;
  /** The chart in a sentence. */
  readonly label: string;
  /** Last years before a break of the series. */
  readonly breaks?: readonly number[];
  /** Lines in grey: of the larger places, the first one solid and the next dashed. */
  readonly others?: readonly (readonly YearValue[])[];
  readonly width?: number;
  readonly height?: number;
}

/** Renders nothing if no year has a value. */
export function LineChart(props: LineChartProps) {
  const { points, unit, label, breaks = [], others = [], width = 440, height = 190 } = props;
  const box = { width: width - LEFT - RIGHT, height: height - TOP - BOTTOM };
  const shape = layOutLine(points, box, breaks, others);
  if (shape === null) return null;
  const years = axisYears(points.map(point => point.year));
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
        {years.map(year => (
          <text key={year} x={shape.x(year)} y={height - TOP - BOTTOM + 19} text-anchor="middle">
            {year}
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
        {shape.dots.map(({ x, y, point, margin }) => (
          <g key={point.year}>
            {margin && <path class="margin-bar" d={`M${x},${margin[0]}V${margin[1]}`} />}
            <circle class="dot" cx={x} cy={y} r="3.5" />
          </g>
        ))}
      </g>
    </svg>
  );
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
): string {
  const figures = points.filter(point => point.value !== null);
  const latest = figures.at(-1)?.year ?? 0;
  const after = Math.max(-Infinity, ...breaks.filter(year => year < latest));
  const known = figures.filter(point => point.year > after);
  const first = known[0];
  const last = known.at(-1);
  if (first === undefined || last === undefined) return 'No year has a figure.';
  const say = (point: YearValue) => `${formatNumber(point.value ?? 0, unit)} in ${point.year}`;
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
