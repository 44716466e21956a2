import { expect, test } from 'vitest';
import { type ScratchLake, scratchLake } from './scratch-lake.ts';

const RATES =
  'School Year,System ID,School ID,Reporting Label,Graduation Rate Type,Graduation Rate\n' +
  '2022,601,103,ALL Students,4-year graduation rate,87.11\n' +
  '2022,601,103,Black,4-year graduation rate,TFS\n' +
  '2021-22,ALL,ALL,ALL Students,4-year graduation rate,71.43\n' +
  '2021,601,103,ALL Students,5-Year Graduation Rate,No Data\n';
const COUNTS =
  'id,Reporting Level,System ID,School ID,Reporting Label,Graduation Class Size,Total Graduated,Graduation Rate\n' +
  '1,School,601,103,ALL Students,310,270,87.11\n' +
  '2,School,644,503,ALL Students,Too Few Students,Too Few Students,Too Few Students\n' +
  '3,School,602,103,ALL Students,80,60,75.25\n' +
  '4,State,ALL,ALL,ALL Students,"140,000","100,000",71.43\n' +
  '5,School,601,103,White,100,90,90\n';
const SCHOOLS = 'education/ccrpi_graduation_rate/year=2022/schools.parquet';

test.each([
  ['rates first', ['rates.csv', '2022_counts.csv']],
  ['counts first', ['2022_counts.csv', 'rates.csv']],
])('two imports give one slice, %s', async (_, order) => {
  const scratch = scratchLake();
  const files = order.map(name => scratch.file(name, name === 'rates.csv' ? RATES : COUNTS));
  for (const file of files) await scratch.report('ccrpi_graduation_rate', [file]);
  await expectSlices(scratch.rows);
});

test('one import of both files, and a second of the same, give that slice too', async () => {
  const scratch = scratchLake();
  const files = [scratch.file('2022_counts.csv', COUNTS), scratch.file('rates.csv', RATES)];
  const first = await scratch.report('ccrpi_graduation_rate', files);
  expect(first.files[0]!.dropped).toEqual([
    {
      what: 'counts by student group are served in 2023 only',
      count: 1,
      examples: ['line 6: 601, 103, White, 100'],
    },
  ]);
  await expectSlices(scratch.rows);
  await scratch.report('ccrpi_graduation_rate', files);
  await expectSlices(scratch.rows);
});

async function expectSlices(rows: (path: string) => Promise<object[]>): Promise<void> {
  const row = (
    place: (string | number | null)[],
    rate: number | null,
    cohort: number | null,
    graduates: number | null,
  ) => ({
    year: place[0],
    district_code: place[1],
    school_code: place[2],
    demographic: place[3],
    rate_type: place[4] ?? '4_year',
    graduation_rate: rate,
    num_cohort: cohort,
    num_graduates: graduates,
    indicator_target: null,
    ccrpi_flag: null,
  });
  expect(await rows(SCHOOLS)).toEqual([
    row([2022, '601', '0103', 'all'], 0.8711, 310, 270),
    row([2022, '601', '0103', 'black'], null, null, null),
    row([2022, '602', '0103', 'all'], 0.7525, 80, 60),
    row([2022, '644', '0503', 'all'], null, null, null),
  ]);
  expect(await rows(SCHOOLS.replace('schools', 'states'))).toEqual([
    row([2022, null, null, 'all'], 0.7143, 140000, 100000),
  ]);
  expect(await rows(SCHOOLS.replace('2022', '2021'))).toEqual([
    row([2021, '601', '0103', 'all', '5_year'], null, null, null),
  ]);
}

