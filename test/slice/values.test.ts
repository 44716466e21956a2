/** Every value is written in every format as FORMAT.md says. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { beforeAll, describe, expect, test } from 'vitest';
import type { FactEnvelope } from '../../build/format/documents.ts';
import type { DatasetManifest } from '../../build/format/manifest.ts';
import { groupRows } from '../../build/slice/rows-writer.ts';
import { column, datasetContract, stored } from '../publishers/contract-text.ts';
import { type Publisher, publisherAt, temporaryFolder } from '../publishers/publisher-folder.ts';

const NUMBERS = [
  ...[0, -0, 1, -1, 0.1, 0.2, 0.1 + 0.2, 1 / 3, 1e-4, 9.999e-5, 1e-5, 1e-6, 1.5e-6, 1e-7, 9.5e-7, 1.25e-7],
  ...[1e15, 1e16, 2 ** 57, 1e20, 1e21, 1.5e21, 2 ** 71, 1e22, 1e100, -1e21, 1e300],
  ...[999999999999999, 999999999999999.9, 1234567.125, 2 ** 53, -(2 ** 53), 2 ** 63, -(2 ** 63), 2 ** 64],
  ...[Number.MAX_VALUE, Number.MIN_VALUE, -Number.MIN_VALUE, 2.2250738585072014e-308, 2.225073858507201e-308],
  ...[Number.EPSILON, 4.35, 0.000001, 0.0000001, 100, 1e2, 12300, 5e-324, 1.7976931348623157e308],
];
const INTEGERS = [0, 1, -1, 2 ** 31, -(2 ** 31), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
const SMALL = [0, 2 ** 31 - 1, -(2 ** 31), 7];
const TEXTS = [
  ...['', ' ', '"', '""', ',', '\n', '\t', 'a\tb', 'a\nb', '\\', '\\n', '/', 'say "hi", twice', "it's", "''"],
  ...['null', 'NULL', 'true', '0', '-', '=1+1', '{', '}', '[{"a":1}]', ']}', '},', ' leading', 'trailing '],
  ...['é', 'e\u0301', '日本', '😀', '👩‍👩‍👧', '\u2028', '\u2029', '\u007f', '\u0085', 'a\ufeff', 'a\ufeffa'],
  ...['\ufffd', '\u200f', '\u{10ffff}'],
  'long '.repeat(2000),
];
const CONTROL = /[\u0000-\u0008\u000b-\u001f]/;

const ROWS = 25_001;
const SEED = 20_310_517;

function sample<Value>(arbitrary: fc.Arbitrary<Value>, edges: readonly (Value | null)[]): (Value | null)[] {
  const random = fc.sample(arbitrary, { numRuns: 4000, seed: SEED });
  const values = [...edges, null, ...random];
  return Array.from({ length: ROWS }, (_, i) => values[i % values.length] ?? null);
}

const doubles = fc.double({ noNaN: true, noDefaultInfinity: true });
const isNear = (value: number) => Math.abs(value) < 1e15;
/** Decimals with few digits. */
const decimals = fc
  .tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 12 }))
  .map(([a, b]) => a / 10 ** b);
const texts = fc.string({ unit: 'binary', maxLength: 12 }).filter(text => !CONTROL.test(text));

type Cell = string | number | boolean | null;
type Row = Readonly<Record<string, Cell>>;

const all = <Value>(of: (i: number) => Value) => Array.from({ length: ROWS }, (_, i) => of(i));
/**
 * Each column's types in the contract and in Parquet, its role and its values. Names are those that queries
 * use for their own columns: n for a count, SQL keywords, pseudo-columns of DuckDB.
 */
