/** Contracts and lakes as other people's tools write them: what is right is published as it is, the rest is named. */
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import type { RefusedError } from '../../build/failure.ts';
import { validate } from '../../build/pipeline/validation.ts';
import { buildPublisher, refusal, verify, warningsOf } from '../publishers/built-tree.ts';
import { dimension } from '../publishers/contract-text.ts';
import {
  type PublisherFolder,
  publisherAt,
  temporaryFolder,
  writePublisher,
  writeRows,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import { CLIMATE_CONTRACTS, CLIMATE_LAKE, PUBLISHER } from '../publishers/weather.ts';

/** The smallest contract: a year, a number that tells rows apart, and a value. */
const contract = (
  template: string,
  levels: string,
  [n, x]: readonly [n: string, x: string],
) => `apiVersion: v3.1.0
kind: DataContract
id: d.t
version: 1.0.0
status: active
domain: d
customProperties: [{ property: year_range, value: 2020-2021 }]
schema:
  - name: t
    customProperties:
      - { property: detail_levels, value: [${levels}] }
      - { property: grain, value: [year, n] }
      - { property: path_template, value: "${template}" }
    properties:
      - { name: year, logicalType: integer, required: true, customProperties: [{ property: column_role, value: year }] }
      - { name: n, ${n}, customProperties: [{ property: column_role, value: categorical }] }
      - { name: x, ${x}, customProperties: [{ property: column_role, value: metric }] }
`;

const COLUMNS = ['logicalType: integer', 'logicalType: number'] as const;

interface Made {
  readonly columns?: readonly [n: string, x: string];
  readonly template?: string;
  readonly levels?: string;
  /** SELECT of rows by file of the lake. */
  readonly lake: Readonly<Record<string, string>>;
}

async function publisher({
  columns = COLUMNS,
  template = '{year}.parquet',
  levels = 'all',
  lake,
}: Made): Promise<PublisherFolder> {
  const folder = publisherAt(await temporaryFolder());
  await writeTexts(folder.contracts, { 't.yaml': contract(template, levels, columns) });
  await writeRows(folder.data, lake);
  return folder;
}

const csv = ({ out }: PublisherFolder, slice = 'year=2021/all') =>
  readFile(path.join(out, 'api/v1/d/t', `${slice}.csv`), 'utf8');

/** Rows of 2021, each of n and x, of a type that DuckDB names. */
const rows = (type: string, ...values: readonly string[]) => {
  const list = values.map((value, i) => `(${i + 1}, ${value})`).join(', ');
  return { '2021.parquet': `SELECT 2021 AS year, n, x::${type} AS x FROM (VALUES ${list}) t(n, x)` };
};
const row = (x: string) => ({ '2021.parquet': `SELECT 2021 AS year, 1 AS n, ${x} AS x` });
/** What is published of n and x. */
const lines = (...values: readonly (string | number)[]) =>
  values.map((value, i) => `2021,${i + 1},${value}\r\n`).join('');

async function expectRight(folder: PublisherFolder, published: string): Promise<void> {
  await buildPublisher(folder);
  expect(await csv(folder)).toBe(`year,n,x\r\n${published}`);
  await verify(folder.out);
}

/** `code file` of each diagnostic that is an error, and the name of each rule that failed. */
async function refused(folder: PublisherFolder): Promise<string[]> {
  const { diagnostics, failures } = await refusal(folder);
  expect(diagnostics[0]?.message ?? '').not.toContain(folder.root);
  return [
    ...diagnostics.filter(one => one.severity === 'error').map(one => `${one.code} ${one.file}`),
    ...failures.map(one => one.outcome.check.name),
  ];
}

const TEXT = ['logicalType: integer', 'logicalType: string'] as const;
const HUNDREDTHS = Array.from({ length: 1000 }, (_, i) => i / 100);
const EXACT = ['1234567890123456.5', '1234567890123.4568', '-0.0001', '20000000000000.0000'];

describe('what is right is published as it is', () => {
  test.each<readonly [what: string, made: Made, published: string]>([
    ...['DECIMAL(38, 18)', 'DECIMAL(38, 30)', 'DECIMAL(18, 3)', 'DECIMAL(9, 2)'].map(
      type =>
        [
          `hundredths as ${type}: the nearest numbers`,
          { lake: rows(type, ...HUNDREDTHS.map(one => `'${one}'`)) },
          lines(...HUNDREDTHS),
        ] as const,
    ),
    [
      'decimals of as many digits as a double holds',
      { lake: rows('DECIMAL(20, 4)', ...EXACT.map(one => `'${one}'`)) },
      lines(...EXACT.map(Number)),
    ],
    [
      'decimals and doubles in files of one slice',
      {
        template: '{year}/*.parquet',
        lake: {
          '2021/a.parquet': 'SELECT 2021 AS year, 1 AS n, 1.14::DECIMAL(38, 18) AS x',
          '2021/b.parquet': 'SELECT 2021 AS year, 2 AS n, 0.5::DOUBLE AS x',
        },
      },
      lines('1.14', '0.5'),
    ],
    [
      'the largest integers that a double holds',
      { lake: rows('BIGINT', '9007199254740991', 'NULL', '-9007199254740991') },
      lines('9007199254740991', '', '-9007199254740991'),
    ],
    [
      'a value of a list, of several lines',
      {
        columns: ['logicalType: string, enum: ["a\\nb", c]', 'logicalType: number'],
        lake: { '2021.parquet': "SELECT 2021 AS year, unnest(['a'||chr(10)||'b', 'c']) AS n, 1.5 AS x" },
      },
      '2021,"a\nb",1.5\r\n2021,c,1.5\r\n',
    ],
    ['U+FEFF within a text', { columns: TEXT, lake: row("'a' || chr(65279)") }, lines('a\ufeff')],
    [
      'a row of 8 megabytes',
      { columns: TEXT, lake: row("repeat('0123456789', 800000)") },
      lines('0123456789'.repeat(800_000)),
    ],
  ])('%s', async (_, made, published) => expectRight(await publisher(made), published));

  test('a first row of several hundred kilobytes, of which the OpenAPI document shows less', async () => {
    const folder = await publisher({ columns: TEXT, lake: row("repeat('0123456789', 30000)") });
    await expectRight(folder, lines('0123456789'.repeat(30_000)));
    const openapi = await readFile(path.join(folder.out, 'openapi.json'), 'utf8');
    expect(openapi.length).toBeLessThan(300_000);
  });

  test('a column without values, of no type', async () => {
    const folder = await publisher({ lake: {} });
    const integer = { type: 'INT32', repetition_type: 'OPTIONAL' } as const;
    const file = parquetWriteBuffer({
      columnData: [
        { name: 'year', data: [2021] },
        { name: 'n', data: [1] },
        { name: 'x', data: [null] },
      ],
      schema: [
        { name: 'root', num_children: 3 },
        { name: 'year', ...integer },
        { name: 'n', ...integer },
        { name: 'x', ...integer, logical_type: { type: 'NULL' } },
      ],
    });
    await mkdir(folder.data);
    await writeFile(path.join(folder.data, '2021.parquet'), new Uint8Array(file));
    await expectRight(folder, lines(''));
  });

  test('a dimension’s text of several lines', async () => {
    const regions = `SELECT * REPLACE (region_name || chr(10) || 'x' AS region_name) FROM (${CLIMATE_LAKE['_dimensions/regions.parquet']})`;
    const lake = { ...CLIMATE_LAKE, '_dimensions/regions.parquet': regions };
    const folder = await writePublisher(await temporaryFolder(), CLIMATE_CONTRACTS, lake);
    await buildPublisher(folder);
    await verify(folder.out);
  });
});

describe('what is not is refused', () => {
  const INEXACT = ['lake-inexact-decimal 2021.parquet'];
  const TYPE = ['lake-column-type 2021.parquet'];
  const inexact = (type: string, value: string) => ({
    lake: rows(type, `'${value}'`, "'0.1'", 'NULL', "'0'"),
  });

  test.each<readonly [what: string, made: Made, said: readonly string[]]>([
    ['a decimal beyond a double', inexact('DECIMAL(18,4)', '12345678901234.5678'), INEXACT],
    ['one that would be a whole number', inexact('DECIMAL(18,4)', '-99999999999999.9999'), INEXACT],
    ['one of many places', inexact('DECIMAL(38,18)', '0.123456789012345678'), INEXACT],
    ['one beyond 2^53', inexact('DECIMAL(20,2)', '9007199254740993.50'), INEXACT],
    ['a BIGINT beyond 2^53', { lake: row('9007199254740993::BIGINT') }, ['x_finite']],
    ['a UBIGINT', { lake: row('18446744073709551615::UBIGINT') }, ['x_finite']],
    ['a whole decimal', { lake: row('1e17::DECIMAL(38, 0)') }, ['x_finite']],
    ['NUL', { columns: TEXT, lake: row("'a' || chr(0)") }, ['x_text']],
    ['a carriage return', { columns: TEXT, lake: row("'a' || chr(13)") }, ['x_text']],
    ['an escape', { columns: TEXT, lake: row("'a' || chr(27)") }, ['x_text']],
    [
      'U+FEFF at the beginning, which readers take off',
      { columns: TEXT, lake: row("chr(65279) || 'a'") },
      ['x_text'],
    ],
    ['a struct', { lake: row("{'x': 1.5}") }, TYPE],
    ['a list', { lake: row('[1.5]') }, TYPE],
    ['a map', { lake: row("MAP {'x': 1.5}") }, TYPE],
    ['a struct too many', { lake: row("1.5 AS x, {'x': 1.5} AS y, 1") }, ['lake-extra-column 2021.parquet']],
    [
      'a name that may be of two levels',
      {
        template: 'year={year}/*{detail}*.parquet',
        levels: 'city, state',
        lake: { 'year=2021/city-of-state.parquet': 'SELECT 2021 AS year, 1 AS n, 5 AS x' },
      },
      ['lake-ambiguous-name year=2021/city-of-state.parquet'],
    ],
  ])('%s', async (_, made, said) => expect(await refused(await publisher(made))).toEqual(said));

  test('a decimal, with what it would become and what to do', async () => {
    const { diagnostics } = await refusal(await publisher(inexact('DECIMAL(18,4)', '12345678901234.5678')));
    expect(diagnostics).toEqual([
      {
        severity: 'error',
        code: 'lake-inexact-decimal',
        file: '2021.parquet',
        slice: { year: 2021, detail: 'all' },
        message:
          'Column x (DECIMAL(18,4)) has decimals that a 64-bit float cannot hold, such as 12345678901234.5678 in 2021.parquet, which the build would publish as 12345678901234.568. Round them to 15 digits, or make the column a string (logicalType: string, physicalType: decimal).',
      },
    ]);
  });

  test("a dimension's decimal", async () => {
    const folder = await publisher({ lake: row('0.5') });
    const places = dimension('d', 'places', ['code'], 'area').replace(
      '{ name: area, logicalType: string }',
      '{ name: area, logicalType: number }',
    );
    await writeTexts(folder.contracts, { 'places.yaml': places });
    await writeRows(folder.data, {
      'd/_dimensions/places.parquet': "SELECT 'a' AS code, '12345678901234.5678'::DECIMAL(18, 4) AS area",
    });
    expect(await refused(folder)).toEqual(['lake-inexact-decimal d/_dimensions/places.parquet']);
  });

  test.each<readonly [string, (bytes: Buffer) => Buffer]>([
    [
      'texts that are not UTF-8',
      bytes => Buffer.from(bytes.toString('latin1').replaceAll('M@nchen', 'M\xfcnchen'), 'latin1'),
    ],
    ['values that are no longer there', bytes => bytes.fill(0xff, 10, 60)],
  ])('%s are a file that cannot be read', async (_, spoil) => {
    const folder = await publisher({ columns: TEXT, lake: rows('VARCHAR', ...Array(9).fill("'M@nchen'")) });
    const file = path.join(folder.data, '2021.parquet');
    const bytes = await readFile(file);
    const spoiled = spoil(Buffer.from(bytes));
    expect(spoiled.equals(bytes)).toBe(false);
    await writeFile(file, spoiled);
    expect(await refused(folder)).toEqual(['lake-unreadable-file 2021.parquet']);
  });

  test('two columns of one name', async () => {
    const folder = await publisher({ lake: {} });
    const columnData = ['year', 'n', 'x', 'x'].map((name, i) => ({
      name,
      data: [i],
      type: 'INT32' as const,
    }));
    await mkdir(folder.data);
    await writeFile(
      path.join(folder.data, '2021.parquet'),
      new Uint8Array(parquetWriteBuffer({ columnData })),
    );
    expect(await refused(folder)).toEqual(['lake-repeated-column 2021.parquet']);
  });
});

describe('names of files', () => {
  test('a level within another’s name', async () => {
    const folder = await publisher({
      template: 'year={year}/{detail}_*.parquet',
      levels: 'city, city_district',
      lake: {
        'year=2021/city_0.parquet': 'SELECT 2021 AS year, 1 AS n, 5 AS x',
        'year=2021/city_district_0.parquet': 'SELECT 2021 AS year, 2 AS n, 7 AS x',
      },
    });
    await buildPublisher(folder);
    expect(await csv(folder, 'year=2021/city')).toBe('year,n,x\r\n2021,1,5\r\n');
    expect(await csv(folder, 'year=2021/city_district')).toBe('year,n,x\r\n2021,2,7\r\n');
  });

  test('a writer’s own files beside a level’s are passed over', async () => {
    const folder = await publisher({
      template: 'year={year}/{detail}.parquet',
      lake: { 'year=2021/all.parquet': 'SELECT 2021 AS year, 1 AS n, 5 AS x' },
    });
    await writeTexts(folder.data, { 'year=2021/._all.parquet': 'x', 'year=2021/_SUCCESS': '' });
    const built = await buildPublisher(folder);
    expect(warningsOf(built).map(one => one.split(' ')[0])).toEqual([
      'lake-missing-slice',
      'publisher-missing',
    ]);
  });

  test('links that lead nowhere, or to a folder', async () => {
    const folder = await publisher({
      template: 'year={year}/*.parquet',
      lake: { 'year=2021/a.parquet': 'SELECT 2021 AS year, 1 AS n, 5 AS x' },
    });
    await symlink('../elsewhere', path.join(folder.data, 'year=2020'));
    await writeTexts(folder.root, { 'elsewhere/b.parquet': '' });
    await symlink('nowhere', path.join(folder.data, 'b.parquet'));
    const warned = warningsOf(await buildPublisher(folder)).filter(one => one.startsWith('lake-link'));
    expect(warned).toEqual([
      expect.stringContaining('leads nowhere'),
      expect.stringContaining('leads to a folder'),
    ]);
    await symlink('nowhere', path.join(folder.data, 'year=2021/b.parquet'));
    const { diagnostics } = await refusal(folder);
    expect(diagnostics.filter(one => one.severity === 'error').map(one => `${one.code} ${one.file}`)).toEqual(
      ['lake-link year=2021/b.parquet'],
    );
  });

  test('the folder that a tree is in says nothing of its rows', async () => {
    const made = await publisher({
      columns: ['logicalType: integer, enum: [1, 2]', 'logicalType: number'],
      lake: {
        '2020.parquet': 'SELECT 2020 AS year, 1 AS n, 5.0 AS x',
        '2021.parquet': 'SELECT 2021 AS year, 1 AS n, 5.0 AS x',
      },
    });
    for (const name of ['n=9', 'year=1999', 'x=3']) {
      const folder = { ...made, out: path.join(made.root, name, 'tree') };
      await buildPublisher(folder);
      await writeRows(folder.data, { '2021.parquet': 'SELECT 2021 AS year, unnest([1, 2]) AS n, 6.0 AS x' });
      await expectRight(folder, '2021,1,6\r\n2021,2,6\r\n');
      await writeRows(folder.data, { '2021.parquet': 'SELECT 2021 AS year, 1 AS n, 5.0 AS x' });
    }
  });
});

describe('validate', () => {
  const MORE = 'more.yaml';
  /** The errors and warnings of a folder of contracts to which a test does something. */
  async function said(change: (at: (name: string) => string) => Promise<unknown>, strict = true) {
    const { contracts } = await publisher({ lake: {} });
    await writeTexts(contracts, { 'publisher.yaml': PUBLISHER });
    await change(name => path.join(contracts, name));
    return validate(contracts, strict).then(
      ({ datasets, files, inactive }) => ({ datasets, files, inactive }),
      (error: unknown) => (error as RefusedError).diagnostics.map(one => `${one.severity} ${one.code}`),
    );
  }
  const replace = (found: string, instead: string) => async (at: (name: string) => string) =>
    writeFile(at('t.yaml'), (await readFile(at('t.yaml'), 'utf8')).replace(found, instead));

  test.each<readonly [string, Parameters<typeof said>[0], unknown]>([
    ['a draft alone is right', replace('active', 'draft'), { datasets: 0, files: 2, inactive: 1 }],
    [
      'links are read as the files of the folder that they stand for, once, as Kubernetes mounts files',
      async at => {
        await mkdir(at('..2026_11'));
        await rename(at('t.yaml'), at('..2026_11/t.yaml'));
        await symlink('..2026_11', at('..data'));
        await symlink('..data/t.yaml', at('t.yaml'));
        await symlink('publisher.yaml', at('also.yaml'));
      },
      { datasets: 1, files: 2, inactive: 0 },
    ],
    ['a link to nowhere', at => symlink('nowhere.yaml', at(MORE)), ['error contract-link']],
    ['a link to a file elsewhere', at => symlink('/etc/hosts', at(MORE)), ['error contract-link']],
    ['a link to a folder', at => symlink('/etc', at(MORE)), ['warning contract-link']],
    ['a file that is no contract', replace('DataContract', 'dataContract'), ['warning not-a-contract']],
  ])('%s', async (_, change, expected) => expect(await said(change)).toEqual(expected));

  test('a file that is no contract, where there is no other', async () => {
    const change = replace('DataContract', 'dataContract');
    expect(await said(change, false)).toEqual(['error not-a-contract']);
  });
});

describe('what a contract says of its columns', () => {
  const library = (metric: string, says: string) =>
    `logicalType: number, quality: [{ type: library, metric: ${metric}, arguments: { ${says} }, mustBe: 0 }]`;
  const pattern = library('invalidValues', 'pattern: "^[0-9]+$"');
  const share = 'logicalType: number, logicalTypeOptions: { minimum: 0, maximum: 1 }';
  test.each([
    [library('missingValues', 'missingValues: [-99]'), '[-99.0]', ['x_missingValues']],
    [library('missingValues', 'missingValues: ["-99"]'), '[-99.0]', ['x_missingValues']],
    [library('missingValues', 'missingValues: [-99]'), '[-98.0]', []],
    [pattern, '[5.0]', []],
    [pattern, '[5.5]', ['x_invalidValues']],
    [share, '[0.0, 1.0]', []],
    [share, '[-1.0, 2.0]', ['x_minimum', 'x_maximum']],
    [
      'logicalType: integer, logicalTypeOptions: { exclusiveMinimum: 0, exclusiveMaximum: 9, multipleOf: 2 }',
      '[0, 9]',
      ['x_exclusiveMinimum', 'x_exclusiveMaximum', 'x_multipleOf'],
    ],
    [
      'logicalType: string, logicalTypeOptions: { minLength: 2, maxLength: 3, pattern: "^[a-z]+$", format: uuid }',
      "['a', 'ABCD']",
      ['x_minLength', 'x_maxLength', 'x_pattern'],
    ],
    ['logicalType: string, unique: true', "['a', 'a']", ['x_unique']],
    ['logicalType: string, unique: true', "['a', 'b']", []],
  ])('%s: %s', async (says, x, failed) => {
    const select = `SELECT 2021 AS year, unnest(range(len(${x}))) AS n, unnest(${x}) AS x`;
    const folder = await publisher({
      columns: ['logicalType: integer', says],
      lake: { '2021.parquet': select },
    });
    if (failed.length === 0) await buildPublisher(folder);
    else expect(await refused(folder)).toEqual(failed);
  });

  test('a limit of another type is said not to be checked', async () => {
    const columns = [
      'logicalType: integer',
      'logicalType: number, logicalTypeOptions: { maxLength: 3 }',
    ] as const;
    const warned = warningsOf(await buildPublisher(await publisher({ columns, lake: row('1') })));
    expect(warned.filter(one => one.startsWith('rule-not-run'))).toEqual([
      expect.stringContaining('maxLength 3 is not checked'),
    ]);
  });
});
