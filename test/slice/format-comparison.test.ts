/** Formats of a slice are compared column by column, whatever the columns are called. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RowColumn } from '../../build/format/manifest.ts';
import { withSession } from '../../build/lake/database.ts';
import { compareFormats } from '../../build/slice/format-comparison.ts';
import { duckdb, quoted, temporaryFolder } from '../publishers/publisher-folder.ts';

/** What queries call things, and words of SQL. */
const NAMES = 'position r line row rows number rowid text digest columns file_index filename select'.split(
  ' ',
);
const COLUMNS = NAMES.map((name): RowColumn => ({ name, type: 'integer', parquet: 'INT64', from: null }));
const HEAD = '{"data":[\n';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder('never');
  const values = NAMES.map((name, i) => `${i}::BIGINT AS "${name}"`);
  const file = quoted(path.join(folder, 'rows.parquet'));
  await duckdb(`COPY (SELECT ${values.join(', ')}) TO ${file} (FORMAT parquet)`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What is found of one row in CSV and in JSON, where they say something else of some columns. */
async function difference(csv: Readonly<Record<string, number>>, json: Readonly<Record<string, number>>) {
  const row = Object.fromEntries(NAMES.map((name, i) => [name, i]));
  const files = {
    columns: COLUMNS,
    parquet: path.join(folder, 'rows.parquet'),
    csv: [path.join(folder, 'rows.csv')],
    json: [{ file: path.join(folder, 'rows.json'), head: HEAD, rows: 1 }],
  };
  await writeFile(
    path.join(folder, 'rows.csv'),
    `${NAMES.join(',')}\r\n${Object.values({ ...row, ...csv }).join(',')}\r\n`,
  );
  await writeFile(path.join(folder, 'rows.json'), `${HEAD}${JSON.stringify({ ...row, ...json })}\n]}\n`);
  return withSession({ threads: 1, memoryLimit: '400MB', temporaryFolder: folder }, session =>
    compareFormats(session, files),
  );
}

test('the same rows', async () => {
  expect(await difference({}, {})).toBeNull();
});

test.each(NAMES)('another value of %s', async name => {
  expect(await difference({ [name]: 77 }, {})).toBe('its CSV does not hold the rows of its Parquet');
  expect(await difference({}, { [name]: 77 })).toBe('its JSON does not hold the rows of its Parquet');
});
