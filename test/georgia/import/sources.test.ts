/** A file's bytes as text, its text as rows, its name as a year, its cells as values, and findings in its rows. */
import { tmpdir } from 'node:os';
import { afterAll, expect, test } from 'vitest';
import { Database } from '../../../build/lake/database.ts';
import { literal } from '../../../build/lake/sql.ts';
import { IMPORTERS } from '../../../scripts/georgia/import/importers.ts';
import { cellMacros } from '../../../scripts/georgia/import/macros.ts';
import { groupFindings } from '../../../scripts/georgia/import/report.ts';
import { yearOfFileName } from '../../../scripts/georgia/import/source-table.ts';
import {
  decodeText,
  matchHeaders,
  parseDelimited,
  parseJsonTable,
} from '../../../scripts/georgia/import/source-text.ts';
import { scratchLake, testStep } from './import-case.ts';

test('text is UTF-8 with or without a BOM, UTF-16 with one, or Latin-1', () => {
  const utf8 = new TextEncoder().encode('Peña');
  expect(decodeText(utf8)).toBe('Peña');
  expect(decodeText(Uint8Array.of(0xef, 0xbb, 0xbf, ...utf8))).toBe('Peña');
  expect(decodeText(Uint8Array.of(0x50, 0x65, 0xf1, 0x61))).toBe('Peña');
  expect(decodeText(Uint8Array.of(0xff, 0xfe, 0x50, 0, 0x65, 0, 0xf1, 0, 0x61, 0))).toBe('Peña');
});

test.each([
  ['a,b\n1,2\n', 'a b/1 2'],
  ['a,b\r\n1,2\r\n', 'a b/1 2'],
  ['a,b\r1,2', 'a b/1 2'],
  ['a;b\n1;2', 'a b/1 2'],
  ['a\tb\n1\t2\n', 'a b/1 2'],
  ['\n a , "b"\n\n1,"2"\n,\n', 'a b/1 2'],
  // A code in a formula keeps its zeros, and other kinds of spaces are spaces.
  ['="0103",="601",Few\u00a0Students,="a', '0103 601 Few Students ="a'],
  ['a,b\n"x, ""y""\nz",2\r\n', 'a b/x, "y"\nz 2'],
])('%j has the rows %j', (content, rows) => {
  const { records } = parseDelimited(content);
  expect(records.map(({ cells }) => cells.join(' ')).join('/')).toBe(rows);
});

test.each([
  '{"13001":{"fips":"13001","n":5},"13003":{"fips":"13003","n":null}}',
  '[{"fips":"13001","n":5},{"fips":"13003"}]',
  '[["fips","n"],["13001",5],["13003",null]]',
])('%s is a table', content => {
  const rows = parseJsonTable(content)!.map(record => record.cells.join());
  expect(rows).toEqual(['fips,n', '13001,5', '13003,']);
});

test('a repeated column is refused', () => {
  const { records } = parseDelimited('System ID,system_id,School ID');
  const { shapes } = IMPORTERS.find(({ name }) => name === 'ccrpi_graduation_rate')!;
  expect(matchHeaders(shapes, records)).toEqual({
    problem: 'the column System ID appears twice (cells 1 and 2): remove one',
    near: true,
  });
});

/** The year of a school file and of a survey file, by name. */
test.each([
  [2022, 2022, '2022_4-Year_Cohort_10_11_22.csv 2022_601_cohort.csv 2022_4-5-Year_Cohort.csv'],
  [
    2023,
    2023,
    'acs5_2023_georgia.json 2022-2023_cohort.csv 2022_2023_cohort.csv 2022_23_cohort.csv cohort_2022–23.csv',
  ],
  [2024, 2024, 'Attendance_2023-24.csv Attendance_2023-24_2025-06-17_15_16_08.csv'],
  [2000, 2000, '1999-00.csv'],
  [2019, 2019, 'Graduation_Rate_2019_Dec2nd_2019.csv'],
  [undefined, 2022, '2018-2022_acs5.json acs5_2018_22.json'],
  [
    undefined,
    undefined,
    'cohort.csv 20221005.csv from_2021_to_2024.csv 2022_rates_2023.csv 2022-23_or_2023-24.csv',
  ],
  [
    undefined,
    undefined,
    '2022_10_cohort.csv 2023-2022_cohort.csv 2011-12-05_cohort.csv cohort_12-05-2011.csv',
  ],
])('%s, or %s of a survey, is the year of %s', (year, surveyed, names) => {
  for (const name of names.split(' '))
    expect([name, yearOfFileName(name), yearOfFileName(name, true)]).toEqual([name, year, surveyed]);
});

