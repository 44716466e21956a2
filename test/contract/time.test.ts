import { describe, expect, test } from 'vitest';
import { parseContracts } from '../../build/contract/parse-contracts.ts';
import { INSTRUMENTS, MONTHS, QUARTERS, READINGS } from '../publishers/air.ts';
import { dimension } from '../publishers/contract-text.ts';
import { codes, type Edit, edit, file } from './base-contract.ts';

const STATIONS = dimension('air', 'stations', ['station_code'], 'station_name');

function compile(text: string, ...edits: readonly Edit[]) {
  return parseContracts([file('a.yaml', edit(text, ...edits).text), file('stations.yaml', STATIONS)]);
}

describe('the time of a dataset', () => {
  test.each([
    ['days', READINGS, 'day', 'date'],
    ['months', MONTHS, 'month', 'month'],
    ['quarters', QUARTERS, 'quarter', 'quarter'],
  ])('%s: the build derives the year', (_, text, unit, column) => {
    const [dataset] = compile(text).contracts.datasets;
    expect(dataset!.time).toEqual({ unit, column, yearColumn: 'year' });
    expect(dataset!.columns[0]).toMatchObject({ name: 'year', role: 'year', derivedFrom: column });
    expect(dataset!.years.length).toBeGreaterThan(1);
  });

  test('none: one slice, no year, a path without it', () => {
    const [dataset] = compile(INSTRUMENTS).contracts.datasets;
    expect(dataset!.time).toEqual({ unit: 'none', column: null, yearColumn: null });
    expect(dataset!.years).toEqual([0]);
    expect(dataset!.pathTemplate).toBe('air/instruments/{detail}.parquet');
    expect(dataset!.columns.map(({ name }) => name)).not.toContain('year');
  });

  test('a year column of the lake stays as it is', () => {
    const year =
      'properties: → properties:\n      - { name: year, logicalType: integer, required: true, customProperties: [{ property: column_role, value: year }] }';
    const [dataset] = compile(MONTHS, year).contracts.datasets;
    expect(dataset!.time).toEqual({ unit: 'month', column: 'month', yearColumn: 'year' });
    expect(dataset!.columns.filter(({ name }) => name === 'year')).toMatchObject([{ derivedFrom: null }]);
  });

  test.each([
    [
      'a time of numbers',
      QUARTERS,
      '- name: quarter\n        logicalType: string → - name: quarter\n        logicalType: number',
    ],
    ['a time that may be NULL', MONTHS, 'required: true → required: false'],
    ['a text without its unit', QUARTERS, ', { property: time_unit, value: quarter } → '],
    ['a text of days', QUARTERS, 'time_unit, value: quarter → time_unit, value: day'],
  ])('%s is refused', (_, text, change) => {
    expect(codes(compile(text, change)).join()).toMatch(/ error time-column/);
  });
});

test('a column with the name of a range keeps it, with a warning that names both', () => {
  const found = compile(READINGS);
  const warnings = found.diagnostics.filter(one => one.code === 'range-shadowed');
  expect(warnings).toMatchObject([{ severity: 'warning' }]);
  expect(warnings[0]!.message).toMatch(/whose pm25 is at least a value.*pm25_min belongs to this column/);
});
