/** Which datasets a file feeds, by its headers, its name and its content; and files that aren't tables. */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { IMPORTERS } from '../../../scripts/georgia/import/importers.ts';
import { recogniseFile } from '../../../scripts/georgia/import/recognition.ts';
import { scratchLake, workbook } from './import-case.ts';

const GOSA = 'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,SCHOOL_DSTRCT_NM,INSTN_NUMBER,INSTN_NAME';
const SAT = `${GOSA},TEST_CMPNT_TYP_CD,INSTN_NUM_TESTED_CNT,INSTN_AVG_SCORE_VAL`;
const SAT_2007 =
  'SysSchoolID,SchoolNme,Recent Total0,Recent Verbal0,Recent Math0,High Total0,High Verbal0,High Math0,Number Taken0';
const CLUSTER = 'School Year,System ID,School ID,Grade Cluster,Reporting Label,Indicator,Indicator Score';
const RATES = `${GOSA},LABEL_LVL_1_DESC,PROGRAM_TOTAL,PROGRAM_PERCENT`;
const SCHOOL = '2022-23,601,Appling County,0103,Appling County High School';
const sat = (component: string, mean: number) => `${SCHOOL},${component},30,${mean}`;
const rate = (label: string) => `${SCHOOL},${label},20,80`;

const RATE = 'graduation_rate_4_year_cohort';
const other = (dataset: string, place: string) => `is about something else than ${dataset}: ${place}`;
const byName = (dataset: string, name: string) =>
  other(dataset, `its name is "${name}"; rename it if that is wrong`);
const HIGHEST = 'sat_scores_highest';
const ALIKE =
  'fits sat_scores_highest and sat_scores_recent alike: import it under one of these names, before the files';
const NO_LIST = (cell: string, list = 'schools') =>
  `(it has codes of places, but isn't a list of them: the column ${cell}; to read only its places, write ${list} before the file)`;

/** A file's name, its lines, and the datasets that it feeds or the message. */
const TABLE: readonly (readonly [name: string, lines: readonly string[], expected: string])[] = [
  ['a.csv', [RATES], RATE],
  [
    'a.csv',
    [`${GOSA},COMPLETER_TYPE,LABEL_LVL_1_DESC,LABEL_LVL_5_CD,PROGRAM_TOTAL,PROGRAM_PERCENT`],
    'high_school_completers',
  ],
  ['SAT_highest.csv', [SAT], HIGHEST],
  ['sat recent.csv', [SAT], 'sat_scores_recent'],
  ['sat.csv', [SAT], ALIKE],
  // One file has both attempts.
  ['sat_2007.csv', [SAT_2007], 'sat_scores_highest, sat_scores_recent'],
  ['2019 Readiness.csv', [CLUSTER], 'ccrpi_readiness'],
  ['2019 progress.csv', [`${CLUSTER},Target,Flag`], 'ccrpi_progress'],
  ['a.csv', ['county_fips,county_name'], 'counties'],
  ['a.csv', ['year,district_code,school_code,total_expenditures,fte_enrollment'], 'per_pupil_expenditure'],
  ['a.csv', ['x,y', '1,2'], 'fits no known layout: no line holds a header of any'],
  // Files about something else than the dataset whose headers they share.
  ['ACT_2023.csv', [SAT, sat('Mathematics', 20)], byName(HIGHEST, 'ACT_2023.csv')],
  ['a.csv', ['ACT scores 2023', SAT, sat('Reading', 20)], other(HIGHEST, 'line 1 says "ACT scores 2023"')],
  [
    'a.csv',
    [`#ASSMT_CD,${SAT}`, `PSAT 10,${sat('Reading', 500)}`],
    other(HIGHEST, 'the column #ASSMT_CD on line 2 says "PSAT 10"'),
  ],
  [
    'a.csv',
    [`#RPT_NAME,${RATES}`, `A new report,${rate('White')}`],
    other(RATE, 'the column #RPT_NAME on line 2 says "A new report"'),
  ],
  ['a.csv', [`#RPT_NAME,${RATES}`, `Graduation Rate,${rate('White')}`], RATE],
  [
    'a.csv',
    [RATES, rate('Drop Outs -White')],
    other(RATE, 'the column LABEL_LVL_1_DESC on line 2 says "Drop Outs -White"'),
  ],
  ['5YearCohort_2023.csv', [RATES, rate('White')], byName(RATE, '5YearCohort_2023.csv')],
  ['On-Time Rates 2023.csv', [RATES, rate('White')], byName(RATE, 'On-Time Rates 2023.csv')],
  ['SAT and ACT.csv', [`HIGHEST_RECENT_IND,${SAT}`, `Recent,${sat('Reading', 500)}`], 'sat_scores_recent'],
  // With codes of places, but not a list of them.
  [
    'AP.csv',
    [`${GOSA},NUMBER_TESTS_TAKEN`, `${SCHOOL},TFS`],
    NO_LIST('NUMBER_TESTS_TAKEN holds "TFS" on line 2'),
  ],
  [
    'hope.csv',
    [`${GOSA},HOPE_ELIGIBLE_PCT`, `${SCHOOL},45.3`],
    NO_LIST('HOPE_ELIGIBLE_PCT holds "45.3" on line 2'),
  ],
  [
    'pop.csv',
    ['GEOID,NAME,population', '13001,A,18426'],
    NO_LIST('population holds "18426" on line 2', 'counties'),
  ],
  [
    'schools.csv',
    ['district_code,school_code,school_name,grades_served,zip', '601,0103,A,"9,10",31513'],
    'schools',
  ],
];
test.each(TABLE)('%s, %j: %s', async (name, lines, expected) => {
  expect(await fed(name, `${lines.join('\n')}\n`)).toContain(expected);
});

