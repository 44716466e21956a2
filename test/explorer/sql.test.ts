/** SQL in the browser: over the small tree whose rows are known, and the contracts' own queries over the sample. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, test } from 'vitest';
import type { TreeManifest } from '../../build/format/manifest.ts';
import type { SchemaDocument } from '../../build/format/schema.ts';
import type { Cell, Engine } from '../../site/explorer/engine/engine.ts';
import { allRows } from '../edge/tree/rows.ts';
import { CHROMIUM, startPlainHost, useHost } from './browser.ts';
import { bundledThings } from './bundle.ts';
import { openEnginePage, useEngine } from './engine-page.ts';
import { useExplored } from './explored-tree.ts';

/** Rows as SQL has them: their level first. */
const EVERYTHING = ['areas', 'units', 'whole'].flatMap(level =>
  allRows(level).map((row): Cell[] => [level, ...row]),
);
const AREAS = EVERYTHING.filter(([level]) => level === 'areas');
const AREAS_2022 = AREAS.filter(([, year]) => year === 2022);
const WITH_UNIT = EVERYTHING.filter(row => row[5] !== null).length;
const lastYear = (code: Cell) => Math.max(...AREAS.filter(row => row[2] === code).map(row => Number(row[1])));

describe.skipIf(CHROMIUM === null)('SQL in Chromium over a small tree', () => {
  const host = useHost(async () => startPlainHost(await bundledThings(), { base: '/repo/' }));
  const engine = useEngine(host);

  test.each<[string, string, readonly (readonly Cell[])[]]>([
    [
      'rows of every level are counted',
      'SELECT detail, count(*) FROM things GROUP BY ALL ORDER BY ALL',
      ['areas', 'units', 'whole'].map(level => [level, EVERYTHING.filter(row => row[0] === level).length]),
    ],
    [
      'a name of domain and topic in quotes',
      `SELECT * FROM "demo/things" WHERE detail = 'areas' AND year = 2022;`,
      AREAS_2022,
    ],
    [
      'a name of a schema, and lists',
      "SELECT * FROM demo.things WHERE year BETWEEN 2022 AND 2022 AND detail IN ('areas', 'nowhere')",
      AREAS_2022,
    ],
    [
      'a name in capitals, and what no file can be left out for',
      "SELECT * FROM THINGS WHERE detail <> 'units' AND detail <> 'whole' AND year + 0 = 2022",
      AREAS_2022,
    ],
    [
      'NULL is asked for',
      'SELECT count(*) FROM things WHERE unit_code IS NULL',
      [[EVERYTHING.length - WITH_UNIT]],
    ],
    [
      'NULL is not counted',
      'SELECT count(*), count(unit_code) FROM things',
      [[EVERYTHING.length, WITH_UNIT]],
    ],
    [
      'dimensions, subqueries and the table itself are joined',
      `WITH one AS (SELECT area_code, max(year) AS last FROM things WHERE detail = 'areas' GROUP BY 1)
       SELECT count(*) FROM one JOIN areas a USING (area_code) JOIN things t ON t.area_code = one.area_code
         AND t.year = one.last WHERE t.detail = 'areas' -- things`,
      [[AREAS.filter(row => row[2] !== null && row[1] === lastYear(row[2] ?? null)).length]],
    ],
  ])('%s', async (_, statement, wanted) => {
    expect((await engine.sql(statement)).rows).toEqual(wanted);
  });

  test.each<[string, Cell, string]>([
    ["DATE '2024-02-29'", '2024-02-29', 'string'],
    ['[1, NULL]', '[1, NULL]', 'string'],
    ['1.50::DECIMAL(9,2)', 1.5, 'number'],
    ['sum(9007199254740991)', 9007199254740991, 'integer'],
    ["'é'", 'é', 'string'],
    ["''", '', 'string'],
    ["'007'", '007', 'string'],
    ['1e300', 1e300, 'number'],
    ['true', true, 'boolean'],
    ['7::BIGINT', 7, 'integer'],
    // More digits than a number of JavaScript has: none is lost.
    ['9007199254740993::BIGINT', '9007199254740993', 'string'],
    ['-123456789012345678901::HUGEINT', '-123456789012345678901', 'string'],
    ['1.10::DECIMAL(38,18)', '1.100000000000000000', 'string'],
  ])('the value of %s', async (expression, value, type) => {
    const { rows, types } = await engine.sql(`SELECT ${expression}`);
    expect([rows, types]).toEqual([[[value]], [type]]);
  });

  test('columns twice, names that need quotes, whole rows, and more rows than a screen takes', async () => {
    const { columns } = await engine.sql(`SELECT year, year, year AS "a ""b""" FROM things LIMIT 1`);
    expect(columns).toEqual(['year', 'year_1', 'a "b"']);
    const whole = await engine.sql("SELECT t FROM things t WHERE detail = 'whole' LIMIT 1");
    expect(String(whole.rows[0]![0])).toMatch(/'rate': .*'people': .*'note': /);
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
      const { engine: asked } = globalThis as unknown as { engine: Engine };
      const control = new AbortController();
      setTimeout(() => control.abort(), 300);
      // It would take days.
      const endless =
        'SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range + b.range = 3';
      const name = await asked
        .sql(endless, { signal: control.signal })
        .catch((reason: unknown) => (reason as Error).name);
      return [name, (await asked.sql('SELECT 42 AS n')).cell(0, 0)];
    });
    expect(found).toEqual(['AbortError', 42]);
  });

  test('tells how far it is, and a request of a worker to another host would be seen', async () => {
    const other = await openEnginePage(host.url);
    const { stages } = await other.sql('SELECT count(*) FROM things');
    expect(stages).toEqual(expect.arrayContaining(['plan', 'start', 'fetch', 'compute']));
    await other.page.route('**/stray.js', route =>
      route.fulfill({
        contentType: 'text/javascript',
        body: "fetch('http://127.0.0.1:9/x').catch(() => postMessage(1))",
      }),
    );
    await other.page.evaluate(
      address => new Promise(done => Object.assign(new Worker(`${address}stray.js`), { onmessage: done })),
      host.url,
    );
    expect(other.faults.join()).toContain('127.0.0.1:9');
    await other.close();
  });
});

