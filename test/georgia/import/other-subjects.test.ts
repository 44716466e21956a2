/** Files that say that they are about something else than the dataset whose headers they share. */
import { expect, test } from 'vitest';
import { IMPORTERS } from '../../../scripts/georgia/import/importers.ts';
import { recogniseFile } from '../../../scripts/georgia/import/recognition.ts';
import { ABOUT } from '../../../scripts/georgia/import/subjects.ts';
import { scratchLake } from './scratch-lake.ts';
import { workbook } from './workbook.ts';

const GOSA = 'LONG_SCHOOL_YEAR,SCHOOL_DSTRCT_CD,SCHOOL_DSTRCT_NM,INSTN_NUMBER,INSTN_NAME';
const SAT = `${GOSA},TEST_CMPNT_TYP_CD,INSTN_NUM_TESTED_CNT,INSTN_AVG_SCORE_VAL`;
const RATES = `${GOSA},LABEL_LVL_1_DESC,PROGRAM_TOTAL,PROGRAM_PERCENT,TOTAL_COUNT`;
const SCHOOL = '2022-23,601,Appling County,0103,Appling County High School';
const sat = (component: string, mean: number) => `${SCHOOL},${component},30,${mean}`;
const rate = (label: string) => `${SCHOOL},${label},20,80,25`;
const lines = (...all: readonly string[]) => `${all.join('\n')}\n`;
const labelled = (label: string, cell: string, header: string, row: string) =>
  lines(`${label},${header}`, `${cell},${row}`);

test('every dataset says what it is about', () => {
  const datasets = IMPORTERS.filter(({ target }) => target.kind === 'dataset').map(({ name }) => name);
  expect(Object.keys(ABOUT).sort()).toEqual(datasets.sort());
});

const LIST = (cell: string, list = 'schools') =>
  expect.stringContaining(
    `(it has codes of places, but isn't a list of them: the column ${cell}; to read its places alone, write ${list} before the file)`,
  );
const other = (dataset: string, place: string) => `is about something else than ${dataset}: ${place}`;
const RATE = 'graduation_rate_4_year_cohort';

test.each([
  [
    'ACT_2023.csv',
    lines(SAT, sat('Mathematics', 20)),
    other('sat_scores_highest', 'its name is "ACT_2023.csv"; rename it if that is wrong'),
  ],
  [
    'a.csv',
    lines('ACT scores 2023', SAT, sat('Reading', 20)),
    other('sat_scores_highest', 'line 1 says "ACT scores 2023"'),
  ],
  [
    'a.csv',
    labelled('#ASSMT_CD', 'ACT', SAT, sat('Reading', 500)),
    other('sat_scores_highest', 'the column #ASSMT_CD on line 2 says "ACT"'),
  ],
  [
    'a.csv',
    labelled('#ASSMT_CD', 'PSAT 10', SAT, sat('Reading', 500)),
    other('sat_scores_highest', 'the column #ASSMT_CD on line 2 says "PSAT 10"'),
  ],
  [
    'a.csv',
    labelled('#RPT_NAME', 'A new report', RATES, rate('Grad Rate -White')),
    other(RATE, 'the column #RPT_NAME on line 2 says "A new report"'),
  ],
  ['a.csv', labelled('#RPT_NAME', 'Graduation Rate', RATES, rate('Grad Rate -White')), RATE],
  [
    'a.csv',
    lines(RATES, rate('Drop Outs -White')),
    other(RATE, 'the column LABEL_LVL_1_DESC on line 2 says "Drop Outs -White"'),
  ],
  [
    '5YearCohort_2023.csv',
    lines(RATES, rate('White')),
    other(RATE, 'its name is "5YearCohort_2023.csv"; rename it if that is wrong'),
  ],
  [
    'SAT and ACT.csv',
    labelled('HIGHEST_RECENT_IND', 'Recent', SAT, sat('Reading', 500)),
    'sat_scores_recent',
  ],
  [
    'GSGM_EOC_2018.csv',
    lines('Key,Math: N Tested,Math: N Received SGP,Math: Median SGP', '6010103,10,10,50'),
    other(
      'georgia_student_growth_model_end_of_grade',
      'its name is "GSGM_EOC_2018.csv"; rename it if that is wrong',
    ),
  ],
  [
    'On-Time Rates 2023.csv',
    lines(RATES, rate('White')),
    other(RATE, 'its name is "On-Time Rates 2023.csv"; rename it if that is wrong'),
  ],
  [
    'AP.csv',
    lines(`${GOSA},NUMBER_TESTS_TAKEN`, `${SCHOOL},TFS`),
    LIST('NUMBER_TESTS_TAKEN holds "TFS" on line 2'),
  ],
  [
    'hope.csv',
    lines(`${GOSA},HOPE_ELIGIBLE_PCT`, `${SCHOOL},45.3`),
    LIST('HOPE_ELIGIBLE_PCT holds "45.3" on line 2'),
  ],
  [
    'x.csv',
    lines(`${GOSA},GRADE_LEVEL,ENROLLMENT_COUNT`, `${SCHOOL},9th,"1,012"`),
    LIST('ENROLLMENT_COUNT holds "1,012" on line 2'),
  ],
  [
    'pop.csv',
    lines('GEOID,NAME,population', '13001,Appling County,18426'),
    LIST('population holds "18426" on line 2', 'counties'),
  ],
  [
    'mis.csv',
    lines(SAT.replace('AVG_SCORE', 'AVG_SCOR'), sat('Reading', 500)),
    expect.stringContaining(
      'fits no known layout; the nearest is means by test component: INSTN_AVG_SCORE_VAL is missing; INSTN_AVG_SCOR_VAL is too many (it has',
    ),
  ],
  [
    'schools.csv',
    lines('district_code,school_code,school_name,grades_served,zip,phone', '601,0103,A,"9,10",31513,9123671'),
    'schools',
  ],
  [
    'x.xlsx',
    workbook({ ACT: [SAT.split(','), sat('Reading', 20).split(',')], Notes: [['SAT']] }),
    other('sat_scores_highest', 'the name of its sheet or member is "ACT"'),
  ],
])('%s is recognised by what it says of itself', async (name, content, expected) => {
  const found = await recogniseFile(scratchLake().file(name, content), IMPORTERS);
  expect('problem' in found ? found.problem : found.importers.map(one => one.name).join(', ')).toEqual(
    expected,
  );
});

