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
