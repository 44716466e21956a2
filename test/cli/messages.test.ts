/** Messages for people: one line per cause, with what to do. */
import { describe, expect, test } from 'vitest';
import { column, datasetContract, dimension } from '../publishers/contract-text.ts';
import { type Lake, newPublisher, type Publisher } from '../publishers/publisher-folder.ts';
import { PUBLISHER } from '../publishers/weather.ts';
import { command } from './command.ts';

const COLUMNS = [
  column('year', 'integer', 'year', true),
  column('n', 'integer', 'categorical', true),
  column('m', 'number', 'metric', true),
];
const contract = (topic: string, keys = '') => {
  const table = { detail_levels: '[towns, states]', grain: '[year, n]', foreign_keys: `[${keys}]` };
  return datasetContract(`lab.${topic}`, COLUMNS, table, { year_range: '2000-2024' });
};

const rows = (year: number) => `SELECT ${year} AS year, 1 AS n, 0.5::DOUBLE AS m`;

const years = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

const publisher = (lake: Lake, more = '', others: Readonly<Record<string, string>> = {}) =>
  newPublisher({ 'publisher.yaml': PUBLISHER, 'a.yaml': contract('a') + more, ...others }, lake);

const file = (year: number, detail: string, topic = 'a') => `lab/${topic}/year=${year}/${detail}.parquet`;

/** A file for each of some years. */
const filesOf = (first: number, last: number, detail: string) =>
  Object.fromEntries(years(first, last).map(year => [file(year, detail), rows(year)]));
const ONE = filesOf(2024, 2024, 'towns');

const check = ({ contracts, data }: Publisher, ...more: readonly string[]) =>
  command('check', '--contracts', contracts, '--data', data, ...more);

/** Lines of standard error with a code about the lake. */
const told = (stderr: string) => stderr.split('\n').filter(line => / lake-/.test(line));

describe('one cause in many files is one line', () => {
  test('years and levels that no contract promises', async () => {
    const folder = await publisher({
      ...ONE,
      ...filesOf(1990, 1999, 'towns'),
      ...filesOf(2025, 2034, 'towns'),
      ...filesOf(2001, 2003, 'villages'),
    });
    const { stderr } = await check(folder);
    expect(told(stderr).filter(line => line.includes(' lake-unknown-'))).toEqual([
      "lab/a/year=1990/towns.parquet warning lake-unknown-year lab/a promises towns for 2000-2024, not 1990 to 1999, 2025 to 2034, so these files are not published (20 files, 1990 to 1999, 2025 to 2034). Widen the contract's years, or remove them.",
      'lab/a/year=2001/villages.parquet warning lake-unknown-level lab/a has no level "villages", so these files are not published (3 files, 2001 to 2003); the levels are towns, states. Add the level to detail_levels, rename them, or remove them (in the lake: rm lab/a/year=2001/villages.parquet lab/a/year=2002/villages.parquet lab/a/year=2003/villages.parquet).',
    ]);
  });

  test('a dimension that several datasets join', async () => {
    const joined = (topic: string) =>
      contract(topic, '{ column: n, target_object: places, target_columns: [n] }').replace(
        'column_role, value: categorical }',
        'column_role, value: fk_place }',
      );
    const folder = await publisher({ ...ONE, [file(2024, 'towns', 'b')]: rows(2024) }, '', {
      'a.yaml': joined('a'),
      'b.yaml': joined('b'),
      'places.yaml': dimension('lab', 'places', ['n'], 'place').replace('string', 'integer'),
    });
    const { stderr } = await check(folder);
    expect(told(stderr).filter(line => line.includes('dimension'))).toEqual([
      'lab/_dimensions/places.parquet lake-missing-dimension The lake has no lab/_dimensions/places.parquet, which 2 datasets join (lab/a, lab/b) as places. Add the file.',
    ]);
  });
});

test('tables in unsupported formats are named', async () => {
  const sheets = years(2019, 2023).map(year => [file(year, 'towns').replace('.parquet', '.ods'), 'year\n']);
  const folder = await publisher({
    ...ONE,
    ...Object.fromEntries(sheets),
    'README.md': 'Words.',
    '_sample.json': '{}',
    '.cache/part.csv.gz': '',
    'lab/.towns.csv.crc': '',
  });
  const { code, stderr } = await check(folder);
  expect(code).toBe(0);
  expect(told(stderr).filter(line => line.includes('lake-not-parquet'))).toEqual([
    '.cache/part.csv.gz warning lake-not-parquet A build reads rows from Parquet, CSV, TSV, JSON lines, XLSX and XLS, so this file is not published. Write it as one of these, or remove it. The same at lab/a/year=2019/towns.ods, lab/a/year=2020/towns.ods, lab/a/year=2021/towns.ods, and 2 more, which --json lists.',
  ]);
  const { diagnostics } = JSON.parse((await check(folder, '--json')).stdout);
  expect(diagnostics.filter((one: { code: string }) => one.code === 'lake-not-parquet')).toHaveLength(6);
});

test('too little memory for a rule or for rows: what, where, the limit and the option are named', async () => {
  const hungry = `    quality:
      - { name: hungry, type: sql, query: "SELECT len(list(r)) FROM range(6000000) t(r)", mustBeGreaterThan: 0 }
`;
  const folder = await publisher(ONE, hungry);
  const rule = await check(folder, '--memory', '30MB');
  expect(rule.code).toBe(1);
  expect(rule.stderr).toMatch(
    /^\S*a\.yaml:\d+:\d+ rule-no-answer Rule hungry: The query failed: Out of Memory Error: .*\/28\.6 MiB used.* Make it simpler, or raise the limit with --memory\.$/m,
  );
  expect((await check(folder, '--memory', '2GB')).code).toBe(0);
  const little = await check(folder, '--memory', '1MB');
  expect(little.code).toBe(3);
  expect(little.stderr).toMatch(
    /^out-of-memory DuckDB ran out of memory while it worked on lab\/a, with a limit of 1MB\. Raise the limit with --memory/m,
  );
});
