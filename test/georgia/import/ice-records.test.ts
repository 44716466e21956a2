import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../scripts/georgia/import/database.ts';
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
    ['no date that can be read', 1],
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
  // A combination without a record is 0; the months are those of the file.
  expect(count({ citizenship_country: 'peru' })).toBe(0);
  expect(count({ month: '03' })).toBeUndefined();
  expect(rows).toHaveLength(3 * 3 * 4 * 5 * 25);
});

/** Writes a Parquet file from SQL. */
async function parquet(path: string, sql: string): Promise<string> {
  const database = await openDatabase();
  await database.run(`COPY (${sql}) TO '${path}' (FORMAT parquet)`);
  database.close();
  return path;
}

test('removals of several files of one release count together, from Parquet, in all programs', async () => {
  const scratch = scratchLake();
  const file = (name: string, rows: string) =>
    parquet(
      join(scratch.file('x', ''), '..', name),
      `SELECT * FROM (VALUES ${rows}) v(apprehension_state, departed_date, departure_country, port_of_departure,
        final_program, case_criminality, citizenship_country, gender, duplicate_likely, duplicate_drop_row)`,
    );
  const tail = "'MEXICO', 'LAREDO'";
  const files = [
    await file(
      'removals-2024.parquet',
      `('GEORGIA', DATE '2024-12-30', ${tail}, '287g Task Force', '1 Convicted Criminal', 'MEXICO', 'Male', false, false),
       ('GEORGIA', DATE '2024-12-31', ${tail}, 'Non-Detained Docket Control', '3 Other Immigration Violator', NULL, 'Female', false, false)`,
    ),
    await file(
      'removals-2025.parquet',
      `('GEORGIA', TIMESTAMP '2025-01-02 10:00:00', ${tail}, '287g Task Force', '1 Convicted Criminal', 'HONDURAS', 'Male', true, false),
       ('GEORGIA', TIMESTAMP '2025-01-02 10:00:00', ${tail}, '287g Task Force', '1 Convicted Criminal', 'HONDURAS', 'Male', true, true),
       ('TEXAS', TIMESTAMP '2025-01-02 10:00:00', ${tail}, 'Border Patrol', '1 Convicted Criminal', 'HONDURAS', 'Male', false, false)`,
    ),
  ];
  const report = await scratch.report('ice_removals', files);
  expect(report.files.flatMap(({ dropped }) => dropped.map(({ what }) => what))).toEqual([
    'a likely duplicate, as the record says',
    'not in Georgia',
  ]);
  const total = async (year: number) =>
    (await scratch.rows(`immigration/ice_removals/year=${year}/states.parquet`)).filter(
      row =>
        row.month === 'all' &&
        row.demographic === 'all' &&
        row.criminality === 'all' &&
        row.citizenship_country === 'all',
    );
  const programs = (rows: Awaited<ReturnType<typeof total>>) =>
    rows.filter(row => Number(row.num_removals) > 0).map(row => [row.ice_program, row.num_removals]);
  expect(programs(await total(2024))).toEqual([
    ['287g_program', 1],
    ['all', 2],
    ['docket_control', 1],
  ]);
  expect(programs(await total(2025))).toEqual([
    ['287g_task_force', 1],
    ['all', 1],
  ]);
  expect((await total(2024)).map(row => row.ice_program)).not.toContain('287g_task_force');
});

test('files with records of the same days are refused: they would count twice', async () => {
  const scratch = scratchLake();
  const days = ['2025-01-03', '2025-01-04', '2025-01-05', '2025-01-06'];
  const rows = days.map(day => `${day},GEORGIA,Located,1 Convicted Criminal,MEXICO,Male,FALSE`);
  const files = ['a.csv', 'b.csv'].map(name => scratch.file(name, [HEADER.join(','), ...rows].join('\n')));
  expect(await scratch.refusal('ice_arrests', files)).toEqual([
    'source-conflict a.csv and b.csv have records of the same days, which would count twice: import the files of one release',
  ]);
});

