/**
 * The engine in the browser gives the API's answers, runs SQL over the tree, and refuses files that weren't
 * published.
 */
import { cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Scalar, SchemaDocument } from '../../build/format/documents.ts';
import type { TreeManifest } from '../../build/format/manifest.ts';
import { openLake } from '../../scripts/fuzz/lake.ts';
import { questions, questionUrl as randomUrl } from '../../scripts/fuzz/questions.ts';
import type { Engine } from '../../site/explorer/engine/engine.ts';
import { encodeCsvValue } from '../../site/query/encode.ts';
import { QUESTIONS } from '../conformance/questions.ts';
import { useSampleTree } from '../conformance/sample-tree.ts';
import { matchingRows, questionUrl } from '../edge/tree/reference.ts';
import { allRows, COLUMNS } from '../edge/tree/rows.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { randomRuns } from '../random-runs.ts';
import { CHROMIUM, startEdgeHost, startPlainHost, useHost } from './browser.ts';
import { openEnginePage, pagedThings, useEngine } from './engine-page.ts';

const KEY = 'demo/things';
const { out: tree } = await pagedThings();
const REQUESTS = randomRuns(40);
/** The most that some hosts accept as one file. */
const MOST_BYTES = 25 << 20;

test("every host accepts the size of the bundle's files", async () => {
  const assets = path.join(tree, 'assets');
  for (const name of await readdir(assets))
    expect([name, (await stat(path.join(assets, name))).size < MOST_BYTES]).toEqual([name, true]);
});

/** Rows in SQL begin with their level. */
const EVERYTHING = ['areas', 'units', 'whole'].flatMap(level =>
  allRows(level).map((row): Cell[] => [level, ...row]),
);
const AREAS = EVERYTHING.filter(([level]) => level === 'areas');
const AREAS_2022 = AREAS.filter(([, year]) => year === 2022);
const WITH_UNIT = EVERYTHING.filter(row => row[5] !== null).length;
const lastYear = (code: Cell) => Math.max(...AREAS.filter(row => row[2] === code).map(row => Number(row[1])));
const OF_LAST_YEAR = AREAS.filter(row => row[2] !== null && row[1] === lastYear(row[2] ?? null)).length;

type Cell = Scalar | null;

describe.skipIf(CHROMIUM === null)('over the small tree, on a compressing host under a sub-path', () => {
  const host = useHost(() => startPlainHost(tree, { base: '/repo/', gzip: true }));
  const engine = useEngine(host);

  test.each(QUESTIONS)('%s: all rows, and the first of them', async (_, { limit, ...question }) => {
    const parameters = (of: typeof question & { limit?: number }) =>
      [...new URL(questionUrl(of), host.url).searchParams] as [string, string][];
    const wanted = matchingRows(question);
    const { offset = 0 } = question;
    const all = await engine.ask(KEY, parameters(limit === undefined ? question : { ...question, limit }));
    expect(all.columns).toEqual(COLUMNS.map(column => column.name));
    expect(all.rows).toEqual(wanted.slice(offset, offset + (limit ?? Infinity)).map(row => [...row]));
    const first = await engine.ask(KEY, parameters(question), { limit: 20 });
    expect(first.rows).toEqual(wanted.slice(offset, offset + 20).map(row => [...row]));
    expect([wanted.length, null]).toContain(first.total);
  });

  // A name of domain and topic, in a schema, in capitals where no file can be left out, and joins with
  // itself.
  test.each<[string, readonly (readonly Cell[])[]]>([
    [`SELECT * FROM "demo/things" WHERE detail = 'areas' AND year = 2022;`, AREAS_2022],
    [
      "SELECT * FROM demo.things WHERE year BETWEEN 2022 AND 2022 AND detail IN ('areas', 'nowhere')",
      AREAS_2022,
    ],
    ["SELECT * FROM THINGS WHERE detail <> 'units' AND detail <> 'whole' AND year + 0 = 2022", AREAS_2022],
    ['SELECT count(*) FROM things WHERE unit_code IS NULL', [[EVERYTHING.length - WITH_UNIT]]],
    ['SELECT count(*), count(unit_code) FROM things', [[EVERYTHING.length, WITH_UNIT]]],
    [
      `WITH one AS (SELECT area_code, max(year) AS last FROM things WHERE detail = 'areas' GROUP BY 1)
       SELECT count(*) FROM one JOIN areas a USING (area_code) JOIN things t ON t.area_code = one.area_code
         AND t.year = one.last WHERE t.detail = 'areas' -- things`,
      [[OF_LAST_YEAR]],
    ],
  ])('%s', async (statement, wanted) => expect((await engine.sql(statement)).rows).toEqual(wanted));

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
    // More digits than a JavaScript number has; none is lost.
    ['9007199254740993::BIGINT', '9007199254740993', 'string'],
    ['-123456789012345678901::HUGEINT', '-123456789012345678901', 'string'],
    ['1.10::DECIMAL(38,18)', '1.100000000000000000', 'string'],
  ])('the value of %s', async (expression, value, type) => {
    const { rows, types } = await engine.sql(`SELECT ${expression}`);
    expect([rows, types]).toEqual([[[value]], [type]]);
  });

  test('repeated columns, names that need quotes, whole rows, and more rows than a screen shows', async () => {
    const { columns } = await engine.sql(`SELECT year, year, year AS "a ""b""" FROM things LIMIT 1`);
    expect(columns).toEqual(['year', 'year_1', 'a "b"']);
    const whole = await engine.sql("SELECT t FROM things t WHERE detail = 'whole' LIMIT 1");
    expect(String(whole.rows[0]![0])).toMatch(/'rate': .*'people': .*'note': /);
    const { rows, total } = await engine.sql('SELECT * FROM range(100001)');
    expect([rows.length, total]).toEqual([100_000, null]);
    expect((await engine.sql('SELECT * FROM range(100000)')).total).toBe(100_000);
  });

  test.each([
    ['SELECT nope FROM things', /nope.*not found[\s\S]*LINE 1/],
    ['SELECT 1,\n FROM FROM things', /syntax error[\s\S]*LINE 2/],
    ['SELECT * FROM no_such_table', /no_such_table does not exist/],
    ['', /No statement/],
    ['SELECT 1; SELECT 2', /multiple statements/],
    ['CREATE TABLE x AS SELECT 1', /EngineError: select/],
    ["COPY things TO 'x.csv'", /disabled/],
    ['INSTALL httpfs', /EngineError: select/],
    ["ATTACH 'https://example.org/a.db'", /EngineError: select/],
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
});

