import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { literal } from '../../../build/lake/sql.ts';
import { type Database, openDatabase } from '../../../scripts/georgia/import/database.ts';

let database: Database;
beforeAll(async () => {
  database = await openDatabase(['withheld']);
});
afterAll(() => database.close());

async function value(expression: string, cell: string | null): Promise<unknown> {
  const text = cell === null ? 'CAST(NULL AS VARCHAR)' : literal(cell);
  const [row] = await database.rows<{ v: unknown }>(`SELECT ${expression}(${text}) AS v`);
  return row!.v;
}

describe('markers', () => {
  test.each([
    null,
    '',
    ' ',
    'TFS',
    'tfs ',
    'Too Few Students',
    'TOO FEW STUDENTS',
    'No Data',
    'NA',
    'N/A',
    'n/a',
    '#N/A',
    '*',
    '-',
    '--',
    'Withheld',
    '<5',
    '< 10 %',
    '≥95%',
    '>= 95.5',
    'Fewer than 10',
    'less than or equal to 5',
    'Suppressed',
    '—',
  ])('%j is a marker and no figure', async cell => {
    expect(await value('is_marker', cell)).toBe(true);
    expect(await value('is_figure', cell)).toBe(false);
    expect(await value('number_of', cell)).toBeNull();
    expect(await value('proportion_of', cell)).toBeNull();
  });

  test('only the marks for too few students are too few', async () => {
    expect(await value('is_too_few', 'TFS')).toBe(true);
    expect(await value('is_too_few', 'Too Few Students')).toBe(true);
    expect(await value('is_too_few', '')).toBe(false);
    expect(await value('is_too_few', null)).toBe(false);
    expect(await value('is_too_few', 'No Data')).toBe(false);
  });
});

describe('numbers', () => {
  test.each([
    ['1234567', 1234567],
    ['1,234,567', 1234567],
    [' 412 ', 412],
    ['0', 0],
    ['32.7', 32.7],
    ['32.7%', 32.7],
    ['32.7 %', 32.7],
    ['.5', 0.5],
    ['12.', 12],
    ['-3', -3],
    ['1e3', 1000],
    ['100.00+', 100],
    ['100+', 100],
  ])('%s reads as %d', async (cell, number) => {
    expect(await value('is_figure', cell)).toBe(true);
    expect(await value('number_of', cell)).toBe(number);
  });

  test.each(['abc', '12,5', '1,23,456', '<5', '>95', '4-5', 'inf', '1.2.3', '99.9+', '.', '12 of 40'])(
    '%s is no figure',
    async cell => expect(await value('is_figure', cell)).toBe(false),
  );
});

test.each(['0', '412', ' 412 ', '1,234,567', '12.0', '-3', '1e3', '2147483647'])(
  '%s is a count',
  async cell => expect(await value('is_count', cell)).toBe(true),
);

test.each(['22%', '$22', '100+', '100.00+', '22.5', '2147483648', '3.2E+12', '1e999', 'TFS', 'abc', null])(
  '%s is no count',
  async cell => expect(await value('is_count', cell)).toBe(false),
);

test('every percentage to two decimals becomes the nearest double of its proportion', async () => {
  const rows = await database.rows<{ n: number; p: number }>(
    "SELECT CAST(i AS INTEGER) AS n, proportion_of(printf('%.2f', i / 100.0)) AS p FROM range(0, 10001) r(i)",
  );
  for (const { n, p } of rows) expect(p).toBe(n / 10000);
});

test.each([
  ['32.7', 0.327],
  ['32.700000000000003', 0.327],
  ['84.13%', 0.8413],
  ['33.333333333', 0.33333333333],
  ['12.345678901234', 0.12345678901234],
  ['912.34567890123', 9.1234567890123],
  ['100', 1],
  ['0', 0],
])('%s percent is %d', async (cell, proportion) =>
  expect(await value('proportion_of', cell)).toBe(proportion),
);
