/** Queries of contracts. */
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { duckdb, newPublisher, type Publisher, quoted } from '../publishers/publisher-folder.ts';
import { TIDE_CONTRACTS, TIDE_LAKE, TIDES, tideFile, tideRows } from './tides.ts';

let publisher: Publisher;
beforeAll(async () => {
  publisher = await newPublisher(TIDE_CONTRACTS, TIDE_LAKE);
  await publisher.writeRows({
    [tideFile(2002, 'ports')]: tideRows(2002, 'ports', '-1.0 - hour AS height'),
    [tideFile(2004, 'coast')]: tideRows(2004, 'coast', '7.0 AS height'),
  });
});

const WHERE = 'SELECT COUNT(*) FROM {object} WHERE ';
const QUERIES = [
  ...[
    'HEIGHT < 0 OR "height" IS NULL',
    "length(trim(note)) = 1 AND note <> '''' AND place > 'a\"b'",
    'height < (SELECT avg(height) FROM {object})',
    'len(list_filter([1], x -> x > hour)) > 0',
    'EXISTS (SELECT 1 FROM {object} b WHERE b.height < 0)',
    'height < 0 GROUP BY year',
    'height < 0 HAVING COUNT(*) > 1',
    // These give no row or several.
    'height < 0 HAVING COUNT(*) > 99',
    'height < 0 LIMIT 0',
    'height < 30 GROUP BY year',
    'height < 0 UNION ALL SELECT 5 WHERE false',
  ].map(condition => WHERE + condition),
  'SELECT COUNT(*) FROM {object}',
  'SELECT COUNT(note) FROM {object} WHERE height < 0',
  'SELECT COUNT(DISTINCT height) FROM {object} WHERE height < 9',
  'SELECT COUNT(*) + 1 FROM {object} WHERE height < 0',
  'SELECT COUNT(*) FILTER (WHERE hour = 1) FROM {object} WHERE height < 0',
  'SELECT COUNT(*) FROM {object} t WHERE t.height < 0',
  "SELECT COUNT(*) FROM {object} AS t(a, b) WHERE b = 'port'",
  'SELECT COUNT(*) FROM {object} WHERE tides.height < 0',
  'SELECT COUNT(*) FROM {object}, {object} b WHERE b.height < 0',
  'WITH a AS (SELECT 1) SELECT COUNT(*) FROM {object} WHERE height < 0',
];

/** The rule `low` with other queries, each a rule. */
const withQueries = (queries: readonly string[]) =>
  TIDES.replace(
    /^ +- \{ name: low.*\n/m,
    queries
      .map((query, i) => `      - { name: q${i}, type: sql, query: ${JSON.stringify(query)}, mustBe: -1 }\n`)
      .join(''),
  );

test('each query finds what DuckDB finds for it alone', async () => {
  await publisher.writeContracts({ 'tides.yaml': withQueries(QUERIES) });
  const { failures, diagnostics } = await publisher.refusal();
  const said = new Map(diagnostics.map(({ message }) => [message.split(':')[0], 'no number']));
  const found = new Map(failures.map(({ outcome }) => [outcome.check.name, outcome.found]));
  const files = quoted(path.join(publisher.data, 'sea/tides/**/*.parquet'));
  await duckdb(`CREATE OR REPLACE VIEW tides AS FROM read_parquet(${files}, hive_partitioning = false)`);
  for (const [i, query] of QUERIES.entries()) {
    const [row, ...more] = await duckdb(query.replaceAll('{object}', 'tides'));
    const number = row && more.length === 0 ? Number(Object.values(row)[0]) : 'no number';
    expect([query, found.get(`q${i}`) ?? said.get(`Rule q${i}`)]).toEqual([query, number]);
  }
});

test('a query that fails, fails alone', async () => {
  await publisher.writeRows({ [tideFile(2003, 'ports')]: tideRows(2003, 'ports', "'all' AS place") });
  for (const condition of ["CAST(replace(note, 'n', 'x') AS INTEGER) < 0", 'CAST(place AS INTEGER) < 0']) {
    await publisher.writeContracts({ 'tides.yaml': withQueries([WHERE + condition]) });
    const { diagnostics, failures } = await publisher.refusal();
    expect(diagnostics).toMatchObject([
      { code: 'rule-no-answer', message: expect.stringMatching(/^Rule q0: The query failed: .*INT32/) },
    ]);
    expect(failures).toMatchObject([{ outcome: { check: { name: 'grain_unique' } } }]);
  }
});
