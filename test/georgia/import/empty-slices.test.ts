import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchLake } from './scratch-lake.ts';

const NAME = 'graduation_rate_4_year_cohort';
const YEAR = `education/${NAME}/year=2019`;
const HEADER =
  'LONG_SCHOOL_YEAR,DETAIL_LVL_DESC,SCHOOL_DSTRCT_CD,INSTN_NUMBER,LABEL_LVL_1_DESC,PROGRAM_TOTAL,PROGRAM_PERCENT,TOTAL_COUNT\n';
const STATE = '2018-19,State,ALL,ALL,Grad Rate -ALL Students,108000,82.0,131700\n';
const SCHOOL = '2018-19,School,601,0103,Grad Rate -ALL Students,22,91.7,24\n';
const SPOILT = '2018-19,School,7.82E+06,0108,Grad Rate -ALL Students,22,91.7,24\n';
const NOTHING = 'has no row to write';

test('a row that is dropped makes no slice, and empties none', async () => {
  const scratch = scratchLake();
  await scratch.report(NAME, [scratch.file('state.csv', HEADER + STATE)]);
  const report = await scratch.report(NAME, [scratch.file('schools.csv', HEADER + SCHOOL + SPOILT)]);
  expect(report.files[0]!.dropped[0]!.count).toBe(1);
  expect(report.written).toEqual([{ path: `${YEAR}/schools.parquet`, rows: 1, kept: 0 }]);
  expect(await scratch.rows(`${YEAR}/states.parquet`)).toHaveLength(1);
});

test('a padded footer makes no folder of its own', async () => {
  const scratch = scratchLake();
  await scratch.report(NAME, [scratch.file('foot.csv', `${HEADER}${SCHOOL}Source: GOSA,,,,,,,\n`)]);
  expect(readdirSync(join(scratch.lake, `education/${NAME}`))).toEqual(['year=2019']);
  expect(readdirSync(join(scratch.lake, YEAR))).toEqual(['schools.parquet']);
});

test('a file of which no row is left leaves the lake alone, and so it is said', async () => {
  const scratch = scratchLake();
  await scratch.report(NAME, [scratch.file('state.csv', HEADER + STATE)]);
  const spoilt = scratch.file('spoilt.csv', HEADER + SPOILT);
  const alone = await scratch.report(NAME, [spoilt]);
  expect([alone.written, alone.leftOut.map(one => one.message)]).toEqual([[], [NOTHING]]);
  expect(await scratch.rows(`${YEAR}/states.parquet`)).toHaveLength(1);
  const beside = await scratch.report(NAME, [scratch.file('good.csv', HEADER + SCHOOL), spoilt]);
  expect(beside.written).toHaveLength(1);
  expect(beside.leftOut.map(one => [one.file, one.message])).toEqual([[spoilt, NOTHING]]);
});

test.each([
  ['counties', 'county_fips,county_name\n', '13001,Appling County\n', '601,Appling County\n'],
  ['counties', 'county_fips,county_name\n', '13001,Appling County\n', ''],
  ['districts', 'district_code,district_name\n', '601,One\n', 'ALL,All Column Values\n'],
])('%s stay where no row of a file is one of them', async (name, header, good, wrong) => {
  const scratch = scratchLake();
  const first = await scratch.report(name, [scratch.file('good.csv', header + good)]);
  const { path, rows } = first.written[0]!;
  const second = await scratch.report(name, [scratch.file('wrong.csv', header + wrong)]);
  expect([second.written, second.leftOut.map(one => one.message)]).toEqual([[], [NOTHING]]);
  expect(await scratch.rows(path)).toHaveLength(rows);
});
