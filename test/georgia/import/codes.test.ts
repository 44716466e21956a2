import { afterAll, beforeAll, expect, test } from 'vitest';
import { literal } from '../../../build/lake/sql.ts';
import { type Database, openDatabase } from '../../../scripts/georgia/import/database.ts';

let database: Database;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.close());

async function value(macro: string, ...cells: (string | null)[]): Promise<unknown> {
  const args = cells.map(cell => (cell === null ? 'CAST(NULL AS VARCHAR)' : literal(cell)));
  const [row] = await database.rows<{ v: unknown }>(`SELECT ${macro}(${args.join(', ')}) AS v`);
  return row!.v;
}

test.each([
  ['2023-24', 2024],
  ['2023-2024', 2024],
  ['2023–24', 2024],
  ['2023/24', 2024],
  ['2023 - 24', 2024],
  ['SY 2023-24', 2024],
  ['23-24', 2024],
  ['1999-00', 2000],
  ['99-00', 2000],
  ['98-99', 1999],
  ['00-01', 2001],
  ['1999-2000', 2000],
  ['2024', 2024],
  ['2023-25', null],
  ['2023-2025', null],
  ['24', null],
  ['FY24', 2024],
  ['SY 24', 2024],
  ['AY 2023-24', 2024],
  ['2024.0', 2024],
  ['24', null],
  ['Spring', null],
  [null, null],
])('the school year %s ends in %s', async (label, year) =>
  expect(await value('school_year_of', label)).toBe(year),
);

test.each([
  ['601', '601'],
  ['1', '001'],
  ['601.0', '601'],
  ["'601", '601'],
  ['7820108', '7820108'],
  ['rtc', 'RTC'],
  ['ALL', null],
  ['All Column Values', null],
  [null, null],
])('the district %s is %s', async (cell, code) => expect(await value('district_code_of', cell)).toBe(code));

test.each([
  ['103', '0103'],
  ['0103', '0103'],
  ['1', '0001'],
  ['ALL', null],
  ['DISTRICT', null],
  ['All Schools', null],
  [null, null],
])('the school %s is %s', async (cell, code) => expect(await value('school_code_of', cell)).toBe(code));

test.each([
  ['School', '601', '0103', null],
  [null, '601', 'ALL', null],
  ['System', '601', 'ALL', null],
  ['State', 'ALL', 'ALL', null],
  [null, '60100', 'ALL', 'the district code is neither 3 nor 7 digits'],
  [null, '601', '01035', 'the school code is not 4 digits'],
  [null, 'ALL', '0103', 'a school without a district'],
  ['District', '601', '0103', 'the level and the codes disagree'],
  ['Region', '601', '0103', 'the level is neither state, district nor school'],
  // A blank code is a total where the level says so, and nowhere else.
  ['State', null, null, null],
  ['District', '601', null, null],
  ['School', '601', null, 'no school code'],
  [null, '601', null, 'no school code'],
  [null, 'ALL', null, 'no school code'],
  ['District', null, null, 'no district code'],
  ['School', null, '0103', 'a school without a district'],
  [null, null, 'ALL', 'no district code'],
  [null, null, null, 'no district code'],
])('%s %s/%s: %s', async (level, district, school, problem) =>
  expect(await value('place_problem', level, district, school)).toBe(problem),
);
