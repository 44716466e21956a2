import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type ScratchLake, scratchLake } from './scratch-lake.ts';

/** What an import drops, and the rows and level of each slice that it writes. */
async function outcome(scratch: ScratchLake, name: string, content: string, file = 'f.csv') {
  const report = await scratch.report(name, [scratch.file(file, content)]);
  return {
    dropped: report.files.flatMap(({ dropped }) => dropped.map(({ what, count }) => `${count} ${what}`)),
    written: report.written.map(({ path, rows }) => `${path.replace(/^.*\//, '')} ${rows}`),
  };
}

const RATES = 'School Year,System ID,School ID,Reporting Label,Graduation Rate Type,Graduation Rate';
const PROGRESS = 'School Year,System ID,School ID,Grade Cluster,Reporting Label,Progress Towards ELP Rate';
const GRADES =
  'year,district_code,school_code,subject,grade,num_tested,begin_pct,developing_pct,proficient_pct,distinguished_pct';
const COHORT =
  'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,INSTN_NUMBER,LABEL_LVL_1_DESC,PROGRAM_TOTAL,PROGRAM_PERCENT,TOTAL_COUNT';
const ATTENDANCE =
  'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,INSTN_NUMBER,STUDENT_COUNT_ALL,FIVE_OR_FEWER_PERCENT_ALL,SIX_TO_FIFTEEN_PERCENT_ALL,OVER_15_PERCENT_ALL';

const CASES = [
  ['ccrpi_graduation_rate', 'Reporting Level', RATES, 'ALL Students,4-year graduation rate,50.0'],
  ['ccrpi_progress', 'Reporting Level', PROGRESS, 'H,English Learners,47.11'],
  ['georgia_milestones_end_of_grade', 'DETAIL_LVL_DESC', GRADES, 'Mathematics,3,50,20,30,30,20'],
  ['graduation_rate_4_year_cohort', 'DETAIL_LVL_DESC', COHORT, 'Grad Rate -ALL Students,22,91.7,24'],
  ['attendance', 'DETAIL_LVL_DESC', ATTENDANCE, '100,30,40,30'],
] as const;

test.each(CASES)('%s: a blank code is no total', async (name, _, header, rest) => {
  const rows = ['601,', ',', 'ALL,', '601,103', '601,ALL'].map(place => `2022,${place},${rest}\n`);
  expect(await outcome(scratchLake(), name, `${header}\n${rows.join('')}`)).toEqual({
    dropped: ['2 no school code', '1 no district code'],
    written: ['districts.parquet 1', 'schools.parquet 1'],
  });
});

test.each(CASES)('%s: it is one where the level says so', async (name, level, header, rest) => {
  const rows = ['School,2022,601,', 'System,2022,601,', 'State,2022,,', 'School,2022,601,103', ',2022,602,'];
  const content = `${level},${header}\n${rows.map(place => `${place},${rest}\n`).join('')}`;
  expect(await outcome(scratchLake(), name, content)).toEqual({
    dropped: ['2 no school code'],
    written: ['districts.parquet 1', 'schools.parquet 1', 'states.parquet 1'],
  });
});

const NAMES: Readonly<Record<string, readonly [district: string, school: string]>> = {
  'Reporting Level': ['System Name', 'School Name'],
  DETAIL_LVL_DESC: ['SCHOOL_DSTRCT_NM', 'INSTN_NAME'],
};

test.each(CASES)('%s: it is one where the name says so', async (name, level, header, rest) => {
  const rows = [
    'All Systems,All Schools,2022,,',
    'All Systems,All Schools,2023,,ALL',
    'All Systems,,2024,,',
    'Appling County,All Schools,2022,601,',
    'Appling County,Appling County High School,2022,601,103',
    // These name a place whose code is missing.
    'Appling County,All Schools,2022,,',
    'Appling County,Appling County High School,2022,601,',
    'Appling County,,2022,602,',
    'All Systems,Appling County High School,2022,,',
    'All Systems,Appling County High School,2022,,103',
  ];
  const content = `${NAMES[level]!.join(',')},${header}\n${rows.map(place => `${place},${rest}\n`).join('')}`;
  expect(await outcome(scratchLake(), name, content)).toEqual({
    dropped: ['3 no school code', '1 a school without a district', '1 no district code'],
    written: [
      'districts.parquet 1',
      'schools.parquet 1',
      'states.parquet 1',
      'states.parquet 1',
      'states.parquet 1',
    ],
  });
});

test.each(['fips', 'geoid', 'GEOID', 'GEO_ID'])(
  'employment: %s is the place where no column is',
  async header => {
    const codes = ['13001', '0500000US13003', '13', '13001950100', '601', null, '12001'];
    const rows = codes.map(code => [100, 5, code === '12001' ? '12' : '13', code]);
    const content = JSON.stringify([['labor_force', 'unemployed', 'state', header], ...rows]);
    expect(await outcome(scratchLake(), 'employment', content, 'acs_2022.json')).toEqual({
      dropped: [
        '1 no code of a place',
        '1 not a place of Georgia',
        '1 the code "601" is of no county, school district, tract or state',
      ],
      written: ['counties.parquet 2', 'states.parquet 1', 'tracts.parquet 1'],
    });
  },
);

test.each([
  ['school district (elementary)', '"state"'],
  ['county subdivision', '"state","county"'],
  ['block group', '"state","county","tract"'],
  ['place', '"state"'],
  ['county (or part)', '"state"'],
  ['metropolitan statistical area/micropolitan statistical area', '"state"'],
])('employment: a file by %s is refused', async (header, before) => {
  const scratch = scratchLake();
  const codes = before.replaceAll(/"\w+"/g, '"13"');
  const content = `[["B23025_003E","B23025_005E",${before},"${header}"],["100","5",${codes},"00001"]]`;
  expect(await scratch.refusal('employment', [scratch.file('acs_2022.json', content)])).toEqual([
    `source-unreadable the column ${header} belongs to places that the dataset does not have: use the file of another level`,
  ]);
  expect(existsSync(scratch.lake)).toBe(false);
});
