/** Tables that others finished, under the contract's names or with --columns. */
import { expect, test } from 'vitest';
import { IMPORTERS } from '../../../scripts/georgia/import/importers.ts';
import { recogniseFile } from '../../../scripts/georgia/import/recognition.ts';
import { scratchLake } from './scratch-lake.ts';

const ZONE = 'district_code,school_code,zone_level,grade_level';
const ZONES = `${ZONE},tract_geoid,num_population,num_tract_population,pct_of_tract_population,is_largest_zone_for_tract`;
const INCOME =
  'year,district_code,school_code,zone_level,num_households,num_households_moe,median_household_income,estimate_source,zone_differs_by_grade';

test.each([
  [
    'school_attendance_zone_tracts',
    'zones_2027.csv',
    [ZONES, '601,0103,high,09,13001950100,812,1430,0.5678,true', '601,103,high,10,13001950100,0,0,,no'],
    {},
    [
      { school_code: '0103', grade_level: '09', tract_geoid: '13001950100', is_largest_zone_for_tract: true },
      {
        school_code: '0103',
        num_population: 0,
        pct_of_tract_population: null,
        is_largest_zone_for_tract: false,
      },
    ],
  ],
  [
    'school_attendance_zone_block_groups',
    'a.csv',
    ['FY,Sys,Sch,zone_level,grade_level,BG,num_population', '2027,601,0103,high,k,130019501001,12'],
    { fy: 'year', sys: 'district_code', sch: 'school_code', bg: 'block_group_geoid' },
    [
      {
        year: 2027,
        district_code: '601',
        block_group_geoid: '130019501001',
        num_population: 12,
        num_households: null,
      },
    ],
  ],
  [
    'school_zone_income',
    'a.csv',
    [INCOME, '2027,7820108,0108,high,4210,268,200001,block_groups,FALSE'],
    {},
    [{ district_code: '7820108', median_household_income: 200001, zone_differs_by_grade: false }],
  ],
])('%s', async (name, file, lines, columns, expected) => {
  const scratch = scratchLake();
  const path = scratch.file(file, `${lines.join('\n')}\n`);
  const renamed = new Map<string, string>(Object.entries(columns));
  expect(await recogniseFile(path, IMPORTERS, renamed)).toMatchObject({ importers: [{ name }] });
  await scratch.report(name, [path], { renamed });
  expect(await scratch.rows(`education/${name}/year=2027/schools.parquet`)).toMatchObject(expected);
});

test('every dataset is read under the names of its contract', () => {
  const names = IMPORTERS.filter(({ target }) => target.kind === 'dataset').map(({ name, shapes }) => [
    name,
    shapes.at(-1)?.name,
  ]);
  expect(names).toHaveLength(30);
  expect(new Set(names.map(([, shape]) => shape))).toEqual(new Set(['columns of the contract']));
});

test.each([
  [
    'maybe',
    'the column zone_differs_by_grade holds "maybe" on line 2: neither a truth value (true, false) nor a known marker',
  ],
  [
    '2',
    'the column zone_differs_by_grade holds "2" on line 2: neither a truth value (true, false) nor a known marker',
  ],
])('a truth value "%s" is refused', async (cell, message) => {
  const scratch = scratchLake();
  const file = scratch.file('a.csv', `${INCOME}\n2027,601,0103,high,10,2,,county,${cell}\n`);
  expect(await scratch.refusal('school_zone_income', [file])).toEqual([expect.stringContaining(message)]);
});
