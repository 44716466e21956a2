/** A contract's own SQL is untrusted: one SELECT that returns one number, of rows, and nothing else. */
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RefusedError } from '../../build/failure.ts';
import type { QualityDocument } from '../../build/format/documents.ts';
import { validate } from '../../build/pipeline/validation.ts';
import { startCivic } from '../cli/program.ts';
import { type Built, buildPublisher, readTreeJson, refusal, snapshot } from '../publishers/built-tree.ts';
import {
  type PublisherFolder,
  temporaryFolder,
  writePublisher,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import { CLIMATE_CONTRACTS, CLIMATE_LAKE, CONTRACTS, LAKE, RAINFALL, TRAMS } from '../publishers/weather.ts';

const SOME_ROWS = '"SELECT COUNT(*) FROM {object}", mustBeGreaterThan: 0';

/** The rainfall contract with another query in its rule. */
function rainfallWith(query: string, expectation = 'mustBe: 0'): string {
  expect(RAINFALL.split(SOME_ROWS).length).toBe(2);
  return RAINFALL.replace(SOME_ROWS, () => `${JSON.stringify(query)}, ${expectation}`);
}

let publisher: PublisherFolder;
beforeAll(async () => {
  publisher = await writePublisher(await temporaryFolder('never'), CLIMATE_CONTRACTS, CLIMATE_LAKE);
  await buildPublisher(publisher);
  await writeFile(path.join(publisher.root, 'secret.csv'), 'a\n1\n');
});
afterAll(() => rm(publisher.root, { recursive: true, force: true }));

const secret = () => path.join(publisher.root, 'secret.csv');

describe('a rule is refused, by validate and by build, at its place', () => {
  interface Case {
    readonly what: string;
    readonly query: string | (() => string);
    readonly code: string;
    readonly message?: RegExp;
    /** Whether a build is tried too. */
    readonly onBuild?: true;
  }

  const CASES: readonly Case[] = [
    {
      what: 'two statements',
      onBuild: true,
      query: 'SELECT 1; SELECT 2',
      code: 'rule-not-one-select',
      message: /2 statements/,
    },
    { what: 'a SELECT and a DROP', query: 'SELECT 1; DROP TABLE x', code: 'rule-not-one-select' },
    { what: 'no SQL', query: 'SELECT FROM WHERE', code: 'rule-not-one-select' },
    { what: 'PRAGMA', query: 'PRAGMA database_list', code: 'rule-query' },
    { what: 'COPY', onBuild: true, query: "COPY climate.rainfall TO '/tmp/x.csv'", code: 'rule-query' },
    { what: 'INSERT', query: 'INSERT INTO {object} SELECT * FROM {object}', code: 'rule-query' },
    { what: 'ATTACH', query: "ATTACH '/tmp/x.db'", code: 'rule-query' },
    { what: 'SET', query: "SET memory_limit = '100GB'", code: 'rule-query' },
    { what: 'EXPLAIN', query: 'EXPLAIN SELECT 1', code: 'rule-query' },
    {
      what: 'an INSERT behind a WITH',
      onBuild: true,
      query: 'WITH a AS (SELECT 1) INSERT INTO {object} FROM a',
      code: 'rule-not-one-select',
    },
    { what: 'a COPY behind a comment', query: "/* */ -- \nCOPY {object} TO 'x.csv'", code: 'rule-query' },
    {
      what: 'read_csv',
      query: () => `SELECT COUNT(*) FROM read_csv('${secret()}')`,
      code: 'rule-reads-file',
    },
    {
      what: 'read_parquet',
      query: "SELECT COUNT(*) FROM read_parquet('**/*.parquet')",
      code: 'rule-reads-file',
    },
    { what: 'read_text', query: "SELECT COUNT(*) FROM read_text('/etc/passwd')", code: 'rule-reads-file' },
    { what: 'glob', query: "SELECT COUNT(*) FROM glob('/etc/*')", code: 'rule-reads-file' },
    { what: 'a query in text', query: "SELECT * FROM query('SELECT 1')", code: 'rule-reads-file' },
    {
      what: 'read_csv in a subquery',
      onBuild: true,
      query: () => `SELECT COUNT(*) FROM {object} WHERE year IN (SELECT a FROM read_csv('${secret()}'))`,
      code: 'rule-reads-file',
    },
    {
      what: 'a file as a table',
      onBuild: true,
      query: () => `SELECT COUNT(*) FROM '${secret()}'`,
      code: 'rule-reads-file',
    },
    {
      what: 'a file of text as a table',
      query: "SELECT COUNT(*) FROM '/etc/passwd'",
      code: 'rule-does-not-bind',
    },
    {
      what: 'a file near by as a table',
      query: "SELECT COUNT(*) FROM 'package.json'",
      code: 'rule-reads-file',
    },
    {
      what: 'a file on the web as a table',
      onBuild: true,
      query: "SELECT COUNT(*) FROM 'https://example.org/a.csv'",
      code: 'rule-reads-file',
    },
    {
      what: 'a table of the database itself',
      onBuild: true,
      query: 'SELECT COUNT(*) FROM information_schema.tables',
      code: 'rule-reads-file',
      message: /information_schema/,
    },
    {
      what: 'the rows with what stands beside them',
      query: 'SELECT COUNT(*) FROM _civic."climate/rainfall" WHERE "number of slice" > 0',
      code: 'rule-reads-file',
    },
    {
      what: 'a table that a common table expression elsewhere has the name of',
      query:
        'SELECT (SELECT COUNT(*) FROM duckdb_tables) + (WITH duckdb_tables AS (SELECT 1) SELECT COUNT(*) FROM duckdb_tables)',
      code: 'rule-reads-file',
      message: /duckdb_tables/,
    },
    {
      what: 'a table that the common table expression of its name reads',
      query: 'WITH duckdb_tables AS (SELECT * FROM duckdb_tables) SELECT COUNT(*) FROM duckdb_tables',
      code: 'rule-reads-file',
    },
    {
      what: 'a table that the recursive one of its name begins with',
      query:
        'WITH RECURSIVE duckdb_tables(n) AS (SELECT COUNT(*) FROM duckdb_tables UNION SELECT n FROM duckdb_tables) SELECT MAX(n) FROM duckdb_tables',
      code: 'rule-reads-file',
    },
    {
      what: 'a table of a schema, named as a common table expression is',
      query: 'WITH "information_schema/tables" AS (SELECT 1) SELECT COUNT(*) FROM information_schema.tables',
      code: 'rule-reads-file',
    },
    {
      what: 'no such column',
      onBuild: true,
      query: 'SELECT SUM(snow) FROM {object}',
      code: 'rule-does-not-bind',
      message: /snow/,
    },
    {
      what: 'a column that is nearly one',
      query: 'SELECT SUM(rain_m) FROM {object}',
      code: 'rule-does-not-bind',
      message: /Did you mean 'rain_mm'\?$/,
    },
    {
      what: 'no such table',
      query: 'SELECT COUNT(*) FROM climate.hail',
      code: 'rule-does-not-bind',
      message: /hail/,
    },
    { what: 'no such function', query: 'SELECT count_rain(*) FROM {object}', code: 'rule-does-not-bind' },
    {
      what: 'a text',
      onBuild: true,
      query: 'SELECT MAX(season) FROM {object}',
      code: 'rule-result',
      message: /one VARCHAR/,
    },
    { what: 'two columns', query: 'SELECT 1, 2', code: 'rule-result', message: /2 columns/ },
    { what: 'a list', query: 'SELECT list(year) FROM {object}', code: 'rule-result' },
    { what: 'a description', query: 'FROM (DESCRIBE {object})', code: 'rule-result' },
    ...[
      ['the time of day', 'SELECT COUNT(*) FROM {object} WHERE year > year(now())', 'now\\(\\)'],
      ['the day', 'SELECT COUNT(*) FROM {object} WHERE year > year(current_date)', 'current_date,'],
      ['the day, in a subquery', 'SELECT (SELECT year(Today())) - 2000', 'today'],
      ['an age until today', "SELECT year(age(DATE '2020-01-01'))", 'age\\(\\) with one'],
      ['chance', 'SELECT COUNT(*) FROM {object} ORDER BY main.RANDOM()', 'random'],
      ['chance, as a method', 'SELECT COUNT(*) FROM {object} WHERE (1).setseed() IS NULL', 'setseed'],
      ['a number of its own', 'SELECT COUNT(DISTINCT uuid()) FROM {object}', 'uuid'],
      ['a counter', "SELECT nextval('s')", 'nextval'],
      ['a setting', "SELECT length(current_setting('threads')::VARCHAR)", 'current_setting'],
      ['a sample of a table', 'SELECT COUNT(*) FROM {object} TABLESAMPLE 10%', 'a sample'],
      ['a sample of rows', 'SELECT COUNT(*) FROM {object} USING SAMPLE 2 ROWS', 'a sample'],
    ].map(
      ([what = '', query = '', named = '']): Case => ({
        what,
        query,
        code: 'rule-not-deterministic',
        message: new RegExp(`uses ${named}`),
      }),
    ),
  ];

  test.each(CASES)('$what', async ({ query, code, message = /./, onBuild }) => {
    const before = await snapshot(publisher.out);
    const text = typeof query === 'string' ? query : query();
    await writeTexts(publisher.contracts, { 'rain/rainfall.yaml': rainfallWith(text) });
    const line = RAINFALL.split('\n').findIndex(one => one.includes('some_rows')) + 1;
    const place = { code, line, file: path.join(publisher.contracts, 'rain/rainfall.yaml') };
    const error = await validate(publisher.contracts, false).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RefusedError);
    const refused = error as RefusedError;
    expect(refused.diagnostics).toEqual([expect.objectContaining(place)]);
    expect(refused.diagnostics[0]?.message).toMatch(message);
    if (onBuild) {
      expect(await refusal(publisher)).toMatchObject({ diagnostics: refused.diagnostics, failures: [] });
      expect(await snapshot(publisher.out)).toEqual(before);
    }
  });
});

