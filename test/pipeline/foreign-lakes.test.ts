/** Contracts and lakes as other people's tools write them: what is right is published as it is, the rest is named. */
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { RefusedError } from '../../build/failure.ts';
import { validate } from '../../build/pipeline/validation.ts';
import { buildPublisher, readTreeJson, refusal, verify, warningsOf } from '../publishers/built-tree.ts';
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

const row = (x: string) => ({ '2021.parquet': `SELECT 2021 AS year, 1 AS n, ${x} AS x` });

async function expectRight(folder: PublisherFolder, rows: string): Promise<void> {
  await buildPublisher(folder);
  expect(await csv(folder)).toBe(`year,n,x\r\n${rows}`);
  await verify(folder.out);
}

describe('numbers', () => {
  test('a decimal of many digits is the nearest number', async () => {
    const values = Array.from({ length: 1000 }, (_, i) => `(${i}, '${i / 100}')`).join(', ');
    for (const type of ['DECIMAL(38, 18)', 'DECIMAL(38, 30)', 'DECIMAL(18, 3)', 'DECIMAL(9, 2)']) {
      const folder = await publisher({
        lake: { '2021.parquet': `SELECT 2021 AS year, n, v::${type} AS x FROM (VALUES ${values}) t(n, v)` },
      });
      await expectRight(folder, Array.from({ length: 1000 }, (_, i) => `2021,${i},${i / 100}\r\n`).join(''));
    }
  });

  test('decimals and doubles in files of one slice', async () => {
    const folder = await publisher({
      template: '{year}/*.parquet',
      lake: {
        '2021/a.parquet': 'SELECT 2021 AS year, 1 AS n, 1.14::DECIMAL(38, 18) AS x',
        '2021/b.parquet': 'SELECT 2021 AS year, 2 AS n, 0.5::DOUBLE AS x',
      },
    });
    await expectRight(folder, '2021,1,1.14\r\n2021,2,0.5\r\n');
  });

  const INEXACT: readonly (readonly [value: string, type: string, double: string])[] = [
    ['12345678901234.5678', 'DECIMAL(18,4)', '12345678901234.568'],
    ['-99999999999999.9999', 'DECIMAL(18,4)', '-100000000000000.0'],
    ['0.123456789012345678', 'DECIMAL(38,18)', '0.12345678901234568'],
    ['9007199254740993.50', 'DECIMAL(20,2)', '9007199254740994.0'],
  ];
  test.each(INEXACT)('a decimal that no double holds is refused: %s', async (value, type, double) => {
    const others = "(2, '0.1'), (3, NULL), (4, '0')";
    const { diagnostics, failures } = await refusal(
      await publisher({
        lake: {
          '2021.parquet': `SELECT 2021 AS year, n, x::${type} AS x FROM (VALUES (1, '${value}'), ${others}) t(n, x)`,
        },
      }),
    );
    expect(failures).toEqual([]);
    expect(diagnostics).toEqual([
      {
        severity: 'error',
        code: 'lake-inexact-decimal',
        file: '2021.parquet',
        slice: { year: 2021, detail: 'all' },
        message: `Column x (${type}) has decimals that a 64-bit float cannot hold, such as ${value} in 2021.parquet, which the build would publish as ${double}. Round them to 15 digits, or make the column a string (logicalType: string, physicalType: decimal).`,
      },
    ]);
  });

  test("a dimension's too", async () => {
    const folder = await publisher({ lake: row('0.5') });
    const places = dimension('d', 'places', ['code'], 'area').replace(
      '{ name: area, logicalType: string }',
      '{ name: area, logicalType: number }',
    );
    await writeTexts(folder.contracts, { 'places.yaml': places });
    await writeRows(folder.data, {
      'd/_dimensions/places.parquet': "SELECT 'a' AS code, '12345678901234.5678'::DECIMAL(18, 4) AS area",
    });
    const { diagnostics } = await refusal(folder);
    expect(diagnostics.map(one => `${one.code} ${one.file}`)).toEqual([
      'lake-inexact-decimal d/_dimensions/places.parquet',
    ]);
  });

  test('a decimal of as many digits that a double holds is published as it is', async () => {
    const values = ['1234567890123456.5', '1234567890123.4568', '-0.0001', '20000000000000.0000'];
    const rows = values.map((value, i) => `(${i}, '${value}')`).join(', ');
    const folder = await publisher({
      lake: {
        '2021.parquet': `SELECT 2021 AS year, n, x::DECIMAL(20, 4) AS x FROM (VALUES ${rows}) t(n, x)`,
      },
    });
    await expectRight(folder, values.map((value, i) => `2021,${i},${Number(value)}\r\n`).join(''));
  });

  const WIDE = ['9007199254740993::BIGINT', '18446744073709551615::UBIGINT', '1e17::DECIMAL(38, 0)'];
  test.each(WIDE)('an integer that no double holds is refused: %s', async x => {
    const { failures } = await refusal(await publisher({ lake: row(x) }));
    expect(failures.map(one => one.outcome.check.name)).toEqual(['x_finite']);
  });

  test('the largest that it holds is not', async () => {
    const lake = {
      '2021.parquet':
        'SELECT 2021 AS year, n, x FROM (VALUES (1, 9007199254740991), (2, NULL), (3, -9007199254740991)) t(n, x)',
    };
    await expectRight(
      await publisher({ lake }),
      '2021,1,9007199254740991\r\n2021,2,\r\n2021,3,-9007199254740991\r\n',
    );
  });

  test('a column without values, of no type', async () => {
    const folder = await publisher({ lake: {} });
    const file = parquetWriteBuffer({
      columnData: [
        { name: 'year', data: [2021] },
        { name: 'n', data: [1] },
        { name: 'x', data: [null] },
      ],
      schema: [
        { name: 'root', num_children: 3 },
        { name: 'year', type: 'INT32', repetition_type: 'OPTIONAL' },
        { name: 'n', type: 'INT32', repetition_type: 'OPTIONAL' },
        { name: 'x', type: 'INT32', repetition_type: 'OPTIONAL', logical_type: { type: 'NULL' } },
      ],
    });
    await writeTexts(folder.data, { 'keep.txt': '' });
    await writeFile(path.join(folder.data, '2021.parquet'), new Uint8Array(file));
    await expectRight(folder, '2021,1,\r\n');
  });
});

