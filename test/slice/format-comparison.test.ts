/** Formats of a slice are compared column by column, whatever the columns are called. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
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
  folder = await temporaryFolder();
  const values = NAMES.map((name, i) => `${i}::BIGINT AS "${name}"`);
  const file = quoted(path.join(folder, 'rows.parquet'));
  await duckdb(`COPY (SELECT ${values.join(', ')}) TO ${file} (FORMAT parquet)`);
});

/** What is found of one row in CSV and in JSON, where one of them says something else of a column. */
async function difference(csv: Readonly<Record<string, number>>, json: Readonly<Record<string, number>>) {
  const row = Object.fromEntries(NAMES.map((name, i) => [name, i]));
  const at = (name: string) => path.join(folder, name);
  await writeFile(at('rows.csv'), `${NAMES.join()}\r\n${Object.values({ ...row, ...csv }).join()}\r\n`);
  await writeFile(at('rows.json'), `${HEAD}${JSON.stringify({ ...row, ...json })}\n]}\n`);
  const files = { columns: COLUMNS, parquet: at('rows.parquet'), csv: [at('rows.csv')] };
  const pages = [{ file: at('rows.json'), head: HEAD, rows: 1 }];
  return withSession({ threads: 1, memoryLimit: '400MB', temporaryFolder: folder }, session =>
    compareFormats(session, { ...files, json: pages }),
  );
}

test('the same rows, and another value of each column', async () => {
  expect(await difference({}, {})).toBeNull();
  for (const name of NAMES) {
    const found = [await difference({ [name]: 77 }, {}), await difference({}, { [name]: 77 })];
    const said = ['CSV', 'JSON'].map(format => `its ${format} does not hold the rows of its Parquet`);
    expect([name, ...found]).toEqual([name, ...said]);
  }
});
