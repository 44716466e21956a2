/** What an import does to a lake of earlier imports, and what the program says of it. Others: cases/lake.yaml. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXTRACTS, type Row, type ScratchLake, scratchLake } from './import-case.ts';

const extract = (name: string) => join(EXTRACTS, name);
const COHORT_2021 = extract('2021_cohortGraduationRateStateDistrictSchoolbySubgroup.csv');
const COHORT_2022 = extract('2022_cohortGraduationRateStateDistrictSchoolbySubgroup.csv');
const FIVE_YEARS = extract('2021_graduationRatesbySubgroup.csv');
const RATES_2022 = extract('2022_graduationRatesbySubgroup.csv');
const CCRPI = 'ccrpi_graduation_rate';

const COHORT = 'graduation_rate_4_year_cohort';
const YEAR = `education/${COHORT}/year=2019`;
const SLICE = `${YEAR}/schools.parquet`;
const HEADER =
  'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,INSTN_NUMBER,LABEL_LVL_1_DESC,PROGRAM_TOTAL,PROGRAM_PERCENT,TOTAL_COUNT\n';
const rows = (figures: string, ...places: readonly string[]) =>
  HEADER + places.map(place => `2018-19,${place},Grad Rate -ALL Students,${figures}\n`).join('');
const PLACES = ['601,103', '601,104', '601,105', '602,103', '602,104', '602,105', '603,103'];

/** Every row of a dataset in the lake. */
async function allRows(scratch: ScratchLake, name: string): Promise<Row[]> {
  const names = readdirSync(join(scratch.lake, 'education', name), { recursive: true, encoding: 'utf8' });
  const files = names.filter(file => /parquet$/.test(file)).sort();
  return (await Promise.all(files.map(file => scratch.rows(`education/${name}/${file}`)))).flat();
}

test('the same files in any order, in any number of imports, give one lake', async () => {
  const lakes = [
    [[COHORT_2021, COHORT_2022, RATES_2022, FIVE_YEARS]],
    [[FIVE_YEARS], [RATES_2022], [COHORT_2022], [COHORT_2021]],
    [[RATES_2022, COHORT_2021], [COHORT_2022, FIVE_YEARS], [RATES_2022]],
  ].map(async imports => {
    const scratch = scratchLake();
    for (const files of imports) expect((await scratch.report(CCRPI, files)).changes).toEqual([]);
    return allRows(scratch, CCRPI);
  });
  const [wanted, ...others] = await Promise.all(lakes);
  for (const rows of others) expect(rows).toEqual(wanted);
});

const PROGRAM = join(import.meta.dirname, '../../../lib/scripts/georgia/import/main.js');

function run(scratch: ScratchLake, ...args: string[]) {
  return spawnSync(process.execPath, [PROGRAM, '--out', scratch.lake, ...args], { encoding: 'utf8' });
}

