/** The geometry of a line over time: its runs, scales and ticks; and a small curve without axes. */
import { type Timeline, YEARS } from './timeline.ts';

export interface Figure {
  /** Null if it isn't published. */
  readonly value: number | null;
  /** Margin of error at 90 % confidence, as the Census Bureau publishes it; null if unknown. */
  readonly margin: number | null;
  /** Its page. */
  address?(): string;
}

export interface YearValue extends Figure {
  /** The year; on another timeline, the period's place. */
  readonly year: number;
}

export type Known<One extends Figure> = One & { readonly value: number };

export function isKnown<One extends Figure>(one: One): one is Known<One> {
  return one.value !== null;
}

/** Splits the points into runs of consecutive, comparable periods with values. */
export function splitRuns<One extends Pick<YearValue, 'year' | 'value'>>(
  points: readonly One[],
  breaks: readonly number[],
  { longestStep, yearOf }: Timeline = YEARS,
): One[][] {
  const runs: One[][] = [];
  const longest = longestStep(points.map(({ year }) => year));
  let before: One | undefined;
  for (const point of points) {
    if (point.value !== null) {
      const last = before?.year ?? point.year;
      const follows = before !== undefined && before.value !== null && point.year - last <= longest;
      const isBroken = breaks.some(after => yearOf(last) <= after && after < yearOf(point.year));
      if (follows && !isBroken) runs.at(-1)?.push(point);
      else runs.push([point]);
    }
    before = point;
  }
  return runs;
}

/** A linear scale from values to pixels. If the domain is one value, that value lies in the middle. */
export function linear(
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
): (value: number) => number {
  return value => (to === from ? (start + end) / 2 : start + ((value - from) / (to - from)) * (end - start));
}

/** The logarithm of a smaller span is unusable. */
const SMALLEST = 1e-290;

/** Three to six round values from below the least to above the greatest, from zero if zero is near. */
export function niceTicks(least: number, greatest: number): number[] {
  const from = least >= 0 && least <= greatest * 0.5 ? 0 : least;
  // No tick fits between figures that differ only in their last digits.
  const smallest = Math.max(SMALLEST, Math.abs(greatest) * 1e-12);
  const span = [greatest - from, Math.abs(greatest)].find(size => size > smallest) ?? 1;
  const raw = span / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 2.5, 5, 10].find(factor => factor * power >= raw) ?? 10);
  const start = Math.floor(from / step);
  const end = Math.max(start + 1, Math.ceil(greatest / step - 1e-9));
  return Array.from({ length: end - start + 1 }, (_, i) => Number(((start + i) * step).toPrecision(15)));
}

interface CurveProps {
  /** Of consecutive, comparable periods with values. */
  readonly runs: readonly (readonly YearValue[])[];
  readonly width: number;
  readonly height: number;
  /** Radius of the dot on the last figure. */
  readonly dot: number;
}

/** A series without axes; nothing if fewer than two figures are known. The element around it sets the colours. */
export function Curve({ runs, width, height, dot }: CurveProps) {
  const points = runs.flat();
  const last = points.at(-1);
  if (points.length < 2 || last === undefined) return null;
  const ends = (list: readonly number[]) => [Math.min(...list), Math.max(...list)] as const;
  const x = linear(ends(points.map(({ year }) => year)), [dot, width - dot]);
  const y = linear(ends(points.map(({ value }) => value ?? 0)), [height - dot, dot]);
  const at = ({ year, value }: YearValue) => `${x(year).toFixed(1)},${y(value ?? 0).toFixed(1)}`;
  const d = runs.map(run => `M${run.map(at).join('L')}`).join('');
  const dotOf = (point: YearValue, r: number) => (
    <circle key={point.year} cx={x(point.year).toFixed(1)} cy={y(point.value ?? 0).toFixed(1)} r={r} />
  );
  return (
    <>
      <path d={d} fill="none" stroke-linejoin="round" />
      {/* A run of one figure has no line. */}
      {runs.map(([first, second]) => first && !second && first !== last && dotOf(first, dot * 0.6))}
      {dotOf(last, dot)}
    </>
  );
}

/** A curve in a line of text, beside its figures. */
export function SmallCurve({ runs }: Pick<CurveProps, 'runs'>) {
  if (runs.flat().length < 2) return null;
  return (
    <svg class="small-curve" viewBox="0 0 100 26" width={100} height={26} aria-hidden="true">
      <Curve runs={runs} width={100} height={26} dot={3} />
    </svg>
  );
}