describe('a rule that binds and gives no number', () => {
  const CASES = [
    {
      what: 'never ends',
      query: 'WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT COUNT(*) FROM a',
      message: /took longer than 0.5 s/,
    },
    {
      what: 'is a cross join without end',
      query: 'SELECT COUNT(*) FROM range(10000000) a, range(10000000) b WHERE a.range + b.range = 7',
      message: /took longer than 0.5 s/,
    },
    { what: 'has two rows', query: 'SELECT 1 FROM range(2)', message: /several rows/ },
    {
      what: 'has more rows than there is room for',
      query: 'SELECT range FROM range(1000000000000)',
      message: /several rows/,
      seconds: 20,
    },
    { what: 'has no row', query: 'SELECT 1 FROM {object} WHERE false', message: /no row/ },
    {
      what: 'fails',
      query: 'SELECT SUM(season::INTEGER) FROM {object}',
      message: /failed: .*Could not convert/,
    },
    {
      what: 'takes more memory than there is',
      query: "SELECT len(list(repeat('x', 100000) || range)) FROM range(100000)",
      message: /failed: /,
      seconds: 20,
    },
  ];

  test.each(CASES)('$what', async ({ query, message, seconds = 0.5 }) => {
    await writeTexts(publisher.contracts, { 'rain/rainfall.yaml': rainfallWith(query) });
    const started = performance.now();
    const { diagnostics } = await refusal(publisher, { ruleSeconds: seconds, memory: '200MB' });
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(diagnostics.map(one => one.code)).toEqual(['rule-no-answer']);
    expect(diagnostics[0]?.message).toMatch(message);
  });
});

