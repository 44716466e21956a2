import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratchLake } from './scratch-lake.ts';

const NAME = 'graduation_rate_4_year_cohort';
const HEADER =
  'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,INSTN_NUMBER,LABEL_LVL_1_DESC,PROGRAM_TOTAL,PROGRAM_PERCENT,TOTAL_COUNT,NOTE\n';
const row = (district: number, note: string) =>
  `2018-19,${district},103,Grad Rate -ALL Students,22,91.7,24,${note}\n`;
const NEVER = 'never closes: remove it, or close it';
const TAKES = 'does not close there and takes in rows below: remove it, or close it';

test.each([
  ['at the end of a row', row(601, '') + row(602, '"see note') + row(603, ''), `line 3 ${NEVER}`],
  ['in the last row', row(601, '') + row(602, '"'), `line 3 ${NEVER}`],
  ['twice', row(601, '"see') + row(602, '') + row(603, '"see') + row(604, ''), `line 2 ${TAKES}`],
  ['until a cell closes it', row(601, '"') + row(602, '') + row(603, 'x"'), `line 2 ${TAKES}`],
  ['below a note of two lines', row(601, '"a\n b"') + row(602, '"see') + row(603, '"see'), `line 4 ${TAKES}`],
  [
    'with CR alone',
    (row(601, '"see') + row(602, '') + row(603, 'x"')).replaceAll('\n', '\r'),
    `line 2 ${TAKES}`,
  ],
])('a quote that nobody closed, %s, is refused', async (_, body, where) => {
  const scratch = scratchLake();
  const files = [scratch.file('g.csv', HEADER + body)];
  expect(await scratch.refusal(NAME, files)).toEqual([`source-unreadable the quote that opens on ${where}`]);
  expect(existsSync(scratch.lake)).toBe(false);
});

test('a quote that takes in rows is found in the header too', async () => {
  const scratch = scratchLake();
  const header = HEADER.replace('NOTE', '"NOTE');
  const file = scratch.file('g.csv', header + row(601, '') + row(602, '"') + row(603, ''));
  expect(await scratch.refusal(NAME, [file])).toEqual([
    `source-unreadable the quote that opens on line 1 ${TAKES}`,
  ]);
});

test('headers, titles and notes of several lines are read', async () => {
  const scratch = scratchLake();
  const title = '"Graduation rates,\nclass of 2019, by place"\n';
  const header = HEADER.replace('PROGRAM_TOTAL', '"PROGRAM\nTOTAL"');
  const note = '"Corrected:\r\nsee the ""first"" letter, the second, and the third.\n\nEnd." ';
  const file = scratch.file('g.csv', title + header + row(601, note) + row(602, ''));
  const report = await scratch.report(NAME, [file]);
  expect(report.files[0]).toMatchObject({ rowsRead: 2, dropped: [] });
  expect(report.written[0]!.rows).toBe(2);
});

test('a list of one column may have a header of two lines', async () => {
  const scratch = scratchLake();
  const file = scratch.file('t.csv', '"tract\ngeoid"\n13001950202\n');
  expect((await scratch.report('tracts', [file])).written[0]!.rows).toBe(1);
});

test('a row of millions of characters is refused by its line', async () => {
  const scratch = scratchLake();
  const label = 'x'.repeat(17 * 1024 * 1024);
  const file = scratch.file('g.csv', HEADER + row(601, '') + `2018-19,602,103,${label},22,91.7,24,\n`);
  expect(await scratch.refusal(NAME, [file])).toEqual([
    'source-unreadable holds a row of more than 1,000,000 characters on line 3: shorten its cells',
  ]);
});
