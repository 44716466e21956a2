/** What an import does to figures that earlier ones wrote: nothing, or it says so, or it is refused. */
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Row, type ScratchLake, scratchLake } from './scratch-lake.ts';

const extract = (name: string) => fileURLToPath(new URL(`extracts/${name}`, import.meta.url));
const COHORT_2021 = extract('2021_cohortGraduationRateStateDistrictSchoolbySubgroup.csv');
const COHORT_2022 = extract('2022_cohortGraduationRateStateDistrictSchoolbySubgroup.csv');
const FIVE_YEARS = extract('2021_graduationRatesbySubgroup.csv');
const RATES_2022 = extract('2022_graduationRatesbySubgroup.csv');
const CCRPI = 'ccrpi_graduation_rate';

/** Every row of a dataset in the lake. */
async function allRows(scratch: ScratchLake, name: string): Promise<Row[]> {
  const folder = join(scratch.lake, 'education', name);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file =>
    /parquet$/.test(file),
  );
  const rows = await Promise.all(files.sort().map(file => scratch.rows(`education/${name}/${file}`)));
  return rows.flat();
}

test('rates of 2022 leave the four-year rates of 2021 as they are', async () => {
  const scratch = scratchLake();
  await scratch.report(CCRPI, [COHORT_2021]);
  const before = (await allRows(scratch, CCRPI)).filter(row => row.graduation_rate !== null);
  expect(before).toHaveLength(9);
  const { changes } = await scratch.report(CCRPI, [RATES_2022, COHORT_2022]);
  expect(changes).toEqual([]);
  const after = await allRows(scratch, CCRPI);
  expect(after).toEqual(expect.arrayContaining(before));
  expect(
    after.find(row => row.year === 2021 && row.school_code === '0192' && row.rate_type === '4_year'),
  ).toEqual(expect.objectContaining({ num_cohort: 525, num_graduates: 493, graduation_rate: 0.939 }));
});

let wanted: readonly Row[];
beforeAll(async () => {
  const scratch = scratchLake(afterAll);
  for (const file of [COHORT_2021, RATES_2022, COHORT_2022, FIVE_YEARS]) await scratch.report(CCRPI, [file]);
  wanted = await allRows(scratch, CCRPI);
});

test.each([
  [[[COHORT_2021, COHORT_2022, RATES_2022, FIVE_YEARS]]],
  [[[FIVE_YEARS], [RATES_2022], [COHORT_2022], [COHORT_2021]]],
  [[[RATES_2022, COHORT_2021], [COHORT_2022, FIVE_YEARS], [RATES_2022], [COHORT_2021]]],
])('the same files in any order, in any number of imports, give one lake (%#)', async imports => {
  const scratch = scratchLake();
  for (const files of imports) {
    const report = await scratch.report(CCRPI, files);
    expect(report.changes).toEqual([]);
  }
  expect(await allRows(scratch, CCRPI)).toEqual(wanted);
});

const COUNTS = 'System ID,School ID,Reporting Label,Graduation Class Size,Total Graduated';

test('a cohort file without rates leaves the rates, however it corrects the counts', async () => {
  const scratch = scratchLake();
  const first = scratch.file(
    '2024_cohort.csv',
    `${COUNTS},Graduation Rate\n601,103,ALL Students,100,90,90\n`,
  );
  await scratch.report(CCRPI, [first]);
  const second = scratch.file('2024_counts.csv', `${COUNTS}\n601,103,ALL Students,1000,880\n`);
  const { changes, odd } = await scratch.report(CCRPI, [second]);
  expect(changes.map(({ what, examples }) => [what, ...examples])).toEqual([
    ['num_cohort: 2024_counts.csv gives other figures', '2024 / 601 / 0103 / all / 4_year: 100 is now 1000'],
    ['num_graduates: 2024_counts.csv gives other figures', '2024 / 601 / 0103 / all / 4_year: 90 is now 880'],
  ]);
  expect(odd.map(({ what }) => what)).toEqual([
    'graduation_rate stays, although this file corrects its counts: import the rates again if they are older',
  ]);
  const [row] = await scratch.rows(`education/${CCRPI}/year=2024/schools.parquet`);
  expect(row).toMatchObject({ num_cohort: 1000, num_graduates: 880, graduation_rate: 0.9 });
});

const COHORT = 'graduation_rate_4_year_cohort';
const HEADER =
  'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,INSTN_NUMBER,LABEL_LVL_1_DESC,PROGRAM_TOTAL,PROGRAM_PERCENT,TOTAL_COUNT\n';
const PLACES = ['601,103', '601,104', '601,105', '602,103', '602,104', '602,105', '603,103'];
const rows = (figures: string) =>
  HEADER + PLACES.map(place => `2018-19,${place},Grad Rate -ALL Students,${figures}\n`).join('');
const PROGRAM = fileURLToPath(new URL('../../../lib/scripts/georgia/import/main.js', import.meta.url));

function run(scratch: ScratchLake, name: string, ...args: string[]) {
  return spawnSync(process.execPath, [PROGRAM, name, '--out', scratch.lake, ...args], { encoding: 'utf8' });
}

