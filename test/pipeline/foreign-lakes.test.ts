/** Contracts and lakes from other tools: what is right is published unchanged, the rest is named. */
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RefusedError } from '../../build/failure.ts';
import { validate } from '../../build/pipeline/check.ts';
import { contractHead, dimension } from '../publishers/contract-text.ts';
import { type Publisher, publisherAt, temporaryFolder, writeTexts } from '../publishers/publisher-folder.ts';
import { PUBLISHER } from '../publishers/weather.ts';

/** The smallest contract: a year, a number that identifies rows, and a value. */
const contract = (
  topic: string,
  { columns: [n, x] = COLUMNS, template = '{year}.parquet', levels = 'all' }: Made,
) => `${contractHead(`d.${topic}`)}customProperties: [{ property: year_range, value: 2020-2021 }]
schema:
  - name: ${topic}
    customProperties:
      - { property: detail_levels, value: [${levels}] }
      - { property: grain, value: [year, n] }
      - { property: path_template, value: "${topic}/${template}" }
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
  /** SELECTs by file of the lake. */
  readonly lake: Readonly<Record<string, string>>;
}

/** Datasets d/t10, d/t11, …, each with its files in a folder of its name. */
async function publisher(...datasets: readonly Made[]): Promise<Publisher> {
  const folder = publisherAt(await temporaryFolder());
  for (const [i, made] of datasets.entries()) {
    const topic = `t${i + 10}`;
    await folder.writeContracts({ [`${topic}.yaml`]: contract(topic, made) });
    for (const [name, rows] of Object.entries(made.lake))
      await folder.writeRows({ [`${topic}/${name}`]: rows });
  }
  return folder;
}

/** Rows of 2021 with n and x, of a DuckDB type. */
const rows = (type: string, ...values: readonly string[]) => {
  const list = values.map((value, i) => `(${i + 1}, ${value})`).join(', ');
  return { '2021.parquet': `SELECT 2021 AS year, n, x::${type} AS x FROM (VALUES ${list}) t(n, x)` };
};
const row = (x: string) => ({ '2021.parquet': `SELECT 2021 AS year, 1 AS n, ${x} AS x` });
/** The published lines of n and x. */
const lines = (...values: readonly (string | number)[]) =>
  values.map((value, i) => `2021,${i + 1},${value}\r\n`).join('');

async function expectRight(folder: Publisher, published: string, topic = 't10'): Promise<void> {
  expect(await folder.text(`api/v1/d/${topic}/year=2021/all.csv`)).toBe(`year,n,x\r\n${published}`);
}

async function expectBuilt(folder: Publisher, published: string): Promise<void> {
  await folder.build();
  await expectRight(folder, published);
  await folder.verify();
}

/** `code file` of each error about a dataset, and the names of its rules that failed. */
function saidOf({ diagnostics, failures }: RefusedError, topic: string): string[] {
  const own = new RegExp(` (d/)?${topic}(/|$)`);
  const all = [
    ...diagnostics.filter(one => one.severity === 'error').map(one => `${one.code} ${one.file}`),
    ...failures.map(one => `${one.outcome.check.name} ${one.subject}`),
  ];
  return all.filter(said => own.test(said)).map(said => said.replace(own, ' ').trim());
}

async function refused(folder: Publisher): Promise<string[]> {
  const error = await folder.refusal();
  expect(error.diagnostics[0]?.message ?? '').not.toContain(folder.root);
  return saidOf(error, 't10');
}

/** Writes a file of 2021 that DuckDB wouldn't write. */
async function writeOwn({ data }: Publisher, given: Parameters<typeof parquetWriteBuffer>[0]) {
  await mkdir(path.join(data, 't10'), { recursive: true });
  await writeFile(path.join(data, 't10/2021.parquet'), new Uint8Array(parquetWriteBuffer(given)));
}

const TEXT = ['logicalType: integer', 'logicalType: string'] as const;
const HUNDREDTHS = Array.from({ length: 1000 }, (_, i) => i / 100);
const EXACT = ['1234567890123456.5', '1234567890123.4568', '-0.0001', '20000000000000.0000'];
const decimals = (type: string, values: readonly (string | number)[]) => ({
  lake: rows(type, ...values.map(one => `'${one}'`)),
});
const TWO_TYPES: Made = {
  template: '{year}/*.parquet',
  lake: {
    '2021/a.parquet': 'SELECT 2021 AS year, 1 AS n, 1.14::DECIMAL(38, 18) AS x',
    '2021/b.parquet': 'SELECT 2021 AS year, 2 AS n, 0.5::DOUBLE AS x',
  },
};
const BIG = ['9007199254740991', 'NULL', '-9007199254740991'];
const LINES: Made = {
  columns: ['logicalType: string, enum: ["a\\nb", c]', 'logicalType: number'],
  lake: { '2021.parquet': "SELECT 2021 AS year, unnest(['a'||chr(10)||'b', 'c']) AS n, 1.5 AS x" },
};

describe('valid lakes are published unchanged', () => {
  const VALID: readonly (readonly [what: string, made: Made, published: string])[] = [
    ['hundredths as DECIMAL(38, 18)', decimals('DECIMAL(38, 18)', HUNDREDTHS), lines(...HUNDREDTHS)],
    ['hundredths as DECIMAL(38, 30)', decimals('DECIMAL(38, 30)', HUNDREDTHS), lines(...HUNDREDTHS)],
    ['hundredths as DECIMAL(18, 3)', decimals('DECIMAL(18, 3)', HUNDREDTHS), lines(...HUNDREDTHS)],
    ['hundredths as DECIMAL(15, 2)', decimals('DECIMAL(15, 2)', HUNDREDTHS), lines(...HUNDREDTHS)],
    ['as many digits as a double holds', decimals('DECIMAL(20, 4)', EXACT), lines(...EXACT.map(Number))],
    ['decimals and doubles in files of one slice', TWO_TYPES, lines('1.14', '0.5')],
    ['the largest integers of a double', { lake: rows('BIGINT', ...BIG) }, lines(BIG[0]!, '', BIG[2]!)],
    ['a value of a list, of several lines', LINES, '2021,"a\nb",1.5\r\n2021,c,1.5\r\n'],
  ];
  let all: Publisher;
  beforeAll(async () => {
    all = await publisher(...VALID.map(([, made]) => made));
    await all.build();
    await all.verify();
  });
  test.each(VALID.map(([what, , published], i) => [what, published, `t${i + 10}`] as const))(
    '%s',
    async (_, published, topic) => expectRight(all, published, topic),
  );

  test('a first row of 8 megabytes, of which the OpenAPI document shows less', async () => {
    const folder = await publisher({ columns: TEXT, lake: row("repeat('0123456789', 800000)") });
    await expectBuilt(folder, lines('0123456789'.repeat(800_000)));
    expect((await readFile(path.join(folder.out, 'openapi.json'))).length).toBeLessThan(300_000);
  });

  test('a column without values, of no type', async () => {
    const folder = await publisher({ lake: {} });
    const integer = { type: 'INT32', repetition_type: 'OPTIONAL' } as const;
    await writeOwn(folder, {
      columnData: [2021, 1, null].map((value, i) => ({ name: ['year', 'n', 'x'][i]!, data: [value] })),
      schema: [
        { name: 'root', num_children: 3 },
        { name: 'year', ...integer },
        { name: 'n', ...integer },
        { name: 'x', ...integer, logical_type: { type: 'NULL' } },
      ],
    });
    await expectBuilt(folder, lines(''));
  });
});

describe('invalid lakes are refused', () => {
  const INEXACT = 'lake-inexact-decimal 2021.parquet';
  const TYPE = 'lake-column-type 2021.parquet';
  const EXTRA = 'lake-extra-column 2021.parquet';
  const inexact = (type: string, value: string) => decimals(type, [value, '0.1', '0']);
  const text = (value: string): Made => ({ columns: TEXT, lake: row(value) });
  const CLOCK = ['logicalType: integer', 'logicalType: timestamp'] as const;
  const UNLIKE = inexact('DECIMAL(18,4)', '12345678901234.5678');
  const AMBIGUOUS: Made = {
    template: 'year={year}/*{detail}*.parquet',
    levels: 'city, state',
    lake: { 'year=2021/city-of-state.parquet': 'SELECT 2021 AS year, 1 AS n, 5 AS x' },
  };

  const INVALID: readonly (readonly [what: string, made: Made, said: string])[] = [
    ['a decimal of too many digits', UNLIKE, INEXACT],
    ['a decimal that would be a whole number', inexact('DECIMAL(18,4)', '-99999999999999.9999'), INEXACT],
    ['one of many places', inexact('DECIMAL(38,18)', '0.123456789012345678'), INEXACT],
    ['one beyond 2^53', inexact('DECIMAL(20,2)', '9007199254740993.50'), INEXACT],
    ['a BIGINT beyond 2^53', { lake: row('9007199254740993::BIGINT') }, 'x_finite'],
    ['a UBIGINT', { lake: row('18446744073709551615::UBIGINT') }, 'x_finite'],
    ['a whole decimal', { lake: row('1e17::DECIMAL(38, 0)') }, 'x_finite'],
    ['an escape', text("'a' || chr(27)"), 'x_text'],
    ['U+FEFF at the beginning, which readers take off', text("chr(65279) || 'a'"), 'x_text'],
    ['a struct', { lake: row("{'x': 1.5}") }, TYPE],
    ['a list', { lake: row('[1.5]') }, TYPE],
    [
      'a moment for a clock time',
      { columns: CLOCK, lake: row("'2021-01-01 08:00:00+00'::TIMESTAMPTZ") },
      TYPE,
    ],
    ['a struct too many', { lake: row("1.5 AS x, {'x': 1.5} AS y, 1") }, EXTRA],
  ];
  let error: RefusedError;
  beforeAll(async () => {
    error = await (await publisher(...INVALID.map(([, made]) => made))).refusal();
  });
  test.each(INVALID.map(([what, , said], i) => [what, said, i] as const))('%s', (_, said, i) => {
    expect(saidOf(error, `t${i + 10}`)).toEqual([said]);
  });

  test('a decimal is told with what it would become and what to do', () => {
    const [first] = error.diagnostics.filter(one => one.file === 't10/2021.parquet');
    expect([first?.slice?.year, first?.message]).toEqual([
      2021,
      'Column x (DECIMAL(18,4)) has decimals that a 64-bit float cannot hold, such as 12345678901234.5678 in t10/2021.parquet, which the build would publish as 12345678901234.568. Round them to 15 digits, or make the column a string (logicalType: string, physicalType: decimal).',
    ]);
  });

  test('a name of two levels', async () => {
    const said = await refused(await publisher(AMBIGUOUS));
    expect(said).toEqual(['lake-ambiguous-name year=2021/city-of-state.parquet']);
  });

  test("a dimension's decimal", async () => {
    const folder = await publisher({ lake: row('0.5') });
    const places = dimension('d', 'places', ['code'], 'area').replace(
      '{ name: area, logicalType: string }',
      '{ name: area, logicalType: number }',
    );
    await folder.writeContracts({ 'places.yaml': places });
    await folder.writeRows({
      'd/_dimensions/places.parquet': "SELECT 'a' AS code, '12345678901234.5678'::DECIMAL(18, 4) AS area",
    });
    expect((await folder.refusal()).diagnostics.map(one => `${one.code} ${one.file}`)).toEqual([
      'lake-inexact-decimal d/_dimensions/places.parquet',
    ]);
  });

  test.each<readonly [string, (bytes: Buffer) => Buffer]>([
    [
      'texts that are not UTF-8',
      bytes => Buffer.from(bytes.toString('latin1').replaceAll('M@nchen', 'M\xfcnchen'), 'latin1'),
    ],
    ['values that are no longer there', bytes => bytes.fill(0xff, 10, 60)],
  ])('%s are a file that cannot be read', async (_, spoil) => {
    const folder = await publisher({ columns: TEXT, lake: rows('VARCHAR', ...Array(9).fill("'M@nchen'")) });
    const file = path.join(folder.data, 't10/2021.parquet');
    const bytes = await readFile(file);
    const spoiled = spoil(Buffer.from(bytes));
    expect(spoiled.equals(bytes)).toBe(false);
    await writeFile(file, spoiled);
    expect(await refused(folder)).toEqual(['lake-unreadable-file 2021.parquet']);
  });

  test('two columns of one name', async () => {
    const folder = await publisher({ lake: {} });
    const names = ['year', 'n', 'x', 'x'];
    await writeOwn(folder, { columnData: names.map((name, i) => ({ name, data: [i], type: 'INT32' })) });
    expect(await refused(folder)).toEqual(['lake-repeated-column 2021.parquet']);
  });
});

describe('names of files', () => {
  test('links that lead nowhere, or to a folder', async () => {
    const folder = await publisher({
      template: 'year={year}/*.parquet',
      lake: { 'year=2021/a.parquet': 'SELECT 2021 AS year, 1 AS n, 5 AS x' },
    });
    await symlink('../../elsewhere', path.join(folder.data, 't10/year=2020'));
    await writeTexts(folder.root, { 'elsewhere/b.parquet': '' });
    await symlink('nowhere', path.join(folder.data, 't10/b.parquet'));
    const warned = (await folder.build()).warnings.filter(one => one.startsWith('lake-link'));
    const leads = ['nowhere', 'to a folder'].map(where => expect.stringContaining(`leads ${where}`));
    expect(warned).toEqual(leads);
    await symlink('nowhere', path.join(folder.data, 't10/year=2021/b.parquet'));
    expect(await refused(folder)).toEqual(['lake-link year=2021/b.parquet']);
  });

  test('the folder that contains a tree has no influence on its rows', async () => {
    const made = await publisher({
      columns: ['logicalType: integer, enum: [1, 2]', 'logicalType: number'],
      lake: {
        '2020.parquet': 'SELECT 2020 AS year, 1 AS n, 5.0 AS x',
        '2021.parquet': 'SELECT 2021 AS year, 1 AS n, 5.0 AS x',
      },
    });
    for (const name of ['n=9', 'year=1999']) {
      const folder = made.with({ out: path.join(made.root, name, 'tree') });
      await folder.build();
      await folder.writeRows({ 't10/2021.parquet': 'SELECT 2021 AS year, unnest([1, 2]) AS n, 6.0 AS x' });
      await expectBuilt(folder, '2021,1,6\r\n2021,2,6\r\n');
      await folder.writeRows({ 't10/2021.parquet': 'SELECT 2021 AS year, 1 AS n, 5.0 AS x' });
    }
  });
});

/** Links as Kubernetes mounts files. */
async function mountByLinks(at: (name: string) => string): Promise<void> {
  await mkdir(at('..2026_11'));
  await rename(at('t10.yaml'), at('..2026_11/t10.yaml'));
  await symlink('..2026_11', at('..data'));
  await symlink('..data/t10.yaml', at('t10.yaml'));
  await symlink('publisher.yaml', at('also.yaml'));
}

test.each<readonly [string, (at: (name: string) => string) => Promise<void>, unknown]>([
  ['read as the files of the folder that they stand for, once', mountByLinks, { datasets: 1, files: 2 }],
  ['to nowhere', at => symlink('nowhere.yaml', at('more.yaml')), ['error contract-link']],
  ['to a file elsewhere', at => symlink('/etc/hosts', at('more.yaml')), ['error contract-link']],
  ['to a folder', at => symlink('/etc', at('more.yaml')), ['warning contract-link']],
])('links among contracts: %s', async (_, change, expected) => {
  const { contracts } = await publisher({ lake: {} });
  await writeTexts(contracts, { 'publisher.yaml': PUBLISHER });
  await change(name => path.join(contracts, name));
  const said = await validate(contracts, true).then(
    ({ datasets, files }) => ({ datasets, files }),
    (error: RefusedError) => error.diagnostics.map(one => `${one.severity} ${one.code}`),
  );
  expect(said).toEqual(expected);
});

const library = (metric: string, says: string) =>
  `number, quality: [{ type: library, metric: ${metric}, arguments: { ${says} }, mustBe: 0 }]`;
const PATTERN = library('invalidValues', 'pattern: "^[0-9]+$"');
const MISSING = library('missingValues', 'missingValues: [-99]');
const SHARE = 'number, logicalTypeOptions: { minimum: 0, maximum: 1 }';
const BETWEEN = 'integer, logicalTypeOptions: { exclusiveMinimum: 0, exclusiveMaximum: 9, multipleOf: 2 }';
const WORD = 'string, logicalTypeOptions: { minLength: 2, maxLength: 3, pattern: "^[a-z]+$", format: uuid }';

/** A column's definition, values, and the rules that they break. */
const COLUMN_RULES: readonly (readonly [says: string, x: string, failed: readonly string[]])[] = [
  [MISSING, '[-99.0]', ['x_missingValues']],
  [MISSING.replace('-99', '"-99"'), '[-99.0]', ['x_missingValues']],
  [MISSING, '[-98.0]', []],
  [PATTERN, '[5.0]', []],
  [PATTERN, '[5.5]', ['x_invalidValues']],
  [SHARE, '[0.0, 1.0]', []],
  [SHARE, '[-1.0, 2.0]', ['x_minimum', 'x_maximum']],
  [BETWEEN, '[0, 9]', ['x_exclusiveMinimum', 'x_exclusiveMaximum', 'x_multipleOf']],
  [WORD, "['a', 'ABCD']", ['x_minLength', 'x_maxLength', 'x_pattern']],
  ['string, unique: true', "['a', 'a']", ['x_unique']],
  ['string, unique: true', "['a', 'b']", []],
];
describe('a column of', () => {
  let error: RefusedError;
  beforeAll(async () => {
    const made = COLUMN_RULES.map(([says, x]): Made => {
      const select = `SELECT 2021 AS year, unnest(range(len(${x}))) AS n, unnest(${x}) AS x`;
      return { columns: ['logicalType: integer', `logicalType: ${says}`], lake: { '2021.parquet': select } };
    });
    error = await (await publisher(...made)).refusal();
  });
  test.each(COLUMN_RULES.map((one, i) => [...one, i] as const))('%s: %s', (_, _x, failed, i) => {
    expect(saidOf(error, `t${i + 10}`)).toEqual(failed);
  });
});

test('a limit of another type is reported as not checked', async () => {
  const columns = [
    'logicalType: integer',
    'logicalType: number, logicalTypeOptions: { maxLength: 3 }',
  ] as const;
  const warned = (await (await publisher({ columns, lake: row('1') })).build()).warnings;
  expect(warned).toContainEqual(expect.stringMatching(/^rule-not-run .*maxLength 3 is not checked/));
});