describe.skipIf(CHROMIUM === null)('SQL in Chromium over the sample', () => {
  const sample = useExplored();
  const engine = useEngine(
    useHost(() => startPlainHost(sample.tree)),
    'robots.txt',
  );

  test("the contracts' own queries give what DuckDB gives over the published files", {
    timeout: 120_000,
  }, async () => {
    const read = async <Document>(file: string) =>
      JSON.parse(await readFile(path.join(sample.tree, file), 'utf8')) as Document;
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const sql = await readFile(path.join(sample.tree, 'api/v1/duckdb.sql'), 'utf8');
    await connection.run(
      sql.replace(/^SET VARIABLE civic_tree = .*$/m, `SET VARIABLE civic_tree = '${sample.tree}/';`),
    );
    let asked = 0;
    for (const { key } of (await read<TreeManifest>('manifest.json')).datasets) {
      const [domain, topic] = key.split('/');
      await connection.run(`CREATE VIEW "${topic}" AS FROM "${domain}"."${topic}"`);
      const schema = await read<SchemaDocument>(`api/v1/datasets/${key}/index.json`);
      for (const { query } of schema.example_queries) {
        // Which of several alike come first, a limit does not say.
        const statement = query.replace(/ LIMIT \d+$/, '');
        const wanted = (await connection.runAndReadAll(statement)).getRowsJson() as Cell[][];
        const { rows } = await engine.sql(statement);
        expect([key, statement, normalize(rows)]).toEqual([key, statement, normalize(wanted)]);
        asked++;
      }
    }
    expect(asked).toBeGreaterThan(10);
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
