/** Columns with any name that a header can hold, from a contract with nothing but columns to every executor's answers. */
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { fuzz } from '../../scripts/fuzz/run.ts';
import { buildPublisher, verify, warningsOf } from '../publishers/built-tree.ts';
import {
  type PublisherFolder,
  temporaryFolder,
  writePublisher,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import { askTree, EXECUTORS } from './executors.ts';

const NAMES = {
  region: 'región del país',
  percent: '% de "jóvenes"',
  quote: "l'âge; DROP TABLE x--",
  digit: '1er trimestre',
  comma: 'a,b=c&d?e#f+g',
  limit: 'limit',
  detail: 'Detail',
  kanji: '人口 👪',
  word: 'select',
  proto: 'constructor',
  slash: '../x\\y',
  year: 'Year',
  note: 'nota',
  amount: 'importe (€)',
} as const;

const TYPES: ReadonlyMap<string, string> = new Map([
  [NAMES.year, 'integer'],
  [NAMES.percent, 'number'],
  [NAMES.amount, 'number'],
  [NAMES.kanji, 'integer'],
]);

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const columns = Object.values(NAMES)
  .map(name => `      - { name: ${JSON.stringify(name)}, logicalType: ${TYPES.get(name) ?? 'string'} }`)
  .join('\n');
const CONTRACT = `kind: DataContract\nschema:\n  - name: Población\n    properties:\n${columns}\n`;

const values: Readonly<Record<string, string>> = {
  [NAMES.region]: `['Ñuble', 'A; B', 'x"y', 'Ñuble ', NULL][1 + i % 5]`,
  [NAMES.percent]: 'i / 7.0',
  [NAMES.quote]: `['a''b', '007', ' ', 'Ä'][1 + i % 4]`,
  [NAMES.digit]: `['1', '2'][1 + i % 2]`,
  [NAMES.comma]: `['&', '=', '+', '%20', ' '][1 + i % 5]`,
  [NAMES.limit]: `['low', 'high'][1 + i % 2]`,
  [NAMES.detail]: `['all', 'some'][1 + i % 2]`,
  [NAMES.kanji]: 'i',
  [NAMES.word]: `['from', 'where'][1 + i % 2]`,
  [NAMES.proto]: `['toString', 'constructor'][1 + i % 2]`,
  [NAMES.slash]: `['/', '\\'][1 + i % 2]`,
  [NAMES.note]: `'Text number ' || i`,
  [NAMES.amount]: 'i * 0.1',
};

const rows = (year: number, count: number) =>
  `SELECT ${Object.values(NAMES)
    .map(name => `${name === NAMES.year ? `${year}` : values[name]} AS ${quoted(name)}`)
    .join(', ')} FROM range(${count}) t(i)`;

let folder: PublisherFolder;
let warnings: readonly string[];

beforeAll(async () => {
  folder = await writePublisher(
    await temporaryFolder('never'),
    { 'Demografía/población.yaml': CONTRACT, 'publisher.yaml': 'service: Odd names\n' },
    {
      'demografia/poblacion/year=2021/all.parquet': rows(2021, 60),
      'demografia/poblacion/year=2023/all.parquet': rows(2023, 130),
    },
  );
  warnings = warningsOf(await buildPublisher(folder));
}, 120_000);

afterAll(() => rm(folder.root, { recursive: true, force: true }));

async function document(name: string) {
  return JSON.parse(await readFile(path.join(folder.out, 'api/v1', name), 'utf8'));
}

test('years and levels are those of the lake, and names stand as the source writes them', async () => {
  const schema = await document('datasets/demografia/poblacion/index.json');
  expect(schema).toMatchObject({
    title: 'Población',
    available_years: [2021, 2023],
    year_gaps: [2022],
    detail_levels: ['all'],
    default_detail: 'all',
  });
  const names = schema.columns.map(({ name, label }: { name: string; label: string }) => `${name}|${label}`);
  expect(names).toEqual(Object.values(NAMES).map(name => `${name}|${name}`));
  const csv = await readFile(path.join(folder.out, 'api/v1/demografia/poblacion/year=2023/all.csv'), 'utf8');
  expect(csv.split('\n')[0]).toContain(`"${NAMES.percent.replaceAll('"', '""')}"`);
  expect(warnings.filter(text => !text.startsWith('contract-guesses'))).toEqual([]);
});

test('parameters that every dataset has stay its own', async () => {
  const { filters } = await document('datasets/demografia/poblacion/index.json');
  const params = filters.map(({ param, column }: { param: string; column: string }) => `${param}|${column}`);
  expect(params).toEqual(expect.arrayContaining(['limit_column|limit', 'Detail_column|Detail']));
  expect(new Set(filters.map(({ param }: { param: string }) => param)).size).toBe(params.length);
});

test('values.json lists categories and no free text', async () => {
  const { columns: listed } = await document('demografia/poblacion/values.json');
  const names = listed.map(({ column }: { column: string }) => column);
  expect([names.includes(NAMES.region), names.includes(NAMES.note)]).toEqual([true, false]);
});

test('the tree is whole', async () => {
  await expect(verify(folder.out)).resolves.toMatchObject({ slices: 2 });
});

test('random requests have the rows that DuckDB finds in the lake', { timeout: 120_000 }, async () => {
  // They are checked against what a contract states, so this one states all that the build guessed.
  const { order } = await document('demografia/poblacion/manifest.json');
  const properties = Object.entries({ detail_levels: ['all'], default_detail: 'all', grain: order });
  const stated = path.join(folder.root, 'stated');
  const customProperties = properties.map(([property, value]) => ({ property, value }));
  await writeTexts(stated, {
    'a.odcs.yaml': stringify({
      kind: 'DataContract',
      domain: 'demografia',
      id: 'demografia.poblacion',
      customProperties: [{ property: 'available_years', value: [2021, 2023] }],
      schema: [{ name: 'poblacion', customProperties, properties: parse(columns) }],
    }),
  });
  const { data: lake, out: tree } = folder;
  const result = await fuzz({ contracts: stated, lake, tree, seed: 5, requests: 100 });
  expect(result.failure).toBeNull();
  expect(result.answered).toBeGreaterThan(50);
});

test.each([
  [NAMES.region, 'Ñuble', 38],
  [NAMES.quote, "a'b", 48],
  [NAMES.comma, '%20', 38],
  ['limit_column', 'low', 95],
  ['Detail_column', 'all', 95],
  [NAMES.proto, 'constructor', 95],
  [NAMES.note, 'Text number 7', 2],
])('%s=%s, by every executor', async (param, value, total) => {
  const url = `/api/v1/demografia/poblacion?${encodeURIComponent(param)}=${encodeURIComponent(value)}`;
  const texts = await Promise.all(EXECUTORS.map(async name => (await askTree(folder.out, name)(url)).text()));
  expect(JSON.parse(texts[0]!)).toMatchObject({ total });
  expect(texts[1]).toBe(texts[0]);
});
