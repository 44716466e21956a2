/** A contract's own SQL is untrusted: one SELECT that returns one number, of rows, and nothing else. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { RefusedError } from '../../build/failure.ts';
import type { QualityDocument } from '../../build/format/documents.ts';
import { validate } from '../../build/pipeline/validation.ts';
import { civic } from '../cli/program.ts';
import { type Built, buildPublisher, readTreeJson, refusal, snapshot } from '../publishers/built-tree.ts';
import { keptClimate, keptWeather } from '../publishers/kept-weather.ts';
import {
  copyTree,
  type PublisherFolder,
  publisherAt,
  temporaryFolder,
  writePublisher,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import { CLIMATE_CONTRACTS, CONTRACTS, LAKE, RAINFALL, TRAMS } from '../publishers/weather.ts';

const climate = await keptClimate();
const SOME_ROWS = '"SELECT COUNT(*) FROM {object}", mustBeGreaterThan: 0';
const LINE = RAINFALL.split('\n').findIndex(one => one.includes('some_rows')) + 1;

/** The rainfall contract with other queries in its rule, each a line and named by its place. */
function rainfallWith(queries: readonly string[], expectation = 'mustBe: 0'): string {
  const rules = queries.map(
    (query, i) => `{ name: rule_${i}, type: sql, query: ${JSON.stringify(query)}, ${expectation} }`,
  );
  const rule = `{ name: some_rows, type: sql, query: ${SOME_ROWS} }`;
  expect(RAINFALL.split(rule).length).toBe(2);
  return RAINFALL.replace(rule, () => rules.join('\n      - '));
}

/** The climate's lake under a contract of these rules. */
async function publisherWith(
  root: string,
  ...rules: Parameters<typeof rainfallWith>
): Promise<PublisherFolder> {
  const { contracts, out } = publisherAt(root);
  await writeTexts(contracts, { ...CLIMATE_CONTRACTS, 'rain/rainfall.yaml': rainfallWith(...rules) });
  return { ...climate, root, contracts, out };
}

/** A file beside the lake that no rule may read. */
const SECRET = path.join(climate.contracts, 'publisher.yaml');

/** Rules by the code that refuses them, and what the message names. */
const REFUSED: Readonly<Record<string, readonly (readonly [query: string, says?: RegExp])[]>> = {
  'rule-query': [
    ['PRAGMA database_list'],
    ["COPY climate.rainfall TO '/tmp/x.csv'"],
    ['INSERT INTO {object} SELECT * FROM {object}'],
    ["ATTACH '/tmp/x.db'"],
    ["SET memory_limit = '100GB'"],
    ['EXPLAIN SELECT 1'],
    ["/* */ -- \nCOPY {object} TO 'x.csv'"],
  ],
  'rule-not-one-select': [
    ['SELECT 1; SELECT 2', /2 statements/],
    ['SELECT 1; DROP TABLE x'],
    ['SELECT FROM WHERE'],
    ['WITH a AS (SELECT 1) INSERT INTO {object} FROM a'],
  ],
  'rule-reads-file': [
    [`SELECT COUNT(*) FROM read_csv('${SECRET}')`],
    ["SELECT COUNT(*) FROM read_parquet('**/*.parquet')"],
    ["SELECT COUNT(*) FROM read_text('/etc/passwd')"],
    ["SELECT COUNT(*) FROM glob('/etc/*')"],
    ["SELECT * FROM query('SELECT 1')"],
    [`SELECT COUNT(*) FROM {object} WHERE year IN (SELECT a FROM read_csv('${SECRET}'))`],
    ["SELECT COUNT(*) FROM 'package.json'"],
    ["SELECT COUNT(*) FROM 'https://example.org/a.csv'"],
    ['SELECT COUNT(*) FROM information_schema.tables', /information_schema/],
    // What stands beside the rows.
    ['SELECT COUNT(*) FROM _civic."climate/rainfall" WHERE "number of slice" > 0'],
    // Tables that have the name of a common table expression: elsewhere, in itself, in its first part, of a schema.
    [
      'SELECT (SELECT COUNT(*) FROM duckdb_tables) + (WITH duckdb_tables AS (SELECT 1) SELECT COUNT(*) FROM duckdb_tables)',
      /duckdb_tables/,
    ],
    ['WITH duckdb_tables AS (SELECT * FROM duckdb_tables) SELECT COUNT(*) FROM duckdb_tables'],
    [
      'WITH RECURSIVE duckdb_tables(n) AS (SELECT COUNT(*) FROM duckdb_tables UNION SELECT n FROM duckdb_tables) SELECT MAX(n) FROM duckdb_tables',
    ],
    ['WITH "information_schema/tables" AS (SELECT 1) SELECT COUNT(*) FROM information_schema.tables'],
  ],
  'rule-does-not-bind': [
    ["SELECT COUNT(*) FROM '/etc/passwd'"],
    ['SELECT SUM(snow) FROM {object}', /snow/],
    ['SELECT SUM(rain_m) FROM {object}', /Did you mean 'rain_mm'\?$/],
    ['SELECT COUNT(*) FROM climate.hail', /hail/],
    ['SELECT count_rain(*) FROM {object}'],
  ],
  'rule-result': [
    ['SELECT MAX(season) FROM {object}', /one VARCHAR/],
    ['SELECT 1, 2', /2 columns/],
    ['SELECT list(year) FROM {object}'],
    ['FROM (DESCRIBE {object})'],
  ],
  'rule-not-deterministic': [
    ['SELECT COUNT(*) FROM {object} WHERE year > year(now())', /uses now\(\)/],
    ['SELECT COUNT(*) FROM {object} WHERE year > year(current_date)', /uses current_date,/],
    ['SELECT (SELECT year(Today())) - 2000', /uses today/],
    ["SELECT year(age(DATE '2020-01-01'))", /uses age\(\) with one/],
    ['SELECT COUNT(*) FROM {object} ORDER BY main.RANDOM()', /uses random/],
    ['SELECT COUNT(*) FROM {object} WHERE (1).setseed() IS NULL', /uses setseed/],
    ['SELECT COUNT(DISTINCT uuid()) FROM {object}', /uses uuid/],
    ["SELECT nextval('s')", /uses nextval/],
    ["SELECT length(current_setting('threads')::VARCHAR)", /uses current_setting/],
    ['SELECT COUNT(*) FROM {object} TABLESAMPLE 10%', /uses a sample/],
    ['SELECT COUNT(*) FROM {object} USING SAMPLE 2 ROWS', /uses a sample/],
  ],
};
const RULES = Object.entries(REFUSED).flatMap(([code, list]) =>
  list.map(([query, says = /./]) => ({ code, query, says })),
);

