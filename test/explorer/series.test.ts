/** Lines, tables and windows made of rows, without a browser. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseComparability } from '../../site/explorer/view/comparability.ts';
import { type Rows, sortRows } from '../../site/explorer/view/rows.ts';
import { scrollHeight, scrollTo, scrollWindow } from '../../site/explorer/view/scroll-window.ts';
import { type Point, splitSegments } from '../../site/explorer/view/series.ts';

const line = (from: number, ...values: readonly (number | null)[]): Point[] =>
  values.map((value, i) => ({ year: from + i, value, margin: null, interval: null }));
const breakAfter = (year: number) => ({ after: year, reason: 'x', levels: null });

test.each([
  ['a missing year and a missing value', [], [[2010, 2011], [2013], [2015, 2016]]],
  ['a break between two years', [2010], [[2010], [2011], [2013], [2015, 2016]]],
  ['another', [2015], [[2010, 2011], [2013], [2015], [2016]]],
])('a line is broken by %s, and by nothing else', (_, breaks, years) => {
  const points = [...line(2010, 1, 2), ...line(2013, 3, null, 4, 5)];
  const segments = splitSegments(points, breaks.map(breakAfter));
  expect(segments.map(segment => segment.map(({ year }) => year))).toEqual(years);
});

test('a contract says what breaks of the dataset, of a column and of a level; another document says nothing', () => {
  const property = (name: string, value: unknown) => ({ property: name, value });
  const ofLevel = { after: 2014, reason: 'New survey.', levels: ['nation'] };
  const ofColumn = { after: 2010, reason: 'New gauges.' };
  const customProperties = [property('pooled_years', 5), property('series_breaks', [ofLevel])];
  const rain = { name: 'rain', customProperties: [property('series_breaks', [ofColumn])] };
  const { pooledYears, breaksOf } = parseComparability({
    schema: [{ customProperties, properties: [rain] }],
  });
  expect(pooledYears).toBe(5);
  const years = (column: string, level: string) => breaksOf(column, level).map(({ after }) => after);
  expect([years('rain', 'nation'), years('rain', 'regions'), years('snow', 'regions')]).toEqual([
    [2010, 2014],
    [2010],
    [],
  ]);
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      expect(parseComparability(value).pooledYears).toBeNull();
      const odd = { schema: [{ customProperties: value, properties: value }] };
      expect(parseComparability(odd).breaksOf('a', 'b')).toEqual([]);
    }),
  );
});

test('sorted rows have NULL first ascending and last descending, and equal values in their order', () => {
  const values = [3, null, 1, 2, null, 1];
  const rows: Rows = {
    columns: [{ name: 'at', type: 'integer' } as const, { name: 'value', type: 'number' } as const],
    rows: values.length,
    cell: (row, column) => (column === 0 ? row : values[row]!),
  };
  const order = (descending: boolean) => {
    const sorted = sortRows(rows, { column: 'value', descending });
    return values.map((_, row) => sorted.cell(row, 0));
  };
  expect([order(false), order(true)]).toEqual([
    [1, 4, 2, 5, 3, 0],
    [0, 3, 2, 5, 1, 4],
  ]);
});

describe('a scroll window', () => {
  const frame = { rows: 5_000_000, rowHeight: 34, viewport: 476 };

  test('is as tall as a browser can show, and reaches the first and the last row', () => {
    expect(scrollHeight(frame)).toBeLessThan(17_000_000);
    expect(scrollWindow(frame, 0).from).toBe(0);
    expect(scrollWindow(frame, scrollHeight(frame)).to).toBe(frame.rows);
  });

  test('never has more rows than fit, fills its height, and shows the row that is scrolled to', () => {
    const frames = fc.record({
      rows: fc.integer({ min: 1, max: 20_000_000 }),
      rowHeight: fc.integer({ min: 20, max: 60 }),
      viewport: fc.integer({ min: 60, max: 900 }),
    });
    fc.assert(
      fc.property(frames, fc.double({ min: 0, max: 1, noNaN: true }), (one, share) => {
        const height = scrollHeight(one);
        const { from, to, above, below } = scrollWindow(one, share * height);
        expect(to - from).toBeLessThanOrEqual(Math.ceil(one.viewport / one.rowHeight) + 14);
        expect(Math.abs(above + (to - from) * one.rowHeight + below - height)).toBeLessThan(1);
        const row = Math.min(one.rows - 1, Math.floor(share * one.rows));
        const shown = scrollWindow(one, scrollTo(one, 0, row));
        expect(shown.from).toBeLessThanOrEqual(row);
        expect(shown.to).toBeGreaterThan(row);
      }),
    );
  });
});
