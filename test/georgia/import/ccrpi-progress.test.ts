import { expect, test } from 'vitest';
import { scratchLake } from './scratch-lake.ts';

const HEADER =
  'School Year,System ID,System Name,School ID,School Name,Grade Configuration,Grade Cluster,Reporting Label,Indicator,Indicator Score,Target,Flag\n';

test('a file by indicator gives scores, targets and flags, state rows without a code too', async () => {
  const scratch = scratchLake();
  const file = scratch.file(
    '2024.csv',
    HEADER +
      '2024,756,Wilcox County,195,Wilcox County Elementary School,"PK, KK, 01",E,Students With Disability,Mathematics,78.96,NA,NA\n' +
      '2024,749,Warren County,,All Schools,"PK, KK, 01",H,ALL Students,English Language Arts,100.00+,NA,NA\n' +
      '2024,749,Warren County,,All Schools,"PK, KK, 01",H,English Learners,Progress Towards English Language Proficiency,TFS,TFS,NA\n' +
      '2024,,All Systems,,All Schools,"PK, KK, 01",H,English Learners,Progress Towards English Language Proficiency,61.5,62,Y\n' +
      '2018,ALL,All Systems,ALL,All Schools,"PK, KK, 01",M,English Learners,ELP Progress,55,54.5,G\n' +
      '2024,749,Warren County,,All Schools,"PK, KK, 01",H,ALL Students,Science,50,NA,NA\n',
  );
  const report = await scratch.report('ccrpi_progress', [file]);
  expect(report.files[0]!.dropped.map(({ what }) => what)).toEqual([
    'the indicator "Science" is not one of the dataset\'s',
  ]);
  const read = async (slice: string) =>
    (await scratch.rows(`education/ccrpi_progress/${slice}.parquet`)).map(row =>
      [row.indicator, row.indicator_score, row.indicator_target, row.ccrpi_flag].join(' '),
    );
  expect(await read('year=2024/schools')).toEqual(['mathematics_growth 78.96  ']);
  expect(await read('year=2024/districts')).toEqual([
    'english_language_arts_growth 100  ',
    'progress_towards_elp   ',
  ]);
  expect(await read('year=2024/states')).toEqual(['progress_towards_elp 61.5 62 yellow']);
  expect(await read('year=2018/states')).toEqual(['progress_towards_elp 55 54.5 green']);
});

test('a later file by bands adds its shares and keeps the target and the flag', async () => {
  const scratch = scratchLake();
  const row = '2024,756,Wilcox County,195,X,"PK",E,English Learners,ELP Progress,50,60,R\n';
  await scratch.report('ccrpi_progress', [scratch.file('a.csv', HEADER + row)]);
  const bands =
    'School Year,System ID,School ID,Grade Cluster,Reporting Label,No Positive Movement,Moved Less Than One Band,Moved One Band,Moved More Than One Band,Progress Towards ELP Rate\n' +
    '2024,756,195,E,English Learners,40,10,30,20,50\n';
  expect((await scratch.report('ccrpi_progress', [scratch.file('b.csv', bands)])).changes).toEqual([]);
  const [held] = await scratch.rows('education/ccrpi_progress/year=2024/schools.parquet');
  expect(held).toMatchObject({ indicator_target: 60, ccrpi_flag: 'red', pct_moved_one_band: 0.3 });
});