// Those that are no SELECT are told of before anything is parsed.
describe.each([
  ['by its first word', RULES.filter(({ code }) => code === 'rule-query')],
  ['once it is parsed', RULES.filter(({ code }) => code !== 'rule-query')],
])('a rule is refused at its place %s', (_, rules) => {
  let folder: PublisherFolder;
  let error: RefusedError;
  beforeAll(async () => {
    const queries = rules.map(({ query }) => query);
    folder = await publisherWith(await temporaryFolder('never'), queries);
    error = await validate(folder.contracts, false).then(
      () => expect.fail('It was not refused.'),
      (reason: RefusedError) => reason,
    );
    return () => rm(folder.root, { recursive: true });
  });

  test.each(rules.map((rule, i) => ({ i, ...rule })))('$code: $query', ({ i, code, says }) => {
    const file = path.join(folder.contracts, 'rain/rainfall.yaml');
    expect(error.diagnostics.filter(one => one.line === LINE + i)).toEqual([
      expect.objectContaining({ code, file, severity: 'error', message: expect.stringMatching(says) }),
    ]);
  });

  test('by a build too, which publishes nothing', async () => {
    await copyTree(climate, folder.root);
    const before = await snapshot(folder.out);
    expect(error).toBeInstanceOf(RefusedError);
    // With its rows, types differ in their widths, and so messages.
    const places = error.diagnostics.map(({ code, line }) => ({ code, line }));
    expect(await refusal(folder)).toMatchObject({ diagnostics: places, failures: [] });
    expect(await snapshot(folder.out)).toEqual(before);
  });
});

/** Rules that bind and give no number, and what is said of each. */
const NO_ANSWER: readonly (readonly [query: string, says: RegExp])[] = [
  ['WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT COUNT(*) FROM a', /took longer/],
  ['SELECT 1 FROM range(2)', /several rows/],
  ['SELECT range FROM range(1000000000000)', /several rows/],
  ['SELECT 1 FROM {object} WHERE false', /no row/],
  ['SELECT SUM(season::INTEGER) FROM {object}', /failed: .*Could not convert/],
  ["SELECT len(list(repeat('x', 100000) || range)) FROM range(100000)", /failed: /],
];

test('a rule that binds and gives no number is named, with why', async () => {
  const folder = await publisherWith(
    await temporaryFolder(),
    NO_ANSWER.map(([query]) => query),
  );
  const { diagnostics } = await refusal(folder, { ruleSeconds: 5, memory: '200MB' });
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

test('a rule that takes memory faster than it can be stopped ends the program, and is named', async () => {
  const folder = await publisherWith(await temporaryFolder(), ["SELECT length(repeat('x', 2000000000))"]);
  const args = ['check', '--contracts', folder.contracts, '--data', folder.data, '--memory', '200MB'];
  const { code, stdout } = await civic([...args, '--json']);
  expect(code).not.toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'rule-no-answer', message: expect.stringMatching(/^Rule rule_0: .*memory/) }],
  });
});

