/** A curve in a line of text: the shape of a series, without axes. The figures stand beside it. */
import { linear, type YearValue } from './line-path.ts';

const SIZE = { width: 100, height: 26, edge: 3 };

/** Nothing if fewer than two figures are known. The line is broken where one is missing. */
export function SmallCurve({ points }: { readonly points: readonly YearValue[] }) {
  const known = points.flatMap(({ year, value }) => (value === null ? [] : [{ year, value }]));
  const last = known.at(-1);
  if (known.length < 2 || last === undefined) return null;
  const { width, height, edge } = SIZE;
  const years = known.map(({ year }) => year);
  const values = known.map(({ value }) => value);
  const ends = (list: readonly number[]) => [Math.min(...list), Math.max(...list)] as const;
  const x = linear(ends(years), [edge, width - edge]);
  const y = linear(ends(values), [height - edge, edge]);
  const place = (year: number, value: number) => `${x(year).toFixed(1)},${y(value).toFixed(1)}`;
  let d = '';
  let isDrawn = false;
  for (const { year, value } of points) {
    if (value !== null) d += `${isDrawn ? 'L' : 'M'}${place(year, value)}`;
    isDrawn = value !== null;
  }
  return (
    <svg
      class="small-curve"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden="true"
    >
      <path d={d} />
      <circle cx={x(last.year).toFixed(1)} cy={y(last.value).toFixed(1)} r="3" />
    </svg>
  );
}