test('what changes, is withheld or would be erased is counted by cause, and listed in full with --report', () => {
  const scratch = scratchLake();
  run(scratch, COHORT, scratch.file('a.csv', rows('22,91.7,24', ...PLACES)));
  const list = join(scratch.lake, '../changes.csv');
  const file = scratch.file('b.csv', rows('21,TFS,24', ...PLACES));
  const { status, stdout } = run(scratch, COHORT, file, '--report', list);
  expect(status).toBe(0);
  const places = ['601 / 0103', '601 / 0104', '601 / 0105', '602 / 0103', '602 / 0104'];
  const examples = (text: string) =>
    places.map(place => `           2019 / ${place} / all: ${text}\n`).join('');
  expect(stdout).toContain(
    `changed  7 figures: num_graduates: b.csv gives other figures\n${examples('22 is now 21')}`,
  );
  expect(stdout).toContain(
    `withheld 7 figures: graduation_rate: withheld or blank in b.csv\n${examples('0.917')}`,
  );
  const lines = readFileSync(list, 'utf8').trim().split('\n');
  expect(lines).toHaveLength(15);
  expect(lines.slice(0, 3)).toEqual([
    'change,slice,year,district_code,school_code,demographic,column,before,after,file,line,why',
    `withheld,${SLICE},2019,601,0103,all,graduation_rate,0.917,,b.csv,,`,
    `changed,${SLICE},2019,601,0103,all,num_graduates,22,21,b.csv,,`,
  ]);
  // Figures that a file lacks aren't withheld: the import is refused, and the lake stays.
  const before = readFileSync(join(scratch.lake, SLICE));
  const lacking = scratch.file('c.csv', rows('21,87.5', ...PLACES).replace(',TOTAL_COUNT', ''));
  const refused = run(scratch, COHORT, lacking, '--report', list);
  expect([refused.status, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toMatch(
    /figure-erased 7 published figures of num_cohort would become NULL.*\nNothing was written\.\n$/,
  );
  expect(readFileSync(join(scratch.lake, SLICE))).toEqual(before);
  expect(readFileSync(list, 'utf8').match(/^erased,.*,num_cohort,24,,,,$/gm)).toHaveLength(7);
});

test('a file that was left out makes the exit code 1, and --marker takes one text: what follows is a file', () => {
  const scratch = scratchLake();
  const bad = scratch.file('bad.csv', rows('n.b.,50,44', '601,103'));
  const good = scratch.file('good.csv', rows('n.a.,x,44', '601,103').replace('2018-19', '2017-18'));
  const { status, stderr, stdout } = run(scratch, '--marker', 'n.a.', '--marker', 'x', bad, good);
  expect(status).toBe(1);
  expect(stderr).toContain(`${bad} source-value the column PROGRAM_TOTAL holds "n.b." on line 2`);
  expect(stdout).toContain(`left out ${bad}`);
  expect(stdout).toContain('year=2018/schools.parquet (1 rows)');
});

test('--report has every row that is not served, and every odd one; it replaces no file that is read', async () => {
  const scratch = scratchLake();
  const header =
    'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,SCHOOL_DSTRCT_NM,INSTN_NUMBER,INSTN_NAME,TEST_CMPNT_TYP_CD,INSTN_NUM_TESTED_CNT,INSTN_AVG_SCORE_VAL';
  const lines = ['2010-11,601,A,0101,B,Writing,20,112', '2010-11,601,A,0102,C,Origami,20,400', 'note'];
  const [file, report] = [
    scratch.file('r.csv', [header, ...lines].join('\n')),
    scratch.file('report.csv', ''),
  ];
  await scratch.report('sat_scores_recent', [file], { report });
  expect(readFileSync(report, 'utf8').split('\n').slice(1, -1)).toEqual([
    'odd,,2011,601,0101,all,writing,,,,r.csv,2,the mean is off the scale of its test component and is left out',
    'dropped,,2011,601,0102,all,,,,,r.csv,3,"the test component ""Origami"" is not one of the dataset\'s"',
    "dropped,,,,,,,,,,r.csv,4,the row has another number of cells than the header's 8",
  ]);
  const other = scratchLake();
  expect(await other.refusal('sat_scores_recent', [file], { report: file })).toEqual([
    'report-write is one of the files to read: name another file with --report',
  ]);
  const absent = { report: join(other.lake, 'absent/changes.csv') };
  expect((await other.refusal('sat_scores_recent', [file], absent))[0]).toMatch(
    /^report-write cannot be written: /,
  );
  expect(existsSync(join(other.lake, 'education'))).toBe(false);
});

test('a failure while writing leaves the slices as they were and no temporary file', async () => {
  const scratch = scratchLake();
  await scratch.report(COHORT, [scratch.file('a.csv', rows('22,90,24', '601,103', '601,ALL'))]);
  const before = join(scratch.lake, '../before');
  cpSync(join(scratch.lake, YEAR), before, { recursive: true });
  // A file is in place of the second year's folder.
  writeFileSync(join(scratch.lake, `education/${COHORT}/year=2021`), 'a file');
  const years = ['2018-19', '2019-20', '2020-21'].map(label =>
    rows('23,90,24', '601,103', '601,ALL').slice(HEADER.length).replaceAll('2018-19', label),
  );
  const [message] = await scratch.refusal(COHORT, [scratch.file('b.csv', HEADER + years.join(''))]);
  expect(message).toMatch(/^lake-write cannot be written: /);
  expect(readdirSync(join(scratch.lake, `education/${COHORT}`)).sort()).toEqual(['year=2019', 'year=2021']);
  expect(readdirSync(join(scratch.lake, YEAR)).sort()).toEqual(readdirSync(before).sort());
  expect(readFileSync(join(scratch.lake, SLICE))).toEqual(readFileSync(join(before, 'schools.parquet')));
});
