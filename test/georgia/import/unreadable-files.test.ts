/** Files that are no table of an office: what they are is said, and what to do. */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { IMPORTERS } from '../../../scripts/georgia/import/importers.ts';
import { recogniseFile } from '../../../scripts/georgia/import/recognition.ts';
import { scratchLake } from './scratch-lake.ts';

const NAME = 'graduation_rate_4_year_cohort';
const HEADER =
  'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,INSTN_NUMBER,LABEL_LVL_1_DESC,PROGRAM_TOTAL,PROGRAM_PERCENT,TOTAL_COUNT\n';

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

test('a row of millions of characters is refused by its line', async () => {
  const scratch = scratchLake();
  const label = 'x'.repeat(17 * 1024 * 1024);
  const file = scratch.file('g.csv', `${HEADER}2018-19,602,103,${label},22,91.7,24\n`);
  expect(await scratch.refusal(NAME, [file])).toEqual([
    'source-unreadable holds a row of more than 1,000,000 characters on line 2: shorten its cells',
  ]);
});

test('all problems of all files are shown together', async () => {
  const scratch = scratchLake();
  const files = [
    scratch.file('empty.csv', ''),
    scratch.file('other.csv', 'a,b\n1,2\n'),
    scratch.file('broken.json', '[1, 2'),
    join(scratch.lake, 'absent.csv'),
  ];
  const messages = await scratch.refusal(NAME, files);
  expect(messages[0]).toBe('source-unreadable is empty');
  expect(messages[1]).toMatch(/^source-unreadable no line holds the expected headers \(LONG_SCHOOL_YEAR, /);
  expect(messages[2]).toMatch(
    /^source-unreadable begins like JSON, but is not valid: .* at position 5.*; download it again, or correct it there$/,
  );
  expect(messages[3]).toMatch(/^source-unreadable cannot be read: ENOENT/);
});