describe.skipIf(CHROMIUM === null)('where something is wrong', () => {
  const slice = (year: number): readonly [string, string][] => [
    ['year', String(year)],
    ['detail', 'areas'],
  ];
  /** A host of a copy of the small tree, and the engine on it. */
  async function open() {
    const folder = await temporaryFolder();
    await cp(tree, folder, { recursive: true, preserveTimestamps: true });
    const host = await startPlainHost(folder);
    const engine = await openEnginePage(host.url);
    const change = async (file: string, edit: (bytes: Buffer) => Uint8Array) => {
      const name = path.join(folder, 'api/v1', KEY, file);
      await writeFile(name, edit(await readFile(name)));
    };
    return { host, engine, change };
  }

  test("refuses only files that weren't published, and requests that the API refuses", async () => {
    const { engine, change, host } = await open();
    await change('year=2022/areas.parquet', bytes => bytes.with(99, bytes.at(99)! ^ 1));
    await change('year=2019/areas.parquet', bytes => bytes.subarray(0, -9));
    await change('year=2020/areas.parquet', bytes => Buffer.concat([bytes, bytes]));
    // Together, because the engine asks a host again after more than a second.
    const damaged = /areas\.parquet has (other bytes than the manifest says|\d+ bytes)/;
    await Promise.all(
      [2022, 2020, 2019].map(year => expect(engine.ask(KEY, slice(year))).rejects.toThrow(damaged)),
    );
    // SQL reads the file of all years, and keeps no part of a table.
    await change('_copies/areas.parquet', bytes => bytes.with(99, bytes.at(99)! ^ 1));
    for (let again = 0; again < 2; again++)
      await expect(engine.sql('SELECT count(*) FROM things')).rejects.toThrow(/_copies\/areas\.parquet has/);
    expect((await engine.sql("SELECT count(*), 'things' FROM areas")).rows).toHaveLength(1);
    expect((await engine.ask(KEY, slice(2023))).rows.length).toBeGreaterThan(0);
    await expect(engine.ask(KEY, [['yaer', '2022']])).rejects.toThrow(/yaer/);
    await expect(engine.ask(KEY, [['detail', 'area']], { limit: 5 })).rejects.toThrow(/detail: .*'areas'/);
    await expect(engine.ask(KEY, [], { sort: { column: 'no', descending: false } })).rejects.toThrow(
      /no column no/,
    );
    await change('manifest.json', bytes => Buffer.from(bytes.toString().replace('ODC', 'XYZ')));
    const later = await openEnginePage(host.url);
    await expect(later.ask(KEY, slice(2023))).rejects.toThrow(
      /manifest\.json has other bytes than the manifest/,
    );
    await expect(later.ask('demo/nothing', [])).rejects.toThrow(/EngineError: dataset/);
  });

  test('ends canceled work, stops reading, and reports that a host is gone', async () => {
    const { engine, host } = await open();
    const found = await engine.page.evaluate(async () => {
      const { engine: asked } = globalThis as unknown as { engine: Engine };
      const control = new AbortController();
      const options = { signal: control.signal, onProgress: () => control.abort() };
      const nameOf = (reason: Error) => reason.name;
      return [
        await asked.ask('demo/things', [{ name: 'detail', value: 'units' }], options).catch(nameOf),
        await asked.ask('demo/things', [], { signal: AbortSignal.abort() }).catch(nameOf),
      ];
    });
    expect(found).toEqual(['AbortError', 'AbortError']);
    expect((await engine.ask(KEY, slice(2022))).rows.length).toBeGreaterThan(0);
    expect(engine.faults).toEqual([]);
    await host.close();
    const gone = /EngineError: rows/;
    await expect(engine.ask(KEY, [['year', '2019']])).rejects.toThrow(gone);
    // What was read before is still there.
    expect((await engine.ask(KEY, slice(2022))).rows.length).toBeGreaterThan(0);
  });
});

