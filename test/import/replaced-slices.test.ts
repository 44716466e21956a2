import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderReport } from '../../scripts/import/report.ts';
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
  const what = 'replaces 3 rows; 2 of their keys are no longer there';
  const examples = ['2019 / 601 / 0103 / all', '2019 / 602 / 0103 / all'];
  expect(report.written).toEqual([{ path: SCHOOLS, rows: 2, kept: 0, gone: { what, count: 2, examples } }]);
  expect(renderReport(report)).toContain(
    `wrote    ${SCHOOLS} (2 rows; ${what})\n           ${examples.join('\n           ')}\n`,
  );
});

test('a dimension too; a file that is no Parquet is replaced, and so it is said', async () => {
  const scratch = scratchLake();
  const path = '_dimensions/counties.parquet';
  mkdirSync(join(scratch.lake, '_dimensions'), { recursive: true });
  writeFileSync(join(scratch.lake, path), 'no Parquet');
  const read = (codes: string[]) =>
    scratch.report('counties', [
      scratch.file('c.csv', `county_fips,county_name\n${codes.map(code => `${code},X\n`).join('')}`),
    ]);
  const gone = async (codes: string[]) => (await read(codes)).written.map(slice => slice.gone?.what);
  expect(await gone(['13001', '13003'])).toEqual(['replaces a file whose rows cannot be read']);
  expect(await gone(['13003'])).toEqual(['replaces 2 rows; 1 of their keys are no longer there']);
});
