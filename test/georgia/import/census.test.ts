/** Wide tables of the American Community Survey, as the API and data.census.gov give them. */
import { expect, test } from 'vitest';
import { IMPORTERS } from '../../../scripts/georgia/import/importers.ts';
import { recogniseFile } from '../../../scripts/georgia/import/recognition.ts';
import { scratchLake, testStep } from './import-case.ts';

const code = (table: string, cell: number) => `${table}_${String(cell).padStart(3, '0')}`;
const codes = (table: string, count: number) =>
  Array.from({ length: count }, (_, i) => [`${code(table, i + 1)}E`, `${code(table, i + 1)}M`]).flat();
const csv = (rows: readonly (readonly unknown[])[]) =>
  `\ufeff${rows.map(row => row.map(cell => `"${cell}"`).join(',')).join('\r\n')}`;

/** Estimates of B05002 that add up: 1,000 people, 200 of them born abroad. */
const BIRTH = '1000 800 500 200 50 50 50 50 100 40 10 50 200 120 10 60 20 1 25 4 80 5 30 10 0 30 5'.split(
  ' ',
);

test('place of birth: a file of data.census.gov in its archive, labels below codes, margins and their codes', async () => {
  const scratch = scratchLake();
  const list = 'district_code,district_name,census_sd_geoid\n601,Appling County,1300060\n';
  await testStep(scratch, 'districts', { file: 'districts.csv', text: list });
  const row = (geoid: string, margin: number | string = '*****') => [
    geoid,
    'A, Georgia',
    ...BIRTH.flatMap((estimate, index) => [estimate, index === 0 ? margin : 3]),
  ];
  const text = csv([
    ['GEO_ID', 'NAME', ...codes('B05002', 27)],
    [
      'Geography',
      'Geographic Area Name',
      ...BIRTH.flatMap(() => ['Estimate!!Total:', 'Margin of Error!!Total:']),
    ],
    row('0500000US13001'),
    row('9700000US1300060', 41),
    row('9700000US1399999'),
    row('0400000US01'),
  ]);
  await testStep(scratch, 'foreign_born_population', {
    file: 'ACSDT5Y2023.B05002_2024-12-20.zip',
    zip: { 'ACSDT5Y2023.B05002-Data.csv': { text }, 'readme.txt': { text: 'About' } },
    dropped: [
      "1 a school district that the lake's districts do not have under its census code",
      '1 no code of a place',
      '1 not a place of Georgia',
    ],
    written: { '2023/counties': 27, '2023/districts': 27 },
    rows: {
      "2023/counties where (citizenship_status, place_of_birth, region_of_birth) IN (('all', 'all', 'all'), ('all', 'born_other_state', 'all'), ('foreign_born', 'all', 'asia'), ('noncitizen', 'all', 'latin_america'))":
        `
        county_fips | citizenship_status | population_count | population_count_moe
        13001 | all | 1000 | NULL
        13001 | all | 200 | 3
        13001 | foreign_born | 90 | ${Math.sqrt(18)}
        13001 | noncitizen | 30 | 3`.trim(),
      "2023/districts where citizenship_status = 'all' AND place_of_birth = 'all' AND region_of_birth = 'all'":
        `
        district_code | county_fips | population_count_moe
        601 | NULL | 41`.trim(),
    },
  });
});

/** Below and above the poverty level, numbered as in B17025. */
const POVERTY = [100, 20, 12, 10, 2, 8, 3, 5, 80, 68, 65, 3, 12, 7, 5];

test("poverty: arrays of the API, for tracts and the state, with codes that aren't figures", async () => {
  const header = ['NAME', ...codes('B17025', 15), 'state', 'county', 'tract'];
  const figures = POVERTY.flatMap(estimate => [estimate, 4]);
  const empty = POVERTY.flatMap(() => [0, -555555555]);
  const places = ['13', '001'];
  const tracts = [
    header,
    ['Tract', ...figures, ...places, '950100'],
    ['Empty', ...empty, ...places, '950201'],
  ];
  await testStep(scratchLake(), 'poverty_by_nativity', {
    files: {
      'acs5_2022_tracts.json': JSON.stringify(tracts),
      'acs5_2022_state.json': JSON.stringify([header.slice(0, -2), ['Georgia', ...figures, '13']]),
    },
    written: { '2022/tracts': 14, '2022/states': 7 },
    rows: {
      "2022/tracts where citizenship_status = 'foreign_born'": `
        tract_geoid | num_below_poverty | num_poverty_universe | poverty_rate | num_poverty_universe_moe | poverty_rate_moe
        13001950100 | 8 | 20 | 0.4 | ${Math.sqrt(32)} | ${Math.sqrt(16 - 0.16 * 32) / 20}
        13001950201 | 0 | 0 | NULL | NULL | NULL`.trim(),
      "2022/states where citizenship_status = 'native'": `
        native_birthplace | num_poverty_universe
        all | 80
        born_in_us | 75
        born_outside_us | 5`.trim(),
    },
  });
});