async function fed(name: string, content: string | Uint8Array): Promise<string> {
  const found = await recogniseFile(scratchLake().file(name, content), IMPORTERS);
  return 'problem' in found ? found.problem : found.importers.map(importer => importer.name).join(', ');
}

test('the sheets of a workbook may feed datasets, while one of notes feeds none', async () => {
  const header = [' system_ID ', 'School Id', 'YEAR', 'school climate STAR rating'];
  const data = [['Ratings'], header, [601, 103, 2024, 4]];
  expect(await fed('x.xlsx', workbook({ Notes: [['About the ratings']], Data: data }))).toBe(
    'ccrpi_climate_star_rating',
  );
  const act = [SAT.split(','), sat('Reading', 20).split(',')];
  expect(await fed('x.xlsx', workbook({ ACT: act, Notes: [['SAT']] }))).toBe(
    other(HIGHEST, 'the name of its sheet or member is "ACT"'),
  );
  const scratch = scratchLake();
  const file = scratch.file(
    'x.xlsx',
    workbook({ SAT: [SAT.split(','), sat('Reading', 500).split(',')], ACT: act }),
  );
  const { notes, written } = await scratch.report('sat_scores_recent', [file]);
  expect(written.map(({ rows }) => rows)).toEqual([1]);
  expect(notes).toContain(
    `ACT of x.xlsx is not read: ${other('sat_scores_recent', 'the name of its sheet or member is "ACT"')}`,
  );
});

test.each([
  [
    [SAT, ...['Composite', 'Mathematics', 'Science'].map(one => sat(one, 20))],
    'source-subject is about something else: the test component "Composite" is not one of the dataset\'s (line 2), and so in 2 of 3 rows',
  ],
  [
    [SAT, sat('Mathematics', 20), sat('Reading', 500), sat('Writing', 19).replace('0103', '0104')],
    'source-subject is about something else: the mean is off the scale of its test component and is left out (line 2), and so in 2 of 3 rows',
  ],
  [
    [`#ASSMT_CD,${SAT}`, `ACT,${sat('Reading', 500)}`],
    `source-unreadable ${other('sat_scores_recent', 'the column #ASSMT_CD on line 2 says "ACT"')}`,
  ],
])('%j is refused under a name that was typed', async (lines, message) => {
  const scratch = scratchLake();
  const file = scratch.file('a.csv', `${lines.join('\n')}\n`);
  expect(await scratch.refusal('sat_scores_recent', [file])).toEqual([message]);
});

