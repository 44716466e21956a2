/** Lays out a line over time in SVG coordinates. A missing period or value breaks it. */
import type { Timeline } from './timeline.ts';

export interface YearValue {
  /** The year; on another timeline, the place of the period or the moment. */
  readonly year: number;
  /** Null if the figure is not published. */
  readonly value: number | null;
  /** Margin of error; null if unknown. */
  readonly margin: number | null;
}

interface Box {
  readonly width: number;
  readonly height: number;
}

export interface LineShape {
  /** Lines between neighbouring years, as `d` of a path. */
  readonly lines: readonly string[];
  readonly dots: readonly {
    readonly x: number;
    readonly y: number;
    readonly point: YearValue;
  }[];
  /** Values of the axis, from the bottom up. */
  readonly ticks: readonly { readonly y: number; readonly value: number }[];
  readonly x: (year: number) => number;
}

/**
 * Null if no period has a value. `points` ascend by time; a line also ends at each year of `breaks`. Without a timeline,
 * the points are years.
 */
export function layOutLine(
  points: readonly YearValue[],
  { width, height }: Box,
  breaks: readonly number[] = [],
  timeline: Timeline | null = null,
): LineShape | null {
  const known = points.filter(point => point.value !== null);
  const first = points[0]?.year;
  const last = points.at(-1)?.year;
  if (known.length === 0 || first === undefined || last === undefined) return null;
  const ends = lineEnds(points);
  const ticks = niceTicks(Math.min(...ends), Math.max(...ends));
  const bottom = ticks[0] ?? 0;
  const top = ticks.at(-1) ?? 1;
  const [places, values] = [linear([first, last], [0, width]), linear([bottom, top], [height, 0])];
  const x = (year: number) => round(places(year));
  const y = (value: number) => round(values(value));
  const runs = splitRuns(points, breaks, timeline);
  const draw = (run: readonly YearValue[]) =>
    `M${run.map(point => `${x(point.year)},${y(point.value ?? 0)}`).join('L')}`;
  return {
    lines: runs.filter(run => run.length > 1).map(draw),
    dots: known.map(point => ({ x: x(point.year), y: y(point.value ?? 0), point })),
    ticks: ticks.map(value => ({ y: y(value), value })),
    x,
  };
}

/** Returns the ends of all intervals: an axis includes them. */
function lineEnds(points: readonly YearValue[]): number[] {
  return points.filter(({ value }) => value !== null).flatMap(point => [low(point), high(point)]);
}

const low = ({ value, margin }: YearValue) => (value ?? 0) - (margin ?? 0);
const high = ({ value, margin }: YearValue) => (value ?? 0) + (margin ?? 0);
const round = (value: number) => Math.round(value * 100) / 100;

/** Splits the points into runs of consecutive, comparable periods with values. */
export function splitRuns<One extends Pick<YearValue, 'year' | 'value'>>(
  points: readonly One[],
  breaks: readonly number[],
  timeline: Timeline | null,
): One[][] {
  const isNext = timeline?.isNext ?? ((before: number, at: number) => at === before + 1);
  const yearOf = timeline?.yearOf ?? (at => at);
  const runs: One[][] = [];
  let before: One | undefined;
  for (const point of points) {
    if (point.value !== null) {
      const last = before?.year ?? point.year;
      const follows = before !== undefined && before.value !== null && isNext(last, point.year);
      const isBroken = breaks.some(after => yearOf(last) <= after && after < yearOf(point.year));
      if (follows && !isBroken) runs.at(-1)?.push(point);
      else runs.push([point]);
    }
    before = point;
  }
  return runs;
}

/** Places the values of a domain on a line of pixels; those of one value in its middle. */
export function linear(
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
): (value: number) => number {
  return value => (to === from ? (start + end) / 2 : start + ((value - from) / (to - from)) * (end - start));
}

/** A smaller span has no usable logarithm. */
const SMALLEST = 1e-290;

/** Returns three to six round values around the least and the greatest, from zero if zero is near. */
export function niceTicks(least: number, greatest: number): number[] {
  const from = least >= 0 && least <= greatest * 0.5 ? 0 : least;
  // Figures that differ only in their last digits count as equal: no tick fits between them.
  const smallest = Math.max(SMALLEST, Math.abs(greatest) * 1e-12);
  const span = [greatest - from, Math.abs(greatest)].find(size => size > smallest) ?? 1;
  const raw = span / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 2.5, 5, 10].find(factor => factor * power >= raw) ?? 10);
  const start = Math.floor(from / step);
  const end = Math.max(start + 1, Math.ceil(greatest / step - 1e-9));
  return Array.from({ length: end - start + 1 }, (_, i) => Number(((start + i) * step).toPrecision(15)));
}
