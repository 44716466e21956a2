/** A contract's SQL is untrusted: it may be one SELECT that returns one number about rows. */
import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RefusedError } from '../../build/failure.ts';
import type { QualityDocument } from '../../build/format/documents.ts';
import { validate } from '../../build/pipeline/check.ts';
import { startCivic } from '../cli/program.ts';
import { keptWeather } from '../publishers/kept-trees.ts';
import {
  copyTree,
  newPublisher,
  type Publisher,
  publisherAt,
  temporaryFolder,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import { CLIMATE_CONTRACTS, CLIMATE_LAKE, CONTRACTS, LAKE, RAINFALL, TRAMS } from '../publishers/weather.ts';
import { randomRuns } from '../random-runs.ts';

const climate = await newPublisher(CLIMATE_CONTRACTS, CLIMATE_LAKE);
await climate.build();
const SOME_ROWS = '"SELECT COUNT(*) FROM {object}", mustBeGreaterThan: 0';
const LINE = RAINFALL.split('\n').findIndex(one => one.includes('some_rows')) + 1;

/** The rainfall contract with these queries as its rules, one per line, named by their position. */
function rainfallWith(queries: readonly string[], expectation = 'mustBe: 0'): string {
  const rules = queries.map(
    (query, i) => `{ name: rule_${i}, type: sql, query: ${JSON.stringify(query)}, ${expectation} }`,
  );
  const rule = `{ name: some_rows, type: sql, query: ${SOME_ROWS} }`;
  expect(RAINFALL.split(rule).length).toBe(2);
  return RAINFALL.replace(rule, () => rules.join('\n      - '));
}

async function publisherWith(root: string, ...rules: Parameters<typeof rainfallWith>): Promise<Publisher> {
  const { contracts, out } = publisherAt(root);
  await writeTexts(contracts, { ...CLIMATE_CONTRACTS, 'rain/rainfall.yaml': rainfallWith(...rules) });
  return climate.with({ root, contracts, out });
}

/** A file beside the lake that no rule may read. */
const SECRET = path.join(climate.contracts, 'publisher.yaml');

const RECURSIVE =
  'WITH RECURSIVE duckdb_tables(n) AS (SELECT COUNT(*) FROM duckdb_tables UNION SELECT n FROM duckdb_tables) SELECT MAX(n) FROM duckdb_tables';
const IN_SUBQUERY =
  'SELECT (SELECT COUNT(*) FROM duckdb_tables) + (WITH duckdb_tables AS (SELECT 1) SELECT COUNT(*) FROM duckdb_tables)';
const COUNT = 'SELECT COUNT(*) FROM';

/** The code that refuses a rule, the rule, and what the message names. */
const RULES: readonly (readonly [code: string, query: string, says?: RegExp])[] = [
  ['rule-query', 'PRAGMA database_list'],
  ['rule-query', "COPY climate.rainfall TO '/tmp/x.csv'"],
  ['rule-query', "ATTACH '/tmp/x.db'"],
  ['rule-query', "/* */ -- \nCOPY {object} TO 'x.csv'"],
  ['rule-not-one-select', 'SELECT 1; SELECT 2', /2 statements/],
  ['rule-not-one-select', 'SELECT FROM WHERE'],
  ['rule-not-one-select', 'WITH a AS (SELECT 1) INSERT INTO {object} FROM a'],
  ['rule-reads-file', `${COUNT} read_csv('${SECRET}')`],
  ['rule-reads-file', `${COUNT} read_parquet('**/*.parquet')`],
  ['rule-reads-file', "SELECT * FROM query('SELECT 1')"],
  ['rule-reads-file', `${COUNT} {object} WHERE year IN (SELECT a FROM read_csv('${SECRET}'))`],
  ['rule-reads-file', `${COUNT} 'package.json'`],
  ['rule-reads-file', `${COUNT} 'https://example.org/a.csv'`],
  ['rule-reads-file', `${COUNT} information_schema.tables`, /information_schema/],
  // Internal columns beside the rows.
  ['rule-reads-file', `${COUNT} _civic."climate/rainfall" WHERE "number of slice" > 0`],
  // Tables named like a common table expression: outside it, in itself, in its first part, and in a schema.
  ['rule-reads-file', IN_SUBQUERY, /duckdb_tables/],
  ['rule-reads-file', `WITH duckdb_tables AS (SELECT * FROM duckdb_tables) ${COUNT} duckdb_tables`],
  ['rule-reads-file', RECURSIVE],
  ['rule-reads-file', `WITH "information_schema/tables" AS (SELECT 1) ${COUNT} information_schema.tables`],
  ['rule-does-not-bind', `${COUNT} '/etc/passwd'`],
  ['rule-does-not-bind', 'SELECT SUM(snow) FROM {object}', /snow/],
  ['rule-does-not-bind', 'SELECT SUM(rain_m) FROM {object}', /Did you mean 'rain_mm'\?$/],
  ['rule-does-not-bind', `${COUNT} climate.hail`, /hail/],
  ['rule-does-not-bind', 'SELECT count_rain(*) FROM {object}'],
  ['rule-result', 'SELECT MAX(season) FROM {object}', /one VARCHAR/],
  ['rule-result', 'SELECT 1, 2', /2 columns/],
  ['rule-result', 'SELECT list(year) FROM {object}'],
  ['rule-result', 'FROM (DESCRIBE {object})'],
  ['rule-not-deterministic', `${COUNT} {object} WHERE year > year(now())`, /uses now\(\)/],
  ['rule-not-deterministic', `${COUNT} {object} WHERE year > year(current_date)`, /uses current_date,/],
  ['rule-not-deterministic', 'SELECT (SELECT year(Today())) - 2000', /uses today/],
  ['rule-not-deterministic', "SELECT year(age(DATE '2020-01-01'))", /uses age\(\) with one/],
  ['rule-not-deterministic', `${COUNT} {object} ORDER BY main.RANDOM()`, /uses random/],
  ['rule-not-deterministic', `${COUNT} {object} WHERE (1).setseed() IS NULL`, /uses setseed/],
  ['rule-not-deterministic', "SELECT length(current_setting('threads')::VARCHAR)", /uses current_setting/],
  ['rule-not-deterministic', `${COUNT} {object} TABLESAMPLE 10%`, /uses a sample/],
];

// Queries that aren't a SELECT are refused before the others are parsed.
describe.each([
  ['by its first word', RULES.filter(([code]) => code === 'rule-query')],
  ['once it is parsed', RULES.filter(([code]) => code !== 'rule-query')],
])('a rule is refused at its place %s', (_, rules) => {
  let folder: Publisher;
  let error: RefusedError;
  beforeAll(async () => {
    folder = await publisherWith(
      await temporaryFolder(),
      rules.map(([, query]) => query),
    );
    error = await validate(folder.contracts, false).then(
      () => expect.fail('It was not refused.'),
      (reason: RefusedError) => reason,
    );
  });

  test.for(rules.map(([code, query, says = /./], i) => [code, query, says, i] as const))(
    '%s: %s',
    ([code, , says, i]) => {
      const file = path.join(folder.contracts, 'rain/rainfall.yaml');
      expect(error.diagnostics.filter(one => one.line === LINE + i)).toEqual([
        expect.objectContaining({ code, file, severity: 'error', message: expect.stringMatching(says) }),
      ]);
    },
  );

  test('by a build too, which publishes nothing', async () => {
    await copyTree(climate, folder.root);
    const before = await folder.snapshot();
    // With rows, types have other widths, so messages differ.
    const places = error.diagnostics.map(({ code, line }) => ({ code, line }));
    expect(await folder.refusal()).toMatchObject({ diagnostics: places, failures: [] });
    expect(await folder.snapshot()).toEqual(before);
  });
});

/** Rules that bind and give no number, and the message. */
const NO_ANSWER: readonly (readonly [query: string, says: RegExp])[] = [
  ['WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT COUNT(*) FROM a', /took longer/],
  ['SELECT 1 FROM range(2)', /several rows/],
  ['SELECT range FROM range(1000000000000)', /several rows/],
  ['SELECT 1 FROM {object} WHERE false', /no row/],
  ['SELECT SUM(season::INTEGER) FROM {object}', /failed: .*Could not convert/],
  ["SELECT len(list(repeat('x', 100000) || range)) FROM range(100000)", /failed: /],
];

test('a rule that compiles and gives no number is named, with the reason', async () => {
  const folder = await publisherWith(
    await temporaryFolder(),
    NO_ANSWER.map(([query]) => query),
  );
  const { diagnostics } = await folder.refusal({ ruleSeconds: 5, memory: '200MB' });
  expect(diagnostics).toEqual(
    NO_ANSWER.map(([, says], i) =>
      expect.objectContaining({
        code: 'rule-no-answer',
        message: expect.stringMatching(new RegExp(`^Rule rule_${i}: .*${says.source}`)),
      }),
    ),
  );
});

test('a column may have a name that is a word for the time', async () => {
  const folder = await publisherWith(await temporaryFolder(), [
    'SELECT COUNT(*) FROM {object} WHERE "localtime" = \'x\'',
  ]);
  const file = path.join(folder.contracts, 'rain/rainfall.yaml');
  await writeFile(file, (await readFile(file, 'utf8')).replace('name: note', 'name: localtime'));
  expect(await validate(folder.contracts, false)).toMatchObject({ datasets: 1 });
});

/** Each needs more memory or time than there is; the first can't be stopped in time. */
const GREEDY: readonly string[] = [
  "SELECT length(repeat('x', 2000000000))",
  "SELECT max(length(repeat('x', 1000000000 + readings))) FROM {object}",
  'SELECT sum(length(repeat(season, 300000000))) FROM {object}',
  "SELECT length(lpad('x', 2000000000, 'y'))",
  'SELECT len(range(400000000))',
  "SELECT length(string_agg(repeat('x', 1000000), '')) FROM range(100000)",
  "WITH RECURSIVE a(s) AS (SELECT 'x' UNION ALL SELECT s || s FROM a WHERE length(s) < 1500000000) SELECT max(length(s)) FROM a",
  'SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range + b.range = 7',
  'SELECT count(*) FROM (SELECT range % 900000000 AS g FROM range(900000000) GROUP BY g)',
];

test.each(GREEDY.slice(0, randomRuns(1)))(
  'a rule is stopped, if need be with the program: %s',
  async query => {
    const { contracts, data } = await publisherWith(await temporaryFolder(), [query]);
    const limits = ['--memory', '200MB', '--rule-seconds', '5'];
    const program = startCivic(['check', '--contracts', contracts, '--data', data, '--json', ...limits]);
    let megabytes = 0;
    const watched = setInterval(() => {
      const status = `/proc/${program.process.pid}/status`;
      const [, kilobytes] =
        (existsSync(status) && /^VmHWM:\s+(\d+)/m.exec(readFileSync(status, 'utf8'))) || [];
      megabytes = Math.max(megabytes, Number(kilobytes ?? 0) / 1000);
    }, 10);
    const { code, stdout } = await program.ended;
    clearInterval(watched);
    expect(code).not.toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      diagnostics: [
        {
          code: 'rule-no-answer',
          message: expect.stringMatching(query === GREEDY[0] ? /^Rule rule_0: .*memory/ : /^Rule rule_0: /),
        },
      ],
    });
    expect(megabytes).toBeLessThan(4000);
  },
);

