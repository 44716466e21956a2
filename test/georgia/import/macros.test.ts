/** Macros in SQL, cell by cell: school years, codes of places, and which cells are figures. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { literal } from '../../../build/lake/sql.ts';
import { type Database, openDatabase } from '../../../scripts/georgia/import/database.ts';

let database: Database;
beforeAll(async () => {
  database = await openDatabase(['withheld']);
});
afterAll(() => database.close());

async function value(macro: string, ...cells: readonly string[]): Promise<unknown> {
  const args = cells.map(cell => (cell === 'NULL' ? 'CAST(NULL AS VARCHAR)' : literal(cell)));
  const [row] = await database.rows<{ v: unknown }>(`SELECT ${macro}(${args.join(', ')}) AS v`);
  return row!.v;
}

/** What a macro gives, then the cells for which it does, with bars between them. */
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

test.each([
  'School 601 0103: null',
  'NULL 601 ALL: null',
  'State ALL ALL: null',
  'NULL 60100 ALL: the district code is neither 3 nor 7 digits',
  'NULL 601 01035: the school code is not 4 digits',
  'NULL ALL 0103: a school without a district',
  'District 601 0103: the level and the codes disagree',
  'Region 601 0103: the level is neither state, district nor school',
  // A blank code is a total where the level says so, and nowhere else.
  'State NULL NULL: null',
  'District 601 NULL: null',
  'School 601 NULL: no school code',
  'NULL 601 NULL: no school code',
  'NULL ALL NULL: no school code',
  'District NULL NULL: no district code',
  'School NULL 0103: a school without a district',
  'NULL NULL ALL: no district code',
])('level, district and school: %s', async row => {
  const [cells, problem] = row.split(': ') as [string, string];
  expect(String(await value('place_problem', ...cells.split(' ')))).toBe(problem);
});

test('every percentage to two decimals becomes the nearest double of its proportion', async () => {
  const rows = await database.rows<{ n: number; p: number }>(
    "SELECT CAST(i AS INTEGER) AS n, proportion_of(printf('%.2f', i / 100.0)) AS p FROM range(0, 10001) r(i)",
  );
  for (const { n, p } of rows) expect(p).toBe(n / 10000);
});
