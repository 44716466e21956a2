/** Table S0501 and the owners of nonemployer firms, made by hand as the API and data.census.gov give them. */
import { expect, test } from 'vitest';
import { IMPORTERS } from '../../../scripts/georgia/import/importers.ts';
import { recogniseFile } from '../../../scripts/georgia/import/recognition.ts';
import { scratchLake } from './scratch-lake.ts';

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
];
const MEDIAN =
  'INCOME IN THE PAST 12 MONTHS (IN 2023 INFLATION-ADJUSTED DOLLARS)!!Households!!Median Household income (dollars)';
const FIGURES = ['1,000', '63.1', '62.6', '59.4', '3.2', '5.1', '0.5', '36.9'];
const quoted = (cells: readonly string[]) => cells.map(cell => `"${cell}"`).join(',');

/** @param first the number of the first cell of employment */
function table(first: number, medians: readonly string[]): string {
  const code = (group: number, cell: number, kind: string) =>
    `S0501_C0${group + 1}_${String(cell).padStart(3, '0')}${kind}`;
  const codes = GROUPS.flatMap((_, group) =>
    [...ROWS.map((_, row) => first + row), 101].flatMap(cell => [
      code(group, cell, 'E'),
      code(group, cell, 'M'),
    ]),
  );
  const labels = GROUPS.flatMap(group =>
    [...ROWS, MEDIAN].flatMap(label => [
      `Estimate!!${group}!!${label}`,
      `Margin of Error!!${group}!!${label}`,
    ]),
  );
  const row = (geoid: string, name: string, figures: readonly string[]) => [
    geoid,
    name,
    ...GROUPS.flatMap((_, group) => [
      ...figures.flatMap(figure => [figure, group === 0 ? '*****' : '±1.2']),
      medians[group]!,
      medians[group]!.includes('+') ? '***' : '±1,234',
    ]),
  ];
  const blank = GROUPS.flatMap(() => [...ROWS, MEDIAN].flatMap(() => ['-', '**']));
  const lines = [
    ['GEO_ID', 'NAME', ...codes],
    ['Geography', 'Geographic Area Name', ...labels],
    row('0400000US13', 'Georgia', FIGURES),
    row('0500000US13121', 'Fulton County, Georgia', FIGURES),
    ['0500000US13001', 'Appling County, Georgia', ...blank],
  ];
  return `\ufeff${lines.map(line => quoted(line)).join('\r\n')}`;
}

test('table S0501 is read by its labels, in the numbers of any vintage, and feeds labor force and income', async () => {
  const scratch = scratchLake();
  const medians = ['71,355', '73,000', '65,000', '250,000+', '2,500-'];
  const file = scratch.file('ACSST5Y2023.S0501-Data.csv', table(61, medians));
  const found = await recogniseFile(file, IMPORTERS);
  expect('importers' in found && found.importers.map(({ name }) => name)).toEqual([
    'labor_force_by_nativity',
    'median_household_income_by_nativity',
  ]);
  await scratch.report('labor_force_by_nativity', [file]);
  await scratch.report('median_household_income_by_nativity', [file]);
  const labor = await scratch.rows('census/labor_force_by_nativity/year=2023/counties.parquet');
  expect(labor.map(row => [row.county_fips, row.citizenship_status])).toEqual([
    ['13121', 'all'],
    ['13121', 'foreign_born'],
    ['13121', 'native'],
    ['13121', 'naturalized'],
    ['13121', 'noncitizen'],
  ]);
  expect(labor[1]).toMatchObject({
    num_population_16_plus: 1000,
    num_population_16_plus_moe: 1,
    labor_force_participation_rate: 0.631,
    labor_force_participation_rate_moe: 0.012,
    pct_civilian_labor_force: 0.626,
    pct_employed: 0.594,
    pct_unemployed: 0.032,
    unemployment_rate: 0.051,
    pct_armed_forces: 0.005,
    pct_not_in_labor_force: 0.369,
  });
  // The bureau controls the total: it has no margin.
  expect(labor[0]!.num_population_16_plus_moe).toBeNull();
  const income = await scratch.rows('census/median_household_income_by_nativity/year=2023/states.parquet');
  expect(
    income.map(row => [row.citizenship_status, row.median_household_income, row.median_household_income_moe]),
  ).toEqual([
    ['all', 71355, 1234],
    ['foreign_born', 65000, 1234],
    ['native', 73000, 1234],
    ['naturalized', 250001, null],
    ['noncitizen', 2499, null],
  ]);
});

/** An answer of the API, with figures for every group. */
function answer(first: number, figures: readonly string[]): string {
  const cells = GROUPS.flatMap((_, group) =>
    figures.map((_, row) => `S0501_C0${group + 1}_${String(first + row).padStart(3, '0')}E`),
  );
  return JSON.stringify([
    ['NAME', ...cells, 'state', 'county'],
    ['Fulton County, Georgia', ...GROUPS.flatMap(() => figures), '13', '121'],
  ]);
}