const COLUMNS: readonly (readonly [
  name: string,
  types: readonly [
    logical: string,
    physical: string,
    parquet: 'INT32' | 'INT64' | 'DOUBLE' | 'BOOLEAN' | 'STRING',
  ],
  role: string,
  values: readonly Cell[],
])[] = [
  ['year', ['integer', 'int', 'INT32'], 'year', all(() => 2021)],
  ['n', ['integer', 'int', 'INT32'], 'categorical', all(i => i + 1)],
  ['rowid', ['number', 'double', 'DOUBLE'], 'metric', sample(fc.oneof(doubles, decimals), NUMBERS)],
  // Smaller than 1e15 in every row; a shorter expression writes such columns.
  [
    'position',
    ['number', 'double', 'DOUBLE'],
    'metric',
    sample(fc.oneof(doubles.filter(isNear), decimals), NUMBERS.filter(isNear)),
  ],
  // Far below zero, and never far above.
  ['line', ['number', 'double', 'DOUBLE'], 'metric', sample(decimals, [-1e21, -(2 ** 57), -1e300, 5])],
  ['digest', ['integer', 'int', 'INT32'], 'metric', sample(fc.integer(), SMALL)],
  ['file_index', ['integer', 'bigint', 'INT64'], 'metric', sample(fc.maxSafeInteger(), INTEGERS)],
  ['select', ['boolean', 'boolean', 'BOOLEAN'], 'categorical', sample(fc.boolean(), [])],
  ['text', ['string', 'string', 'STRING'], 'metric', sample(texts, TEXTS)],
  [
    'filename',
    ['string', 'string', 'STRING'],
    'categorical',
    sample(fc.constantFrom('b', 'B', 'ä', 'a'), ['', 'a,b', '"']),
  ],
];
const isKey = (name: string) => name === 'year' || name === 'n';
const rows: readonly Row[] = all(i =>
  Object.fromEntries(COLUMNS.map(([name, , , values]) => [name, values[i]!])),
);

const CONTRACT = datasetContract(
  'lab.values',
  COLUMNS.map(([name, [type, physical], role]) => column(name, stored(type, physical), role, isKey(name))),
  { detail_levels: '[lab]', grain: '[year, n]', path_template: '"{year}.parquet"' },
  { year_range: '2021' },
);

let publisher: Publisher;
const FOLDER = 'api/v1/lab/values';
const fileOf = (name: string) => path.join(publisher.out, FOLDER, 'year=2021', name);

beforeAll(async () => {
  publisher = publisherAt(await temporaryFolder());
  await publisher.writeContracts({ 'values.yaml': CONTRACT });
  await mkdir(publisher.data);
  // The lake has the rows in reverse.
  const columnData = COLUMNS.map(([name, [, , type], , values]) => {
    const reversed = [...values].reverse();
    const data = type === 'INT64' ? reversed.map(one => (one === null ? null : BigInt(one))) : reversed;
    return { name, data, type, nullable: !isKey(name) };
  });
  const buffer = parquetWriteBuffer({ columnData });
  await writeFile(path.join(publisher.data, '2021.parquet'), new Uint8Array(buffer));
  await publisher.build();
});

