import { expect, test } from 'vitest';
import { parseContracts } from '../../build/contract/parse-contracts.ts';
import { INSTRUMENTS, MONTHS, QUARTERS, READINGS } from '../publishers/air.ts';
import { dimension } from '../publishers/contract-text.ts';
import { codes, type Edit, edit, file } from './base-contract.ts';

const STATIONS = dimension('air', 'stations', ['station_code'], 'station_name');

function compile(text: string, ...edits: readonly Edit[]) {
  return parseContracts([file('a.yaml', edit(text, ...edits).text), file('stations.yaml', STATIONS)]);
}

const YEAR =
  'properties: → properties:\n      - { name: year, logicalType: integer, required: true, customProperties: [{ property: column_role, value: year }] }';

test.each([
  ['days', READINGS, { unit: 'day', column: 'date', yearColumn: 'year' }, 'year date'],
  ['months', MONTHS, { unit: 'month', column: 'month', yearColumn: 'year' }, 'year month'],
  ['quarters', QUARTERS, { unit: 'quarter', column: 'quarter', yearColumn: 'year' }, 'year quarter'],
  [
    'a year of the lake',
    edit(MONTHS, YEAR).text,
    { unit: 'month', column: 'month', yearColumn: 'year' },
    'year null',
  ],
  ['no time', INSTRUMENTS, { unit: 'none', column: null, yearColumn: null }, 'station_code null'],
])('the time of a dataset: %s', (_, text, time, first) => {
  const [dataset] = compile(text).contracts.datasets;
  const { years, pathTemplate, columns } = dataset!;
  expect(dataset!.time).toEqual(time);
  // Where the lake has no year, the build derives it.
  expect(`${columns[0]?.name} ${columns[0]?.derivedFrom}`).toBe(first);
  expect(columns.filter(({ name }) => name === 'year')).toHaveLength(time.column === null ? 0 : 1);
  if (time.column !== null) return expect(years.length).toBeGreaterThan(1);
  expect([years, pathTemplate]).toEqual([[0], 'air/instruments/{detail}.parquet']);
});

const NUMBERS = 'name: quarter\n        logicalType: string → name: quarter\n        logicalType: number';
test.each([
  ['a time of numbers', QUARTERS, NUMBERS],
  ['a time that may be NULL', MONTHS, 'required: true → required: false'],
  ['a text without its unit', QUARTERS, ', { property: time_unit, value: quarter } → '],
  ['a text of days', QUARTERS, 'time_unit, value: quarter → time_unit, value: day'],
])('%s is refused', (_, text, change) => {
  expect(codes(compile(text, change)).join()).toMatch(/ error time-column/);
});

test('a column with the name of a range keeps it, with a warning that names both', () => {
  const found = compile(READINGS);
  const warnings = found.diagnostics.filter(one => one.code === 'range-shadowed');
  expect(warnings).toMatchObject([{ severity: 'warning' }]);
  expect(warnings[0]!.message).toMatch(/whose pm25 is at least a value.*pm25_min belongs to this column/);
});