describe.skipIf(CHROMIUM === null)('over the sample, on a host that gives ranges', () => {
  const sample = useSampleTree();
  const edge = useHost(() => startEdgeHost(sample.tree));
  const plain = useHost(() => startPlainHost(sample.tree));
  const engine = useEngine(plain);

  test(`the rows of the edge for ${REQUESTS} random requests`, async () => {
    const seed = Date.now() % 2 ** 31;
    console.log(`seed ${seed}`);
    const lake = await openLake(sample.lake, sample.tree);
    lake.close();
    let rows = 0;
    for (const question of fc.sample(questions(lake.tables), { seed, numRuns: REQUESTS })) {
      const url = new URL(randomUrl({ ...question, format: 'csv' }), edge.url);
      const response = await fetch(url);
      expect([url.href, response.status]).toEqual([url.href, 200]);
      const key = url.pathname.replace('/api/v1/', '');
      const parameters = [...url.searchParams].filter(([name]) => name !== 'format') as [string, string][];
      const answer = await engine.ask(key, parameters);
      const lines = [answer.columns, ...answer.rows].map(
        cells => `${cells.map(encodeCsvValue).join(',')}\r\n`,
      );
      expect([url.href, lines.join('')]).toEqual([url.href, await response.text()]);
      if (question.limit === undefined) {
        const first = await engine.ask(key, parameters, { limit: 30 });
        expect([url.href, first.rows]).toEqual([url.href, answer.rows.slice(0, 30)]);
      }
      rows += answer.rows.length;
    }
    expect(rows).toBeGreaterThan(REQUESTS);
  });

  test("the contracts' own queries give what DuckDB gives over the published files", async () => {
    const read = async <Document>(file: string) =>
      JSON.parse(await readFile(path.join(sample.tree, file), 'utf8')) as Document;
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const sql = await readFile(path.join(sample.tree, 'api/v1/duckdb.sql'), 'utf8');
    const here = `SET VARIABLE civic_tree = '${sample.tree}/';`;
    await connection.run(sql.replace(/^SET VARIABLE civic_tree = .*$/m, here));
    let asked = 0;
    for (const { key } of (await read<TreeManifest>('manifest.json')).datasets) {
      const [domain, topic] = key.split('/');
      await connection.run(`CREATE VIEW "${topic}" AS FROM "${domain}"."${topic}"`);
      const schema = await read<SchemaDocument>(`api/v1/datasets/${key}/index.json`);
      for (const { query } of schema.example_queries) {
        // A limit doesn't say which of several equal rows come first.
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

/**
 * Sorted, since not every query orders its rows completely; sums to twelve digits, since they depend on the
 * order.
 */
function normalize(rows: readonly (readonly Cell[])[]): string[] {
  const text = (cell: Cell) => {
    if (cell === null || cell === '') return String(cell);
    return Number.isFinite(Number(cell)) ? Number(cell).toPrecision(12) : String(cell);
  };
  return rows.map(row => row.map(text).join(' | ')).sort();
}
