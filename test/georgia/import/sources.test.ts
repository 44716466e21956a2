/** A file's bytes as text, its text as rows, its name as a year, and what is found in its rows in their order. */
import { expect, test } from 'vitest';
import { openDatabase } from '../../../scripts/georgia/import/database.ts';
import { ccrpiGraduationRate } from '../../../scripts/georgia/import/education/ccrpi-graduation-rate.ts';
import { yearOfFileName } from '../../../scripts/georgia/import/file-name-year.ts';
import { groupFindings } from '../../../scripts/georgia/import/row-checks.ts';
import { decodeText, parseDelimited } from '../../../scripts/georgia/import/source-csv.ts';
import { matchHeaders } from '../../../scripts/georgia/import/source-headers.ts';
import { parseJsonTable } from '../../../scripts/georgia/import/source-json.ts';

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
  // A code in a formula keeps its zeros, and spaces of other kinds are spaces.
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

test('a column that stands twice is refused', () => {
  const { records } = parseDelimited('System ID,system_id,School ID');
  expect(matchHeaders(ccrpiGraduationRate.shapes, records)).toEqual({
    problem: 'the column System ID stands twice (cells 1 and 2): remove one',
    near: true,
  });
});

/** The year of a school, and that of a survey, by the names that say it. */
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
    expect([name, yearOfFileName(name, 'none'), yearOfFileName(name, 'last')]).toEqual([
      name,
      year,
      surveyed,
    ]);
});

test('examples are the first by position, whatever order rows come in', async () => {
  // More rows than one thread of DuckDB reads at a time.
  const count = 300_000;
  const database = await openDatabase();
  const found = await groupFindings(
    database,
    `SELECT CASE WHEN i % 2 = 0 THEN 'even' ELSE 'odd' END AS what, concat('line ', i) AS example, i AS position
     FROM (SELECT i FROM range(${count}) r(i) ORDER BY hash(i))`,
  );
  database.close();
  expect(found).toEqual([
    { what: 'even', count: count / 2, examples: [0, 2, 4, 6, 8].map(i => `line ${i}`) },
    { what: 'odd', count: count / 2, examples: [1, 3, 5, 7, 9].map(i => `line ${i}`) },
  ]);
});