test('a column may have a name that is a word for the time', async () => {
  const contract = rainfallWith('SELECT COUNT(*) FROM {object} WHERE "localtime" = \'x\'').replace(
    'name: note',
    'name: localtime',
  );
  await writeTexts(publisher.contracts, { 'rain/rainfall.yaml': contract });
  expect(await validate(publisher.contracts, false)).toMatchObject({ datasets: 1 });
});

test.each([
  "SELECT length(repeat('x', 2000000000))",
  "SELECT max(length(repeat('x', 1500000000 + year))) FROM {object}",
])(
  'a rule that takes memory faster than it can be stopped ends the program, and is named: %s',
  async query => {
    await writeTexts(publisher.contracts, { 'rain/rainfall.yaml': rainfallWith(query) });
    const args = ['check', '--contracts', publisher.contracts, '--data', publisher.data, '--memory', '200MB'];
    const { process: child, ended } = startCivic([...args, '--json']);
    let most = 0;
    const timer = setInterval(() => {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      most = Math.max(most, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024);
    }, 10);
    child.once('exit', () => clearInterval(timer));
    const { code, stdout } = await ended;
    expect(code).not.toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'rule-no-answer', message: expect.stringMatching(/^Rule some_rows: .*memory/) }],
    });
    expect(most).toBeLessThan(10 * 200e6);
  },
);