describe('texts', () => {
  const TEXT = ['logicalType: integer', 'logicalType: string'] as const;

  test('a list’s value may be of several lines', async () => {
    const columns = ['logicalType: string, enum: ["a\\nb", c]', 'logicalType: number'] as const;
    const lake = { '2021.parquet': "SELECT 2021 AS year, unnest(['a'||chr(10)||'b', 'c']) AS n, 1.5 AS x" };
    await expectRight(await publisher({ columns, lake }), '2021,"a\nb",1.5\r\n2021,c,1.5\r\n');
  });

  test('so may a dimension’s', async () => {
    const regions = `SELECT * REPLACE (region_name || chr(10) || 'x' AS region_name) FROM (${CLIMATE_LAKE['_dimensions/regions.parquet']})`;
    const lake = { ...CLIMATE_LAKE, '_dimensions/regions.parquet': regions };
    const folder = await writePublisher(await temporaryFolder(), CLIMATE_CONTRACTS, lake);
    await buildPublisher(folder);
    await verify(folder.out);
  });

  test.each(['chr(0)', 'chr(13)', 'chr(27)'])('a control character is refused: %s', async character => {
    const { failures } = await refusal(await publisher({ columns: TEXT, lake: row(`'a' || ${character}`) }));
    expect(failures.map(one => one.outcome.check.name)).toEqual(['x_text']);
  });

  test('so is U+FEFF at the beginning, which readers take off, and not elsewhere', async () => {
    const { failures } = await refusal(await publisher({ columns: TEXT, lake: row("chr(65279) || 'a'") }));
    expect(failures.map(one => one.outcome.check.name)).toEqual(['x_text']);
    await expectRight(
      await publisher({ columns: TEXT, lake: row("'a' || chr(65279)") }),
      '2021,1,a\ufeff\r\n',
    );
  });

  test('texts that are not UTF-8 are a file that cannot be read', async () => {
    const folder = await publisher({ columns: TEXT, lake: {} });
    await writeRows(folder.data, row("'M@nchen'"));
    const file = path.join(folder.data, '2021.parquet');
    const bytes = await readFile(file, 'latin1');
    expect(bytes).toContain('M@nchen');
    await writeFile(file, Buffer.from(bytes.replaceAll('M@nchen', 'M\xfcnchen'), 'latin1'));
    const { diagnostics } = await refusal(folder);
    expect(diagnostics.map(one => `${one.code} ${one.file}`)).toEqual(['lake-unreadable-file 2021.parquet']);
    expect(diagnostics[0]?.message).not.toContain(folder.root);
  });

  test('so are values that are no longer there', async () => {
    const folder = await publisher({ lake: {} });
    await writeRows(folder.data, {
      '2021.parquet': 'SELECT 2021 AS year, range AS n, 0.5 AS x FROM range(9)',
    });
    const file = path.join(folder.data, '2021.parquet');
    const bytes = await readFile(file);
    await writeFile(file, bytes.fill(0xff, 10, 60));
    const { diagnostics } = await refusal(folder);
    expect(diagnostics.map(one => `${one.code} ${one.file}`)).toEqual(['lake-unreadable-file 2021.parquet']);
  });

  test.each([3, 8])('a row of %i megabytes', async megabytes => {
    const folder = await publisher({
      columns: TEXT,
      lake: row(`repeat('0123456789', ${megabytes * 100_000})`),
    });
    await expectRight(folder, `2021,1,${'0123456789'.repeat(megabytes * 100_000)}\r\n`);
  });

  test('a first row of several hundred kilobytes', async () => {
    const folder = await publisher({ columns: TEXT, lake: row("repeat('0123456789', 30000)") });
    await expectRight(folder, `2021,1,${'0123456789'.repeat(30_000)}\r\n`);
    const openapi = await readTreeJson<{ paths: Record<string, unknown> }>(folder.out, 'openapi.json');
    expect(JSON.stringify(openapi).length).toBeLessThan(200_000);
  });
});

