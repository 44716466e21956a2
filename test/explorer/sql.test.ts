import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TreeManifest } from '../../build/format/manifest.ts';
import type { SchemaDocument } from '../../build/format/schema.ts';
import type { Cell } from '../../site/explorer/engine/engine.ts';
import { useSampleTree } from '../conformance/sample-tree.ts';
import { allRows } from '../edge/tree/rows.ts';
import { writeTree } from '../edge/tree/write.ts';
import { CHROMIUM, type Host, launchBrowser, startPlainHost } from './browser.ts';
import { addBundle, bundledTree } from './bundle.ts';
import { type EnginePage, openEnginePage } from './engine-page.ts';

describe.skipIf(CHROMIUM === null)('SQL in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  describe('over a small tree', () => {
    let folder: string;
    let host: Host;
    let engine: EnginePage;
    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'sql-'));
      await writeTree(folder, { sample: true });
      await addBundle(folder);
      host = await startPlainHost(folder, { base: '/repo/' });
      engine = await openEnginePage(browser, host.url);
    }, 120_000);
    afterAll(async () => {
      expect(engine.faults).toEqual([]);
      await engine.close();
      await host.close();
      await rm(folder, { recursive: true });
    });

    const everything = ['areas', 'units', 'whole'].flatMap(level =>
      allRows(level).map((row): Cell[] => [level, ...row]),
    );

    test('counts the rows of every level', async () => {
      const { rows, types, stages } = await engine.sql(
        'SELECT detail, count(*) FROM things GROUP BY ALL ORDER BY ALL',
      );
      expect(types).toEqual(['string', 'integer']);
      const count = (level: string) => everything.filter(row => row[0] === level).length;
      expect(rows).toEqual(['areas', 'units', 'whole'].map(level => [level, count(level)]));
      expect(stages).toEqual(expect.arrayContaining(['plan', 'start', 'fetch', 'compute']));
    });

    const AREAS_2022 = everything.filter(row => row[0] === 'areas' && row[1] === 2022);
    test.each([
      ['"demo/things"', "detail = 'areas' AND year = 2022"],
      ['demo.things', "year BETWEEN 2022 AND 2022 AND detail IN ('areas', 'nowhere')"],
      ['THINGS', "detail <> 'units' AND detail <> 'whole' AND year + 0 = 2022"],
    ])('gives rows as they are: %s where %s', async (table, condition) => {
      const { rows } = await engine.sql(`SELECT * FROM ${table} WHERE ${condition};`);
      expect(rows).toEqual(AREAS_2022);
    });

    test('knows what is NULL', async () => {
      const none = everything.filter(row => row[5] === null).length;
      expect((await engine.sql('SELECT count(*) FROM things WHERE unit_code IS NULL')).rows).toEqual([
        [none],
      ]);
      const { rows } = await engine.sql('SELECT count(*), count(unit_code) FROM things');
      expect(rows).toEqual([[everything.length, everything.length - none]]);
    });

    test('joins dimensions, subqueries and itself', async () => {
      const { rows } = await engine.sql(
        `WITH one AS (SELECT area_code, max(year) AS last FROM things WHERE detail = 'areas' GROUP BY 1)
         SELECT a.area_type, one.last, count(*) AS n
         FROM one JOIN areas a USING (area_code) JOIN things t ON t.area_code = one.area_code AND t.year = one.last
         WHERE t.detail = 'areas' GROUP BY ALL ORDER BY ALL -- things`,
      );
      const codes = new Map<Cell, number>();
      for (const row of everything)
        if (row[0] === 'areas')
          codes.set(row[2] ?? null, Math.max(codes.get(row[2] ?? null) ?? 0, Number(row[1])));
      const matching = everything.filter(
        row => row[0] === 'areas' && row[2] !== null && row[1] === codes.get(row[2] ?? null),
      );
      expect(rows.reduce((sum, row) => sum + Number(row[2]), 0)).toBe(matching.length);
    });

    test('a whole row as a value has all its columns', async () => {
      const { rows } = await engine.sql("SELECT t FROM things t WHERE detail = 'whole' LIMIT 1");
      expect(String(rows[0]![0])).toMatch(/'rate': .*'people': .*'note': /);
    });

    test('values that JavaScript has no type for are texts, and large sums are numbers', async () => {
      const { rows, types } = await engine.sql(
        `SELECT DATE '2024-02-29', [1, NULL], 1.50::DECIMAL(9,2), sum(9007199254740991), 'é', '', NULL, 1e300, true`,
      );
      expect(rows).toEqual([['2024-02-29', '[1, NULL]', 1.5, 9007199254740991, 'é', '', null, 1e300, true]]);
      expect(types.slice(0, 4)).toEqual(['string', 'string', 'number', 'integer']);
    });

    test('a number with more digits than JavaScript has is a text, and none is lost', async () => {
      const { rows, types } = await engine.sql(
        "SELECT 9007199254740993::BIGINT, -123456789012345678901::HUGEINT, 1.10::DECIMAL(38,18), 7::BIGINT, '007'",
      );
      expect(rows).toEqual([
        ['9007199254740993', '-123456789012345678901', '1.100000000000000000', 7, '007'],
      ]);
      expect(types).toEqual(['string', 'string', 'string', 'integer', 'string']);
    });

    test('a column twice, and names that need quotes', async () => {
      const { columns } = await engine.sql(`SELECT year, year, year AS "a ""b""" FROM things LIMIT 1`);
      expect(columns).toEqual(['year', 'year_1', 'a "b"']);
    });

    test('more rows than a screen takes are cut, and that is said', async () => {
      const { rows, more } = await engine.sql('SELECT * FROM range(100001)');
      expect([rows.length, more]).toEqual([100_000, true]);
      expect((await engine.sql('SELECT * FROM range(100000)')).more).toBe(false);
    });

    test.each([
      ['SELECT nope FROM things', /nope.*not found[\s\S]*LINE 1/],
      ['SELECT 1,\n FROM FROM things', /syntax error[\s\S]*LINE 2/],
      ['SELECT * FROM no_such_table', /no_such_table does not exist/],
      ['', /No statement/],
      ['SELECT 1; SELECT 2', /multiple statements/],
      ['DROP VIEW things', /Only one SELECT/],
      ['CREATE TABLE x AS SELECT 1', /Only one SELECT/],
      ['SET threads = 4', /Only one SELECT/],
      ["COPY things TO 'x.csv'", /disabled/],
      ['INSTALL httpfs', /Only one SELECT/],
      ['LOAD parquet', /Only one SELECT/],
      ["ATTACH 'https://example.org/a.db'", /Only one SELECT/],
      ['SELECT 1) ; INSTALL httpfs; SELECT (1', /syntax error|multiple statements/],
      ["SELECT * FROM read_parquet('https://example.org/x.parquet')", /parquet/],
      ["SELECT * FROM read_csv('https://example.org/x.csv')", /disabled/],
      ["SELECT * FROM 'https://example.org/x.csv'", /disabled/],
      ["SELECT * FROM read_text('/etc/passwd')", /disabled|read_text/],
      ["SELECT * FROM glob('*')", /disabled/],
      ["SELECT getenv('HOME')", /getenv/],
      ['SELECT error($$out$$)', /out/],
    ])('refuses %s', async (statement, message) => {
      await expect(engine.sql(statement)).rejects.toThrow(message);
    });

    test('goes on after a statement was cancelled', async () => {
      const found = await engine.page.evaluate(async () => {
        const { engine: asked } = globalThis as unknown as {
          engine: import('../../site/explorer/engine/engine.ts').Engine;
        };
        const control = new AbortController();
        const started = performance.now();
        setTimeout(() => control.abort(), 300);
        const error = await asked
          .sql('SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range + b.range = 3', {
            signal: control.signal,
          })
          .catch((reason: unknown) => reason);
        const cancelled = performance.now() - started;
        const after = await asked.sql('SELECT 42 AS n');
        return {
          name: (error as Error).name,
          cancelled,
          took: performance.now() - started,
          n: after.cell(0, 0),
        };
      });
      expect(found).toMatchObject({ name: 'AbortError', n: 42 });
      expect(found.cancelled).toBeLessThan(2000);
      expect(found.took).toBeLessThan(10_000);
    });

    test('a request of the worker to another host would be seen', async () => {
      const other = await openEnginePage(browser, host.url);
      await writeFile(
        path.join(folder, 'stray.js'),
        "fetch('http://127.0.0.1:9/x').catch(() => postMessage(1))",
      );
      await other.page.evaluate(
        address => new Promise(done => Object.assign(new Worker(`${address}stray.js`), { onmessage: done })),
        host.url,
      );
      expect(other.faults.join()).toContain('127.0.0.1:9');
      await other.close();
    });
  });

  describe('over the sample', () => {
    const sample = useSampleTree();
    let host: Host;
    let engine: EnginePage;
    let connection: DuckDBConnection;
    const queries: { key: string; query: string }[] = [];

    beforeAll(async () => {
      host = await startPlainHost(await bundledTree(sample.tree));
      engine = await openEnginePage(browser, host.url);
      const read = async <Document>(file: string) =>
        JSON.parse(await readFile(path.join(sample.tree, file), 'utf8')) as Document;
      connection = await (await DuckDBInstance.create(':memory:')).connect();
      const sql = await readFile(path.join(sample.tree, 'api/v1/duckdb.sql'), 'utf8');
      await connection.run(
        sql.replace(/^SET VARIABLE civic_tree = .*$/m, `SET VARIABLE civic_tree = '${sample.tree}/';`),
      );
      for (const { key } of (await read<TreeManifest>('manifest.json')).datasets) {
        const [domain, topic] = key.split('/');
        await connection.run(`CREATE VIEW "${topic}" AS FROM "${domain}"."${topic}"`);
        const schema = await read<SchemaDocument>(`api/v1/datasets/${key}/index.json`);
        // Which of several alike come first, a limit does not say.
        for (const { query } of schema.example_queries)
          queries.push({ key, query: query.replace(/ LIMIT \d+$/, '') });
      }
    }, 240_000);
    afterAll(async () => {
      expect(engine.faults).toEqual([]);
      await engine.close();
      await host.close();
    });

    test("the contracts' own queries give what DuckDB gives over the published files", async () => {
      expect(queries.length).toBeGreaterThan(10);
      for (const { key, query } of queries) {
        const wanted = (await connection.runAndReadAll(query)).getRowsJson() as Cell[][];
        const { rows } = await engine.sql(query);
        expect([key, query, normalize(rows)]).toEqual([key, query, normalize(wanted)]);
      }
    }, 120_000);
  });
});

/** Sorted, since not every query orders its rows wholly; sums to twelve digits, since they depend on the order. */
function normalize(rows: readonly (readonly Cell[])[]): string[] {
  const text = (cell: Cell) => {
    if (cell === null || cell === '') return String(cell);
    return Number.isFinite(Number(cell)) ? Number(cell).toPrecision(12) : String(cell);
  };
  return rows.map(row => row.map(text).join(' | ')).sort();
}