/** SQL macros, cell by cell: school years, codes of places, and which cells are figures. */
const database = await Database.open({ threads: 1, memoryLimit: '1GB', temporaryFolder: tmpdir() });
const session = await database.connect();
await session.run(cellMacros(['withheld']));
afterAll(() => database.close());

async function value(macro: string, ...cells: readonly string[]): Promise<unknown> {
  const args = cells.map(cell => (cell === 'NULL' ? 'CAST(NULL AS VARCHAR)' : literal(cell)));
  const [row] = await session.rows<{ v: unknown }>(`SELECT ${macro}(${args.join(', ')}) AS v`);
  return row!.v;
}

/** What a macro gives, then the cells, separated by bars. */
const TABLE: readonly (readonly [macro: string, value: unknown, cells: string])[] = [
  [
    'school_year_of',
    2024,
    '2023-24|2023-2024|2023–24|2023/24|2023 - 24|SY 2023-24|23-24|2024|FY24|AY 2023-24|2024.0',
  ],
  ['school_year_of', 2000, '1999-00|99-00|1999-2000'],
  ['school_year_of', 1999, '98-99'],
  ['school_year_of', null, '2023-25|2023-2025|24|Spring|NULL'],
  ['district_code_of', '601', "601|601.0|'601"],
  ['district_code_of', '001', '1'],
  ['district_code_of', 'RTC', 'rtc'],
  ['district_code_of', null, 'ALL|All Column Values|NULL'],
  ['school_code_of', '0103', '103|0103'],
  ['school_code_of', null, 'ALL|DISTRICT|All Schools|NULL'],
  ['is_too_few', true, 'TFS|Too Few Students'],
  ['is_too_few', false, '|NULL|No Data'],
  ['number_of', 1234567, '1234567|1,234,567'],
  ['number_of', 0, '0'],
  ['number_of', 32.7, '32.7|32.7%|32.7 %'],
  ['number_of', 0.5, '.5'],
  ['number_of', 12, ' 12 |12.'],
  ['number_of', -3, '-3'],
  ['number_of', 1000, '1e3'],
  ['number_of', 100, '100.00+|100+'],
  ['is_figure', true, '1,234,567|32.7 %|100.00+'],
  ['is_figure', false, 'abc|12,5|1,23,456|<5|>95|4-5|inf|1.2.3|99.9+|.|12 of 40'],
  ['is_count', true, '0|412| 412 |1,234,567|12.0|-3|1e3|2147483647'],
  ['is_count', false, '22%|$22|100+|100.00+|22.5|2147483648|3.2E+12|1e999|TFS|abc|NULL'],
  ['proportion_of', 0.327, '32.7|32.700000000000003'],
  ['proportion_of', 0.8413, '84.13%'],
  ['proportion_of', 0.33333333333, '33.333333333'],
  ['proportion_of', 9.1234567890123, '912.34567890123'],
  ['proportion_of', 1, '100'],
];
test.each(TABLE)('%s gives %s for %s', async (macro, expected, cells) => {
  for (const cell of cells.split('|')) expect([cell, await value(macro, cell)]).toEqual([cell, expected]);
});

const MARKERS =
  'NULL|| |TFS|tfs |Too Few Students|TOO FEW STUDENTS|No Data|NA|N/A|n/a|#N/A|*|-|--|Withheld|<5|< 10 %|≥95%|>= 95.5|Fewer than 10|less than or equal to 5|Suppressed|—';