/** Failing rules: the number found, how many rows are shown, and the first slice. */
const FAILING: readonly (readonly [query: string, found: number, rows: number, ...slices: string[]])[] = [
  [`${COUNT} {object} WHERE season = 'dry' AND region_code = 's' AND year = 2022`, 4, 4, '2022 regions 1'],
  ['SELECT MIN(readings) FROM {object}', 1000, 0],
  [`WITH wet AS (SELECT * FROM {object} WHERE season = 'wet') ${COUNT} wet`, 27, 5, '2019 nation 1'],
  // A boolean counts as a number.
  ['SELECT COUNT(*) > 3 FROM {object}', 1, 0],
];

test('a rule that fails says what it found, and where the rows are if it counts them', async () => {
  const queries = FAILING.map(([query]) => query);
  const { failures, diagnostics } = await (await publisherWith(await temporaryFolder(), queries)).refusal();
  expect(diagnostics).toEqual([]);
  const found = failures.map(({ subject, outcome }) => {
    const slices = outcome.slices.slice(0, 1).map(one => `${one.year} ${one.detail} ${one.count}`);
    return [`${subject} ${outcome.check.name}`, outcome.found, outcome.rows.length, ...slices];
  });
  const expected = FAILING.map(([, ...said], i) => [`climate/rainfall rule_${i}`, ...said]);
  expect(found.sort()).toEqual(expected);
});

describe('a rule that reads another dataset', () => {
  const ruleOf = async (folder: Publisher) => {
    const { rules } = await folder.json<QualityDocument>('api/v1/transit/trams/quality.json');
    return rules.find(rule => rule.name === 'rides_in_rain');
  };

  test('runs if the lake has it', async () => {
    expect(await ruleOf(await keptWeather())).toMatchObject({ result: 'passed', found: 0 });
  });

  test('is skipped with a message if the lake lacks it, under any name', async () => {
    const trams = TRAMS.replace('climate.rainfall', 'Climate.\\"RAINFALL\\"');
    const contracts = { ...CONTRACTS, 'trams.odcs.yaml': trams };
    const lake = Object.entries(LAKE).filter(([name]) => !name.startsWith('climate/rain'));
    const folder = await newPublisher(contracts, Object.fromEntries(lake));
    await folder.build();
    const reason = 'Not run: the lake lacks climate/rainfall.';
    expect(await ruleOf(folder)).toMatchObject({ result: 'skipped', found: null, reason });
    const health = await folder.json<{ rules: object }>('healthz.json');
    expect(health.rules).toMatchObject({ skipped: 1 });
  });
});
