import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderReport } from '../../../scripts/georgia/import/report.ts';
import { scratchLake } from './scratch-lake.ts';

const NAME = 'graduation_rate_4_year_cohort';
const SCHOOLS = `education/${NAME}/year=2019/schools.parquet`;
const HEADER =
  'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,INSTN_NUMBER,LABEL_LVL_1_DESC,PROGRAM_TOTAL,PROGRAM_PERCENT,TOTAL_COUNT\n';
const rows = (...places: string[]) =>
  HEADER + places.map(place => `2018-19,${place},Grad Rate -ALL Students,22,91.7,24\n`).join('');

test('a slice that lacks rows of the one it replaces says how many, and which', async () => {
  const scratch = scratchLake();
  const read = (...places: string[]) => scratch.report(NAME, [scratch.file('g.csv', rows(...places))]);
  expect((await read('601,103', '601,104', '602,103')).written).toEqual([
    { path: SCHOOLS, rows: 3, kept: 0 },
  ]);
  expect((await read('601,103', '601,104', '602,103', '602,ALL')).written[1]).toEqual({
    path: SCHOOLS,
    rows: 3,
    kept: 0,
  });
  const report = await read('601,104', '603,103');
  expect(report.written).toEqual([{ path: SCHOOLS, rows: 2, kept: 0 }]);
  const what = `${SCHOOLS} has 2 rows fewer that no file has any more`;
  const examples = ['2019 / 601 / 0103 / all', '2019 / 602 / 0103 / all'];
  expect(report.changes).toEqual([{ kind: 'removed', what, count: 6, examples }]);
  expect(renderReport(report)).toContain(
    `wrote    ${SCHOOLS} (2 rows)\nremoved  6 figures: ${what}\n           ${examples.join('\n           ')}\n`,
  );
});

test('a dimension that is replaced, too; a file that is no Parquet is replaced, and so it is said', async () => {
  const scratch = scratchLake();
  const path = '_dimensions/counties.parquet';
  mkdirSync(join(scratch.lake, '_dimensions'), { recursive: true });
  writeFileSync(join(scratch.lake, path), 'no Parquet');
  const read = async (...rows: string[]) => {
    const file = scratch.file('c.csv', `county_fips,county_name\n${rows.join('\n')}\n`);
    const { changes, notes } = await scratch.report('counties', [file], { replace: true });
    return [...changes.map(({ what, examples }) => `${what}: ${examples.join('; ')}`), ...notes];
  };
  expect(await read('13001,X', '13003,Y')).toEqual([`${path} replaces a file whose rows cannot be read`]);
  expect(await read('13003,Z')).toEqual([
    'county_name: c.csv gives other figures: 13003: Y is now Z',
    `${path} has a row fewer that no file has any more: 13001`,
  ]);
});
