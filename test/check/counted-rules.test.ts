/** Contracts' queries that count rows one by one are counted with everything else, slice by slice; others are run. */
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BATCH_ROWS, planBatches } from '../../build/check/batch-plan.ts';
import { countDataset, prepareCounts } from '../../build/check/count-dataset.ts';
import { datasetChecks } from '../../build/check/derived-checks.ts';
import { profileTable } from '../../build/check/profile.ts';
import { parseRules, type RuleStatement } from '../../build/check/rule-statement.ts';
import { parseQueries } from '../../build/check/run-checks.ts';
import type { Contracts, Dataset } from '../../build/contract/dataset.ts';
import { parseContracts } from '../../build/contract/parse-contracts.ts';
import { readContractFolder } from '../../build/input/contract-folder.ts';
import { Database, type Session } from '../../build/lake/database.ts';
import { createSchemas, factTable, loadFacts, viewFacts } from '../../build/lake/fact-table.ts';
import { type LakeSlice, sliceName, takeInventory } from '../../build/lake/inventory.ts';
import { openLake } from '../../build/lake/lake-location.ts';
import { type ParquetShape, readShapes } from '../../build/lake/parquet-shape.ts';
import { refusal } from '../publishers/built-tree.ts';
import {
  type PublisherFolder,
  temporaryFolder,
  writePublisher,
  writeRows,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import { TIDE_CONTRACTS, TIDE_LAKE, TIDES, tideFile, tideRows } from './tides.ts';

let publisher: PublisherFolder;
let contracts: Contracts;
let dataset: Dataset;
let slices: readonly LakeSlice[];
let shapes: ReadonlyMap<string, ParquetShape>;

beforeAll(async () => {
  publisher = await writePublisher(await temporaryFolder('never'), TIDE_CONTRACTS, TIDE_LAKE);
  await writeRows(publisher.data, {
    [tideFile(2002, 'ports')]: tideRows(2002, 'ports', '-1.0 - hour AS height'),
    [tideFile(2003, 'ports')]: tideRows(2003, 'ports', "'all' AS place"),
    [tideFile(2004, 'coast')]: tideRows(2004, 'coast', '7.0 AS height'),
  });
  contracts = parseContracts(readContractFolder(publisher.contracts)).contracts;
  dataset = contracts.datasets[0]!;
  const { inventory } = takeInventory(await openLake(publisher.data, ''), contracts);
  slices = inventory.slices.get(dataset.key) ?? [];
  const found = await withSession(session =>
    readShapes(
      session,
      slices.flatMap(slice => slice.files),
    ),
  );
  shapes = found.shapes;
});
afterAll(() => rm(publisher.root, { recursive: true, force: true }));

async function withSession<Result>(use: (session: Session) => Promise<Result>): Promise<Result> {
  const database = await Database.open({ threads: 1, memoryLimit: '400MB', temporaryFolder: os.tmpdir() });
  try {
    const session = await database.connect();
    await createSchemas(session, ['sea']);
    return await use(session);
  } finally {
    database.close();
  }
}

describe('a query', () => {
  const parse = async (session: Session, query: string): Promise<RuleStatement> => {
    const [statement] = await parseRules(session, factTable(dataset), [{ query, column: null }]);
    if (statement === undefined) throw new Error('No statement of the query.');
    return statement;
  };
  const WHERE = 'SELECT COUNT(*) FROM {object} WHERE ';

  test.each([
    'height < 0',
    'HEIGHT < 0 OR "height" IS NULL',
    'height NOT BETWEEN 0 AND 22.5',
    "place IN ('port', 'x') AND NOT hour = 1",
    "place LIKE 'p%' AND place NOT ILIKE '%X' AND regexp_full_match(note, '[a-z]')",
    'CASE WHEN hour = 0 THEN height ELSE -height END < 0',
    'abs(height - hour::DOUBLE / 3) > 10.5 AND year % 2 = 0',
    "coalesce(note, '') || place = 'nall'",
    'TRY_CAST(place AS INTEGER) IS NULL',
    'height IS DISTINCT FROM 7',
    "length(trim(note)) = 1 AND note <> '''' AND place > 'a\"b'",
  ])('is counted with others: %s', async condition => {
    await withSession(async session => {
      await loadFacts(session, dataset, slices, shapes);
      const statement = await parse(session, WHERE + condition);
      expect(statement).toMatchObject({ ok: true, condition: expect.stringMatching(/^\(/) });
      if (!statement.ok) return;
      const { table } = factTable(dataset);
      const counted = await session.row(
        `SELECT count(*) FILTER (WHERE ${statement.condition}) AS n FROM ${table} t`,
      );
      const asked = await session.row(statement.sql.replace('COUNT(*)', 'COUNT(*) AS n'));
      expect(counted).toEqual(asked);
      expect(counted['n']).toBeGreaterThan(0);
    });
  });

  test.each([
    'SELECT COUNT(*) FROM {object}',
    'SELECT COUNT(note) FROM {object} WHERE height < 0',
    'SELECT COUNT(DISTINCT height) FROM {object} WHERE height < 0',
    'SELECT COUNT(*) + 1 FROM {object} WHERE height < 0',
    'SELECT COUNT(*) FILTER (WHERE hour = 1) FROM {object} WHERE height < 0',
    'SELECT COUNT(*) FROM {object} t WHERE t.height < 0',
    'SELECT COUNT(*) FROM {object} AS t(a, b) WHERE a < 0',
    'SELECT COUNT(*) FROM {object} WHERE tides.height < 0',
    'SELECT COUNT(*) FROM {object} WHERE depth < 0',
    'SELECT COUNT(*) FROM {object} WHERE "number of slice" = 1',
    'SELECT COUNT(*) FROM sea.other WHERE height < 0',
    'SELECT COUNT(*) FROM {object}, {object} b WHERE height < 0',
    'SELECT COUNT(*) FROM {object} WHERE height < 0 GROUP BY year',
    'SELECT COUNT(*) FROM {object} WHERE height < 0 HAVING COUNT(*) > 1',
    'SELECT COUNT(*) FROM {object} WHERE height < 0 LIMIT 0',
    'SELECT COUNT(*) FROM {object} WHERE height < (SELECT avg(height) FROM {object})',
    'SELECT COUNT(*) FROM {object} WHERE EXISTS (SELECT 1 FROM sea.other)',
    'SELECT COUNT(*) FROM {object} WHERE height < avg(height)',
    'SELECT COUNT(*) FROM {object} WHERE height < max(height) OVER ()',
    'SELECT COUNT(*) FROM {object} WHERE len(list_filter([1], x -> x > hour)) > 0',
    'WITH a AS (SELECT 1) SELECT COUNT(*) FROM {object} WHERE height < 0',
    'SELECT COUNT(*) FROM {object} WHERE height < 0 UNION ALL SELECT 1',
  ])('is run by itself: %s', async query => {
    await withSession(async session => {
      expect(await parse(session, query)).toMatchObject({ ok: true, condition: null });
    });
  });

  test('that fails, fails alone', async () => {
    const folder = await temporaryFolder();
    const broken = TIDES.replace('WHERE height < 0', "WHERE CAST(replace(note, 'n', 'x') AS INTEGER) < 0");
    const other = TIDES.replace('WHERE height < 0', 'WHERE CAST(place AS INTEGER) < 0');
    for (const text of [broken, other]) {
      expect(text).not.toBe(TIDES);
      const own = { ...publisher, root: folder, contracts: path.join(folder, 'contracts') };
      await writeTexts(own.contracts, { ...TIDE_CONTRACTS, 'tides.yaml': text });
      const { diagnostics, failures } = await refusal({ ...own, out: path.join(folder, 'dist') });
      expect(diagnostics).toMatchObject([
        { code: 'rule-no-answer', message: expect.stringMatching(/^Rule low: The query failed: .*INT32/) },
      ]);
      expect(failures).toMatchObject([{ outcome: { check: { name: 'grain_unique' } } }]);
    }
  });
});

test('batches are of whole years, and of so many rows where a year has no more', () => {
  const years = [2001, 2001, 2002, 2003, 2003, 2004];
  const some = years.map((year, i) => ({ year, detail: String(i), files: [] }));
  const batches = (rows: readonly number[], known: readonly number[] = []) =>
    planBatches(some, rows, new Set(known));
  const most = (share: number) => share * BATCH_ROWS + 1;
  expect(batches([1, 1, 1, 1, 1, 1])).toEqual([[0, 1, 2, 3, 4, 5]]);
  expect(batches([0.4, 0.4, 0.2, 0, 0, 0].map(most))).toEqual([
    [0, 1],
    [2, 3, 4, 5],
  ]);
  expect(batches([4, 4, 2, 0, 0, 0].map(most))).toEqual([[0, 1], [2], [3, 4, 5]]);
  expect(batches([1, 1, 1, 1, 1, 1], [0, 1, 3, 4])).toEqual([[2, 5]]);
  expect(batches([1, 1, 1, 1, 1, 1], [0, 1, 2, 3, 4, 5])).toEqual([]);
});

test('batches count what all rows together count', async () => {
  const count = (batches: readonly (readonly number[])[] | null) =>
    withSession(async session => {
      const checks = datasetChecks(dataset, contracts, slices);
      const rules = await parseQueries(session, factTable(dataset), checks);
      const input = { dataset, slices, shapes, checks, rules, axes: ['place'], memory: null };
      const plan = await prepareCounts(input);
      expect(plan.batches).toBe(null);
      await (batches === null ? loadFacts : viewFacts)(session, dataset, slices, shapes);
      const counts = await countDataset([session, session], { ...plan, batches }, 10);
      const profile = await session.rows(
        `SELECT * FROM ${profileTable(factTable(dataset), ['place'])} ORDER BY ALL`,
      );
      const found = [...counts].flatMap(([check, list]) =>
        [...list].map(([index, n]) => `${check.name} ${sliceName(slices[index]!)}: ${n}`),
      );
      return { found, profile };
    });
  const whole = await count(null);
  expect(whole.found).toEqual(expect.arrayContaining(['low 2002/ports: 3', 'grain_unique 2003/ports: 3']));
  const years = [...new Set(slices.map(slice => slice.year))];
  const each = years.map(year => slices.flatMap((slice, i) => (slice.year === year ? [i] : [])));
  expect(await count(each)).toEqual(whole);
  expect(await count([each[2]!, [...each[0]!, ...each[1]!, ...each[3]!]])).toEqual(whole);
});