/** Rules that fail: what they found, in which slices, and how many rows are shown. */
const FAILING: readonly (readonly [query: string, found: number, slices: readonly string[], rows: number])[] =
  [
    [
      "SELECT COUNT(*) FROM {object} WHERE season = 'dry' AND region_code = 's' AND year = 2022",
      4,
      ['2022 regions 1', '2022 stations 3'],
      4,
    ],
    ['SELECT MIN(readings) FROM {object}', 1000, [], 0],
    [
      "WITH wet AS (SELECT * FROM {object} WHERE season = 'wet') SELECT COUNT(*) FROM wet",
      27,
      ['2019 nation 1'],
      5,
    ],
    // A truth is a number.
    ['SELECT COUNT(*) > 3 FROM {object}', 1, [], 0],
  ];

describe('a rule that fails', () => {
  test('says what it found, and where the rows are if it counts them', async () => {
    const folder = await publisherWith(
      await temporaryFolder(),
      FAILING.map(([query]) => query),
    );
    const { failures, diagnostics } = await refusal(folder);
    expect(diagnostics).toEqual([]);
    expect(failures.map(one => one.subject)).toEqual(FAILING.map(() => 'climate/rainfall'));
    const found = failures.map(({ outcome }) => {
      const slices = outcome.slices.map(one => `${one.year} ${one.detail} ${one.count}`);
      return [
        outcome.check.name,
        outcome.found,
        slices.slice(0, outcome.rows.length > 4 ? 1 : 9),
        outcome.rows.length,
      ];
    });
    expect(found).toEqual(
      expect.arrayContaining(FAILING.map(([, ...expected], i) => [`rule_${i}`, ...expected])),
    );
  });

  test('and only warns is published, and an error with --strict', async () => {
    const rule = 'mustBe: 0, severity: warning';
    const folder = await publisherWith(await temporaryFolder(), ['SELECT COUNT(*) FROM {object}'], rule);
    const built = await buildPublisher(folder, { out: path.join(folder.root, 'warned') });
    expect(notices(built)).toEqual(['climate/rainfall rule_0 warned']);
    const error = await refusal(folder, { strict: true });
    expect(error.failures.map(one => one.outcome.result)).toEqual(['warned']);
  });
});

const WITHOUT_RAIN = Object.fromEntries(
  Object.entries(LAKE).filter(([name]) => !name.startsWith('climate/rain')),
);

describe('a rule that reads another dataset', () => {
  const ruleOf = async (out: string) => {
    const { rules } = await readTreeJson<QualityDocument>(out, 'api/v1/transit/trams/quality.json');
    return rules.find(rule => rule.name === 'rides_in_rain');
  };

  test('runs where the lake has it', async () => {
    expect(await ruleOf((await keptWeather()).out)).toMatchObject({ result: 'passed', found: 0 });
  });

  test.each(['climate.rainfall', 'Climate.\\"RAINFALL\\"'])(
    'is skipped for all to see where it has not: %s',
    async name => {
      const trams = TRAMS.replace('climate.rainfall', name);
      const contracts = { ...CONTRACTS, 'trams.odcs.yaml': trams };
      const folder = await writePublisher(await temporaryFolder(), contracts, WITHOUT_RAIN);
      expect(notices(await buildPublisher(folder))).toEqual(['transit/trams rides_in_rain skipped']);
      expect(await ruleOf(folder.out)).toMatchObject({
        result: 'skipped',
        found: null,
        reason: 'Not run: the lake lacks climate/rainfall.',
      });
      const health = await readTreeJson<{ rules: object }>(folder.out, 'healthz.json');
      expect(health.rules).toMatchObject({ skipped: 1 });
    },
  );

  test('may not read its files, near as they are', async () => {
    const weather = await keptWeather();
    const file = path.join(weather.data, 'climate/rainfall/year=2021/nation.parquet');
    const trams = TRAMS.replace('WHERE EXISTS', `WHERE (SELECT COUNT(*) FROM '${file}') = 0 AND EXISTS`);
    const { root, contracts, out } = publisherAt(await temporaryFolder());
    await writeTexts(contracts, { ...CONTRACTS, 'trams.odcs.yaml': trams });
    expect((await refusal({ ...weather, root, contracts, out })).diagnostics).toMatchObject([
      { code: 'rule-reads-file' },
    ]);
  });
});

function notices({ events }: Built): string[] {
  return events.flatMap(event =>
    event.kind === 'notices'
      ? event.outcomes.map(one => `${one.subject} ${one.outcome.check.name} ${one.outcome.result}`)
      : [],
  );
}
