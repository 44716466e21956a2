import { expect, test } from 'vitest';
import { scratchLake } from './scratch-lake.ts';
import { workbook } from './workbook.ts';

const HEADER = [
  'Apprehension Date',
  'Apprehension State',
  'Apprehension Method',
  'Apprehension Criminality',
  'Citizenship Country',
  'Gender',
  'Duplicate Likely',
];

test('records of arrests in Georgia are counted in all combinations, and the others are dropped with their reasons', async () => {
  const scratch = scratchLake();
  const records = [
    ['2025-01-03', 'GEORGIA', 'CAP Local Incarceration', '1 Convicted Criminal', 'MEXICO', 'Male', 'FALSE'],
    [
      '2025-01-04 10:00:00',
      'GEORGIA',
      'Located',
      '2 Pending Criminal Charges',
      'KOREA, SOUTH',
      'Female',
      'FALSE',
    ],
    ['2/5/2025', 'Georgia', '287(g) Program', '3 Other Immigration Violator', 'ATLANTIS', 'Unknown', 'FALSE'],
    ['2025-01-03', 'GEORGIA', 'Located', '1 Convicted Criminal', 'MEXICO', 'Male', 'TRUE'],
    ['2025-01-03', 'FLORIDA', 'Located', '1 Convicted Criminal', 'MEXICO', 'Male', 'FALSE'],
    ['soon', 'GEORGIA', 'Located', '1 Convicted Criminal', 'MEXICO', 'Male', 'FALSE'],
  ];
  const file = scratch.file(
    'arrests.xlsx',
    workbook({ Arrests: [['Released under FOIA'], HEADER, ...records] }),
  );
  const { files } = await scratch.report('ice_arrests', [file]);
  expect(files[0]!.dropped.map(({ what, count }) => [what, count])).toEqual([
    ['a likely duplicate, as the record says', 1],
    ['no date of the arrest', 1],
    ['not in Georgia', 1],
  ]);
  const rows = await scratch.rows('immigration/ice_arrests/year=2025/states.parquet');
  const count = (where: Readonly<Record<string, string>>) => {
    const all = {
      month: 'all',
      demographic: 'all',
      criminality: 'all',
      apprehension_method_group: 'all',
      citizenship_country: 'all',
    };
    const key = Object.entries({ ...all, ...where });
    return rows.find(row => key.every(([name, value]) => row[name] === value))?.num_arrests;
  };
  expect([
    count({}),
    count({ month: '01' }),
    count({ demographic: 'female' }),
    count({ demographic: 'male' }),
  ]).toEqual([3, 2, 1, 1]);
  expect(count({ demographic: 'unknown' })).toBeUndefined();
  expect(count({ citizenship_country: 'south_korea', apprehension_method_group: 'at_large_arrest' })).toBe(1);
  expect(
    count({
      citizenship_country: 'other',
      apprehension_method_group: '287g_program',
      criminality: 'other_immigration_violator',
    }),
  ).toBe(1);
  expect(count({ apprehension_method_group: 'custodial_arrest', criminality: 'convicted_criminal' })).toBe(1);
});