test('answers of the API are read by the numbers of the cells if these add up, and one-year tables are refused', async () => {
  const scratch = scratchLake();
  const figures = FIGURES.map(figure => figure.replace(',', ''));
  await scratch.report('labor_force_by_nativity', [scratch.file('acs5_2022.json', answer(48, figures))]);
  expect((await scratch.rows('census/labor_force_by_nativity/year=2022/counties.parquet'))[0]).toMatchObject({
    citizenship_status: 'all',
    unemployment_rate: 0.051,
    unemployment_rate_moe: null,
  });
  const other = ['1000', '40', '30', '20', '10', '5', '5', '2'];
  const { files } = await scratch.report('labor_force_by_nativity', [
    scratch.file('acs5_2021.json', answer(48, other)),
  ]);
  expect(files[0]!.dropped.map(({ what }) => what)).toEqual([
    'the cells of employment do not add up: this vintage numbers them otherwise, so use a file with labels',
  ]);
  expect(
    await scratch.refusal('labor_force_by_nativity', [scratch.file('acs1_2022.json', answer(48, figures))]),
  ).toEqual([
    'source-unreadable is about something else than labor_force_by_nativity: its name is "acs1_2022.json"; rename it if that is wrong',
  ]);
  await scratch.report('median_household_income_by_nativity', [
    scratch.file('acs5_2022_income.json', answer(101, ['-666666666']).replace('-666666666', '71355')),
  ]);
  expect(
    (await scratch.rows('census/median_household_income_by_nativity/year=2022/counties.parquet')).map(
      row => row.median_household_income,
    ),
  ).toEqual([71355, null, null, null, null]);
});

test('owners of nonemployer firms: totals of birthplace and citizenship, flagged zeros withheld', async () => {
  const scratch = scratchLake();
  const header =
    'GEO_ID,NAME,NAICS2022,NAICS2022_LABEL,OWNER_SEX,OWNER_SEX_LABEL,OWNER_ETH_LABEL,OWNER_RACE_LABEL,OWNER_VET_LABEL,QDESC,QDESC_LABEL,OWNCHAR,OWNCHAR_LABEL,OWNNOPD,OWNNOPD_F,OWNNOPD_PCT,OWNNOPD_PCT_F';
  const row = (
    geoid: string,
    naics: string,
    question: string,
    label: string,
    n: string,
    share: string,
    sex = 'Total',
  ) => {
    const [owners, flag = ''] = n.split('/');
    const [percent, shareFlag = ''] = share.split('/');
    return `${geoid},Place,${naics},Sector,001,${sex},Total,Total,Total,O1,${question},X1,${label},"${owners}",${flag},${percent},${shareFlag}`;
  };
  const [state, county] = ['0400000US13', '0500000US13121'];
  const lines = [
    header,
    row(state, '00', 'USBORN', 'Total reporting', '1,000,000', '100.0'),
    row(state, '00', 'USBORN', 'Born in the United States', '760,000', '76.1'),
    row(state, '00', 'USBORN', 'Not born in the United States', '240,000', '23.9'),
    row(state, '00', 'USCITIZEN', 'Total reporting', '1,000,000', '100.0'),
    row(state, '00', 'USCITIZEN', 'U.S. citizen', '920,000', '91.9'),
    row(state, '00', 'USCITIZEN', 'Not a U.S. citizen', '81,000', '8.1'),
    row(state, '00', 'USBORN', 'Total reporting', '400,000', '100.0', 'Female'),
    row(state, '00', 'OWNRAGE', '25 to 34', '400,000', '40.0'),
    row(state, '31-33', 'USBORN', 'Total reporting', '20,000', '100.0'),
    row(state, '31-33', 'USBORN', 'Born in the United States', '15,000', '75.0'),
    row(state, '31-33', 'USBORN', 'Not born in the United States', '0/S', '0/S'),
    row(county, '00', 'USBORN', 'Total reporting', '90,000', '100.0'),
    row(county, '23', 'USBORN', 'Total reporting', '9,000', '100.0'),
  ];
  const file = scratch.file('ABSNESDO2022.AB2200NESD04-Data.csv', lines.join('\n'));
  const found = await recogniseFile(file, IMPORTERS);
  expect('importers' in found && found.importers.map(({ name }) => name)).toEqual([
    'nonemployer_owners_by_nativity',
  ]);
  const report = await scratch.report('nonemployer_owners_by_nativity', [file]);
  expect(report.files[0]!.dropped.map(({ what, count }) => [what, count])).toEqual([
    ['a sector of a county: sectors are of the state', 1],
    ['neither birthplace nor citizenship', 1],
    ['owners of one sex, ethnicity, race or veteran status', 1],
  ]);
  expect(await scratch.rows('census/nonemployer_owners_by_nativity/year=2022/states.parquet')).toEqual([
    {
      year: 2022,
      county_fips: null,
      district_code: null,
      tract_geoid: null,
      sector: 'all',
      num_owners_reporting: 1_000_000,
      num_owners_us_born: 760_000,
      num_owners_not_us_born: 240_000,
      pct_not_us_born: 0.239,
      num_owners_citizen: 920_000,
      num_owners_not_citizen: 81_000,
      pct_not_citizen: 0.081,
    },
    expect.objectContaining({
      sector: 'naics_31_33',
      num_owners_us_born: 15_000,
      num_owners_not_us_born: null,
      pct_not_us_born: 0.25,
      num_owners_citizen: null,
    }),
  ]);
  expect(await scratch.rows('census/nonemployer_owners_by_nativity/year=2022/counties.parquet')).toHaveLength(
    1,
  );
});