const GROUPS = [
  'Total',
  'Native',
  'Foreign born',
  'Foreign born; Naturalized citizen',
  'Foreign born; Not a U.S. citizen',
];
const FORCE = 'EMPLOYMENT STATUS!!Population 16 years and over';
const CIVILIAN = `${FORCE}!!In labor force!!Civilian labor force`;
const ROWS = [
  FORCE,
  `${FORCE}!!In labor force`,
  CIVILIAN,
  `${CIVILIAN}!!Employed`,
  `${CIVILIAN}!!Unemployed`,
  `${CIVILIAN}!!Unemployed!!Percent of civilian labor force`,
  `${FORCE}!!In labor force!!Armed Forces`,
  `${FORCE}!!Not in labor force`,
  'INCOME IN THE PAST 12 MONTHS (IN 2023 INFLATION-ADJUSTED DOLLARS)!!Households!!Median Household income (dollars)',
];
const FIGURES = ['1,000', '63.1', '62.6', '59.4', '3.2', '5.1', '0.5', '36.9'];

test('table S0501 is read by its labels, in the numbers of any vintage, and feeds labor force and income', async () => {
  const scratch = scratchLake();
  const medians = ['71,355', '73,000', '65,000', '250,000+', '2,500-'];
  const row = (geoid: string, cells: (group: number) => readonly string[]) => [
    geoid,
    'A, Georgia',
    ...GROUPS.flatMap((_, group) => cells(group)),
  ];
  const figures = (group: number) => [
    ...FIGURES.flatMap(figure => [figure, group === 0 ? '*****' : '±1.2']),
    medians[group]!,
    medians[group]!.includes('+') ? '***' : '±1,234',
  ];
  const text = csv([
    row('GEO_ID', group =>
      ROWS.flatMap((_, i) => ['E', 'M'].map(kind => code(`S0501_C0${group + 1}`, 61 + i) + kind)),
    ),
    row('Geography', group =>
      ROWS.flatMap(label =>
        ['Estimate', 'Margin of Error'].map(kind => `${kind}!!${GROUPS[group]}!!${label}`),
      ),
    ),
    row('0400000US13', figures),
    row('0500000US13121', figures),
    row('0500000US13001', () => ROWS.flatMap(() => ['-', '**'])),
  ]).replace('"A, Georgia"', '"NAME"');
  const file = 'ACSST5Y2023.S0501-Data.csv';
  const found = await recogniseFile(scratch.file(file, text), IMPORTERS);
  const names = ['labor_force_by_nativity', 'median_household_income_by_nativity'] as const;
  expect('importers' in found && found.importers.map(({ name }) => name)).toEqual(names);
  await testStep(scratch, names[0], {
    file,
    text,
    written: { '2023/counties': 5, '2023/states': 5 },
    rows: {
      // The bureau controls the total, so it has no margin.
      '2023/counties': `
        county_fips | citizenship_status | num_population_16_plus | num_population_16_plus_moe | labor_force_participation_rate | labor_force_participation_rate_moe | pct_civilian_labor_force | pct_employed | pct_unemployed | unemployment_rate | pct_armed_forces | pct_not_in_labor_force
        13121 | all | 1000 | NULL | * | NULL | * | * | * | * | * | *
        13121 | foreign_born | 1000 | 1 | 0.631 | 0.012 | 0.626 | 0.594 | 0.032 | 0.051 | 0.005 | 0.369
        13121 | native | * | * | * | * | * | * | * | * | * | *
        13121 | naturalized | * | * | * | * | * | * | * | * | * | *
        13121 | noncitizen | * | * | * | * | * | * | * | * | * | *`.trim(),
    },
  });
  await testStep(scratch, names[1], {
    file,
    text,
    written: { '2023/counties': 5, '2023/states': 5 },
    rows: {
      '2023/states': `
        citizenship_status | median_household_income | median_household_income_moe
        all | 71355 | 1234
        foreign_born | 65000 | 1234
        native | 73000 | 1234
        naturalized | 250001 | NULL
        noncitizen | 2499 | NULL`.trim(),
    },
  });
});

test('answers of the API are read by the numbers of the cells if these add up, and one-year tables are refused', async () => {
  const scratch = scratchLake();
  const name = 'labor_force_by_nativity';
  const answer = (figures: readonly string[]) =>
    JSON.stringify([
      [
        'NAME',
        ...GROUPS.flatMap((_, group) => figures.map((_, i) => `${code(`S0501_C0${group + 1}`, 48 + i)}E`)),
        'state',
        'county',
      ],
      ['Fulton County, Georgia', ...GROUPS.flatMap(() => figures), '13', '121'],
    ]);
  const text = answer(FIGURES.map(figure => figure.replace(',', '')));
  const rows = "2022/counties where citizenship_status = 'all'";
  const table = 'unemployment_rate | unemployment_rate_moe\n0.051 | NULL';
  await testStep(scratch, name, { file: 'acs5_2022.json', text, rows: { [rows]: table } });
  await testStep(scratch, name, {
    file: 'acs5_2021.json',
    text: answer(['1000', '40', '30', '20', '10', '5', '5', '2']),
    dropped: [
      '1 the cells of employment do not add up: this vintage numbers them otherwise, so use a file with labels',
    ],
  });
  await testStep(scratch, name, {
    file: 'acs1_2022.json',
    text,
    refused: [
      `source-unreadable is about something else than ${name}: its name is "acs1_2022.json"; rename it if that is wrong`,
    ],
  });
});