test('stints and stays count in the county of the facility, with counts below five withheld', async () => {
  const scratch = scratchLake();
  await scratch.report('counties', [
    scratch.file('counties.csv', 'county_fips,county_name\n13259,Stewart County\n13185,Lowndes County\n'),
  ]);
  const stint = (index: number, county: string, end: string, reason: string) =>
    `(TIMESTAMP '2025-03-0${1 + (index % 5)} 12:00:00', ${end}, 'GA', ${county}, ${reason}, 'ERO Criminal Alien Program', 'CUBA', 'Male')`;
  const stints = [
    ...[0, 1, 2, 3].map(index =>
      stint(index, "'Stewart'", "TIMESTAMP '2025-03-08 00:00:00'", "'Transferred'"),
    ),
    stint(4, "'Stewart'", "TIMESTAMP '2025-03-08 12:00:00'", "'Bonded Out - IJ'"),
    stint(4, "'Stewart'", 'NULL', 'NULL'),
    stint(0, "'Lowndes'", "TIMESTAMP '2035-03-01 12:00:00'", "'Removed'"),
    stint(1, 'NULL', "TIMESTAMP '2025-03-04 12:00:00'", "'Voluntary departure'"),
  ];
  const path = await parquet(
    join(scratch.file('x', ''), '..', 'detention-stints-latest.parquet'),
    `SELECT * FROM (VALUES ${stints.join(', ')}) v(book_in_date_time, book_out_date_time, state, county,
      detention_release_reason, final_program, citizenship_country, gender)`,
  );
  const report = await scratch.report('ice_detention_stints', [path]);
  expect(report.odd.map(({ what }) => what)).toContain(
    'records of a county that the lake does not name count for the state alone',
  );
  expect(await scratch.rows('immigration/ice_detention_stints/year=2025/counties.parquet')).toMatchObject([
    { county_fips: '13185', num_stints: null, num_stints_ended: null, avg_stint_length_days: null },
    { county_fips: '13259', num_stints: 6, num_stints_ended: 5, avg_stint_length_days: 4.6 },
  ]);
  const states = await scratch.rows('immigration/ice_detention_stints/year=2025/states.parquet');
  const reasons = states.filter(
    row =>
      row.month === '03' &&
      row.demographic === 'all' &&
      row.arresting_agency_group === 'ice' &&
      row.citizenship_country === 'all',
  );
  expect(reasons.map(row => [row.release_reason, row.num_stints, row.num_stints_ended])).toEqual([
    ['all', 8, 7],
    ['other', 1, 1],
    ['paroled', 0, 0],
    ['released_on_bond', 1, 1],
    ['released_on_order', 0, 0],
    ['removed', 1, 1],
    ['still_detained', 1, 0],
    ['transferred', 4, 4],
  ]);
  // A stint of ten years is no length.
  expect(reasons.find(row => row.release_reason === 'removed')!.avg_stint_length_days).toBeNull();

  const stays = workbook({
    'Detention stays (Sheet 1)': [
      [
        'stay_book_in_date_time',
        'stay_book_out_date_time',
        'stay_release_reason',
        'final_program',
        'citizenship_country',
        'gender',
        'n_stints',
        'state_longest',
        'county_longest',
      ],
      [45658.5, 45660, 'Removed', 'Border Patrol', 'MEXICO', 'Female', 3, 'GA', 'Stewart'],
      ['2025-01-02 12:00:00', '', '', '', 'MEXICO', 'Female', 1, 'GA', 'Stewart'],
    ],
  });
  await scratch.report('ice_detention_stays', [scratch.file('detention-stays-latest.xlsx', stays)]);
  const all = (await scratch.rows('immigration/ice_detention_stays/year=2025/states.parquet')).filter(
    row =>
      row.month === 'all' &&
      row.demographic === 'all' &&
      row.release_reason === 'all' &&
      row.citizenship_country === 'all',
  );
  expect(all).toMatchObject([
    {
      arresting_agency_group: 'all',
      num_stays: 2,
      num_stays_ended: 1,
      avg_stay_length_days: 1.5,
      avg_facilities_per_stay: 2,
    },
    { arresting_agency_group: 'cbp', num_stays: 1, num_stays_ended: 1 },
    { arresting_agency_group: 'ice', num_stays: 0, num_stays_ended: 0, avg_stay_length_days: null },
    { arresting_agency_group: 'unknown', num_stays: 1, num_stays_ended: 0 },
  ]);
});
