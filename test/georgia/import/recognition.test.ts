/** Which datasets a file feeds, told by its headers, and the places that it adds. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { IMPORTERS } from '../../../scripts/georgia/import/importers.ts';
import { recogniseFile } from '../../../scripts/georgia/import/recognition.ts';
import { scratchLake } from './scratch-lake.ts';
import { workbook } from './workbook.ts';

const GOSA = 'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,SCHOOL_DSTRCT_NM,INSTN_NUMBER,INSTN_NAME';
const SAT = `${GOSA},TEST_CMPNT_TYP_CD,INSTN_NUM_TESTED_CNT,INSTN_AVG_SCORE_VAL`;
const SAT_2007 =
  'SysSchoolID,SchoolNme,Recent Total0,Recent Verbal0,Recent Math0,High Total0,High Verbal0,High Math0,Number Taken0';
const CLUSTER = 'School Year,System ID,School ID,Grade Cluster,Reporting Label,Indicator,Indicator Score';

async function fed(name: string, content: string | Uint8Array): Promise<string> {
  const found = await recogniseFile(scratchLake().file(name, content), IMPORTERS);
  return 'problem' in found ? found.problem : found.importers.map(importer => importer.name).join(', ');
}

test.each([
  ['a.csv', `${GOSA},LABEL_LVL_1_DESC,PROGRAM_TOTAL,PROGRAM_PERCENT`, 'graduation_rate_4_year_cohort'],
  [
    'a.csv',
    `${GOSA},COMPLETER_TYPE,LABEL_LVL_1_DESC,LABEL_LVL_5_CD,PROGRAM_TOTAL,PROGRAM_PERCENT`,
    'high_school_completers',
  ],
  ['SAT_highest.csv', SAT, 'sat_scores_highest'],
  ['sat recent.csv', SAT, 'sat_scores_recent'],
  [
    'sat.csv',
    SAT,
    'fits sat_scores_highest and sat_scores_recent alike: import it under one of these names, before the files',
  ],
  // One file has both attempts.
  ['sat_2007.csv', SAT_2007, 'sat_scores_highest, sat_scores_recent'],
  ['2019 Readiness.csv', CLUSTER, 'ccrpi_readiness'],
  ['2019 progress.csv', `${CLUSTER},Target,Flag`, 'ccrpi_progress'],
  ['a.csv', 'county_fips,county_name', 'counties'],
  ['a.csv', 'year,district_code,school_code,total_expenditures,fte_enrollment', 'per_pupil_expenditure'],
  ['a.csv', 'x,y\n1,2', 'fits no known layout: no line holds a header of any'],
])('%s with %s', async (name, header, expected) => {
  expect(await fed(name, `${header}\n`)).toEqual(expected);
});

test('the sheets of a workbook may feed datasets, while one of notes feeds none', async () => {
  const header = [' system_ID ', 'School Id', 'YEAR', 'school climate STAR rating'];
  const content = workbook({
    Notes: [['About the ratings']],
    Data: [['Ratings'], header, [601, 103, 2024, 4]],
  });
  expect(await fed('x.xlsx', content)).toBe('ccrpi_climate_star_rating');
});

test('--columns gives a file of an unknown layout the names of the contract', async () => {
  const scratch = scratchLake();
  const file = scratch.file(
    'fesr_district_2018.csv',
    'FY,sysid,Total $,FTE,PPE\n2018,601,1000000,100,"10,000"\n',
  );
  const renamed = new Map([
    ['fy', 'year'],
    ['sysid', 'district_code'],
    ['total', 'total_expenditures'],
    ['fte', 'fte_enrollment'],
    ['ppe', 'per_pupil_expenditure'],
  ]);
  await scratch.report('per_pupil_expenditure', [file], { renamed });
  expect(await scratch.rows('education/per_pupil_expenditure/year=2018/districts.parquet')).toEqual([
    expect.objectContaining({
      district_code: '601',
      total_expenditures: 1000000,
      fte_enrollment: 100,
      per_pupil_expenditure: 10000,
      federal_expenditures: null,
    }),
  ]);
});

test('places that the lists lack come from the files, under their latest names, and listed names stay', async () => {
  const scratch = scratchLake();
  await scratch.report('districts', [
    scratch.file('d.csv', 'district_code,district_name\n601,Appling County\n'),
  ]);
  const rows = [
    '2022-23,601,APPLING,0101,Old School,Grad Rate -White,10,50',
    '2023-24,601,APPLING,0101,New School,Grad Rate -White,10,50',
    '2023-24,7820108,State Charter Schools- X,0108,X,Grad Rate -White,10,50',
    '2023-24,ALL,All Column Values,ALL,All Column Values,Grad Rate -White,10,50',
  ];
  const header = `${GOSA},LABEL_LVL_1_DESC,PROGRAM_TOTAL,PROGRAM_PERCENT`;
  const file = scratch.file('g.csv', [header, ...rows].join('\n'));
  const { notes, odd } = await scratch.report('graduation_rate_4_year_cohort', [file], { addPlaces: true });
  expect(odd).toEqual([]);
  expect(notes.slice(0, 2)).toEqual([
    "1 place added to education/_dimensions/districts.parquet from the files' own names: 7820108 / State Charter Schools- X",
    "2 places added to education/_dimensions/schools.parquet from the files' own names: 601 / 0101 / New School; 7820108 / 0108 / X",
  ]);
  const districts = await scratch.rows('education/_dimensions/districts.parquet');
  expect(districts.map(({ district_name: name, district_type: type }) => [name, type])).toEqual([
    ['Appling County', 'standard'],
    ['State Charter Schools- X', 'state_charter'],
    ['Residential Treatment Centers', 'state_special'],
  ]);
});

test('--report has every row that is not served, and every odd one, with file, line and reason', async () => {
  const scratch = scratchLake();
  const rows = [
    '2010-11,601,A,0101,B,Writing,20,112',
    '2010-11,601,A,0102,C,Origami,20,400',
    'note',
    '2010-11,602',
  ];
  const report = scratch.file('report.csv', '');
  await scratch.report('sat_scores_recent', [scratch.file('r.csv', [SAT, ...rows].join('\n'))], { report });
  const cells = "the row has another number of cells than the header's 8";
  expect(readFileSync(report, 'utf8').split('\n').slice(1, -1)).toEqual([
    'odd,,2011,601,0101,all,writing,,,,r.csv,2,the mean is off the scale of its test component and is left out',
    'dropped,,2011,601,0102,all,,,,,r.csv,3,"the test component ""Origami"" is not one of the dataset\'s"',
    `dropped,,,,,,,,,,r.csv,4,${cells}`,
    `dropped,,,,,,,,,,r.csv,5,${cells}`,
  ]);
});
