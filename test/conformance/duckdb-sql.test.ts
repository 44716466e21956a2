import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, expect, test } from 'vitest';
import { duckDbSql } from '../../build/catalog/duckdb-sql.ts';
import type { DatasetManifest, DimensionManifest, TreeManifest } from '../../build/format/manifest.ts';
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

async function readTree<Document>(file: string): Promise<Document> {
  return JSON.parse(await readFile(path.join(sample.tree, file), 'utf8')) as Document;
}

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

test('datasets have the rows of their slices, and those of the CSV, cell for cell', async () => {
  for (const { key, path: file } of manifest.datasets) {
    const [domain, topic] = key.split('/');
    const { slices, columns, rows: total } = await readTree<DatasetManifest>(file);
    const counted = await rows(
      `SELECT year, detail, count(*)::INTEGER FROM "${domain}"."${topic}" GROUP BY ALL ORDER BY year, detail`,
    );
    const held = slices.filter(slice => slice.rows > 0);
    expect([key, counted]).toEqual([key, held.map(slice => [slice.year, slice.detail, slice.rows])]);
    expect(held.reduce((sum, slice) => sum + slice.rows, 0)).toBe(total);
    const described = await rows(`DESCRIBE "${domain}"."${topic}"`);
    expect(described.map(([name]) => name)).toEqual(['detail', ...columns.map(column => column.name)]);
    const slice = slices.at(-1)!;
    const csv = path.join(sample.tree, path.dirname(file), slice.files.csv[0]!.path);
    const types = columns
      .map(({ name, type, parquet }) => `'${name}': '${sqlType(type, parquet)}'`)
      .join(', ');
    const names = columns.map(column => `"${column.name}"`).join(', ');
    const stored = `SELECT ${names} FROM read_csv('${csv}', header = true, columns = {${types}}, auto_detect = false, delim = ',', quote = '"', escape = '"')`;
    const viewed = `SELECT ${names} FROM "${domain}"."${topic}" WHERE year = ${slice.year} AND detail = '${slice.detail}'`;
    const differing = await rows(
      `SELECT count(*)::INTEGER FROM ((${stored} EXCEPT ALL ${viewed}) UNION ALL (${viewed} EXCEPT ALL ${stored}))`,
    );
    expect([key, differing]).toEqual([key, [[0]]]);
  }
});

function sqlType(type: string, parquet: string): string {
  if (type === 'string') return 'VARCHAR';
  return { BOOLEAN: 'BOOLEAN', INT32: 'INTEGER', INT64: 'BIGINT', DOUBLE: 'DOUBLE' }[parquet] ?? 'VARCHAR';
}

test('dimensions have their rows', async () => {
  for (const { key, path: file, rows: total } of manifest.dimensions) {
    const [domain, , name] = key.split('/');
    const { columns } = await readTree<DimensionManifest>(file);
    expect(await rows(`SELECT count(*)::INTEGER FROM "${domain}"."_${name}"`)).toEqual([[total]]);
    const described = await rows(`DESCRIBE "${domain}"."_${name}"`);
    expect(described.map(([column]) => column)).toEqual(columns.map(column => column.name));
  }
});

test('it does nothing but set the address and make schemas and views', () => {
  const statements = sql
    .split('\n')
    .filter(line => !line.startsWith('--'))
    .join('\n')
    .split(';\n')
    .map(text => text.trim())
    .filter(text => text !== '');
  for (const statement of statements) {
    expect(statement).toMatch(
      /^(SET VARIABLE civic_tree = '[^'\n]*'|CREATE SCHEMA IF NOT EXISTS "[a-z0-9_-]+"|CREATE OR REPLACE VIEW "[a-z0-9_-]+"\."_?[a-z0-9_-]+" AS\n)/,
    );
    expect(statement).not.toMatch(/\b(INSTALL|LOAD|ATTACH|COPY|PRAGMA|DROP|getenv)\b/);
  }
});

test("a publisher's words cannot leave their comment, nor an address its quotes", async () => {
  const text = duckDbSql({
    service: "x\nDROP TABLE t; --\r'; ATTACH 'y';\u2028SELECT 1;",
    release: 'r',
    notice: null,
    baseUrl: "https://example.org/it's/'; DROP TABLE t; --/",
    datasets: [],
    dimensions: [],
  });
  const own = await (await DuckDBInstance.create(':memory:')).connect();
  await own.run('CREATE TABLE t AS SELECT 1 AS a');
  await own.run(text);
  expect(
    (await own.runAndReadAll("SELECT count(*)::INTEGER, getvariable('civic_tree') FROM t")).getRows(),
  ).toEqual([[1, "https://example.org/it's/'; DROP TABLE t; --/"]]);
});
