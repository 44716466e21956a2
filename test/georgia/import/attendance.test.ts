import { expect, test } from 'vitest';
import { scratchLake } from './scratch-lake.ts';

const PLACE = 'LONG_SCHOOL_YEAR,DETAIL_LVL_DESC,SCHOOL_DSTRCT_CD,INSTN_NUMBER';
const ALL = 'STUDENT_COUNT_ALL,FIVE_OR_FEWER_PERCENT_ALL,SIX_TO_FIFTEEN_PERCENT_ALL,OVER_15_PERCENT_ALL';

test('one wide row becomes one row per group, with markers read by year', async () => {
  const scratch = scratchLake();
  const groups = 'STUDENT_COUNT_LEP,FIVE_OR_FEWER_PERCENT_LEP,SIX_TO_FIFTEEN_PERCENT_LEP,OVER_15_PERCENT_LEP';
  const header = `\uFEFF${PLACE},${ALL},${groups},CHRONIC_ABSENT_PERC_ALL,CHRONIC_ABSENT_PERC_LEP\r\n`;
  const file = scratch.file(
    'attendance.csv',
    `${header}2023-24,State,ALL,ALL,"1,234,567",30.3%,49.9,19.8,TFS,50,50,TFS,23.7,TFS\r\n` +
      '2023-24,School,5,103,12,TFS,TFS,TFS,TFS,40,TFS,TFS,,\r\n' +
      '2021-2022,District,7820108,ALL,12,90,TFS,10,,,,,8.3,\r\n',
  );
  const report = await scratch.report('attendance', [file]);
  expect(report.files[0]!.rowsRead).toBe(3);
  expect(await scratch.rows('education/attendance/year=2024/states.parquet')).toEqual([
    row(2024, null, null, 'all', 1234567, 0.303, 0.499, 0.198, 0.237),
    row(2024, null, null, 'english_learners', null, 0.5, 0.5, 0, null),
  ]);
  // Withheld altogether, or with too little printed to call the rest nothing: NULL, and remarked on.
  expect(await scratch.rows('education/attendance/year=2024/schools.parquet')).toEqual([
    row(2024, '005', '0103', 'all', 12, null, null, null, null),
    row(2024, '005', '0103', 'english_learners', null, 0.4, null, null, null),
  ]);
  expect(report.odd).toContainEqual({
    what: 'a tier is withheld and the others do not add up to 1',
    count: 1,
    examples: ['line 3: 2024 / 005 / 0103 / english_learners'],
  });
  // In other years TFS is never nothing.
  expect(await scratch.rows('education/attendance/year=2022/districts.parquet')).toEqual([
    row(2022, '7820108', null, 'all', 12, 0.9, null, 0.1, 0.083),
    row(2022, '7820108', null, 'english_learners', null, null, null, null, null),
  ]);
});

test('a year before chronic absence, in another column order, lacks that column and no other', async () => {
  const scratch = scratchLake();
  const file = scratch.file(
    'old.csv',
    'instn_number,school_dstrct_cd,long_school_year,student_count_all,over_15_percent_all,five_or_fewer_percent_all,six_to_fifteen_percent_all,new_column\n' +
      'ALL,601,2011-12,2001,10,50.1,39.9,x\n',
  );
  const report = await scratch.report('attendance', [file]);
  expect(report.files[0]!.unusedColumns).toEqual(['new_column']);
  expect(await scratch.rows('education/attendance/year=2012/districts.parquet')).toEqual([
    row(2012, '601', null, 'all', 2001, 0.501, 0.399, 0.1, null),
  ]);
});

test('a group without a column of counts keeps its rates', async () => {
  const scratch = scratchLake();
  const rates = 'FIVE_OR_FEWER_PERCENT_BLACK,SIX_TO_FIFTEEN_PERCENT_BLACK,OVER_15_PERCENT_BLACK';
  const file = scratch.file(
    'g.csv',
    `${PLACE},${ALL},STUDENT_CNT_BLACK,${rates}\n2021-22,School,601,0103,100,30,40,30,50,20,20,60\n`,
  );
  const report = await scratch.report('attendance', [file]);
  expect(report.files[0]!.unusedColumns).toEqual(['STUDENT_CNT_BLACK']);
  expect(await scratch.rows('education/attendance/year=2022/schools.parquet')).toEqual([
    row(2022, '601', '0103', 'all', 100, 0.3, 0.4, 0.3, null),
    row(2022, '601', '0103', 'black', null, 0.2, 0.2, 0.6, null),
  ]);
});

test('what a group lacks beside its other columns is named', async () => {
  const rates = 'FIVE_OR_FEWER_PERCENT_HISPANI,SIX_TO_FIFTEEN_PERCENT_HISPANI,OVER_15_PERCENT_HISPANI';
  const row = '2021-22,School,601,0103,100,30,40,30';
  const said = async (header: string, cells: string) => {
    const scratch = scratchLake();
    const file = scratch.file('g.csv', `${PLACE},${ALL},${header}\n${row},${cells}\n`);
    const { odd, written } = await scratch.report('attendance', [file]);
    expect(written.map(({ rows }) => rows)).toEqual([2]);
    return odd;
  };
  const absent = (column: string) => ({
    what: `the column ${column} is not in the file: NULL for every place`,
    count: 1,
    examples: ['g.csv'],
  });
  expect(await said(`STUDENT_COUNT_HISPANIC,${rates}`, '50,20,20,60')).toEqual([]);
  expect(await said(rates, '20,20,60')).toEqual([absent('STUDENT_COUNT_HISPANI')]);
  expect(await said(`STUDENT_COUNT_HISPANI,${rates},CHRONIC_ABSENT_PERC_ALL`, '50,20,20,60,12.5')).toEqual([
    absent('CHRONIC_ABSENT_PERC_HISPANI'),
  ]);
});

test('rows that are no place are dropped and counted, with examples', async () => {
  const scratch = scratchLake();
  const file = scratch.file(
    'notes.csv',
    `${PLACE},${ALL}\n` +
      '2023-24,State,ALL,ALL,10,20,30,50\n' +
      '2023-24,School,601,ALL,10,20,30,50\n' +
      '2023-24,School,60100,0103,10,20,30,50\n' +
      '"TFS: too few students"\n',
  );
  const report = await scratch.report('attendance', [file]);
  expect(report.files[0]!.dropped).toEqual([
    {
      what: "the row has another number of cells than the header's 8",
      count: 1,
      examples: ['line 5: TFS: too few students'],
    },
    {
      what: 'the district code is neither 3 nor 7 digits',
      count: 1,
      examples: ['line 4: 2023-24, School, 60100, 0103'],
    },
    {
      what: 'the level and the codes disagree',
      count: 1,
      examples: ['line 3: 2023-24, School, 601, ALL'],
    },
  ]);
});

function row(
  year: number,
  district: string | null,
  school: string | null,
  demographic: string,
  students: number | null,
  ...rates: (number | null)[]
) {
  return {
    year,
    district_code: district,
    school_code: school,
    demographic,
    num_students: students,
    five_or_fewer_days_absent_rate: rates[0],
    six_to_fifteen_days_absent_rate: rates[1],
    over_15_days_absent_rate: rates[2],
    chronically_absent_rate: rates[3],
  };
}