describe('a slice of more rows than a page', () => {
  test('has pages of JSON that follow each other, each row as JSON.stringify writes it', async () => {
    const seen: string[] = [];
    const envelopes: FactEnvelope[] = [];
    for (let name: string | null = 'lab.json'; name !== null; ) {
      const text = await readFile(fileOf(name), 'utf8');
      const lines = text.split(/(?<=[[,])\n|\n(?=\]})/);
      seen.push(
        ...lines.slice(1, -1).map((line, i, all) => (i < all.length - 1 ? line.replace(/,$/, '') : line)),
      );
      const page = JSON.parse(text) as FactEnvelope;
      envelopes.push(page);
      name = page.next;
    }
    expect(envelopes.map(page => [page.offset, page.count, page.total, page.limit, page.next])).toEqual([
      [0, 10_000, ROWS, 10_000, 'lab.page-2.json'],
      [10_000, 10_000, ROWS, 10_000, 'lab.page-3.json'],
      [20_000, 5001, ROWS, 10_000, null],
    ]);
    expect(seen).toHaveLength(ROWS);
    for (const [i, row] of rows.entries())
      if (seen[i] !== JSON.stringify(row)) expect(seen[i]).toBe(JSON.stringify(row));
  });

  test('is one CSV', async () => {
    const text = await readFile(fileOf('lab.csv'), 'utf8');
    const expected = [
      'year,n,rowid,position,line,digest,file_index,select,text,filename',
      ...rows.map(csvLine),
      '',
    ];
    const found = text.split('\r\n');
    expect(found).toHaveLength(expected.length);
    for (const [i, line] of expected.entries()) if (found[i] !== line) expect(found[i]).toBe(line);
  });

  test('is one Parquet file, in row groups whose bounds the manifest gives', async () => {
    const file = await asyncBufferFromFile(fileOf('lab.parquet'));
    const read = await parquetReadObjects({ file, compressors });
    expect(read).toHaveLength(ROWS);
    for (const [i, row] of rows.entries()) {
      const { file_index: big, ...others } = read[i]!;
      const found = { ...others, file_index: big === null ? null : Number(big) };
      if (JSON.stringify(row, Object.keys(found)) !== JSON.stringify(found)) expect(found).toEqual(row);
    }
    const manifest = await publisher.json<DatasetManifest>(`${FOLDER}/manifest.json`);
    const groups = manifest.slices[0]!.files.parquet[0]!.row_groups;
    expect(groups.map(group => group.rows)).toEqual([4096, 4096, 4096, 4096, 4096, 4096, 425]);
    const n = manifest.key_columns.indexOf('n');
    expect(groups.map(group => [group.min[n], group.max[n]])).toEqual([
      ...Array.from({ length: 6 }, (_, i) => [4096 * i + 1, 4096 * (i + 1)]),
      [24_577, 25_001],
    ]);
  });

  test('and verify finds that the three agree', async () => {
    await expect(publisher.verify()).resolves.toMatchObject({ slices: 1 });
  });
});

test('row groups have the documented size, and there are at most 4,096 in a file', () => {
  const most = 4096;
  for (const [kind, least] of [
    ['slice', 4096],
    ['copy', 2048],
  ] as const) {
    for (const rows of [0, 1, least, least * most])
      expect([rows, groupRows(kind, rows)]).toEqual([rows, least]);
    expect(groupRows(kind, least * most + 1)).toBe(2 * least);
    for (const rows of [2e7, 123_456_789, 4e9]) {
      const size = groupRows(kind, rows);
      // DuckDB's vectors have 2,048 rows.
      expect([size % 2048, Math.ceil(rows / size) <= most]).toEqual([0, true]);
      expect(Math.ceil(rows / (size - least))).toBeGreaterThan(most);
    }
  }
});

test('values.json counts the values of each axis', async () => {
  interface Values {
    readonly columns: readonly { readonly param: string; readonly values: readonly object[] }[];
  }
  const { columns } = await publisher.json<Values>(`${FOLDER}/values.json`);
  const values = (param: string) => columns.find(one => one.param === param)?.values;
  const count = (of: (row: Row) => boolean) => rows.filter(of).length;
  expect(values('select')).toMatchObject([
    { value: false, rows: count(row => row.select === false), years: [2021] },
    { value: true, rows: count(row => row.select === true), years: [2021] },
  ]);
  expect(values('n')).toHaveLength(ROWS);
  expect(values('n')?.[6]).toMatchObject({ value: 7, rows: 1 });
  const kinds = values('filename')?.map(one => (one as { value: string }).value);
  expect(kinds).toEqual(['', '"', 'B', 'a', 'a,b', 'b', 'ä']);
});

function csvLine(row: Row): string {
  return Object.values(row)
    .map(value => {
      if (value === null) return '';
      if (typeof value !== 'string') return String(value);
      return value === '' || /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
    })
    .join(',');
}