test.each(MARKERS.split('|'))('"%s" is a marker and no figure', async cell => {
  const found = ['is_marker', 'is_figure', 'number_of', 'proportion_of'].map(macro => value(macro, cell));
  expect(await Promise.all(found)).toEqual([true, false, null, null]);
});

test('every percentage to two decimals becomes the nearest double of its proportion', async () => {
  const rows = await session.rows<{ n: number; p: number }>(
    "SELECT CAST(i AS INTEGER) AS n, proportion_of(printf('%.2f', i / 100.0)) AS p FROM range(0, 10001) r(i)",
  );
  for (const { n, p } of rows) expect(p).toBe(n / 10000);
});

test('examples are the first by position, for any order of rows', async () => {
  // More rows than DuckDB reads at a time.
  const count = 300_000;
  const found = await groupFindings(
    session,
    `SELECT CASE WHEN i % 2 = 0 THEN 'even' ELSE 'odd' END AS what, concat('line ', i) AS example, i AS position
     FROM (SELECT i FROM range(${count}) r(i) ORDER BY hash(i))`,
  );
  expect(found).toEqual([
    { what: 'even', count: count / 2, examples: [0, 2, 4, 6, 8].map(i => `line ${i}`) },
    { what: 'odd', count: count / 2, examples: [1, 3, 5, 7, 9].map(i => `line ${i}`) },
  ]);
});

/** Rows of schools, each with the state's mean; the first `wrong` repeat another section's mean. */
function repeated(schools: number, wrong: number): string {
  const rows = Array.from({ length: schools }, (_, index) => {
    const mean = index < wrong ? 534 : 510;
    return `2023-24,${601 + index},0103,Mathematics,30,500,61000.,${mean}\n`;
  });
  const place = 'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,INSTN_NUMBER,TEST_CMPNT_TYP_CD';
  return `${place},INSTN_NUM_TESTED_CNT,INSTN_AVG_SCORE_VAL,STATE_NUM_TESTED_CNT,STATE_AVG_SCORE_VAL\n${rows.join('')}`;
}

const conflict = (line: number) =>
  `source-conflict two rows of 2024 / - / - / all / mathematics hold different figures (avg_score 534 on line 2, 510 on line ${line}): remove the wrong one`;
const OTHERS =
  '3 what it repeats of its state (num_tested 61000, avg_score 534) is not what 57 of 60 rows repeat (num_tested 61000, avg_score 510)';
const WRITTEN = {
  written: { '2024/schools': 60, '2024/states': 1 },
  rows: { '2024/states': 'avg_score\n510' },
};
test.each([
  ['right if 95 of 100 rows have it', 60, 3, { dropped: [OTHERS], ...WRITTEN }],
  ['refused if fewer do', 60, 4, { refused: [conflict(6)] }],
  ['refused if fewer than twenty rows have it', 19, 1, { refused: [conflict(3)] }],
])('a repeated figure is %s', async (_, schools, wrong, wanted) => {
  const step = { file: 'a.csv', text: repeated(schools, wrong), ...wanted };
  await testStep(scratchLake(), 'sat_scores_recent', step);
});

test('all problems of all files are shown together', async () => {
  const header =
    'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,INSTN_NUMBER,LABEL_LVL_1_DESC,PROGRAM_TOTAL,PROGRAM_PERCENT';
  const long = `${header}\n2022-23,601,0103,${'x'.repeat(1_100_000)},20,80\n`;
  await testStep(scratchLake(), 'graduation_rate_4_year_cohort', {
    files: {
      'empty.csv': '',
      'other.csv': 'a,b\n1,2\n',
      'broken.parquet': 'PAR1 is not all',
      'long.csv': long,
    },
    refused: [
      'source-unreadable is empty',
      'source-unreadable no line holds the expected headers (LONG_SCHOOL_YEAR, …',
      'source-unreadable is a Parquet file that cannot be read: …',
      'source-unreadable holds a row of more than 1,000,000 characters on line 2: shorten its cells',
    ],
  });
});