/** Rows of schools, each with the state's mean; the first `wrong` repeat another section's mean. */
function repeated(schools: number, wrong: number): string {
  const rows = Array.from({ length: schools }, (_, index) => {
    const school = `2023-24,${601 + index},D,0103,S,Mathematics,30,500`;
    return `${school},61000.,${index < wrong ? 534 : 510}\n`;
  });
  return `${SAT},STATE_NUM_TESTED_CNT,STATE_AVG_SCORE_VAL\n${rows.join('')}`;
}

test('if 95 of 100 rows repeat a figure, it is right, and the other rows are named', async () => {
  const scratch = scratchLake();
  const { files } = await scratch.report('sat_scores_recent', [scratch.file('a.csv', repeated(60, 3))]);
  expect(files[0]!.dropped).toEqual([
    {
      what: 'what it repeats of its state (num_tested 61000, avg_score 534) is not what 57 of 60 rows repeat (num_tested 61000, avg_score 510)',
      count: 3,
      examples: [2, 3, 4].map(line => `line ${line}: 2023-24, ${599 + line}, 0103, Mathematics`),
    },
  ]);
  const [state] = await scratch.rows('education/sat_scores_recent/year=2024/states.parquet');
  expect(state!.avg_score).toBe(510);
});

test.each([
  ['fewer than 95 in 100 agree', 60, 4, 6],
  ['fewer than twenty rows repeat them', 19, 1, 3],
])('repeated figures that differ are refused with both values if %s', async (_, schools, wrong, line) => {
  const scratch = scratchLake();
  const file = scratch.file('a.csv', repeated(schools, wrong));
  expect(await scratch.refusal('sat_scores_recent', [file])).toEqual([
    `source-conflict two rows of 2024 / - / - / all / mathematics hold different figures (avg_score 534 on line 2, 510 on line ${line}): remove the wrong one`,
  ]);
});

/** Files that aren't an office's table, and the message about each. */
test.each<readonly [string, string | Uint8Array, string]>([
  ['acs_2022.json', '[["NAME","state","x"],\n["A","13",', 'begins like JSON, but is not valid: '],
  ['broken.json', '[1, 2', ' at position 5'],
  ['empty.csv', '', 'is empty'],
  ['a.csv.gz', gzipSync(RATES), 'is compressed by gzip: unpack it first'],
  ['a.xlsx', Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0), 'is a ZIP archive that cannot be read: '],
  [
    'a.xls',
    Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1),
    'is a workbook that cannot be read: CFB file size 5 < 512; save its sheets as CSV',
  ],
  [
    'a.csv',
    Buffer.from(RATES, 'utf16le'),
    'holds NUL characters: it is damaged, or UTF-16 without a byte order mark; save it as CSV in UTF-8',
  ],
  [
    'page.csv',
    '<!DOCTYPE html>\n<html><body>Not found</body></html>',
    'is a web page: download the file that it links',
  ],
  [
    'ACSDT5Y2023.csv',
    '\ufeff"Label (Grouping)","Georgia!!Estimate"\n"Total:","1"\n',
    'is a table as data.census.gov shows it, without codes of places: download its archive (ZIP)',
  ],
  ['x.parquet', 'PAR1 is not all', 'is a Parquet file that cannot be read: '],
])('%s, which is no table of an office, is called what it is', async (name, content, problem) => {
  expect(await fed(name, content)).toContain(problem);
});

test('all problems of all files are shown together', async () => {
  const scratch = scratchLake();
  const files = [
    scratch.file('empty.csv', ''),
    scratch.file('other.csv', 'a,b\n1,2\n'),
    join(scratch.lake, 'absent.csv'),
    scratch.file('long.csv', `${RATES}\n${rate('x'.repeat(17 * 1024 * 1024))}\n`),
  ];
  const messages = await scratch.refusal(RATE, files);
  expect(messages[0]).toBe('source-unreadable is empty');
  expect(messages[1]).toMatch(/^source-unreadable no line holds the expected headers \(LONG_SCHOOL_YEAR, /);
  expect(messages[2]).toMatch(/^source-unreadable cannot be read: ENOENT/);
  expect(messages[3]).toBe(
    'source-unreadable holds a row of more than 1,000,000 characters on line 2: shorten its cells',
  );
});
