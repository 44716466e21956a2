import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../scripts/georgia/import/database.ts';
import { scratchLake } from './scratch-lake.ts';

test('places of facts join the lists, marked, with the years for which files name them; a list corrects and keeps', async () => {
  const scratch = scratchLake();
  const SCHOOLS = 'education/_dimensions/schools.parquet';
  const list = scratch.file(
    'schools.csv',
    'district_code,school_code,school_name\n601,103,First\n601,104,Never\n',
  );
  await scratch.report('schools', [list]);
  const header =
    'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,SCHOOL_DSTRCT_NM,INSTN_NUMBER,INSTN_NAME,LABEL_LVL_1_DESC,PROGRAM_TOTAL,PROGRAM_PERCENT,TOTAL_COUNT\n';
  const facts = (label: string, ...rows: string[]) =>
    scratch.file(
      `rates-${label}.csv`,
      header + rows.map(row => `${label},601,One,${row},Grad Rate -ALL Students,22,90,24\n`).join(''),
    );
  const imported = async (...files: string[]) =>
    (await scratch.report('graduation_rate_4_year_cohort', files, { addPlaces: true })).notes;
  await imported(facts('2017-18', '103,Old First', '407,Closed School'));
  expect(await imported(facts('2019-20', '103,First'))).not.toContainEqual(
    expect.stringContaining('schools.parquet'),
  );
  await imported(facts('2011-12', '103,Older First'));
  const seen = async (path: string) => (await scratch.rows(path)).map(row => Object.values(row).join(' '));
  expect(await seen(SCHOOLS)).toEqual([
    '601 0103 First list 2012 2020',
    '601 0104 Never list  ',
    '601 0407 Closed School from_source 2018 2018',
  ]);
  expect(await seen('education/_dimensions/districts.parquet')).toEqual([
    '601 One  standard from_source 2012 2020',
  ]);
  await scratch.report('schools', [
    scratch.file('new.csv', 'district_code,school_code,school_name\n601,407,Closed\n601,105,Newest\n'),
  ]);
  expect(await seen(SCHOOLS)).toEqual([
    '601 0103 First list 2012 2020',
    '601 0104 Never list  ',
    '601 0105 Newest list  ',
    '601 0407 Closed list 2018 2018',
  ]);
});

test('a list that an earlier program wrote, without origins and years, is added to', async () => {
  const scratch = scratchLake();
  const path = 'education/_dimensions/schools.parquet';
  await scratch.report('schools', [
    scratch.file('schools.csv', 'district_code,school_code,school_name\n601,103,First\n'),
  ]);
  const database = await openDatabase();
  const file = join(scratch.lake, path);
  await database.run(
    `COPY (SELECT district_code, school_code, school_name FROM read_parquet('${file}')) TO '${file}.new' (FORMAT parquet)`,
  );
  database.close();
  renameSync(`${file}.new`, file);
  await scratch.report('schools', [
    scratch.file('more.csv', 'district_code,school_code,school_name\n601,104,Second\n'),
  ]);
  expect((await scratch.rows(path)).map(row => [row.school_code, row.entry_origin])).toEqual([
    ['0103', null],
    ['0104', 'list'],
  ]);
});
