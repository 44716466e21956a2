import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { scratchLake } from './scratch-lake.ts';

const NAME = 'graduation_rate_4_year_cohort';
const HEADER =
  'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,INSTN_NUMBER,LABEL_LVL_1_DESC,PROGRAM_TOTAL,PROGRAM_PERCENT,TOTAL_COUNT\n';
const row = (graduates: number, school = '103') =>
  `2018-19,601,${school},Grad Rate -ALL Students,${graduates},90,24\n`;
const conflict = (places: string) =>
  `source-conflict two rows of 2019 / 601 / 0103 / all hold different figures (${places}): remove the wrong one`;

test('rows of two files that disagree are named with their files', async () => {
  const scratch = scratchLake();
  const files = [scratch.file('a.csv', HEADER + row(22)), scratch.file('b.csv', `${HEADER}\n${row(23)}`)];
  expect(await scratch.refusal(NAME, files)).toEqual([
    conflict('num_graduates 22 on a.csv line 2, 23 on b.csv line 3'),
  ]);
  mkdirSync(join(scratch.lake, '../new'));
  const namesake = scratch.file('new/a.csv', HEADER + row(23));
  expect(await scratch.refusal(NAME, [files[0]!, namesake])).toEqual([
    conflict(`num_graduates 22 on ${files[0]} line 2, 23 on ${namesake} line 2`),
  ]);
});

test('what is odd about rows of several files is said with the file', async () => {
  const scratch = scratchLake();
  const files = [scratch.file('a.csv', HEADER + row(22)), scratch.file('b.csv', HEADER + row(25, '104'))];
  const { odd } = await scratch.report(NAME, files);
  expect(odd.flatMap(({ examples }) => examples)).toEqual([
    'b.csv line 2: 2019 / 601 / 0104 / all',
    'a.csv line 2: 2019 / 601 / 0103 / all',
  ]);
});

test('items of a JSON document are counted as items', async () => {
  const scratch = scratchLake();
  const item = (county: string, unemployed: string) =>
    `"13${county}":{"state_fips":"13","county_fips":"${county}","labor_force":70,"unemployed":${unemployed}}`;
  const unreadable = `{\n${item('001', '1')},\n\n${item('003', '"n.b."')}}`;
  expect(await scratch.refusal('employment', [scratch.file('acs_2023.json', unreadable)])).toEqual([
    'source-value the column unemployed holds "n.b." on item 2: neither a whole number nor a known marker; if it marks a withheld figure, add --marker with that text',
  ]);
  const dated = scratch.file('acs.json', `{${item('001', '1')}}`);
  expect(await scratch.refusal('employment', [dated])).toEqual([
    "source-year has no year on item 1, nor in the file's name: add --year",
  ]);
  const elsewhere = `{${item('001', '1')},\n${item('003', '1').replace('"13"', '"12"')}}`;
  const { files } = await scratch.report('employment', [scratch.file('acs_2023.json', elsewhere)]);
  expect(files[0]!.dropped[0]!.examples).toEqual(['item 2: 12, 003, 70, 1']);
});

test.each([
  ['{"13001":{"n":1},\n"13001":{"n":2}}', '"13001" twice in one object (lines 1, 2)'],
  ['[{"n":1,\n"m":"}, \\"n\\"",\n"n":1}]', '"n" twice in one object (lines 1, 3)'],
])('a key that stands twice in JSON is refused: %j', async (content, problem) => {
  const scratch = scratchLake();
  expect(await scratch.refusal('employment', [scratch.file('acs_2023.json', content)])).toEqual([
    `source-unreadable holds ${problem}: remove the wrong one`,
  ]);
});

test('one key in several objects is none that stands twice', async () => {
  const scratch = scratchLake();
  const content =
    '[{"state":"13","county":"001","labor_force":7,"unemployed":1,"more":[{"state":1},{"state":2}],"note":"state"},' +
    '{"state":"13","county":"003","labor_force":7,"unemployed":1}]';
  const report = await scratch.report('employment', [scratch.file('acs_2023.json', content)]);
  expect(report.written[0]!.rows).toBe(2);
});