test.each([
  [
    'most codes are unknown',
    lines(SAT, ...['Composite', 'Mathematics', 'Science'].map(one => sat(one, 20))),
    'source-subject is about something else: the test component "Composite" is not one of the dataset\'s (line 2), and so in 2 of 3 rows',
  ],
  [
    'most figures are off the scale of the test',
    lines(SAT, sat('Mathematics', 20), sat('Reading', 500), `${sat('Writing', 19).replace('0103', '0104')}`),
    'source-subject is about something else: the mean is off the scale of its test component and is left out (line 2), and so in 2 of 3 rows',
  ],
  [
    'a label contradicts the name that was typed',
    labelled('#ASSMT_CD', 'ACT', SAT, sat('Reading', 500)),
    `source-unreadable ${other('sat_scores_recent', 'the column #ASSMT_CD on line 2 says "ACT"')}`,
  ],
])('a file is refused if %s', async (_, content, message) => {
  const scratch = scratchLake();
  expect(await scratch.refusal('sat_scores_recent', [scratch.file('a.csv', content)])).toEqual([message]);
});

test('a sheet about something else is not read, and the others are', async () => {
  const scratch = scratchLake();
  const sheet = (component: string, mean: number) => [SAT.split(','), sat(component, mean).split(',')];
  const file = scratch.file('x.xlsx', workbook({ SAT: sheet('Reading', 500), ACT: sheet('Reading', 20) }));
  const { notes, written } = await scratch.report('sat_scores_recent', [file]);
  expect(written.map(({ rows }) => rows)).toEqual([1]);
  expect(notes).toContain(
    'ACT of x.xlsx is not read: is about something else than sat_scores_recent: the name of its sheet or member is "ACT"',
  );
});

/** Rows of schools, each with the state's mean; the first `wrong` repeat that of another section. */
function repeated(schools: number, wrong: number): string {
  const header = `${SAT},STATE_NUM_TESTED_CNT,STATE_AVG_SCORE_VAL`;
  const rows = Array.from({ length: schools }, (_, index) => {
    const school = `2023-24,${601 + index},D,0103,S,Mathematics,30,500`;
    return `${school},61000.,${index < wrong ? 534 : 510}`;
  });
  return lines(header, ...rows);
}

test('of figures that every row repeats, 95 in 100 settle which is right, and the other rows are named', async () => {
  const scratch = scratchLake();
  const { files } = await scratch.report('sat_scores_recent', [scratch.file('a.csv', repeated(60, 3))]);
  expect(files[0]!.dropped).toEqual([
    {
      what: 'what it repeats of its state (num_tested 61000, avg_score 534) is not what 57 of 60 rows repeat (num_tested 61000, avg_score 510)',
      count: 3,
      examples: [2, 3, 4].map(line => `line ${line}: 2023-24, ${599 + line}, 0103, Mathematics`),
    },
  ]);
  const year = 'education/sat_scores_recent/year=2024';
  expect((await scratch.rows(`${year}/states.parquet`)).map(row => row.avg_score)).toEqual([510]);
  expect(await scratch.rows(`${year}/schools.parquet`)).toHaveLength(60);
});

test.each([
  ['fewer than 95 in 100 agree', 60, 4, 6],
  ['fewer than twenty rows repeat them', 19, 1, 3],
])('repeated figures that differ are refused with both values if %s', async (_, schools, wrong, line) => {
  const scratch = scratchLake();
  expect(
    await scratch.refusal('sat_scores_recent', [scratch.file('a.csv', repeated(schools, wrong))]),
  ).toEqual([
    `source-conflict two rows of 2024 / - / - / all / mathematics hold different figures (avg_score 534 on line 2, 510 on line ${line}): remove the wrong one`,
  ]);
});
