/** A curve in a line of text: the shape of a series, without axes. The figures stand beside it. */
import type { YearValue } from './line-path.ts';

const SIZE = { width: 100, height: 26, edge: 3 };

/** Nothing if fewer than two figures are known. The line is broken where one is missing. */
export function SmallCurve({ points }: { readonly points: readonly YearValue[] }) {
  const known = points.flatMap(({ year, value }) => (value === null ? [] : [{ year, value }]));
  const last = known.at(-1);
  if (known.length < 2 || last === undefined) return null;
  const { width, height, edge } = SIZE;
  const years = known.map(({ year }) => year);
  const values = known.map(({ value }) => value);
  const scale = (list: readonly number[], size: number) => {
    const least = Math.min(...list);
    const span = Math.max(...list) - least;
    return (at: number) => (span === 0 ? size / 2 : edge + ((at - least) / span) * (size - 2 * edge));
  };
  const x = scale(years, width);
  const y = scale(values, height);
  const place = (year: number, value: number) => `${x(year).toFixed(1)},${(height - y(value)).toFixed(1)}`;
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
      <circle cx={x(last.year).toFixed(1)} cy={(height - y(last.value)).toFixed(1)} r="3" />
    </svg>
  );
}
