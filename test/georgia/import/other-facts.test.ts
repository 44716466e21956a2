import { expect, test } from 'vitest';
import { scratchLake } from './scratch-lake.ts';

test('end-of-grade: grades of their own with a tested count', async () => {
  const scratch = scratchLake();
  const file = scratch.file(
    'eog.csv',
    'year,district_code,school_code,subject,grade,num_tested,begin_pct,developing_pct,proficient_pct,distinguished_pct\r\n' +
      '2022,601,0177,English Language Arts,3,57,36.9,38.5,22.3,2.3\r\n' +
      '2022,601,DISTRICT,Physical Science,08,40,25,25,25,25\r\n' +
      '2022,601,0177,Mathematics,ALL,57,36.9,38.5,22.3,2.3\r\n' +
      '2022,601,0177,Science,05,,50,50,0,0\r\n' +
      '2022,ALL,ALL,Latin,05,10,50,50,0,0\r\n',
  );
  const report = await scratch.report('georgia_milestones_end_of_grade', [file]);
  expect(report.files[0]!.dropped.map(({ what, count }) => `${count} ${what}`)).toEqual([
    '1 all grades together',
    '1 no tested count',
    '1 the subject "Latin" is not one of the dataset\'s',
  ]);
  const [school] = await scratch.rows('education/georgia_milestones_end_of_grade/year=2022/schools.parquet');
  expect(school).toMatchObject({
    grade_level: '03',
    subject: 'english_language_arts',
    assessment_type: 'eog',
    num_tested: 57,
    pct_beginning_learner: 0.369,
    pct_distinguished_learner: 0.023,
    avg_scale_score: null,
    pct_developing_learner_or_above: null,
  });
  const [district] = await scratch.rows(
    'education/georgia_milestones_end_of_grade/year=2022/districts.parquet',
  );
  expect(district).toMatchObject({ school_code: null, subject: 'physical_science', grade_level: '08' });
});

test('end-of-grade: a file by student group gives all students alone', async () => {
  const scratch = scratchLake();
  const file = scratch.file(
    'eog.csv',
    'LONG_SCHOOL_YEAR,SCHOOL_DISTRCT_CD,INSTN_NUMBER,ACDMC_LVL,SUBGROUP_NAME,TEST_CMPNT_TYP_NM,NUM_TESTED_CNT,BEGIN_PCT,DEVELOPING_PCT,PROFICIENT_PCT,DISTINGUISHED_PCT\n' +
      '2018-19,601,0177,3,All Students,Mathematics,TFS,TFS,TFS,TFS,TFS\n' +
      '2018-19,601,0177,4,All Students,Mathematics,50,20,30,30,20\n' +
      '2018-19,601,0177,3,Female,Mathematics,12,80,10,5,5\n' +
      '2018-19,601,0177,4,Female,Mathematics,30,20,30,30,20\n' +
      '2018-19,601,0177,5,,Mathematics,40,20,30,30,20\n',
  );
  const report = await scratch.report('georgia_milestones_end_of_grade', [file]);
  expect(report.files[0]!.unusedColumns).toEqual([]);
  expect(report.files[0]!.dropped.map(({ what, count }) => `${count} ${what}`)).toEqual([
    '2 the student group "Female" is not all students',
    '1 no student group',
    '1 no tested count',
  ]);
  const rows = await scratch.rows('education/georgia_milestones_end_of_grade/year=2019/schools.parquet');
  expect(rows.map(row => [row.grade_level, row.num_tested])).toEqual([['04', 50]]);
});

test('end-of-grade: grades in words, and results of another assessment', async () => {
  const scratch = scratchLake();
  const grades = ['3.0', 'Grade 4', 'Grade 05', '6th', '7TH GRADE', '08', '3rd5', 'Grade K', '13', '0.5'];
  const row = (grade: string, type: string) => `2022,601,0177,Mathematics,${grade},${type},50,20,30,30,20\n`;
  const file = scratch.file(
    'eog.csv',
    'year,district_code,school_code,subject,grade,Assessment Type,num_tested,begin_pct,developing_pct,proficient_pct,distinguished_pct\n' +
      grades.map((grade, index) => row(grade, index % 2 === 0 ? 'EOG' : 'end_of_grade')).join('') +
      ['EOC', ''].map(type => row('3', type)).join(''),
  );
  const report = await scratch.report('georgia_milestones_end_of_grade', [file]);
  expect(report.files[0]!.unusedColumns).toEqual([]);
  expect(report.files[0]!.dropped.map(({ what }) => what)).toEqual([
    'no assessment type',
    'the assessment type "EOC" is not end of grade',
    'the grade "0.5" is not 3 to 8',
    'the grade "13" is not 3 to 8',
    'the grade "3rd5" is not 3 to 8',
    'the grade "Grade K" is not 3 to 8',
  ]);
  const rows = await scratch.rows('education/georgia_milestones_end_of_grade/year=2022/schools.parquet');
  expect(rows.map(({ grade_level }) => grade_level)).toEqual(['03', '04', '05', '06', '07', '08']);
});