test.each([
  ['tabs', '\t'],
  ['semicolons', ';'],
])('a title with commas stands above rows with %s', async (_, delimiter) => {
  const scratch = scratchLake();
  const title =
    'Georgia Department of Education, CCRPI, 2019, all schools, districts, and the state, revised\n';
  const rows = (HEADER + row(22)).replaceAll(',', delimiter);
  const { written } = await scratch.report(NAME, [scratch.file('g.csv', title + rows)]);
  expect(written.map(slice => slice.rows)).toEqual([1]);
  const lacking = title + rows.replace('PROGRAM_TOTAL', 'X');
  expect(await scratch.refusal(NAME, [scratch.file('g.csv', lacking)])).toEqual([
    'source-unreadable fits no known layout; the nearest is graduation rates by label: PROGRAM_TOTAL is missing; X is too many',
  ]);
});

test('rows above the header are counted as dropped, titles are not', async () => {
  const scratch = scratchLake();
  const title = 'Graduation rates,,,,,,\n"Georgia Department of Education","CCRPI",2019\n';
  const above = [row(22), row(23, '104').replace(',24', ',')].join('');
  const file = scratch.file('g.csv', title + above + HEADER + row(22, '105'));
  const { files, written } = await scratch.report(NAME, [file]);
  expect(files[0]).toMatchObject({
    rowsRead: 3,
    dropped: [
      {
        what: 'the row stands above the header',
        count: 2,
        examples: [
          'line 3: 2018-19, 601, 103, Grad Rate -ALL Students, 22, 90, 24',
          'line 4: 2018-19, 601, 104, Grad Rate -ALL Students, 23, 90, ',
        ],
      },
    ],
  });
  expect(written.map(slice => slice.rows)).toEqual([1]);
});

test.each(['[Draft] Rates', '{Draft}', '[2019] Rates'])(
  '%s is a title above rows, and no JSON',
  async title => {
    const scratch = scratchLake();
    const { written } = await scratch.report(NAME, [scratch.file('g.csv', `${title}\n${HEADER}${row(22)}`)]);
    expect(written.map(slice => slice.rows)).toEqual([1]);
    const lacking = `${title}\n${HEADER.replace('PROGRAM_TOTAL', 'X')}${row(22)}`;
    expect(await scratch.refusal(NAME, [scratch.file('g.csv', lacking)])).toEqual([
      'source-unreadable fits no known layout; the nearest is graduation rates by label: PROGRAM_TOTAL is missing; X is too many',
    ]);
  },
);

test('an answer that was cut off is refused where it breaks off, however much it looks like delimited text', async () => {
  const scratch = scratchLake();
  const answer = '[["NAME","labor_force","unemployed","state","county","x"],\n["A",10,1,"13","001",';
  const [message] = await scratch.refusal('employment', [scratch.file('acs_2022.json', answer)]);
  expect(message).toMatch(/^source-unreadable begins like JSON, but is not valid: /);
});

test.each([
  ['a.csv.gz', gzipSync(HEADER), 'is compressed by gzip: unpack it first'],
  [
    'a.xlsx',
    Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0),
    'is a ZIP archive that cannot be read: End of central directory record signature not found. Either not a zip file, or file is truncated.; download it again',
  ],
  [
    'a.xls',
    Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1),
    'is a workbook that cannot be read: CFB file size 5 < 512; save its sheets as CSV',
  ],
  [
    'a.csv',
    Buffer.from(HEADER, 'utf16le'),
    'holds NUL characters: it is damaged, or UTF-16 without a byte order mark; save it as CSV in UTF-8',
  ],
])('%s, which is no text, is called what it is', async (name, bytes, problem) => {
  const scratch = scratchLake();
  expect(await scratch.refusal(NAME, [scratch.file(name, bytes)])).toEqual([`source-unreadable ${problem}`]);
});
