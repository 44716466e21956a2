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

describe('a line', () => {
  test.each([
    ['a missing year and a missing value', [], [[2010, 2011], [2013], [2015, 2016]]],
    ['a break between two years', [2010], [[2010], [2011], [2013], [2015, 2016]]],
    ['another', [2015], [[2010, 2011], [2013], [2015], [2016]]],
  ])('is broken by %s, and by nothing else', (_, breaks, years) => {
    const points = [...line(2010, 1, 2), ...line(2013, 3, null, 4, 5)];
    const segments = splitSegments(points, breaks.map(breakAfter));
    expect(segments.map(segment => segment.map(({ year }) => year))).toEqual(years);
  });

  test('has every value once, and joins no two years that do not follow one another', () => {
    const values = fc.uniqueArray(fc.tuple(fc.integer({ min: 1990, max: 2030 }), fc.option(fc.float())), {
      selector: ([year]) => year,
    });
    fc.assert(
      fc.property(values, fc.array(fc.integer({ min: 1990, max: 2030 })), (given, breaks) => {
        const points = given.sort((a, b) => a[0] - b[0]).flatMap(([year, value]) => line(year, value));
        const segments = splitSegments(points, breaks.map(breakAfter));
        expect(segments.flat()).toEqual(points.filter(({ value }) => value !== null));
        for (const segment of segments) {
          for (const [index, { year }] of segment.slice(1).entries()) {
            expect(segment[index]!.year).toBe(year - 1);
            expect(breaks).not.toContain(year - 1);
          }
        }
      }),
    );
  });
});

describe('what a contract says of comparability', () => {
  const property = (name: string, value: unknown) => ({ property: name, value });
  const rain = [property('series_breaks', [{ after: 2010, reason: 'New gauges.' }])];
  const contract = {
    schema: [
      {
        customProperties: [
          property('pooled_years', 5),
          property('series_breaks', [{ after: 2014, reason: 'New survey.', levels: ['nation'] }]),
        ],
        properties: [{ name: 'rain', customProperties: rain }],
      },
    ],
  };

  test('is of the dataset, of a column, and of a level', () => {
    const { pooledYears, breaksOf } = parseComparability(contract);
    expect(pooledYears).toBe(5);
    expect(breaksOf('rain', 'nation').map(({ after }) => after)).toEqual([2010, 2014]);
    expect(breaksOf('rain', 'regions').map(({ after }) => after)).toEqual([2010]);
    expect(breaksOf('snow', 'regions')).toEqual([]);
  });

  test('whatever else a contract is, it says nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        expect(parseComparability(value).pooledYears).toBeNull();
        const odd = { schema: [{ customProperties: value, properties: value }] };
        expect(parseComparability(odd).breaksOf('a', 'b')).toEqual([]);
      }),
    );
  });
});

describe('sorted rows', () => {
  const values = [3, null, 1, 2, null, 1];
  const rows: Rows = {
    columns: [
      { name: 'at', type: 'integer' },
      { name: 'value', type: 'number' },
    ],
    rows: values.length,
    cell: (row, column) => (column === 0 ? row : values[row]!),
  };
  const order = (descending: boolean) => {
    const sorted = sortRows(rows, { column: 'value', descending });
    return values.map((_, row) => sorted.cell(row, 0));
  };
  test('have NULL first ascending and last descending, and equal values in their order', () => {
    expect(order(false)).toEqual([1, 4, 2, 5, 3, 0]);
    expect(order(true)).toEqual([0, 3, 2, 5, 1, 4]);
  });
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