describe('a rule that fails', () => {
  const CASES = [
    {
      what: 'a count of rows shows the rows and where they are',
      query: "SELECT COUNT(*) FROM {object} WHERE season = 'dry' AND region_code = 's' AND year = 2022",
      found: 4,
      slices: ['2022 regions 1', '2022 stations 3'],
      rows: 4,
    },
    {
      what: 'another number has no rows',
      query: 'SELECT MIN(readings) FROM {object}',
      found: 1000,
      slices: [],
      rows: 0,
    },
    {
      what: 'a count with a table expression has no rows',
      query: "WITH wet AS (SELECT * FROM {object} WHERE season = 'wet') SELECT COUNT(*) FROM wet",
      found: 27,
      slices: ['2019 nation 1'],
      rows: 5,
    },
    {
      what: 'a truth is a number',
      query: 'SELECT COUNT(*) > 3 FROM {object}',
      found: 1,
      slices: [],
      rows: 0,
    },
  ];

  test.each(CASES)('$what', async ({ query, found, slices, rows }) => {
    await writeTexts(publisher.contracts, { 'rain/rainfall.yaml': rainfallWith(query) });
    const { failures, diagnostics } = await refusal(publisher);
    expect(diagnostics).toEqual([]);
    expect(failures).toHaveLength(1);
    const { outcome, subject } = failures[0]!;
    expect([subject, outcome.check.name, outcome.found, outcome.rows.length]).toEqual([
      'climate/rainfall',
      'some_rows',
      found,
      rows,
    ]);
    const where = outcome.slices.map(slice => `${slice.year} ${slice.detail} ${slice.count}`);
    expect(where.slice(0, slices.length)).toEqual(slices);
  });

  test('and only warns is published, and an error with --strict', async () => {
    const rule = rainfallWith('SELECT COUNT(*) FROM {object}', 'mustBe: 0, severity: warning');
    await writeTexts(publisher.contracts, { 'rain/rainfall.yaml': rule });
    const built = await buildPublisher(publisher, { out: path.join(publisher.root, 'warned') });
    expect(notices(built)).toEqual(['climate/rainfall some_rows warned']);
    const error = await refusal(publisher, { strict: true });
    expect(error.failures.map(one => one.outcome.result)).toEqual(['warned']);
  });
});

describe('a rule that reads another dataset', () => {
  const ruleOf = async (out: string) => {
    const { rules } = await readTreeJson<QualityDocument>(out, 'api/v1/transit/trams/quality.json');
    return rules.find(rule => rule.name === 'rides_in_rain');
  };

  test('runs where the lake has it', async () => {
    const folder = await writePublisher(await temporaryFolder());
    const built = await buildPublisher(folder);
    expect(notices(built)).toEqual([]);
    expect(await ruleOf(folder.out)).toMatchObject({ result: 'passed', found: 0 });
  });

  test('is skipped for all to see where it has not', async () => {
    const lake = Object.fromEntries(
      Object.entries(LAKE).filter(([name]) => !name.startsWith('climate/rain')),
    );
    const folder = await writePublisher(await temporaryFolder(), CONTRACTS, lake);
    const built = await buildPublisher(folder);
    expect(notices(built)).toEqual(['transit/trams rides_in_rain skipped']);
    expect(await ruleOf(folder.out)).toMatchObject({
      result: 'skipped',
      found: null,
      reason: 'Not run: the lake lacks climate/rainfall.',
    });
    const health = await readTreeJson<{ rules: object }>(folder.out, 'healthz.json');
    expect(health.rules).toMatchObject({ skipped: 1 });
  });

  test('may not read its files, near as they are', async () => {
    const folder = await writePublisher(await temporaryFolder());
    const file = path.join(folder.data, 'climate/rainfall/year=2021/nation.parquet');
    const trams = TRAMS.replace('WHERE EXISTS', `WHERE (SELECT COUNT(*) FROM '${file}') = 0 AND EXISTS`);
    await writeTexts(folder.contracts, { 'trams.odcs.yaml': trams });
    expect((await refusal(folder)).diagnostics).toMatchObject([{ code: 'rule-reads-file' }]);
  });

  test('whatever the case and quotes of its name', async () => {
    const contracts = {
      ...CONTRACTS,
      'trams.odcs.yaml': TRAMS.replace('climate.rainfall', 'Climate.\\"RAINFALL\\"'),
    };
    const lake = Object.fromEntries(
      Object.entries(LAKE).filter(([name]) => !name.startsWith('climate/rain')),
    );
    const folder = await writePublisher(await temporaryFolder(), contracts, lake);
    expect(notices(await buildPublisher(folder))).toEqual(['transit/trams rides_in_rain skipped']);
  });
});

function notices({ events }: Built): string[] {
  return events.flatMap(event =>
    event.kind === 'notices'
      ? event.outcomes.map(one => `${one.subject} ${one.outcome.check.name} ${one.outcome.result}`)
      : [],
  );
}
