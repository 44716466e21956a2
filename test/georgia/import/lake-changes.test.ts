/**
 * What an import does to a lake of earlier imports: it changes nothing, reports changes, or is refused and
 * leaves the lake.
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../scripts/georgia/import/database.ts';
import { renderReport } from '../../../scripts/georgia/import/report.ts';
import { type Row, type ScratchLake, scratchLake } from './import-case.ts';

const extract = (name: string) => join(import.meta.dirname, 'extracts', name);
const COHORT_2021 = extract('2021_cohortGraduationRateStateDistrictSchoolbySubgroup.csv');
const COHORT_2022 = extract('2022_cohortGraduationRateStateDistrictSchoolbySubgroup.csv');
const FIVE_YEARS = extract('2021_graduationRatesbySubgroup.csv');
const RATES_2022 = extract('2022_graduationRatesbySubgroup.csv');
const CCRPI = 'ccrpi_graduation_rate';

const COHORT = 'graduation_rate_4_year_cohort';
const YEAR = `education/${COHORT}/year=2019`;
const SLICE = `${YEAR}/schools.parquet`;
const SCHOOLS = 'education/_dimensions/schools.parquet';
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

test.each([
  [[[COHORT_2021], [RATES_2022], [COHORT_2022], [FIVE_YEARS]]],
  [[[FIVE_YEARS], [RATES_2022], [COHORT_2022], [COHORT_2021]]],
  [[[RATES_2022, COHORT_2021], [COHORT_2022, FIVE_YEARS], [RATES_2022], [COHORT_2021]]],
])('the same files in any order, in any number of imports, give one lake (%#)', async imports => {
  const [wanted, scratch] = [scratchLake(), scratchLake()];
  await wanted.report(CCRPI, [COHORT_2021, COHORT_2022, RATES_2022, FIVE_YEARS]);
  for (const files of imports) expect((await scratch.report(CCRPI, files)).changes).toEqual([]);
  expect(await allRows(scratch, CCRPI)).toEqual(await allRows(wanted, CCRPI));
});

const PROGRAM = join(import.meta.dirname, '../../../lib/scripts/georgia/import/main.js');

function run(scratch: ScratchLake, ...args: string[]) {
  return spawnSync(process.execPath, [PROGRAM, '--out', scratch.lake, ...args], { encoding: 'utf8' });
}

test('what changes and what is withheld is counted by cause, and listed in full with --report', () => {
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
});

test("figures that a file lacks aren't withheld: the import is refused, and the lake stays", () => {
  const scratch = scratchLake();
  run(scratch, COHORT, scratch.file('a.csv', rows('22,91.7,24', ...PLACES)));
  const before = readFileSync(join(scratch.lake, SLICE));
  const lacking = scratch.file('b.csv', rows('21,87.5', ...PLACES).replace(',TOTAL_COUNT', ''));
  const list = join(scratch.lake, '../changes.csv');
  const { status, stdout, stderr } = run(scratch, COHORT, lacking, '--report', list);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /figure-erased 7 published figures of num_cohort would become NULL, although no file withholds them \(2019 \/ 601 \/ 0103 \/ all: 24; .*; …\): import a file that has the column and its figures, or move the slice out of the lake first\nNothing was written\.\n$/,
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

test('a slice with fewer rows than the one it replaces says how many are missing, and which', async () => {
  const scratch = scratchLake();
  const read = (...places: string[]) =>
    scratch.report(COHORT, [scratch.file('g.csv', rows('22,91.7,24', ...places))]);
  await read('601,103', '601,104', '602,103');
  expect((await read('601,103', '601,104', '602,103', '602,ALL')).changes).toEqual([]);
  const report = await read('601,104', '603,103');
  expect(report.written).toEqual([{ path: SLICE, rows: 2, kept: 0 }]);
  const what = `${SLICE} has 2 rows fewer that no file has any more`;
  const examples = ['2019 / 601 / 0103 / all', '2019 / 602 / 0103 / all'];
  expect(report.changes).toEqual([{ kind: 'removed', what, count: 6, examples }]);
  expect(renderReport(report)).toContain(
    `wrote    ${SLICE} (2 rows)\nremoved  6 figures: ${what}\n           ${examples.join('\n           ')}\n`,
  );
});

test("so does a dimension; a file that isn't Parquet is replaced with a message", async () => {
  const scratch = scratchLake();
  const path = '_dimensions/counties.parquet';
  mkdirSync(join(scratch.lake, '_dimensions'), { recursive: true });
  writeFileSync(join(scratch.lake, path), 'no Parquet');
  const read = async (...lines: string[]) => {
    const file = scratch.file('c.csv', `county_fips,county_name\n${lines.join('\n')}\n`);
    const { changes, notes } = await scratch.report('counties', [file], { replace: true });
    return [...changes.map(({ what, examples }) => `${what}: ${examples.join('; ')}`), ...notes];
  };
  expect(await read('13001,X', '13003,Y')).toEqual([`${path} replaces a file whose rows cannot be read`]);
  expect(await read('13003,Z')).toEqual([
    'county_name: c.csv gives other figures: 13003: Y County is now Z County',
    `${path} has a row fewer that no file has any more: 13001`,
  ]);
});

test('places of facts are added to the lists, marked, with the years of the files that name them; a list corrects and keeps', async () => {
  const scratch = scratchLake();
  const list = (...lines: string[]) =>
    scratch.report('schools', [
      scratch.file('schools.csv', `district_code,school_code,school_name\n${lines.join('\n')}\n`),
    ]);
  const header = HEADER.replace('DSTRCT_CD,', 'DSTRCT_CD,SCHOOL_DSTRCT_NM,').replace(
    'NUMBER,',
    'NUMBER,INSTN_NAME,',
  );
  const facts = async (label: string, ...lines: string[]) => {
    const text = lines.map(line => `${label},601,One,${line},Grad Rate -ALL Students,22,90,24\n`).join('');
    const file = scratch.file(`rates-${label}.csv`, header + text);
    return (await scratch.report(COHORT, [file], { addPlaces: true })).notes.join('\n');
  };
  const seen = async (path: string) => (await scratch.rows(path)).map(row => Object.values(row).join(' '));
  await list('601,103,First', '601,104,Never');
  expect(await facts('2017-18', '103,Old First', '407,Closed School', 'ALL,All Column Values')).toContain(
    `1 place added to ${SCHOOLS} from the files' own names: 601 / 0407 / Closed School`,
  );
  expect(await facts('2019-20', '103,First')).not.toContain('schools.parquet');
  await facts('2011-12', '103,Older First', '407,Older Closed');
  expect(await seen(SCHOOLS)).toEqual([
    '601 0103 First list 2012 2020',
    '601 0104 Never list  ',
    '601 0407 Closed School from_source 2012 2018',
  ]);
  expect(await seen('education/_dimensions/districts.parquet')).toEqual([
    '601 One  standard from_source 2012 2020',
  ]);
  await list('601,407,Closed', '601,105,Newest');
  expect(await seen(SCHOOLS)).toEqual([
    '601 0103 First list 2012 2020',
    '601 0104 Never list  ',
    '601 0105 Newest list  ',
    '601 0407 Closed list 2012 2018',
  ]);
  // As an earlier version wrote it, without origins and years.
  const database = await openDatabase();
  const file = join(scratch.lake, SCHOOLS);
  const old = `SELECT district_code, school_code, school_name FROM read_parquet('${file}')`;
  await database.run(`COPY (${old}) TO '${file}.new' (FORMAT parquet)`);
  database.close();
  renameSync(`${file}.new`, file);
  await list('601,108,Second');
  const origins = (await scratch.rows(SCHOOLS)).map(row => `${row.school_code} ${row.entry_origin}`);
  expect(origins.join()).toBe('0103 null,0104 null,0105 null,0108 list,0407 null');
});

test('a sample lake is refused', async () => {
  const scratch = scratchLake();
  mkdirSync(scratch.lake);
  writeFileSync(join(scratch.lake, '_sample.json'), '{}');
  expect(await scratch.refusal('demographics', [])).toEqual([
    'lake-is-sample is a sample lake: published figures are never mixed with made-up ones; name another folder with --out',
  ]);
});

const DEMOGRAPHICS = 'education/_dimensions/demographics.parquet';
const PROGRESS = 'education/ccrpi_progress/year=2022/schools.parquet';
const NO_PARQUET = (at: string) => writeFileSync(at, 'no Parquet');
test.each<[what: string, path: string, put: (at: string, demographics: string) => void, says: RegExp]>([
  ['a file that is no Parquet', PROGRESS, NO_PARQUET, /^lake-slice \S+ cannot be merged with/],
  ['a folder', PROGRESS, at => mkdirSync(at), /^lake-slice \S+ is a folder: move it away and import again$/],
  [
    'a file that is no Parquet',
    SCHOOLS,
    NO_PARQUET,
    /^lake-dimension \S+\/schools\.parquet cannot be read: .*; move it away/,
  ],
  [
    'a table without the key',
    SCHOOLS,
    (at, other) => copyFileSync(other, at),
    /^lake-dimension \S+ cannot be read: /,
  ],
])('%s in the place of %s is named, and nothing is written', async (_, path, put, says) => {
  const scratch = scratchLake();
  await scratch.report('demographics', []);
  mkdirSync(dirname(join(scratch.lake, path)), { recursive: true });
  put(join(scratch.lake, path), join(scratch.lake, DEMOGRAPHICS));
  const before = readdirSync(scratch.lake, { recursive: true }).sort();
  const header = 'School Year,System ID,School ID,Grade Cluster,Reporting Label,Progress Towards ELP Rate';
  const lines = ['601,ALL', '601,103'].map(place => `\n2022,${place},H,English Learners,47.11`);
  const file = scratch.file('p.csv', header + lines.join(''));
  expect(await scratch.refusal('ccrpi_progress', [file])).toEqual([expect.stringMatching(says)]);
  expect(readdirSync(scratch.lake, { recursive: true }).sort()).toEqual(before);
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