test('what changes and what is withheld is counted by cause, and listed in full with --report', () => {
  const scratch = scratchLake();
  run(scratch, COHORT, scratch.file('a.csv', rows('22,91.7,24')));
  const list = join(scratch.lake, '../changes.csv');
  const { status, stdout } = run(scratch, COHORT, scratch.file('b.csv', rows('21,TFS,24')), '--report', list);
  expect(status).toBe(0);
  const examples = (text: string) =>
    ['601 / 0103', '601 / 0104', '601 / 0105', '602 / 0103', '602 / 0104']
      .map(place => `           2019 / ${place} / all: ${text}\n`)
      .join('');
  expect(stdout).toContain(
    `changed  7 figures: num_graduates: b.csv gives other figures\n${examples('22 is now 21')}`,
  );
  expect(stdout).toContain(
    `withheld 7 figures: graduation_rate: withheld or blank in b.csv\n${examples('0.917')}`,
  );
  const lines = readFileSync(list, 'utf8').trim().split('\n');
  expect(lines).toHaveLength(15);
  const slice = `education/${COHORT}/year=2019/schools.parquet`;
  expect(lines.slice(0, 3)).toEqual([
    'change,slice,year,district_code,school_code,demographic,column,before,after,file,line,why',
    `withheld,${slice},2019,601,0103,all,graduation_rate,0.917,,b.csv,,`,
    `changed,${slice},2019,601,0103,all,num_graduates,22,21,b.csv,,`,
  ]);
});

test('figures that a file lacks are not withheld by it: the import is refused, and the lake stays', () => {
  const scratch = scratchLake();
  run(scratch, COHORT, scratch.file('a.csv', rows('22,91.7,24')));
  const before = join(scratch.lake, '../before');
  cpSync(scratch.lake, before, { recursive: true });
  const lacking = scratch.file('b.csv', rows('21,87.5').replace(',TOTAL_COUNT', ''));
  const list = join(scratch.lake, '../changes.csv');
  const { status, stdout, stderr } = run(scratch, COHORT, lacking, '--report', list);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /figure-erased 7 published figures of num_cohort would become NULL, although no file withholds them \(2019 \/ 601 \/ 0103 \/ all: 24; .*; …\): import a file that has the column and its figures, or move the slice out of the lake first\nNothing was written\.\n$/,
  );
  const slice = `education/${COHORT}/year=2019/schools.parquet`;
  expect(readFileSync(join(scratch.lake, slice))).toEqual(readFileSync(join(before, slice)));
  expect(readFileSync(list, 'utf8').match(/^erased,.*,num_cohort,24,,,,$/gm)).toHaveLength(7);
});

test.each([
  [
    'attendance',
    'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,INSTN_NUMBER,STUDENT_COUNT_ALL,FIVE_OR_FEWER_PERCENT_ALL,SIX_TO_FIFTEEN_PERCENT_ALL,OVER_15_PERCENT_ALL,CHRONIC_ABSENT_PERC_ALL\n2023-24,601,103,100,30,40,30,20\n',
    /,CHRONIC_ABSENT_PERC_ALL|,20$/gm,
    'chronically_absent_rate',
  ],
  [
    'employment',
    '[["labor_force","unemployed","state","county","labor_force_moe","unemployed_moe"],[1000,50,"13","001",100,10]]',
    /,"unemployed_moe"|,10(?=\])/g,
    'num_unemployed_moe, unemployment_rate_moe',
  ],
])('%s: a file that lacks a column erases none of its figures', async (name, content, lacking, columns) => {
  const scratch = scratchLake();
  const file = name === 'employment' ? 'acs_2022.json' : 'a.csv';
  await scratch.report(name, [scratch.file(file, content)]);
  const messages = await scratch.refusal(name, [scratch.file(file, content.replace(lacking, ''))]);
  expect(messages.map(message => / of (\w+) would become NULL/.exec(message)?.[1]).join(', ')).toBe(columns);
});

test('progress towards English without flags keeps those that an earlier file gave', async () => {
  const scratch = scratchLake();
  const header = 'School Year,System ID,School ID,Grade Cluster,Reporting Label,Progress Towards ELP Rate';
  const place = '2024,601,103,H,English Learners';
  await scratch.report('ccrpi_progress', [
    scratch.file('a.csv', `${header},Target,Flag\n${place},47.11,50,G\n`),
  ]);
  const { changes } = await scratch.report('ccrpi_progress', [
    scratch.file('b.csv', `${header}\n${place},48\n`),
  ]);
  expect(changes.map(({ what }) => what)).toEqual(['indicator_score: b.csv gives other figures']);
  const [row] = await scratch.rows('education/ccrpi_progress/year=2024/schools.parquet');
  expect(row).toMatchObject({ indicator_score: 48, indicator_target: 50, ccrpi_flag: 'green' });
});

test('--report replaces no file that is read, and where it cannot be written the lake stays', async () => {
  const scratch = scratchLake();
  const file = scratch.file('a.csv', rows('22,91.7,24'));
  expect(await scratch.refusal(COHORT, [file], { report: file })).toEqual([
    'report-write is one of the files to read: name another file with --report',
  ]);
  const [message] = await scratch.refusal(COHORT, [file], {
    report: join(scratch.lake, 'absent/changes.csv'),
  });
  expect(message).toMatch(/^report-write cannot be written: /);
  await expect(allRows(scratch, COHORT)).rejects.toThrow('ENOENT');
});
