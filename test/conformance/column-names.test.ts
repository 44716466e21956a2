/** Columns with any name that a header can hold, from a contract with only columns to the edge's answers. */
import { beforeAll, expect, test } from 'vitest';
import type { SchemaDocument, ValuesDocument } from '../../build/format/documents.ts';
import { newPublisher, type Publisher } from '../publishers/publisher-folder.ts';
import { expectRowsOfLake } from './executors.ts';

/** A name, its type, and the value of row i. */
const COLUMNS = [
  ['región del país', 'string', `['Ñuble', 'A; B', 'x"y', 'Ñuble ', NULL][1 + i % 5]`],
  ['% de "jóvenes"', 'number', 'i / 7.0'],
  ["l'âge; DROP TABLE x--", 'string', `['a''b', '007', ' ', 'Ä'][1 + i % 4]`],
  ['1er trimestre', 'string', `['1', '2'][1 + i % 2]`],
  ['a,b=c&d?e#f+g', 'string', `['&', '=', '+', '%20', ', '][1 + i % 5]`],
  ['limit', 'string', `['low', 'high'][1 + i % 2]`],
  ['Detail', 'string', `['all', 'some'][1 + i % 2]`],
  ['人口 👪', 'integer', 'i'],
  ['select', 'string', `['from', 'where'][1 + i % 2]`],
  ['constructor', 'string', `['toString', 'constructor'][1 + i % 2]`],
  ['../x\\y', 'string', `['/', '\\'][1 + i % 2]`],
  ['Year', 'integer', '{year}'],
  ['nota', 'string', `'Text number ' || i`],
  ['importe (€)', 'number', 'i * 0.1'],
] as const;

const rows = (year: number, count: number) =>
  `SELECT ${COLUMNS.map(([name, , value]) => `${value.replace('{year}', String(year))} AS "${name.replaceAll('"', '""')}"`)} FROM range(${count}) t(i)`;
const columns = COLUMNS.map(
  ([name, type]) => `      - { name: ${JSON.stringify(name)}, logicalType: ${type} }\n`,
).join('');

let folder: Publisher;
let warnings: readonly string[];
beforeAll(async () => {
  const contract = `kind: DataContract\nschema:\n  - name: Población\n    properties:\n${columns}`;
  folder = await newPublisher(
    { 'Demografía/población.yaml': contract, 'publisher.yaml': 'service: Odd names\n' },
    {
      'demografia/poblacion/year=2021/all.parquet': rows(2021, 60),
      'demografia/poblacion/year=2023/all.parquet': rows(2023, 130),
    },
  );
  warnings = (await folder.build()).warnings;
});

test("names are the source's own; the common parameters keep their names", async () => {
  const read = <T>(name: string) => folder.json<T>(`api/v1/${name}`);
  const schema = await read<SchemaDocument>('datasets/demografia/poblacion/index.json');
  const years = { available_years: [2021, 2023], year_gaps: [2022], detail_levels: ['all'] };
  expect(schema).toMatchObject({ title: 'Población', ...years, default_detail: 'all' });
  expect(schema.columns.map(({ name, label }) => `${name}|${label}`)).toEqual(
    COLUMNS.map(([name]) => `${name}|${name}`),
  );
  const csv = await folder.text('api/v1/demografia/poblacion/year=2023/all.csv');
  expect(csv.split('\n')[0]).toContain('"% de ""jóvenes"""');
  expect(warnings.filter(text => !text.startsWith('contract-guesses'))).toEqual([]);
  const params = new Map(schema.filters.map(({ param, column }) => [param, column]));
  expect([params.get('limit_column'), params.get('Detail_column')]).toEqual(['limit', 'Detail']);
  expect(params.size).toBe(schema.filters.length);
  // Categories are listed, free text isn't.
  const listed = (await read<ValuesDocument>('demografia/poblacion/values.json')).columns.map(
    one => one.column,
  );
  expect([listed.includes('región del país'), listed.includes('nota')]).toEqual([true, false]);
  await expect(folder.verify()).resolves.toMatchObject({ slices: 2 });
});

test('random requests have the rows that DuckDB finds in the lake', () =>
  expectRowsOfLake({ lake: folder.data, tree: folder.out }));
