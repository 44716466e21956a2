/** Tables with a column for each year: what `civic init` drafts, and that a build reads it or that the advice works. */
import path from 'node:path';
import { utils, write } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { duckdb, quoted, temporaryFolder, writeRows, writeTexts } from '../publishers/publisher-folder.ts';
import { built, columnsOf, csvOf, draftIn, publisher, writtenFiles } from './drafted.ts';

async function wide(root: string, name: string) {
  const [table] = (await draftIn(root, [name])).tables;
  return {
    notes: table?.notes ?? [],
    columns: columnsOf(table),
    contract: path.join(root, table?.contract ?? ''),
  };
}

async function draftedText(text: string, name = 'wide.csv') {
  const root = await writtenFiles({ [name]: text });
  return { root, ...(await wide(root, name)) };
}

const ofYear = async (root: string, year: number) =>
  (await csvOf(root, `wide/year=${year}`)).trim().replaceAll('\r\n', ' | ');

const YEAR = 'year integer year';
test.each<[csv: string, columns: string, of2020: string]>([
  [
    'county,2019,2020,2021\nAva,1,2,3\nBel,4,,6\n',
    `county string categorical, ${YEAR}, value integer metric`,
    'county,year,value | Ava,2020,2 | Bel,2020,',
  ],
  // No figures of the last year yet.
  [
    'town,2019,2020\nAva,1,\nBel,4,\n',
    `town string categorical, ${YEAR}, value integer metric`,
    'town,year,value | Ava,2020, | Bel,2020,',
  ],
  [
    'fips,pop_2019,pop_2020,rate.2020,rate.2021\n01,1,2,0.5,1\n02,5,6,7,8.5\n',
    `fips string categorical, ${YEAR}, pop integer metric, rate number metric`,
    'fips,year,pop,rate | 01,2020,2,0.5 | 02,2020,6,7',
  ],
  [
    'town,2019 Enrollment (all),2020 Enrollment (all)\nAva,5,*\nBel,7,8\n',
    `town string categorical, ${YEAR}, Enrollment (all) integer metric`,
    'town,year,Enrollment (all) | Ava,2020, | Bel,2020,8',
  ],
  [
    'town,2019 [YR2019],2020 [YR2020]\nAva,5,6\nBel,7,8\n',
    `town string categorical, ${YEAR}, value integer metric`,
    'town,year,value | Ava,2020,6 | Bel,2020,8',
  ],
])('%j', async (csv, columns, of2020) => {
  const found = await draftedText(csv);
  expect(found.columns).toBe(columns);
  expect(found.notes.join()).toMatch(/^The names of \d columns have years .* as [23] rows/);
  await built(found.root);
  expect(await ofYear(found.root, 2020)).toBe(of2020);
});

test('Parquet, the next delivery with one year more, and one without years', async () => {
  const root = await temporaryFolder();
  const write = (sql: string, to: string) => writeRows(root, { [to]: sql });
  const sql = `SELECT 'Ava' AS town, 1 AS "FY2019", 2.5::DOUBLE AS "FY2020"`;
  await write(sql, 'wide.parquet');
  const { columns } = await wide(root, 'wide.parquet');
  expect(columns).toBe('town string categorical, year integer year, value number metric');
  await built(root);
  expect(await ofYear(root, 2019)).toBe('town,year,value | Ava,2019,1');
  await write(`${sql}, 4 AS "FY2021"`, 'data/data/wide.parquet');
  await built(root);
  expect(await ofYear(root, 2021)).toBe('town,year,value | Ava,2021,4');
  await write(`SELECT 'Ava' AS town, 1 AS "CY2019"`, 'data/data/wide.parquet');
  const { diagnostics } = await publisher(root).refusal();
  expect(diagnostics.filter(one => one.severity === 'error').map(one => one.message)).toEqual([
    'No column is called "FY{year}", with a year in place of {year}. Correct year_columns of file_layout in the contract, or the names.',
  ]);
});

test('years of which some are percentages and others plain numbers are not mixed', async () => {
  const sheet = (...formats: readonly string[]) => {
    const years = formats.map((_, i) => 2019 + i);
    const shares = formats.map(z => ({ t: 'n', v: 0.125, z }));
    const book = utils.book_new(
      utils.aoa_to_sheet([
        ['town', ...years],
        ['Ava', ...shares],
      ]),
      'A',
    );
    return write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
  };
  const mixed = await writtenFiles({ 'wide.xlsx': sheet('0%', '0.0') });
  expect((await wide(mixed, 'wide.xlsx')).notes.join()).toContain('The names of 2 columns have periods');
  const root = await writtenFiles({ 'wide.xlsx': sheet('0%', '0%') });
  await wide(root, 'wide.xlsx');
  await built(root);
  expect(await ofYear(root, 2020)).toBe('town,year,value | Ava,2020,12.5');
  await writeTexts(root, { 'data/data/wide.xlsx': sheet('0%', '0%', '0.0') });
  const { diagnostics } = await publisher(root).refusal();
  expect(diagnostics.map(({ message }) => message).join()).toContain(
    'Some of the columns 2019, 2020, 2021 show percentages and others plain numbers',
  );
});

test('a wrong value is named with its line', async () => {
  const text = 'Report\ntown,2019,2020\nAva,1,2\ntown,2019,2020\nBel,4,5\nCel,6,7\nSource: Town\n';
  const { root } = await draftedText(text);
  await writeTexts(root, { 'data/data/wide.csv': text.replace('4,5', '4,five') });
  const { diagnostics } = await publisher(root).refusal();
  expect(diagnostics.map(({ message }) => message).join()).toContain('"five" on line 5');
});

test.each([
  'year,town,plan_2030,plan_2040\n2020,Ava,1,2\n2021,Ava,3,4\n',
  'town,pop_2020,area\nAva,1,2\n',
  'town,v12,v1950,v1960\nAva,1,2,3\n',
  'town,item 12 [12],item 1950 [1950],item 1960 [1960]\nAva,1,2,3\n',
  'town,code_1234,code_4321\nAva,1,2\n',
])('%j has no rows of years', async csv => {
  const { notes, columns } = await draftedText(csv);
  expect(notes.filter(note => note.includes('names of'))).toEqual([]);
  expect(columns?.split(', ')).toHaveLength(csv.split('\n')[0]!.split(',').length);
});

test('advice on months and on school years works', async () => {
  const months = await draftedText('town,2020-01,2020-02,2021-01\nAva,1,2,3\nBel,4,5,6\n');
  const sql = /UNPIVOT \(FROM 'file\.csv'\).*value(?=\.)/.exec(months.notes.join())?.[0] ?? '';
  const next = await temporaryFolder();
  const from = quoted(path.join(months.root, 'wide.csv'));
  await duckdb(
    `COPY (${sql.replace("'file.csv'", from)}) TO ${quoted(path.join(next, 'wide.csv'))} (FORMAT csv, HEADER)`,
  );
  expect((await wide(next, 'wide.csv')).columns).toBe(
    'town string categorical, period string time, value integer metric',
  );
  await built(next);
  expect(await ofYear(next, 2020)).toContain('Bel,2020-02,');

  const header = 'town,2018-19,2019-20\n';
  const school = await draftedText(`${header}Ava,1,2\nBel,3,4\n`);
  expect(school.notes.join()).toMatch(
    /2 columns are school years \("2018-19", "2019-20"\).*in which it ends/,
  );
});
