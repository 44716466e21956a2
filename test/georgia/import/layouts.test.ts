/** Which layout a file has, and what is said of one that has none. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { scratchLake } from './scratch-lake.ts';

const NAME = 'ccrpi_graduation_rate';
const FIVE_YEARS = readFileSync(
  fileURLToPath(new URL('extracts/2021_graduationRatesbySubgroup.csv', import.meta.url)),
  'utf8',
);

test('five-year rates that came alone in 2021 are of the cohort that was due in 2020', async () => {
  const scratch = scratchLake();
  const report = await scratch.report(NAME, [scratch.file('2021_graduationRatesbySubgroup.csv', FIVE_YEARS)]);
  expect(report.written.map(({ path, rows }) => [path.replace(/^.*_rate\//, ''), rows])).toEqual([
    ['year=2020/districts.parquet', 4],
    ['year=2020/schools.parquet', 5],
    ['year=2020/states.parquet', 1],
  ]);
  expect(report.odd.map(({ what, count }) => [what, count])).toEqual([
    ['a five-year rate published in 2021, served as 2020: its cohort was due then', 10],
  ]);
  const [state] = await scratch.rows(`education/${NAME}/year=2020/states.parquet`);
  expect(state).toMatchObject({ rate_type: '5_year', graduation_rate: 0.8563, num_cohort: null });
});

test.each([
  ['5-Year Graduation Rate by Subgroup 12.08.21.csv', 2021, '2020 5_year'],
  ['five_year_rates_2023.csv', undefined, '2022 5_year'],
  ['2016 4-Year Cohort Graduation Rate by Subgroups_11.29.16.csv', undefined, '2016 4_year'],
  ['2019_cohort_subgroups.csv', undefined, '2019 4_year'],
  ['rates.csv', 2021, '2020 5_year'],
])('%s: the name says the kind of rate, or the year does', async (file, year, expected) => {
  const scratch = scratchLake();
  const { written } = await scratch.report(NAME, [scratch.file(file, FIVE_YEARS)], { year });
  const [state] = await scratch.rows(written.find(({ path }) => path.endsWith('states.parquet'))!.path);
  expect(`${state!.year} ${state!.rate_type}`).toBe(expected);
});

test.each(['2019_rates.csv', '2021 4-year and 5-year rates.csv'])(
  '%s says no one kind of rate',
  async file => {
    const scratch = scratchLake();
    expect(await scratch.refusal(NAME, [scratch.file(file, FIVE_YEARS)])).toEqual([
      'source-unreadable holds rates of one kind, and no column and not its name says which: put 4-year or 5-year in the name',
    ]);
  },
);

const PLACE = 'id,Reporting Level,System ID,School ID,System Name,School Name,Reporting Label';
const NEAREST = 'source-unreadable fits no known layout; the nearest is';

test.each([
  [
    'a misspelt count',
    `${PLACE},Graduation Class Sise,Total Graduated,Graduation Rate`,
    'cohort counts: Graduation Class Size is missing; Graduation Class Sise is too many',
  ],
  [
    'no year',
    `${PLACE},Graduation Rate Type,Graduation Rate`,
    'graduation rates by subgroup: School Year is missing',
  ],
  ['one column more', `${PLACE},Graduation Rate,Margin`, 'graduation rates of one kind: Margin is too many'],
  [
    'misspelt on-time rates',
    `Year,${PLACE},Total Enroled,Total Graduated,On-Time Graduation Rate`,
    'on-time graduation rates: Total Enrolled is missing; Total Enroled is too many',
  ],
])('%s: the nearest layout is named, with what is missing and what is too many', async (_, header, said) => {
  const scratch = scratchLake();
  // A title that is itself a header's word is no header.
  const file = scratch.file('2024_f.csv', `School ID\n${header}\n`);
  expect(await scratch.refusal(NAME, [file])).toEqual([`${NEAREST} ${said}`]);
});
