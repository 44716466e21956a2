/** A wide table of the American Community Survey, read by its labels. Others: cases/census.yaml. */
import { expect, test } from 'vitest';
import { IMPORTERS } from '../../../scripts/georgia/import/importers.ts';
import { recogniseFile } from '../../../scripts/georgia/import/recognition.ts';
import { scratchLake, testStep } from './import-case.ts';

const code = (table: string, cell: number) => `${table}_${String(cell).padStart(3, '0')}`;
const csv = (rows: readonly (readonly unknown[])[]) =>
  `\ufeff${rows.map(row => row.map(cell => `"${cell}"`).join(',')).join('\r\n')}`;

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
