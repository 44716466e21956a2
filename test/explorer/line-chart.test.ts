/** The small line of a card or a headline. */
import { h } from 'preact';
import { renderToStaticMarkup } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { LineChart } from '../../site/explorer/view/line-chart.tsx';

const line = (from: number, values: readonly (number | null)[]) =>
  values.map((value, i) => ({ year: from + i, value, margin: null }));

/** Years below the axis. */
function yearsOf(points: ReturnType<typeof line>, others: readonly ReturnType<typeof line>[] = []): string[] {
  const svg = renderToStaticMarkup(h(LineChart, { points, others, unit: 'count', label: 'Rain' }));
  return [...svg.matchAll(/>((?:19|20)\d\d)</g)].map(([, year = '']) => year);
}

test('begins where the first of its lines has a figure, and ends with its last year', () => {
  const late = line(2010, [null, null, null, 4, 5, null]);
  expect([yearsOf(late).at(0), yearsOf(late).at(-1)]).toEqual(['2013', '2015']);
  expect(yearsOf(late, [line(2010, [null, 3, 3, 3, 3, 3])]).at(0)).toBe('2011');
  expect(yearsOf(line(2010, [null, null]))).toEqual([]);
});
