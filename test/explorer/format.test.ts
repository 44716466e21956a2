import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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
import { shortenText } from '../../site/explorer/view/wording.ts';

test.each([
  [0.8406, 'proportion', '84.1%'],
  [1, 'proportion', '100%'],
  [0, 'proportion', '0%'],
  [0.00049, 'proportion', '0%'],
  [-0.05, 'proportion', '−5%'],
  [1234567, 'count', '1,234,567'],
  [0, 'count', '0'],
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
] as const)('%d of unit %s is %s', (value, unit, text) => {
  expect(formatNumber(value, unit)).toBe(text);
});

test('grouping is what a locale would do, and nothing is lost', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 15), max: 10 ** 15 }), value => {
      expect(formatDecimal(value, 0)).toBe(value.toLocaleString('en-US').replace('-', '−'));
    }),
  );
});

test('a margin of a share is in percentage points', () => {
  expect(formatMargin(0.0171, 'proportion')).toBe('±1.7 percentage points');
  expect(formatMargin(218, 'count')).toBe('±218');
  expect(formatCell(0.441, { type: 'number', unit: 'proportion', isMargin: true })).toBe('±44.1 points');
});

test.each([
  [0.0524, 0.0006, 'proportion', '5.1%', '5.3%'],
  [0.0524, 0.0014, 'proportion', '5.1%', '5.3%'],
  [0.132, 0.00149, 'proportion', '13.1%', '13.3%'],
  [79109.4, 429.4, 'currency', '$78,680', '$79,538'],
  [12.5, 0.25, 'currency', '$12.25', '$12.75'],
  [43.256, 1.204, 'days', '42.06', '44.46'],
] as const)(
  'the interval of %d ± %d (%s) is what these two say as they are written',
  (value, margin, unit, ...ends) => {
    expect(formatInterval(value, margin, unit)).toEqual(ends);
  },
);

test.each([
  [null, { type: 'number', unit: 'count' }, '–'],
  ['007', { type: 'string', unit: null }, '007'],
  ['', { type: 'string', unit: null }, ''],
  [2024, { type: 'integer', unit: null }, '2024'],
  [12345, { type: 'integer', unit: 'count' }, '12,345'],
  [false, { type: 'boolean', unit: null }, 'no'],
] as const)('the cell %s of %o is "%s"', (value, column, text) => {
  expect(formatCell(value, column)).toBe(text);
});

test.each([
  [[], 'no years'],
  [[2024], '2024'],
  [[2019, 2020, 2021], '2019–2021'],
  [[2019, 2021, 2022, 2026], '2019–2026, without 2020, 2023–2025'],
] as const)('years %j are %s', (years, text) => {
  expect(formatYears(years)).toBe(text);
});

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
  [3_450_000, '3.5 MB'],
  [25_000_000, '25 MB'],
  [2_100_000_000, '2.1 GB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

describe('words', () => {
  test.each([
    ['block_groups', 'Block groups'],
    ['x', 'X'],
    ['', ''],
  ])('%s is spelled %s', (name, text) => expect(titleName(name)).toBe(text));
  test('a unit is told where the number does not show it', () => {
    expect(['days', 'count', 'currency', null].map(unit => spellUnit(unit))).toEqual([
      'days',
      null,
      null,
      null,
    ]);
  });
  test('counts agree with their words', () => {
    expect([countOf(1, 'row'), countOf(0, 'row'), countOf(1200, 'entry', 'entries')]).toEqual([
      '1 row',
      '0 rows',
      '1,200 entries',
    ]);
  });
});

test.each([
  [0.125, 'proportion', '12.5%'],
  [20_000, 'currency', '$20,000'],
  [99_999, null, '99,999'],
  [150_000, 'count', '150K'],
  [1_250_000, 'currency', '$1.25M'],
  [-35_000_000, 'currency', '−$35M'],
  [2_500_000_000, 'count', '2.5B'],
])('%d of %s at an axis is %s', (value, unit, text) => {
  expect(formatTick(value, unit)).toBe(text);
});

test.each([
  ['Sample High School 0104 (Sample District 612)', 40, 'Sample High School 0104 (S…District 612)'],
  ['short', 5, 'short'],
  ['longer', 5, 'lon…r'],
  ['ab', 1, 'a…'],
  ['𝒜𝒜𝒜𝒜𝒜𝒜', 5, '𝒜𝒜𝒜…𝒜'],
])('%s, in %i letters, keeps both ends', (text, room, expected) => {
  expect(shortenText(text, room)).toBe(expected);
});
