import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, expect, test } from 'vitest';
import { duckDbSql } from '../../build/documents/root-texts.ts';
import type { DescribedTree } from '../../build/documents/tree-description.ts';
import type { DatasetManifest, DimensionManifest, TreeManifest } from '../../build/format/manifest.ts';
import { readTreeJson } from '../publishers/built-tree.ts';
import { useSampleTree } from './sample-tree.ts';

const sample = useSampleTree();

let connection: DuckDBConnection;
let manifest: TreeManifest;
let sql: string;

beforeAll(async () => {
  sql = await readFile(path.join(sample.tree, 'api/v1/duckdb.sql'), 'utf8');
  manifest = await readTree('manifest.json');
  connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(
    sql.replace(/^SET VARIABLE civic_tree = .*$/m, `SET VARIABLE civic_tree = '${sample.tree}/';`),
  );
});

const readTree = <T>(file: string) => readTreeJson<T>(sample.tree, file);

const rows = async (text: string) => (await connection.runAndReadAll(text)).getRows();

test('one view of each dataset and of each dimension', async () => {
  const views = await rows(
    `SELECT schema_name || '/' || view_name FROM duckdb_views() WHERE NOT internal ORDER BY 1`,
  );
  const wanted = [
    ...manifest.datasets.map(({ key }) => key),
    ...manifest.dimensions.map(({ key }) => key.replace('/_dimensions/', '/_')),
  ];
  expect(views.map(([name]) => name)).toEqual(wanted.sort());
});

const namesOf = async (view: string) => (await rows(`DESCRIBE ${view}`)).map(([name]) => name);

test('datasets have the rows of their slices, and those of the CSV, cell for cell', async () => {
  for (const { key, path: file } of manifest.datasets) {
    const view = `"${key.replace('/', '"."')}"`;
    const { slices, columns } = await readTree<DatasetManifest>(file);
    const counted = `SELECT year, detail, count(*)::INTEGER FROM ${view} GROUP BY ALL ORDER BY year, detail`;
    const held = slices.filter(slice => slice.rows > 0);
    expect([key, await rows(counted)]).toEqual([
      key,
      held.map(({ year, detail, rows }) => [year, detail, rows]),
    ]);
    expect(await namesOf(view)).toEqual(['detail', ...columns.map(column => column.name)]);
    const { year, detail, files } = slices.at(-1)!;
    const csv = path.join(sample.tree, path.dirname(file), files.csv[0]!.path);
    const types = columns.map(({ name, parquet }) => `'${name}': '${SQL_TYPES[parquet] ?? 'VARCHAR'}'`);
    const names = columns.map(column => `"${column.name}"`);
    const stored = `SELECT ${names} FROM read_csv('${csv}', header = true, columns = {${types}}, auto_detect = false, delim = ',', quote = '"', escape = '"')`;
    const viewed = `SELECT ${names} FROM ${view} WHERE year = ${year} AND detail = '${detail}'`;
    const both = `(${stored} EXCEPT ALL ${viewed}) UNION ALL (${viewed} EXCEPT ALL ${stored})`;
    expect([key, await rows(`SELECT count(*)::INTEGER FROM (${both})`)]).toEqual([key, [[0]]]);
  }
});

const SQL_TYPES: Readonly<Record<string, string>> = {
  ...{ BOOLEAN: 'BOOLEAN', INT32: 'INTEGER', INT64: 'BIGINT', DOUBLE: 'DOUBLE' },
};

test('dimensions have their rows', async () => {
  for (const { key, path: file, rows: total } of manifest.dimensions) {
    const view = `"${key.replace('/_dimensions/', '"."_')}"`;
    const { columns } = await readTree<DimensionManifest>(file);
    expect(await rows(`SELECT count(*)::INTEGER FROM ${view}`)).toEqual([[total]]);
    expect(await namesOf(view)).toEqual(columns.map(column => column.name));
  }
});

test('it only sets the address and makes schemas and views', () => {
  const statements = sql.replace(/^--.*$/gm, '').split(';\n');
  for (const statement of statements.map(text => text.trim()).filter(text => text !== '')) {
    expect(statement).toMatch(
      /^(SET VARIABLE civic_tree = '[^'\n]*'|CREATE SCHEMA IF NOT EXISTS "[a-z0-9_-]+"|CREATE OR REPLACE VIEW "[a-z0-9_-]+"\."_?[a-z0-9_-]+" AS\n)/,
    );
    expect(statement).not.toMatch(/\b(INSTALL|LOAD|ATTACH|COPY|PRAGMA|DROP|getenv)\b/);
  }
});

test("a publisher's texts can't leave their comment, or an address its quotes", async () => {
  const text = duckDbSql({
    publisher: { service: "x\nDROP TABLE t; --\r'; ATTACH 'y';\u2028SELECT 1;" },
    release: 'r',
    sample: false,
    extract: null,
    baseUrl: "https://example.org/it's/'; DROP TABLE t; --/",
    datasets: [] as DescribedTree['datasets'],
    dimensions: [] as DescribedTree['dimensions'],
  } as DescribedTree);
  await connection.run('CREATE TABLE t AS SELECT 1 AS a');
  await connection.run(text);
  const found = await rows("SELECT count(*)::INTEGER, getvariable('civic_tree') FROM t");
  expect(found).toEqual([[1, "https://example.org/it's/'; DROP TABLE t; --/"]]);
});
