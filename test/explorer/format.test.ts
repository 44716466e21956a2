/** Numbers, years and words as a reader sees them, and ends of ranges as one writes them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ColumnType } from '../../build/format/documents.ts';
import {
  countOf,
  formatBytes,
  formatCell,
  formatDecimal,
  formatInterval,
  formatMargin,
  formatNumber,
  formatTick,
  formatYears,
  missingYears,
  spellUnit,
  titleName,
} from '../../site/explorer/view/format.ts';
import { type Range, readEnd, showEnd } from '../../site/explorer/view/ranges.ts';
import { shortenText } from '../../site/explorer/view/wording.ts';

test.each([
  [0.8406, 'proportion', '84.1%'],
  [1, 'proportion', '100%'],
  [0, 'proportion', '0%'],
  [0.00049, 'proportion', '0%'],
  [-0.05, 'proportion', '−5%'],
  [1234567, 'count', '1,234,567'],
  [55204, 'currency', '$55,204'],
  [55204.56, 'currency', '$55,205'],
  [12.5, 'currency', '$12.50'],
  [-1200, 'currency', '−$1,200'],
  [-0.4, 'EUR', '−€0.40'],
  [80.078, 'score', '80.08'],
  [0.12345, 'ratio', '0.123'],
  [2.5, null, '2.5'],
  [1e21, 'count', '1e+21'],
  [-0.001, 'score', '−0.001'],
  [-0.0001, 'score', '0'],
  [3, 'constructor', '3'],
] as const)('%d of unit %s is %s', (value, unit, text) => expect(formatNumber(value, unit)).toBe(text));

test('grouping is what a locale would do, and nothing is lost', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 15), max: 10 ** 15 }), value => {
      expect(formatDecimal(value, 0)).toBe(value.toLocaleString('en-US').replace('-', '−'));
    }),
  );
});

test.each([
  [formatMargin(0.0171, 'proportion'), '±1.7 percentage points'],
  [formatMargin(218, 'count'), '±218'],
  [formatCell(0.441, { type: 'number', unit: 'proportion', isMargin: true }), '±44.1 points'],
  [formatCell(null, { type: 'number', unit: 'count' }), '–'],
  [formatCell('007', { type: 'string', unit: null }), '007'],
  [formatCell('', { type: 'string', unit: null }), ''],
  [formatCell(2024, { type: 'integer', unit: null }), '2024'],
  [formatCell(12345, { type: 'integer', unit: 'count' }), '12,345'],
  [formatCell(false, { type: 'boolean', unit: null }), 'no'],
  [formatYears([]), 'no years'],
  [formatYears([2024]), '2024'],
  [formatYears([2019, 2020, 2021]), '2019–2021'],
  [formatYears([2019, 2021, 2022, 2026]), '2019–2026, without 2020, 2023–2025'],
  [titleName('block_groups'), 'Block groups'],
  [titleName(''), ''],
  [countOf(1, 'row'), '1 row'],
  [countOf(0, 'row'), '0 rows'],
  [countOf(1200, 'entry', 'entries'), '1,200 entries'],
  // A unit is told where the number does not show it.
  [spellUnit('days'), 'days'],
  [spellUnit('count'), null],
  [spellUnit('currency'), null],
  [spellUnit(null), null],
])('margins, cells, years and words: %s is %s', (text, wanted) => expect(text).toBe(wanted));

test.each([
  [0.0524, 0.0006, 'proportion', '5.1%', '5.3%'],
  [0.0524, 0.0014, 'proportion', '5.1%', '5.3%'],
  [0.132, 0.00149, 'proportion', '13.1%', '13.3%'],
  [79109.4, 429.4, 'currency', '$78,680', '$79,538'],
  [12.5, 0.25, 'currency', '$12.25', '$12.75'],
  [43.256, 1.204, 'days', '42.06', '44.46'],
] as const)(
  'the interval of %d ± %d (%s) is what these two say as they are written',
  (value, margin, unit, ...ends) => expect(formatInterval(value, margin, unit)).toEqual(ends),
);

test('missing years and years that are there make the whole range', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1900, max: 2100 }), { minLength: 1 }), list => {
      const years = [...list].sort((a, b) => a - b);
      const all = [...years, ...missingYears(years)].sort((a, b) => a - b);
      expect(all).toEqual(Array.from({ length: years.at(-1)! - years[0]! + 1 }, (_, i) => years[0]! + i));
    }),
  );
});

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [1540, '1.5 kB'],
  [12_345, '12 kB'],
  [999_400, '999 kB'],
  [999_600, '1 MB'],
  [2_100_000_000, '2.1 GB'],
])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

test.each([
  [0.125, 'proportion', '12.5%'],
  [20_000, 'currency', '$20,000'],
  [99_999, null, '99,999'],
  [150_000, 'count', '150K'],
  [1_250_000, 'currency', '$1.25M'],
  [-35_000_000, 'currency', '−$35M'],
  [2_500_000_000, 'count', '2.5B'],
])('%d of %s at an axis is %s', (value, unit, text) => expect(formatTick(value, unit)).toBe(text));

test.each([
  ['Sample High School 0104 (Sample District 612)', 40, 'Sample High School 0104 (S…District 612)'],
  ['short', 5, 'short'],
  ['longer', 5, 'lon…r'],
  ['ab', 1, 'a…'],
  ['𝒜𝒜𝒜𝒜𝒜𝒜', 5, '𝒜𝒜𝒜…𝒜'],
])('%s, in %i letters, keeps both ends', (text, room, expected) =>
  expect(shortenText(text, room)).toBe(expected),
);

describe('the end of a range', () => {
  const rangeOf = (type: ColumnType, unit: string | null): Range => {
    const parameter = { kind: 'range', column: 'x', type, position: 0, key: -1, utc: false } as const;
    const ends = (['min', 'max'] as const).map(
      bound => [bound, { param: `x_${bound}`, parameter: { ...parameter, bound } }] as const,
    );
    return { column: 'x', label: 'X', type, unit, ends: new Map(ends) };
  };

  test.each<[ColumnType, string | null, string, string | null]>([
    ['number', null, '', null],
    ['number', null, ' 12.5 ', '12.5'],
    ['number', null, '1,234.5', '1234.5'],
    ['number', null, '−3', '-3'],
    ['integer', 'count', '12,345', '12345'],
    ['number', 'proportion', '12.3', '0.123'],
    ['number', 'proportion', '57 %', '0.57'],
    ['number', 'proportion', '0.1', '0.001'],
    ['date', null, '2024-02-29', '2024-02-29'],
    ['timestamp', null, '2024-02-29', '2024-02-29'],
  ])('%s in %s: %j is %j', (type, unit, text, value) => {
    const range = rangeOf(type, unit);
    expect(readEnd(range, 'min', text)).toEqual({ value });
    if (value !== null && unit === 'proportion') expect(showEnd(range, value)).toBe(text.replace(/\s*%/, ''));
  });

  test.each<[ColumnType, string | null, string]>([
    ['number', null, 'a'],
    ['number', null, '1,23'],
    ['number', null, '12%'],
    ['number', null, '1e999'],
    ['number', 'proportion', 'half'],
    ['number', 'proportion', '%'],
    ['integer', null, '1.5'],
    ['date', null, '2024-02-30'],
    ['date', null, '29.2.2024'],
    ['timestamp', null, '2024'],
  ])('%s in %s: %j is refused', (type, unit, text) => {
    const error = expect.stringContaining(`“${text}” is no `);
    expect(readEnd(rangeOf(type, unit), 'max', text)).toEqual({ error });
  });
});