test('a later file of rates adds its targets and rate types to the year', async () => {
  const scratch = scratchLake();
  await scratch.report('ccrpi_graduation_rate', [scratch.file('rates.csv', RATES)]);
  const later =
    'School Year,System ID,School ID,Reporting Label,Graduation Rate Type,Graduation Rate,Target,Flag\n' +
    '2022,601,103,ALL Students,5-year graduation rate,93,,\n' +
    '2023,601,103,ALL Students,4-year graduation rate,92.5,90,Green\n' +
    '2023,601,103,All Martians,4-year graduation rate,92.5,90,Green\n';
  const report = await scratch.report('ccrpi_graduation_rate', [scratch.file('later.csv', later)]);
  expect(report.written.map(({ path, rows, kept }) => [path.replace(/^.*_rate\//, ''), rows, kept])).toEqual([
    ['year=2022/schools.parquet', 3, 2],
    ['year=2023/schools.parquet', 1, 0],
  ]);
  expect(report.files[0]!.dropped[0]!.what).toBe(
    'the student group "All Martians" is not one of the dataset\'s',
  );
  const [row] = await scratch.rows('education/ccrpi_graduation_rate/year=2023/schools.parquet');
  expect(row).toMatchObject({ graduation_rate: 0.925, indicator_target: 0.9, ccrpi_flag: 'green' });
});

test('counts without a year in the file or its name are refused until --year gives it', async () => {
  const scratch = scratchLake();
  const file = scratch.file('counts.csv', COUNTS);
  expect(await scratch.refusal('ccrpi_graduation_rate', [file])).toEqual([
    "source-year has no year on line 2, nor in the file's name: add --year",
  ]);
  const report = await scratch.report('ccrpi_graduation_rate', [file], { year: 2023 });
  // Counts by student group are served in 2023.
  expect(report.files[0]!.dropped).toEqual([]);
});

test('counts with rate types beside them are of those types', async () => {
  const scratch = scratchLake();
  const file = scratch.file(
    'combined.csv',
    'School Year,System ID,School ID,Reporting Label,Graduation Rate Type,Graduation Class Size,Total Graduated,Graduation Rate\n' +
      '2022,601,103,ALL Students,4-year graduation rate,100,90,90.0\n' +
      '2022,601,103,Black,4-year graduation rate,40,30,75.0\n' +
      '2022,601,103,ALL Students,On-Time graduation rate,200,190,95.0\n' +
      '2022,601,ALL,ALL Students,On-Time graduation rate,200,190,95.0\n' +
      '2022,602,103,ALL Students,,100,80,80.0\n' +
      '2021,601,103,ALL Students,5-year graduation rate,,,95.5\n',
  );
  const report = await scratch.report('ccrpi_graduation_rate', [file]);
  expect(report.files[0]!.shape).toBe('graduation rates with cohort counts');
  expect(report.files[0]!.dropped.map(({ what }) => what)).toEqual([
    'an on-time rate of a district or the state',
    'the rate type "" is not one of the dataset\'s',
  ]);
  // The rate of a group is served in every year, its counts are not.
  expect(report.odd.map(({ what }) => what)).toEqual([
    'counts by student group are served in 2023 only, and left out',
  ]);
  const rows = [...(await scratch.rows(SCHOOLS)), ...(await scratch.rows(SCHOOLS.replace('2022', '2021')))];
  expect(
    rows.map(row => [row.demographic, row.rate_type, row.graduation_rate, row.num_cohort, row.num_graduates]),
  ).toEqual([
    ['all', '4_year', 0.9, 100, 90],
    ['all', 'on_time', 0.95, 200, 190],
    ['black', '4_year', 0.75, null, null],
    ['all', '5_year', 0.955, null, null],
  ]);
});

const flagged = (flag: string) =>
  `School Year,System ID,School ID,Reporting Label,Graduation Rate Type,Graduation Rate,Target,Flag\n2024,601,103,ALL Students,4-year graduation rate,92.5,90,${flag}\n`;

const COMBINED =
  'School Year,System ID,School ID,Reporting Label,Graduation Rate Type,Graduation Class Size,Total Graduated,Graduation Rate';
const combined = (row: string) => `2024,601,103,ALL Students,4-year graduation rate,${row}\n`;

test('a file of rates and counts corrects both, and what an earlier one said of targets and flags', async () => {
  const scratch = scratchLake();
  const read = async (row: string) => {
    const file = scratch.file('combined.csv', `${COMBINED},Target,Flag\n${combined(row)}`);
    const { odd } = await scratch.report('ccrpi_graduation_rate', [file]);
    const [held] = await scratch.rows(COHORT_SCHOOLS);
    return [...Object.values(held!).slice(5), ...odd.map(({ what }) => what)];
  };
  expect(await read('100,93,93.0,90,Green')).toEqual([0.93, 100, 93, 0.9, 'green']);
  expect(await read('100,93,TFS,,')).toEqual([null, 100, 93, null, null]);
  expect(await read('250,222,88.8,91.5,red')).toEqual([0.888, 250, 222, 0.915, 'red']);
});

test.each([
  ['G', 'green'],
  ['Y', 'yellow'],
  ['R', 'red'],
  ['r', 'red'],
  ['Yellow', 'yellow'],
  ['NA', null],
  ['', null],
])('the flag %s is %s', async (flag, colour) => {
  const scratch = scratchLake();
  const rates = scratch.file('rates.csv', flagged(flag));
  const progress = scratch.file(
    'progress.csv',
    `School Year,System ID,School ID,Grade Cluster,Reporting Label,Progress Towards ELP Rate,Target,Flag\n2024,601,103,H,English Learners,47.11,50,${flag}\n`,
  );
  for (const [name, file] of [
    ['ccrpi_graduation_rate', rates],
    ['ccrpi_progress', progress],
  ] as const) {
    const { odd } = await scratch.report(name, [file]);
    expect(odd).toEqual([]);
    const [row] = await scratch.rows(`education/${name}/year=2024/schools.parquet`);
    expect(row!.ccrpi_flag).toBe(colour);
  }
});

test('an unknown flag is left out with a word, and takes the place of no published one', async () => {
  const scratch = scratchLake();
  const unknown = scratch.file('unknown.csv', flagged('G*'));
  const { odd } = await scratch.report('ccrpi_graduation_rate', [unknown]);
  expect(odd.map(({ what }) => what)).toEqual([
    'the flag "G*" is not green (G), yellow (Y) or red (R) and is left out',
  ]);
  await scratch.report('ccrpi_graduation_rate', [scratch.file('known.csv', flagged('G'))]);
  expect(await scratch.refusal('ccrpi_graduation_rate', [unknown])).toEqual([
    'figure-erased 1 published figure of ccrpi_flag would become NULL, although no file withholds it (2024 / 601 / 0103 / all / 4_year: green): import a file that has the column and its figures, or move the slice out of the lake first',
  ]);
  const { changes } = await scratch.report('ccrpi_graduation_rate', [unknown], { markers: ['G*'] });
  expect(changes).toEqual([
    {
      kind: 'withheld',
      what: 'ccrpi_flag: withheld or blank in unknown.csv',
      count: 1,
      examples: ['2024 / 601 / 0103 / all / 4_year: green'],
    },
  ]);
});

test.each([
  ['before', [0, 1]],
  ['behind', [1, 0]],
])("a combined file's rate stands, a cohort file %s it or not", async (_, order) => {
  const scratch = scratchLake();
  const files = [
    scratch.file('2024_cohort.csv', `${COHORT}601,103,ALL Students,1232,1132,91.9\n`),
    scratch.file('combined.csv', `${COMBINED}\n${combined('1232,1132,91.88')}`),
  ];
  await scratch.report(
    'ccrpi_graduation_rate',
    order.map(index => files[index]!),
  );
  const [row] = await scratch.rows(COHORT_SCHOOLS);
  expect(row).toMatchObject({ graduation_rate: 0.9188, num_cohort: 1232, num_graduates: 1132 });
});

test.each([
  [
    'cohort file',
    '2024_cohort.csv',
    () => `${COHORT}601,103,ALL Students,1232,1131,91.88\n`,
    ['num_graduates 1132', '1131'],
  ],
  ['file of rates', 'rates.csv', () => officialRates('91.9'), ['graduation_rate 0.9188', '0.919']],
])(
  'a combined file and a %s of one run that disagree are refused',
  async (_, name, content, [first, second]) => {
    const scratch = scratchLake();
    const files = [
      scratch.file('combined.csv', `${COMBINED}\n${combined('1232,1132,91.88')}`),
      scratch.file(name, content()),
    ];
    expect(await scratch.refusal('ccrpi_graduation_rate', files)).toEqual([
      `source-conflict two rows of 2024 / 601 / 0103 / all / 4_year hold different figures (${first} on combined.csv line 2, ${second} on ${name} line 2): remove the wrong one`,
    ]);
  },
);

const COHORT = 'System ID,School ID,Reporting Label,Graduation Class Size,Total Graduated,Graduation Rate\n';
const COHORT_SCHOOLS = SCHOOLS.replace('2022', '2024');
const officialRates = (rate: string) =>
  `School Year,System ID,School ID,Reporting Label,Graduation Rate Type,Graduation Rate\n2024,601,103,ALL Students,4-year graduation rate,${rate}\n`;

/** Imports cohort files of one place one after the other; gives its graduates and rate, and what is said of them. */
function cohortReader(scratch: ScratchLake) {
  return async (row: string) => {
    const file = scratch.file('2024_cohort.csv', `${COHORT}601,103,ALL Students,${row}\n`);
    const { odd } = await scratch.report('ccrpi_graduation_rate', [file]);
    const [held] = await scratch.rows(COHORT_SCHOOLS);
    return [held!.num_graduates, held!.graduation_rate, ...odd.map(({ what }) => what)];
  };
}

const AGAIN = 'import the rates again if they are older';

test('a corrected cohort corrects a rate that is too far from it or was its own, and says so', async () => {
  const read = cohortReader(scratchLake());
  expect(await read('100,90,90.0')).toEqual([90, 0.9]);
  expect(await read('100,80,80.0')).toEqual([
    80,
    0.8,
    'graduation_rate is corrected with its counts: the old rate was more than 0.4 points away',
  ]);
  expect(await read('100,80,80.0')).toEqual([80, 0.8]);
  const quotient = 'graduation_rate is corrected with its counts: the old rate was that of the old counts';
  expect(await read('1000,804,80.4')).toEqual([804, 0.804, quotient]);
  expect(await read('1000,804,81')).toEqual([
    804,
    0.804,
    `graduation_rate stays, although this file's own is more than 0.4 points away: ${AGAIN}`,
  ]);
  expect(await read('500,402,80.4')).toEqual([402, 0.804]);
  expect(await read('TFS,TFS,TFS')).toEqual([null, null, quotient]);
  expect(await read('500,402,80.4')).toEqual([
    402,
    null,
    `graduation_rate stays withheld, although this file has one: ${AGAIN}`,
  ]);
});

test('an official rate that may be of the counts before is said to stay', async () => {
  const scratch = scratchLake();
  const read = cohortReader(scratch);
  await scratch.report('ccrpi_graduation_rate', [scratch.file('rates.csv', officialRates('80.2'))]);
  expect(await read('100,80,80.0')).toEqual([80, 0.802]);
  expect(await read('1000,804,80.4')).toEqual([
    804,
    0.802,
    `graduation_rate stays, although this file corrects its counts: ${AGAIN}`,
  ]);
  expect(await read('TFS,TFS,TFS')).toEqual([
    null,
    0.802,
    `graduation_rate stays, although this file withholds its counts: ${AGAIN}`,
  ]);
});

test('the rate of a file of rates in the same run is no older than the cohort', async () => {
  const scratch = scratchLake();
  const cohort = (row: string) => scratch.file('2024_cohort.csv', `${COHORT}601,103,ALL Students,${row}\n`);
  await scratch.report('ccrpi_graduation_rate', [cohort('100,90,90.0')]);
  const rates = scratch.file('rates.csv', officialRates('81'));
  const report = await scratch.report('ccrpi_graduation_rate', [rates, cohort('100,80,80.0')]);
  const [row] = await scratch.rows(COHORT_SCHOOLS);
  expect(row).toMatchObject({ num_graduates: 80, graduation_rate: 0.81 });
  expect(report.odd.map(({ examples }) => examples)).toEqual([
    ['2024_cohort.csv line 2: 2024 / 601 / 0103 / all / 4_year'],
  ]);
});
