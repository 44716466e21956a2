import { expect, test } from 'vitest';
import { scratchLake } from './scratch-lake.ts';

const ATTENDANCE =
  '#RPT_NAME,LONG_SCHOOL_YEAR,DETAIL_LVL_DESC,SCHOOL_DSTRCT_CD,INSTN_NUMBER,STUDENT_COUNT_ALL,FIVE_OR_FEWER_PERCENT_ALL,SIX_TO_FIFTEEN_PERCENT_ALL,OVER_15_PERCENT_ALL\n';

test.each([
  ['attendance', `${ATTENDANCE},,School,601,103,100,30,40,30\n`],
  [
    'ccrpi_graduation_rate',
    'School Year,System ID,School ID,Reporting Label,Graduation Rate Type,Graduation Rate\n,601,103,ALL Students,4-year graduation rate,91.98\n',
  ],
  [
    'ccrpi_progress',
    'School Year,System ID,School ID,Grade Cluster,Reporting Label,Progress Towards ELP Rate\n,601,103,H,English Learners,47.11\n',
  ],
  [
    'georgia_milestones_end_of_grade',
    'year,district_code,school_code,subject,grade,num_tested,begin_pct,developing_pct,proficient_pct,distinguished_pct\n,601,103,Mathematics,3,50,20,30,30,20\n',
  ],
  [
    'graduation_rate_4_year_cohort',
    'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,INSTN_NUMBER,LABEL_LVL_1_DESC,PROGRAM_TOTAL,PROGRAM_PERCENT,TOTAL_COUNT\n,601,103,Grad Rate -ALL Students,22,91.7,24\n',
  ],
])('%s: a row without a year is of the year of the file, or of --year', async (name, content) => {
  const scratch = scratchLake();
  const written = async (file: string, year?: number) => {
    const report = await scratch.report(name, [scratch.file(file, content)], { year });
    return report.written.map(({ path }) => path.replace(/^.*\/year=/, ''));
  };
  expect(await written('2022-23.csv')).toEqual(['2023/schools.parquet']);
  expect(await written('f.csv', 2024)).toEqual(['2024/schools.parquet']);
  expect(await scratch.refusal(name, [scratch.file('f.csv', content)])).toEqual([
    "source-year has no year on line 2, nor in the file's name: add --year",
  ]);
});

test('a year that is none is no blank one', async () => {
  const scratch = scratchLake();
  const file = scratch.file('2023.csv', `${ATTENDANCE},Spring,School,601,103,100,30,40,30\n`);
  expect(await scratch.refusal('attendance', [file], { year: 2023 })).toEqual([
    'source-year the column LONG_SCHOOL_YEAR holds "Spring" on line 2: not a school year such as 2023-24 or 2024',
  ]);
});

test('a note below the rows is dropped and counted as one', async () => {
  const scratch = scratchLake();
  const rows = 'Attendance,2022-23,School,601,0103,100,30,40,30\nTFS = too few students,,,,,,,,\n';
  const report = await scratch.report('attendance', [scratch.file('f.csv', ATTENDANCE + rows)]);
  expect(report.files[0]!.dropped).toEqual([
    { what: 'a note: it has no place, year or figure', count: 1, examples: ['line 3'] },
  ]);
  expect(report.written.map(({ rows: count }) => count)).toEqual([1]);
  const survey =
    '[["NAME","state","county","labor_force","unemployed"],["A","13","001",10,1],["Source: ACS",null,null,null,null]]';
  const { files } = await scratch.report('employment', [scratch.file('acs_2022.json', survey)]);
  expect(files[0]!.dropped.map(({ what }) => what)).toEqual(['a note: it has no place, year or figure']);
});