describe('columns', () => {
  const NESTED: readonly (readonly [select: string, codes: readonly string[]])[] = [
    ["{'x': 1.5}", ['lake-column-type Column x is STRUCT']],
    ['[1.5]', ['lake-column-type Column x is LIST']],
    ["MAP {'x': 1.5}", ['lake-column-type Column x is MAP']],
    ["1.5 AS x, {'x': 1.5, 'y': 2}", ['lake-extra-column The file has a column y ']],
  ];
  test.each(NESTED)('%s', async (select, codes) => {
    const [x, more = ''] = select.split(' AS x');
    const lake = {
      '2021.parquet': `SELECT * FROM (SELECT 2021 AS year, 1 AS n, ${x} AS x${more && `${more} AS y`})`,
    };
    const { diagnostics } = await refusal(await publisher({ lake }));
    expect(diagnostics.map(one => `${one.code} ${one.message}`)).toEqual(
      codes.map(code => expect.stringContaining(code)),
    );
  });

  test('two of one name', async () => {
    const folder = await publisher({ lake: {} });
    const file = parquetWriteBuffer({
      columnData: ['year', 'n', 'x', 'x'].map((name, i) => ({
        name,
        data: [[2021, 1, 2, 3][i]!],
        type: 'INT32',
      })),
    });
    await writeTexts(folder.data, { 'keep.txt': '' });
    await writeFile(path.join(folder.data, '2021.parquet'), new Uint8Array(file));
    const { diagnostics } = await refusal(folder);
    expect(diagnostics.map(one => one.code)).toEqual(['lake-repeated-column']);
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

  test('a name that may be of two levels is refused', async () => {
    const file = 'year=2021/city-of-state.parquet';
    const { diagnostics } = await refusal(
      await publisher({
        template: 'year={year}/*{detail}*.parquet',
        levels: 'city, state',
        lake: { [file]: 'SELECT 2021 AS year, 1 AS n, 5 AS x' },
      }),
    );
    expect(diagnostics.filter(one => one.severity === 'error')).toEqual([
      expect.objectContaining({ code: 'lake-ambiguous-name', file }),
    ]);
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
  const says = async (found: string, instead: string) => {
    const { contracts } = await publisher({ lake: {} });
    const text = await readFile(path.join(contracts, 't.yaml'), 'utf8');
    await writeTexts(contracts, { 't.yaml': text.replace(found, instead) });
    return validate(contracts, false);
  };

  test('a draft alone is right', async () => {
    await expect(says('active', 'draft')).resolves.toMatchObject({ datasets: 0, inactive: 1 });
  });

  test('links are read as the files of the folder that they stand for, once', async () => {
    const { contracts } = await publisher({ lake: {} });
    const at = (name: string) => path.join(contracts, name);
    // As Kubernetes mounts files.
    await mkdir(at('..2026_11'));
    await rename(at('t.yaml'), at('..2026_11/t.yaml'));
    await symlink('..2026_11', at('..data'));
    await symlink('..data/t.yaml', at('t.yaml'));
    await writeTexts(contracts, { 'publisher.yaml': PUBLISHER });
    await symlink('publisher.yaml', at('also.yaml'));
    await expect(validate(contracts, true)).resolves.toMatchObject({ datasets: 1, files: 2 });
  });

  test.each([
    ['nowhere.yaml', 'error'],
    ['/etc/hosts', 'error'],
    ['/etc', 'warning'],
  ])('a link to %s is told of: %s', async (target, severity) => {
    const { contracts } = await publisher({ lake: {} });
    await writeTexts(contracts, { 'publisher.yaml': PUBLISHER });
    await symlink(target, path.join(contracts, 'more.yaml'));
    const error = await validate(contracts, true).catch((reason: unknown) => reason);
    expect((error as RefusedError).diagnostics).toEqual([
      expect.objectContaining({ code: 'contract-link', severity, file: path.join(contracts, 'more.yaml') }),
    ]);
  });

  test('a file that is no contract is named where there is no other', async () => {
    const error = await says('DataContract', 'dataContract').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RefusedError);
    expect((error as RefusedError).diagnostics).toEqual([
      expect.objectContaining({ code: 'not-a-contract', severity: 'error' }),
    ]);
  });
});

describe('what a contract says of its columns', () => {
  const RULES: readonly (readonly [says: string, x: string, failed: readonly string[]])[] = [
    ['missingValues: [-99]', '-99.0', ['x_missingValues']],
    ['missingValues: ["-99"]', '-99.0', ['x_missingValues']],
    ['missingValues: [-99]', '-98.0', []],
    ['pattern: "^[0-9]+$"', '5.0', []],
    ['pattern: "^[0-9]+$"', '5.5', ['x_invalidValues']],
  ];
  test.each(RULES)('%s of %s', async (says, x, failed) => {
    const metric = says.startsWith('missing') ? 'missingValues' : 'invalidValues';
    const rule = `quality: [{ type: library, metric: ${metric}, arguments: { ${says} }, mustBe: 0 }]`;
    const columns = ['logicalType: integer', `logicalType: number, ${rule}`] as const;
    const folder = await publisher({ columns, lake: row(`${x}::DOUBLE`) });
    if (failed.length === 0) await buildPublisher(folder);
    else expect((await refusal(folder)).failures.map(one => one.outcome.check.name)).toEqual(failed);
  });

  const LIMITS: readonly (readonly [says: string, x: string, failed: readonly string[]])[] = [
    ['logicalType: number, logicalTypeOptions: { minimum: 0, maximum: 1 }', '[0.0, 1.0]', []],
    [
      'logicalType: number, logicalTypeOptions: { minimum: 0, maximum: 1 }',
      '[-1.0, 2.0]',
      ['x_minimum', 'x_maximum'],
    ],
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
  ];
  test.each(LIMITS)('%s: %s', async (says, x, failed) => {
    const lake = { '2021.parquet': `SELECT 2021 AS year, unnest([1, 2]) AS n, unnest(${x}) AS x` };
    const folder = await publisher({ columns: ['logicalType: integer', says], lake });
    if (failed.length === 0) await buildPublisher(folder);
    else expect((await refusal(folder)).failures.map(one => one.outcome.check.name)).toEqual(failed);
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
