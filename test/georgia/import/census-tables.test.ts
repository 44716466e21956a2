/** Tables of the American Community Survey, made by hand as the API and data.census.gov give them. */
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { scratchLake } from './scratch-lake.ts';

const code = (table: string, cell: number) => `${table}_${String(cell).padStart(3, '0')}`;
const cells = (table: string, count: number, kinds: string) =>
  Array.from({ length: count }, (_, index) => [...kinds].map(kind => code(table, index + 1) + kind)).flat();

/** Estimates of B05002 that add up: 1,000 people, 200 of them born abroad. */
const BIRTH = [
  1000, 800, 500, 200, 50, 50, 50, 50, 100, 40, 10, 50, 200, 120, 10, 60, 20, 1, 25, 4, 80, 5, 30, 10, 0, 30,
  5,
];

test('place of birth: a file of data.census.gov in its archive, labels below codes, margins and their codes', async () => {
  const scratch = scratchLake();
  const districts = 'district_code,district_name,census_sd_geoid\n601,Appling County,1300060\n';
  await scratch.report('districts', [scratch.file('districts.csv', districts)]);
  const header = ['GEO_ID', 'NAME', ...cells('B05002', 27, 'EM')];
  const labels = [
    'Geography',
    'Geographic Area Name',
    ...BIRTH.flatMap(() => ['Estimate!!Total:', 'Margin of Error!!Total:']),
  ];
  const row = (geoid: string, name: string, margin: number | string = '*****') => [
    geoid,
    `"${name}"`,
    ...BIRTH.flatMap((estimate, index) => [estimate, index === 0 ? margin : 3]),
  ];
  const csv = [
    header,
    labels,
    row('0500000US13001', 'Appling County, Georgia'),
    row('9700000US1300060', 'Appling', 41),
    row('9700000US1399999', 'Nowhere'),
    row('0400000US01', 'Alabama'),
  ];
  const zip = zipSync({
    'ACSDT5Y2023.B05002-Data.csv': Buffer.from(`\uFEFF${csv.map(cell => cell.join(',')).join('\n')}\n`),
    'readme.txt': Buffer.from('About'),
  });
  const { files, written } = await scratch.report('foreign_born_population', [
    scratch.file('ACSDT5Y2023.B05002_2024-12-20.zip', zip),
  ]);
  expect(written.map(({ path, rows }) => [path.slice(-15), rows])).toEqual([
    ['unties.parquet'.padStart(15, 'o'), 27],
    ['tricts.parquet'.padStart(15, 's'), 27],
  ]);
  expect(files[0]!.dropped.map(({ what, count }) => [what, count])).toEqual([
    ["a school district that the lake's districts do not have under its census code", 1],
    ['no code of a place', 1],
    ['not a place of Georgia', 1],
  ]);
  const rows = await scratch.rows('census/foreign_born_population/year=2023/counties.parquet');
  const find = (status: string, place: string, region: string) =>
    rows.find(
      row =>
        row.citizenship_status === status && row.place_of_birth === place && row.region_of_birth === region,
    );
  expect(find('all', 'all', 'all')).toMatchObject({
    county_fips: '13001',
    population_count: 1000,
    population_count_moe: null,
  });
  expect(find('noncitizen', 'all', 'latin_america')).toMatchObject({
    population_count: 30,
    population_count_moe: 3,
  });
  expect(find('foreign_born', 'all', 'asia')).toMatchObject({
    population_count: 90,
    population_count_moe: Math.sqrt(18),
  });
  expect(find('all', 'born_other_state', 'all')).toMatchObject({ population_count: 200 });
  const [district] = await scratch.rows('census/foreign_born_population/year=2023/districts.parquet');
  expect(district).toMatchObject({
    district_code: '601',
    county_fips: null,
    citizenship_status: 'all',
    population_count_moe: 41,
  });
});

/** Below and above the poverty level, as B17025 numbers them. */
const POVERTY = [100, 20, 12, 10, 2, 8, 3, 5, 80, 68, 65, 3, 12, 7, 5];

test('poverty: arrays of the API, for tracts and the state, with the codes that are no figures', async () => {
  const scratch = scratchLake();
  const header = ['NAME', ...cells('B17025', 15, 'EM'), 'state', 'county', 'tract'];
  const figures = POVERTY.flatMap(estimate => [estimate, 4]);
  const empty = POVERTY.flatMap(() => [0, -555555555]);
  const tracts = [
    header,
    ['Tract', ...figures, '13', '001', '950100'],
    ['Empty', ...empty, '13', '001', '950201'],
  ];
  const state = [header.slice(0, -2), ['Georgia', ...figures, '13']];
  await scratch.report('poverty_by_nativity', [
    scratch.file('acs5_2022_tracts.json', JSON.stringify(tracts)),
    scratch.file('acs5_2022_state.json', JSON.stringify(state)),
  ]);
  const rows = await scratch.rows('census/poverty_by_nativity/year=2022/tracts.parquet');
  expect(rows).toHaveLength(14);
  expect(
    rows.find(row => row.tract_geoid === '13001950100' && row.citizenship_status === 'foreign_born'),
  ).toMatchObject({
    num_below_poverty: 8,
    num_poverty_universe: 20,
    poverty_rate: 0.4,
    num_poverty_universe_moe: Math.sqrt(32),
    poverty_rate_moe: Math.sqrt(16 - 0.16 * 32) / 20,
  });
  expect(rows.find(row => row.tract_geoid === '13001950201')).toMatchObject({
    num_poverty_universe: 0,
    num_below_poverty_moe: null,
    poverty_rate: null,
  });
  const natives = (await scratch.rows('census/poverty_by_nativity/year=2022/states.parquet')).filter(
    row => row.citizenship_status === 'native',
  );
  expect(natives.map(row => [row.native_birthplace, row.num_poverty_universe])).toEqual([
    ['all', 80],
    ['born_in_us', 75],
    ['born_outside_us', 5],
  ]);
});

test('employment: a file of data.census.gov for counties and districts, with signs of margins', async () => {
  const scratch = scratchLake();
  const rows = [
    'GEO_ID,NAME,B23025_003E,B23025_003M,B23025_005E,B23025_005M',
    '"0500000US13001","Appling",8000,±300,400,±90',
    '1400000US13001950100,Tract,0,12,0,12',
  ];
  const { notes } = await scratch.report('employment', [
    scratch.file('ACSDT5Y2024.B23025-Data.csv', rows.join('\n')),
  ]);
  // No row is of a district.
  expect(notes.map(note => note.replace(/ was not looked up.*/, ''))).toEqual(['county_fips', 'tract_geoid']);
  expect(await scratch.rows('census/employment/year=2024/counties.parquet')).toEqual([
    expect.objectContaining({
      county_fips: '13001',
      num_civilian_labor_force_moe: 300,
      unemployment_rate: 0.05,
    }),
  ]);
  expect(await scratch.rows('census/employment/year=2024/tracts.parquet')).toEqual([
    expect.objectContaining({
      tract_geoid: '13001950100',
      unemployment_rate: null,
      unemployment_rate_moe: null,
    }),
  ]);
});
