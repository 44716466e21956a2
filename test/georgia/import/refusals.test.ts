import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchLake } from './scratch-lake.ts';

const HEADER =
  'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,INSTN_NUMBER,LABEL_LVL_1_DESC,PROGRAM_TOTAL,PROGRAM_PERCENT,TOTAL_COUNT\n';
const NAME = 'graduation_rate_4_year_cohort';

test.each([
  [
    'an unknown text in a number column',
    '2018-19,601,103,Grad Rate -ALL Students,n.b.,90.1,244\n',
    'source-value the column PROGRAM_TOTAL holds "n.b." on line 2: neither a whole number nor a known marker; if it marks a withheld figure, add --marker with that text',
  ],
  [
    'a fraction of a student',
    '2018-19,601,103,Grad Rate -ALL Students,22.5,90.1,244\n',
    'source-value the column PROGRAM_TOTAL holds "22.5" on line 2: neither a whole number nor a known marker; if it marks a withheld figure, add --marker with that text',
  ],
  [
    'more students than a number can hold',
    '2018-19,601,103,Grad Rate -ALL Students,3000000000,90.1,244\n',
    'source-value the column PROGRAM_TOTAL holds "3000000000" on line 2: neither a whole number nor a known marker; if it marks a withheld figure, add --marker with that text',
  ],
  [
    'a percentage of students',
    '2018-19,601,103,Grad Rate -ALL Students,22%,90.1,244\n',
    'source-value the column PROGRAM_TOTAL holds "22%" on line 2: neither a whole number nor a known marker; if it marks a withheld figure, add --marker with that text',
  ],
  [
    'a capped count',
    '2018-19,601,103,Grad Rate -ALL Students,100+,90.1,244\n',
    'source-value the column PROGRAM_TOTAL holds "100+" on line 2: neither a whole number nor a known marker; if it marks a withheld figure, add --marker with that text',
  ],
  [
    'a percentage beyond all numbers',
    '2018-19,601,103,Grad Rate -ALL Students,22,1e999,24\n',
    'source-value the column PROGRAM_PERCENT holds "1e999" on line 2: neither a number nor a known marker; if it marks a withheld figure, add --marker with that text',
  ],
  [
    'proportions for percentages',
    '2018-19,601,103,Grad Rate -ALL Students,22,0.9,24\n',
    'source-value no percentage in PROGRAM_PERCENT exceeds 1: these are proportions already; multiply the column by 100',
  ],
  [
    'a label that is no school year',
    '2018-2020,601,103,Grad Rate -ALL Students,22,90,24\n',
    'source-year the column LONG_SCHOOL_YEAR holds "2018-2020" on line 2: not a school year such as 2023-24 or 2024',
  ],
  [
    'two figures for one place',
    '2018-19,601,103,Grad Rate -ALL Students,22,90,24\n2018-19,601,0103,Grad Rate - All Students,23,90,24\n',
    'source-conflict two rows of 2019 / 601 / 0103 / all hold different figures (num_graduates 22 on line 2, 23 on line 3): remove the wrong one',
  ],
])('%s is refused, and nothing is written', async (_, body, message) => {
  const scratch = scratchLake();
  expect(await scratch.refusal(NAME, [scratch.file('g.csv', HEADER + body)])).toEqual([message]);
  expect(existsSync(scratch.lake)).toBe(false);
});

test.each([
  [
    'attendance',
    'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,INSTN_NUMBER,STUDENT_COUNT_ALL,FIVE_OR_FEWER_PERCENT_ALL,SIX_TO_FIFTEEN_PERCENT_ALL,OVER_15_PERCENT_ALL,CHRONIC_ABSENT_PERC_ALL,CHRONIC_ABSENT_PERC_BLACK\n' +
      '2021-22,601,103,100,30,40,30,0.217,1\n2021-22,601,177,100,30,40,30,0.15,\n',
    'percentage in CHRONIC_ABSENT_PERC_ALL, CHRONIC_ABSENT_PERC_BLACK',
    'columns',
  ],
  [
    'ccrpi_graduation_rate',
    'School Year,System ID,School ID,Reporting Label,Graduation Rate Type,Graduation Rate,Target\n' +
      '2023,601,103,ALL Students,4-year graduation rate,92.5,0.86\n',
    'percentage in Target',
    'column',
  ],
  [
    'ccrpi_progress',
    'School Year,System ID,School ID,Grade Cluster,Reporting Label,Progress Towards ELP Rate,Target\n' +
      '2022,601,103,H,English Learners,0.4711,50\n',
    'figure in Progress Towards ELP Rate',
    'column',
  ],
])('%s: one measure as proportions among percentages is refused', async (name, content, what, columns) => {
  const scratch = scratchLake();
  expect(await scratch.refusal(name, [scratch.file('f.csv', content)])).toEqual([
    `source-value no ${what} exceeds 1: these are proportions already; multiply the ${columns} by 100`,
  ]);
});

test('a small group does not put the scale of its measure in doubt', async () => {
  const scratch = scratchLake();
  const file = scratch.file(
    'f.csv',
    'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,INSTN_NUMBER,STUDENT_COUNT_ALL,FIVE_OR_FEWER_PERCENT_ALL,SIX_TO_FIFTEEN_PERCENT_ALL,OVER_15_PERCENT_ALL,STUDENT_COUNT_LEP,OVER_15_PERCENT_LEP\n' +
      '2021-22,601,103,1000,30,40,30,200,0.5\n',
  );
  await scratch.report('attendance', [file]);
  const rows = await scratch.rows('education/attendance/year=2022/schools.parquet');
  expect(rows.map(row => row.over_15_days_absent_rate)).toEqual([0.3, 0.005]);
});

test('a row that repeats another counts once', async () => {
  const scratch = scratchLake();
  const row = '2018-19,601,103,Grad Rate -ALL Students,22,90,24\n';
  const report = await scratch.report(NAME, [scratch.file('g.csv', HEADER + row + row)]);
  expect(report.files[0]!.dropped).toEqual([
    {
      what: 'it repeats an earlier row',
      count: 1,
      examples: ['line 3: 2018-19, 601, 103, Grad Rate -ALL Students'],
    },
  ]);
  expect(report.written).toEqual([{ path: `education/${NAME}/year=2019/schools.parquet`, rows: 1, kept: 0 }]);
});

test('--marker names a text that stands for a withheld figure', async () => {
  const scratch = scratchLake();
  const file = scratch.file('g.csv', `${HEADER}2018-19,601,103,Grad Rate -Foster,n.b.,n.b.,n.b.\n`);
  await scratch.report(NAME, [file], { markers: ['n.b.'] });
  const [row] = await scratch.rows(`education/${NAME}/year=2019/schools.parquet`);
  expect(row).toMatchObject({ demographic: 'foster_care', num_graduates: null, graduation_rate: null });
});

test('all problems of all files are shown together', async () => {
  const scratch = scratchLake();
  const files = [
    scratch.file('empty.csv', ''),
    scratch.file('other.csv', 'a,b\n1,2\n'),
    scratch.file('broken.json', '[1, 2'),
    join(scratch.lake, 'absent.csv'),
  ];
  const messages = await scratch.refusal(NAME, files);
  expect(messages[0]).toBe('source-unreadable is empty');
  expect(messages[1]).toMatch(/^source-unreadable no line holds the expected headers \(LONG_SCHOOL_YEAR, /);
  expect(messages[2]).toMatch(
    /^source-unreadable begins like JSON, but is not valid: .* at position 5.*; download it again, or correct it there$/,
  );
  expect(messages[3]).toMatch(/^source-unreadable cannot be read: ENOENT/);
});

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
