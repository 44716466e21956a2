import { describe, expect, test } from 'vitest';
import { parseContracts } from '../../build/contract/parse-contracts.ts';
import { INSTRUMENTS, MONTHS, QUARTERS, READINGS } from '../publishers/air.ts';
import { dimension } from '../publishers/contract-text.ts';

const STATIONS = dimension('air', 'stations', ['station_code'], 'station_name');

function compile(text: string, ...edits: readonly (readonly [string, string])[]) {
  let edited = text;
  for (const [from, to] of edits) {
    expect(edited).toContain(from);
    edited = edited.replace(from, to);
  }
  const file = (name: string, content: string) => ({ file: name, text: content });
  return parseContracts([file('a.yaml', edited), file('stations.yaml', STATIONS)]);
}

const codes = (found: ReturnType<typeof compile>) =>
  found.diagnostics.filter(one => one.severity === 'error').map(one => one.code);

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
    const year = `
      - name: year
        logicalType: integer
        required: true
        customProperties: [{ property: column_role, value: year }]`;
    const [dataset] = compile(MONTHS, ['properties:', `properties:${year}`]).contracts.datasets;
    expect(dataset!.time).toEqual({ unit: 'month', column: 'month', yearColumn: 'year' });
    expect(dataset!.columns.filter(({ name }) => name === 'year')).toMatchObject([{ derivedFrom: null }]);
  });

  test.each([
    ['a time of numbers', QUARTERS, [['logicalType: string\n', 'logicalType: number\n']], 'time-column'],
    ['a time that may be NULL', MONTHS, [['required: true', 'required: false']], 'time-column'],
    ['a text without its unit', QUARTERS, [[', { property: time_unit, value: quarter }', '']], 'time-column'],
    ['a text of days', QUARTERS, [['time_unit, value: quarter', 'time_unit, value: day']], 'time-column'],
  ] as const)('%s is refused', (_, text, edits, code) => {
    expect(codes(compile(text, ...edits))).toContain(code);
  });
});

test('a column with the name of a range keeps it, with a warning that names both', () => {
  const found = compile(READINGS);
  const warnings = found.diagnostics.filter(one => one.code === 'range-shadowed');
  expect(warnings).toMatchObject([{ severity: 'warning' }]);
  expect(warnings[0]!.message).toMatch(/whose pm25 is at least a value.*pm25_min belongs to this column/);
});
