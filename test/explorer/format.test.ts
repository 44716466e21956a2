/** Numbers, years and words as a reader sees them, and ends of ranges as one writes them. */
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { describeChanges, type ReleaseChanges } from '../../build/format/changes.ts';
import { speakLanguage } from '../../site/explorer/messages/languages.ts';
import { t } from '../../site/explorer/messages/messages.ts';
import {
  countOf,
  formatBytes,
  formatCell,
  formatDecimal,
  formatMargin,
  formatNumber,
  formatTick,
  formatYears,
  missingYears,
  spellUnit,
  titleName,
} from '../../site/explorer/view/format.ts';

const revised = (year: number, rows: number) =>
  ({ year, detail: 'land', change: 'revised', added: 0, removed: 0, revised: rows }) as const;
const CHANGES = { added: 0, removed: 0, revised: 1, slices: [revised(2020, 1), revised(2021, 0)] };

test.each([
  [describeChanges(CHANGES as unknown as ReleaseChanges).join(' '), '1 row revised. Revised: land 2020.'],
  [formatNumber(0.8406, 'proportion'), '84.1%'],
  [formatNumber(0, 'proportion'), '0%'],
  [formatNumber(-0.05, 'proportion'), '−5%'],
  [formatNumber(0.76, 'percent'), '0.76%'],
  [formatNumber(1234567, 'count'), '1,234,567'],
  [formatNumber(55204.56, 'currency'), '$55,205'],
  [formatNumber(12.5, 'currency'), '$12.50'],
  [formatNumber(-1200, 'currency'), '−$1,200'],
  [formatNumber(-0.4, 'EUR'), '−€0.40'],
  [formatNumber(80.078, 'score'), '80.08'],
  [formatNumber(0.12345, 'ratio'), '0.123'],
  [formatNumber(2.5, null), '2.5'],
  [formatNumber(1e21, 'count'), '1e+21'],
  [formatNumber(-0.0001, 'score'), '−0.0001'],
  [formatNumber(0.000215, 'proportion'), '0.022%'],
  [formatNumber(3, 'constructor'), '3'],
  [formatMargin(0.0171, 'proportion'), '±1.7 points'],
  [formatMargin(2.25, 'percent'), '±2.25 points'],
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
  [titleName('grade-5'), 'Grade 5'],
  [titleName('Asian, non-Hispanic'), 'Asian, non-Hispanic'],
  [titleName('age_18-24'), 'Age 18-24'],
  [titleName(''), ''],
  [countOf(1, 'row'), '1 row'],
  [countOf(0, 'row'), '0 rows'],
  [countOf(1200, 'entry', 'entries'), '1,200 entries'],
  // A unit is given if the number doesn't show it.
  [['days', 'count', 'currency', 'percent', null].map(spellUnit).join(), 'days,,,,'],
  [[0, 1, 999, 1000, 1540].map(formatBytes).join(), '0 bytes,1 byte,999 bytes,1 kB,1.5 kB'],
  [[12_345, 999_400, 999_600, 2_100_000_000].map(formatBytes).join(), '12 kB,999 kB,1 MB,2.1 GB'],
  [formatTick(0.125, 'proportion'), '12.5%'],
  [formatTick(20_000, 'currency'), '$20,000'],
  [formatTick(99_999, null), '99,999'],
  [[4_100_000, 4_100_020].map((tick, _, axis) => formatTick(tick, null, axis)).join(), '4,100,000,4,100,020'],
  [[0.8411, 0.8412].map((tick, _, axis) => formatTick(tick, 'proportion', axis)).join(), '84.11%,84.12%'],
  [[0, 90_000, 100_000].map((tick, _, axis) => formatTick(tick, 'count', axis)).join(), '0,90K,100K'],
  [formatTick(1_250_000, 'currency'), '$1.25M'],
  [formatTick(-35_000_000, 'currency'), '−$35M'],
  [formatTick(2_500_000_000, 'count'), '2.5B'],
])('numbers, years and words are written: %s is %s', (text, wanted) => expect(text).toBe(wanted));

afterEach(() => speakLanguage('en'));

test.each([
  ['es', () => formatNumber(1234.5, null), '1.234,5'],
  ['es-US', () => formatNumber(1234.5, null), '1,234.5'],
  ['es', () => formatNumber(-0.8406, 'proportion'), '−84,1\u00a0%'],
  ['es-US', () => formatNumber(0.8406, 'proportion'), '84.1%'],
  ['es', () => formatNumber(55204, 'currency'), '55.204\u00a0$'],
  ['es-US', () => formatNumber(-12.5, 'currency'), '−$12.50'],
  ['es', () => formatTick(1_250_000, 'count'), '1,25\u00a0M'],
  ['es-US', () => formatMargin(0.0171, 'proportion'), '±1.7 puntos'],
  ['es', () => formatCell(true, { type: 'boolean', unit: null }), 'sí'],
  ['es', () => formatYears([2019, 2021, 2022, 2026]), '2019–2026, sin 2020, 2023–2025'],
  ['es', () => formatYears([]), 'sin años'],
  ['es', () => formatBytes(1540), '1,5 kB'],
  ['es', () => countOf(1200, 'fila'), '1.200 filas'],
  ['es', () => t.rank.between(5, 9, '17'), 'entre 5.º y 9.º de 17'],
])('in %s, %s is %s', (language, write, wanted) => {
  speakLanguage(language);
  expect(write()).toBe(wanted);
});

test("grouping is like a locale's, and a range includes missing years", () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 15), max: 10 ** 15 }), value => {
      expect(formatDecimal(value, 0)).toBe(value.toLocaleString('en-US').replace('-', '−'));
    }),
  );
  expect(missingYears([2019, 2021, 2024])).toEqual([2020, 2022, 2023]);
});