test('progress: bands are proportions, the score is not, and 100.00+ is 100', async () => {
  const scratch = scratchLake();
  const file = scratch.file(
    'elp.csv',
    'School Year,System ID,School ID,Grade Cluster,Reporting Label,No Positive Movement,Moved Less Than One Band,Moved One Band,Moved More Than One Band,Progress Towards ELP Rate\n' +
      '2021-22,ALL,ALL,E,English Learners,20.01,11.5,22.13,46.36,100.00+\n' +
      '2021-22,ALL,ALL,K,English Learners,TFS,TFS,TFS,TFS,TFS\n',
  );
  const report = await scratch.report('ccrpi_progress', [file]);
  expect(report.files[0]!.dropped[0]!.what).toBe('the grade cluster "K" is not one of the dataset\'s');
  expect(await scratch.rows('education/ccrpi_progress/year=2022/states.parquet')).toEqual([
    {
      year: 2022,
      district_code: null,
      school_code: null,
      demographic: 'english_learners',
      grade_cluster: 'elementary',
      indicator: 'progress_towards_elp',
      ccrpi_flag: null,
      indicator_score: 100,
      indicator_target: null,
      pct_no_positive_movement: 0.2001,
      pct_moved_less_than_one_band: 0.115,
      pct_moved_one_band: 0.2213,
      pct_moved_more_than_one_band: 0.4636,
    },
  ]);
});

test('employment: an extract without margins, and the Census API with them', async () => {
  const scratch = scratchLake();
  const extract = scratch.file(
    'acs5_2023_counties.json',
    '{"13901":{"state_fips":"13","county_fips":"901","labor_force":8000,"unemployed":301},' +
      '"13903":{"state_fips":"13","county_fips":"903","labor_force":0,"unemployed":0},' +
      '"12001":{"state_fips":"12","county_fips":"001","labor_force":5,"unemployed":1}}',
  );
  const report = await scratch.report('employment', [extract]);
  expect(report.files[0]!.dropped[0]!.what).toBe('not a place of Georgia');
  const counties = await scratch.rows('census/employment/year=2023/counties.parquet');
  expect(counties.map(row => Object.values(row))).toEqual([
    [2023, '13901', null, null, 301 / 8000, null, 301, 8000, null, null],
    [2023, '13903', null, null, null, null, 0, 0, null, null],
  ]);

  const answer = scratch.file(
    'answer.json',
    '[["NAME","B23025_003E","B23025_003M","B23025_005E","B23025_005M","state","county","tract"],' +
      '["Tract 9501","1000","100","50","20","13","001","950100"],["Tract 9502","-666666666","-222222222","0","9","13","001","950200"]]',
  );
  await scratch.report('employment', [answer], { year: 2024 });
  const [tract, unknown] = await scratch.rows('census/employment/year=2024/tracts.parquet');
  expect(tract).toMatchObject({ county_fips: null, tract_geoid: '13001950100', unemployment_rate: 0.05 });
  expect(tract!.unemployment_rate_moe).toBeCloseTo(Math.sqrt(20 ** 2 + (0.05 * 100) ** 2) / 1000, 12);
  expect(unknown).toMatchObject({
    num_civilian_labor_force: null,
    num_civilian_labor_force_moe: null,
    unemployment_rate: null,
  });
});

test('cohort graduation: labels of the state become groups', async () => {
  const scratch = scratchLake();
  const labels = [
    ['ALL Students', 'all'],
    ['Active Duty', 'active_duty'],
    ['American Indian/Alaskan', 'native_american'],
    ['Asian/Pacific Islander', 'asian_pacific_islander'],
    ['Foster', 'foster_care'],
    ['Limited English Proficient', 'english_learners'],
    ['Multi-Racial', 'multiracial'],
    ['Not Economically Disadvantaged', 'not_economically_disadvantaged'],
    ['Students With Disability', 'students_with_disabilities'],
    ['Students Without Disability', 'students_without_disabilities'],
  ];
  const file = scratch.file(
    'g.csv',
    'LONG_SCHOOL_YEAR,DETAIL_LVL_DESC,SCHOOL_DSTRCT_CD,INSTN_NUMBER,LABEL_LVL_1_DESC,PROGRAM_TOTAL,PROGRAM_PERCENT,TOTAL_COUNT\n' +
      labels.map(([label]) => `2018-19,District,601,ALL,Grad Rate -${label},270,87.11,310\n`).join(''),
  );
  const report = await scratch.report('graduation_rate_4_year_cohort', [file]);
  expect(report.files[0]!.dropped).toEqual([]);
  const rows = await scratch.rows('education/graduation_rate_4_year_cohort/year=2019/districts.parquet');
  expect(rows.map(row => row.demographic)).toEqual(labels.map(([, code]) => code).sort());
  expect(rows[0]).toMatchObject({ num_graduates: 270, num_cohort: 310, graduation_rate: 0.8711 });
});
