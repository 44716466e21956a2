import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../scripts/georgia/import/database.ts';
import { scratchLake } from './scratch-lake.ts';

test('districts: kinds follow from codes, census codes lose the state, RTC is added, the first name wins', async () => {
  const scratch = scratchLake();
  const list = scratch.file(
    'districts.csv',
    'district_code,district_name,src,census_sd_geoid\n601,One,x,1390060\n7820108,Two,x,\n7830103,Three,x,\n' +
      '799,Four,x,\n850,Five,x,\n888,Six,x,\n891,Seven,x,\n781,Eight,x,1393510\n890,Nine,x,\n',
  );
  const facts = scratch.file(
    'attendance.csv',
    'SCHOOL_DSTRCT_CD,SCHOOL_DSTRCT_NM,INSTN_NUMBER,INSTN_NAME\n601,Uno,0103,A\n5,Ten,0104,B\nALL,All Column Values,ALL,All\n',
  );
  const schools = scratch.file(
    'schools.csv',
    'district_code,school_code,school_name\n7991894,1894,Eleven\n602,0001,C\n',
  );
  const report = await scratch.report('districts', [list, facts, schools]);
  const rows = await scratch.rows('education/_dimensions/districts.parquet');
  expect(rows.map(row => Object.values(row).slice(0, 4).join(' '))).toEqual([
    '005 Ten  standard',
    '601 One 90060 standard',
    '781 Eight 93510 standard',
    '7820108 Two  state_charter',
    '7830103 Three  commission_charter',
    '799 Four  state_school',
    '7991894 Eleven  state_school',
    '850 Five  resa',
    '888 Six  resa',
    '890 Nine  state_agency',
    '891 Seven  state_agency',
    'RTC Residential Treatment Centers  state_special',
  ]);
  expect(report.odd.map(({ what, count }) => [what, count])).toEqual([
    ['a code of no known kind, taken for a state agency', 1],
  ]);
  expect(report.files.map(file => file.dropped.map(({ what, count }) => [what, count]))).toEqual([
    [],
    [
      ['a total, not a district', 1],
      ['an earlier row names the same place', 1],
    ],
    [['no district name', 1]],
  ]);
});

test('schools: padded codes, schools of facts, and the one school of a seven-digit operator', async () => {
  const scratch = scratchLake();
  const files = [
    scratch.file(
      'schools.csv',
      'district_code,school_code,school_name\n601,103,First\n7820108,0108,Second\n',
    ),
    scratch.file(
      'districts.csv',
      'district_code,district_name\n601,One\n7830629,State Charter Schools II- Third\n7820108,Other\n',
    ),
    scratch.file(
      'rates.csv',
      'School Year,System ID,System Name,School ID,School Name\n2024,601,One,ALL,All Schools\n2024,601,One,407,Fourth\n',
    ),
  ];
  await scratch.report('schools', files);
  const rows = await scratch.rows('education/_dimensions/schools.parquet');
  expect(rows.map(row => Object.values(row).slice(0, 4).join(' '))).toEqual([
    '601 0103 First list',
    '601 0407 Fourth from_source',
    '7820108 0108 Second list',
    '7830629 0629 Third list',
  ]);
});

test('a fact whose school no dimension names is written and reported', async () => {
  const scratch = scratchLake();
  await scratch.report('demographics', []);
  await scratch.report('districts', [scratch.file('d.csv', 'district_code,district_name\n601,One\n')]);
  await scratch.report('schools', [
    scratch.file('s.csv', 'district_code,school_code,school_name\n601,103,First\n'),
  ]);
  const progress = scratch.file(
    'p.csv',
    'School Year,System ID,School ID,Grade Cluster,Reporting Label,Progress Towards ELP Rate\n' +
      '2022,601,103,H,English Learners,47.11\n2022,601,407,H,English Learners,TFS\n2022,601,407,M,English Learners,100.00+\n',
  );
  const report = await scratch.report('ccrpi_progress', [progress]);
  expect(report.notes).toEqual([]);
  expect(report.odd).toEqual([
    { what: 'school_code is not in the dimension schools', count: 2, examples: ['601 / 0407: 2 rows'] },
  ]);
  const rows = await scratch.rows('education/ccrpi_progress/year=2022/schools.parquet');
  expect(rows.map(row => [row.school_code, row.grade_cluster, row.indicator_score])).toEqual([
    ['0103', 'high', 47.11],
    ['0407', 'high', null],
    ['0407', 'middle', 100],
  ]);
});

test('counties, tracts and block groups', async () => {
  const scratch = scratchLake();
  const counties = scratch.file(
    'c.csv',
    'GEOID,NAME\n13903,"Testing County, Georgia"\n13901,Sample County\n12901,Elsewhere County\n',
  );
  const report = await scratch.report('counties', [counties]);
  expect(report.files[0]!.dropped[0]!.count).toBe(1);
  expect(await scratch.rows('_dimensions/counties.parquet')).toEqual([
    { county_fips: '13901', county_name: 'Sample' },
    { county_fips: '13903', county_name: 'Testing' },
  ]);
  await scratch.report('tracts', [
    scratch.file('t.csv', 'tract_geoid\n13001950202\n13001950100\n13121000104\n'),
  ]);
  expect(await scratch.rows('_dimensions/tracts.parquet')).toEqual([
    { tract_geoid: '13001950100', tract_name: 'Census Tract 9501' },
    { tract_geoid: '13001950202', tract_name: 'Census Tract 9502.02' },
    { tract_geoid: '13121000104', tract_name: 'Census Tract 1.04' },
  ]);
  await scratch.report('block_groups', [scratch.file('b.csv', 'block_group_geoid\n130019501001\n')]);
  expect(await scratch.rows('_dimensions/block_groups.parquet')).toEqual([
    { block_group_geoid: '130019501001' },
  ]);
});

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
