/** Rows that a session reads as one text are those that it reads value by value. */
import os from 'node:os';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { Database, type Session } from '../../build/lake/database.ts';

let session: Session;

beforeAll(async () => {
  const temporaryFolder = path.join(os.tmpdir(), 'civic-listed-rows');
  const database = await Database.open({ threads: 1, memoryLimit: '400MB', temporaryFolder });
  session = await database.connect();
  return () => database.close();
});

test.each([
  ['texts', `SELECT * FROM (VALUES ('b"\\'), ('é\u2028' || chr(10) || chr(1)), (''), ('NaN')) t(x)`],
  ['numbers', 'SELECT unnest([0.1, -1.5e-7, 1e21, 9007199254740991, 5e-324, 0]::DOUBLE[]) AS x'],
  ['integers', 'SELECT unnest([9007199254740991, -9007199254740991, 0]) AS x'],
  [
    'NULL and lists',
    `SELECT 1 AS x, NULL AS n, [NULL, 'a'] AS l, true AS b UNION ALL SELECT 0, 'z', [], false`,
  ],
  ['no rows', 'SELECT 1 AS x WHERE false'],
  ['what JSON has not', `SELECT unnest(['NaN', '-Infinity', '1']::DOUBLE[]) AS x, 'text' AS y`],
])('%s', async (_, sql) => {
  const one = await session.rows(`${sql} ORDER BY x`);
  expect(await session.list(sql, 'x')).toStrictEqual(one);
});

test('the order is the one that is asked for', async () => {
  const sql = 'SELECT range AS x, range % 3 AS y FROM range(10000)';
  const rows = await session.list<{ x: number; y: number }>(sql, 'y DESC, x');
  expect(rows).toStrictEqual(await session.rows(`${sql} ORDER BY y DESC, x`));
  expect(rows.map(({ y }) => y)).toStrictEqual(rows.map((_, i) => (i < 3333 ? 2 : i < 6666 ? 1 : 0)));
});
