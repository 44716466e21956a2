import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchLake } from './scratch-lake.ts';

const HEADER =
  'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,INSTN_NUMBER,LABEL_LVL_1_DESC,PROGRAM_TOTAL,PROGRAM_PERCENT,TOTAL_COUNT\n';
const NAME = 'graduation_rate_4_year_cohort';

test('a sample lake is refused', async () => {
  const scratch = scratchLake();
  mkdirSync(scratch.lake);
  writeFileSync(join(scratch.lake, '_sample.json'), '{}');
  expect(await scratch.refusal('demographics', [])).toEqual([
    'lake-is-sample is a sample lake: published figures are never mixed with made-up ones; name another folder with --out',
  ]);
});

test('a file in the place of a slice is not merged with, and stays', async () => {
  const scratch = scratchLake();
  const folder = join(scratch.lake, 'education/ccrpi_progress/year=2022');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'schools.parquet'), 'no Parquet');
  const file = scratch.file(
    'p.csv',
    'School Year,System ID,School ID,Grade Cluster,Reporting Label,Progress Towards ELP Rate\n2022,601,103,H,English Learners,47.11\n',
  );
  const [message] = await scratch.refusal('ccrpi_progress', [file]);
  expect(message).toMatch(
    /^lake-slice education\/ccrpi_progress\/year=2022\/schools\.parquet cannot be merged with/,
  );
  expect(readdirSync(folder)).toEqual(['schools.parquet']);
});

test('a folder in the place of a slice is refused before any other slice is written', async () => {
  const scratch = scratchLake();
  const year = `education/${NAME}/year=2019`;
  mkdirSync(join(scratch.lake, year, 'schools.parquet'), { recursive: true });
  const rows = ['601,ALL', '601,103'].map(place => `2018-19,${place},Grad Rate -ALL Students,22,90,24\n`);
  expect(await scratch.refusal(NAME, [scratch.file('g.csv', HEADER + rows.join(''))])).toEqual([
    `lake-slice ${year}/schools.parquet is a folder: move it away and import again`,
  ]);
  expect(readdirSync(join(scratch.lake, year))).toEqual(['schools.parquet']);
});

test.each([
  ['is no Parquet', 'no Parquet'],
  ['lacks the key', undefined],
])('a dimension that %s is named, and nothing is written', async (_, content) => {
  const scratch = scratchLake();
  const folder = join(scratch.lake, 'education/_dimensions');
  await scratch.report('demographics', []);
  const path = join(folder, 'schools.parquet');
  if (content === undefined) copyFileSync(join(folder, 'demographics.parquet'), path);
  else writeFileSync(path, content);
  const file = scratch.file('g.csv', `${HEADER}2018-19,601,103,Grad Rate -ALL Students,22,90,24\n`);
  const [message] = await scratch.refusal(NAME, [file]);
  expect(message).toMatch(
    /^lake-dimension education\/_dimensions\/schools\.parquet cannot be read: .*; move it away and import the dimension again$/,
  );
  expect(existsSync(join(scratch.lake, `education/${NAME}`))).toBe(false);
});

test('a failure while writing leaves the slices as they were and no temporary file', async () => {
  const scratch = scratchLake();
  const rows = (graduates: number) =>
    `${HEADER}2018-19,601,103,Grad Rate -ALL Students,${graduates},90,24\n2018-19,601,ALL,Grad Rate -ALL Students,${graduates},90,24\n`;
  await scratch.report(NAME, [scratch.file('a.csv', rows(22))]);
  // A file stands where the folder of the second year should be.
  writeFileSync(join(scratch.lake, `education/${NAME}/year=2021`), 'a file');
  const year = (label: string) => rows(23).slice(HEADER.length).replaceAll('2018-19', label);
  const file = scratch.file('b.csv', HEADER + year('2018-19') + year('2019-20') + year('2020-21'));
  const [message] = await scratch.refusal(NAME, [file]);
  expect(message).toMatch(/^lake-write cannot be written: /);
  expect(readdirSync(join(scratch.lake, `education/${NAME}`)).sort()).toEqual(['year=2019', 'year=2021']);
  const folder = join(scratch.lake, `education/${NAME}/year=2019`);
  expect(readdirSync(folder).sort()).toEqual(['districts.parquet', 'schools.parquet']);
  const [row] = await scratch.rows(`education/${NAME}/year=2019/schools.parquet`);
  expect(row!.num_graduates).toBe(22);
});
