import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { IMPORTERS } from '../../../scripts/georgia/import/importers.ts';
import { recogniseFile } from '../../../scripts/georgia/import/recognition.ts';
import { renderReport } from '../../../scripts/georgia/import/report.ts';
import { scratchLake } from './scratch-lake.ts';
import { workbook } from './workbook.ts';

const NAME = 'graduation_rate_4_year_cohort';
const HEADER =
  'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,INSTN_NUMBER,LABEL_LVL_1_DESC,PROGRAM_TOTAL,PROGRAM_PERCENT,TOTAL_COUNT';
const file = (...rows: string[]) => `${[HEADER, ...rows].join('\n')}\n`;
const row = (year: string, school: string, graduates: string) =>
  `${year},601,${school},Grad Rate -ALL Students,${graduates},50,44`;

test('a bad file is left out and named, the others are imported, and its years keep what the lake had', async () => {
  const scratch = scratchLake();
  const before = scratch.file('before.csv', file(row('2017-18', '103', '20'), row('2018-19', '103', '21')));
  await scratch.report(NAME, [before]);
  const good = scratch.file('good.csv', file(row('2018-19', '104', '22')));
  const bad = scratch.file('bad.csv', file(row('2017-18', '103', 'n.b.'), row('2018-19', '103', '23')));
  const report = await scratch.report(NAME, [bad, good]);
  expect(report.leftOut.map(({ file, code }) => [file, code])).toEqual([[bad, 'source-value']]);
  expect(report.files.map(one => one.file)).toEqual(['good.csv']);
  expect(renderReport(report)).toContain(`left out ${bad}: the lake keeps what it had of it\n`);
  const graduates = async (year: number) =>
    (await scratch.rows(`education/${NAME}/year=${year}/schools.parquet`)).map(one => [
      one.school_code,
      one.num_graduates,
    ]);
  expect(await graduates(2018)).toEqual([['0103', 20]]);
  // The bad file has the other school of this year; without it, the school is not removed.
  expect(await graduates(2019)).toEqual([
    ['0103', 21],
    ['0104', 22],
  ]);
  expect(report.changes).toEqual([]);
});

test('a workbook with a bad sheet is left out whole', async () => {
  const scratch = scratchLake();
  const sheet = (...rows: string[]) => [HEADER, ...rows].map(line => line.split(','));
  const book = workbook({ a: sheet(row('2017-18', '103', '20')), b: sheet(row('2018-19', '103', '2.5')) });
  const good = scratch.file('good.csv', file(row('2018-19', '104', '22')));
  const report = await scratch.report(NAME, [scratch.file('book.xlsx', book), good]);
  expect(report.leftOut).toHaveLength(1);
  expect(report.written.map(({ path, rows }) => [path, rows])).toEqual([
    [`education/${NAME}/year=2019/schools.parquet`, 1],
  ]);
});

test('if no file can be read, the import is refused with all problems', async () => {
  const scratch = scratchLake();
  const files = ['a.csv', 'b.csv'].map(name => scratch.file(name, file(row('2017-18', '103', '2.5'))));
  expect(await scratch.refusal(NAME, files)).toHaveLength(2);
  expect(existsSync(join(scratch.lake, 'education'))).toBe(false);
});

test.each([
  [
    'page.csv',
    '<!DOCTYPE html>\n<html><body>Not found</body></html>',
    'is a web page: download the file that it links',
  ],
  [
    'ACSDT5Y2023.csv',
    '\ufeff"Label (Grouping)","Georgia!!Estimate"\n"Total:","1"\n',
    'is a table as data.census.gov shows it, without codes of places: download its archive (ZIP)',
  ],
  ['x.parquet', 'PAR1 is not all', /^is a Parquet file that cannot be read: [^\n]*; download it again$/],
])('what is no table of an office is named as what it is: %s', async (name, content, problem) => {
  const found = await recogniseFile(scratchLake().file(name, content), IMPORTERS);
  expect('problem' in found && found.problem).toEqual(
    typeof problem === 'string' ? problem : expect.stringMatching(problem),
  );
});
