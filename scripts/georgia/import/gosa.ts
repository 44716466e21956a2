/** Reports of the Governor's Office of Student Achievement, one file per report and school year. */
import type { Importer } from './importer.ts';
import {
  type Block,
  type CodePlace,
  count,
  type Figures,
  type Key,
  type Layout,
  needed,
  number,
  type PlaceLayout,
  percent,
  type Rule,
} from './importer.ts';
import { importer } from './layouts.ts';

/** Headers of the year. GOSA writes 2023-24, the department 2024. */
export const YEAR = ['LONG_SCHOOL_YEAR', 'SCHOOL_YEAR', 'School Year', 'Year', 'Cohort Year'];

/** Codes in long tables. */
export const GOSA_CODES: CodePlace = {
  kind: 'codes',
  district: ['SCHOOL_DSTRCT_CD', 'SCHOOL_DISTRCT_CD', 'SCHOOL_DISTRICT_CD', 'DISTRICT_CODE', 'System ID'],
  school: ['INSTN_NUMBER', 'INSTITUTION_NUMBER', 'SCHOOL_CODE', 'School ID'],
};

const OFFICE = { place: GOSA_CODES, year: YEAR };

/** Wide tables of 2004 to 2010. */
const PAIR_OF_CODES: PlaceLayout = { kind: 'pair', headers: ['SysSchoolID', 'SchoolID', 'School ID'] };

/**
 * The student groups of attendance: the suffixes of their columns since 2011, and their full names in headers of 2004 to
 * 2010. HISPANI is the source's spelling; ASIAN includes Pacific Islanders.
 */
const ATTENDANCE_GROUPS: Readonly<Record<string, readonly [suffixes: readonly string[], name: string]>> = {
  all: [['ALL'], 'All'],
  native_american: [['INDIAN'], 'Native Amer/Alaskan Native'],
  asian_pacific_islander: [['ASIAN'], 'Asian'],
  black: [['BLACK'], 'Black'],
  white: [['WHITE'], 'White'],
  hispanic: [['HISPANI', 'HISPANIC'], 'Hispanic'],
  multiracial: [['MULTI', 'MULTIRACIAL'], 'Multiracial'],
  female: [['FEMALE'], 'Female'],
  male: [['MALE'], 'Male'],
  students_with_disabilities: [['SWD'], 'Students with Disabilities'],
  students_without_disabilities: [['NOT_SWD'], 'Students without Disabilities'],
  economically_disadvantaged: [['ED'], 'Economically Disadvantaged'],
  not_economically_disadvantaged: [['NOT_ED'], 'Not Economically Disadvantaged'],
  english_learners: [['LEP', 'EL'], 'Limited English Proficient'],
  migrant: [['MIGRANT'], 'Migrant'],
};

const TIERS = {
  five_or_fewer_days_absent_rate: 'FIVE_OR_FEWER_PERCENT',
  six_to_fifteen_days_absent_rate: 'SIX_TO_FIFTEEN_PERCENT',
  over_15_days_absent_rate: 'OVER_15_PERCENT',
} as const;

const TIER_CELLS = Object.keys(TIERS).map(name => `c_${name}`);
/** SQL for the sum of the printed tiers. */
const PRINTED = `(${TIER_CELLS.map(cell => `coalesce(number_of(${cell}), 0)`).join(' + ')})`;
const ANY_TOO_FEW = `(${TIER_CELLS.map(cell => `is_too_few(${cell})`).join(' OR ')})`;

/**
 * SQL: the source prints TFS for a tier that nobody falls into. In every group of 2023-24 with such a tier the printed
 * tiers add up to 100 within rounding. A chronic rate marked TFS seems to mean the same there, but no total shows it.
 */
const MARKS_ZEROS = 'year IN (2023, 2024)';

/** A year may lack groups, but not the columns of the total. */
function suffixedFigures(suffixes: readonly string[], isTotal: boolean): Figures {
  const headers = (prefix: string) =>
    suffixes.flatMap(suffix => [`${prefix}_${suffix}`, `${prefix}ENT_${suffix}`]);
  return {
    num_students: needed(count(...headers('STUDENT_COUNT')), isTotal),
    ...Object.fromEntries(
      Object.entries(TIERS).map(([name, prefix]) => {
        const cell = `c_${name}`;
        const value = `CASE WHEN is_too_few(${cell}) AND ${MARKS_ZEROS} AND ${PRINTED} >= 99 THEN 0 ELSE proportion_of(${cell}) END`;
        return [name, needed({ ...percent(...headers(prefix)), value }, isTotal)];
      }),
    ),
    chronically_absent_rate: percent(...headers('CHRONIC_ABSENT_PERC')),
  };
}

/** A count marked TFS is a group of fewer than ten; its rates are published all the same. */
const attendance = importer({
  path: 'education/attendance',
  reads: "GOSA's Attendance downloads, one file per school year",
  about: { report: ['attendance'] },
  layouts: [
    {
      name: 'attendance by student group',
      years: '2011-2024',
      ...OFFICE,
      blocks: Object.entries(ATTENDANCE_GROUPS).map(([demographic, [suffixes]]) => ({
        keys: { demographic },
        figures: suffixedFigures(suffixes, demographic === 'all'),
      })),
      rules: [
        {
          // The file of 2011 has the columns almost empty, with some zeros.
          leaveOut: 'year < 2018 AND chronically_absent_rate IS NOT NULL',
          column: 'chronically_absent_rate',
          why: 'chronic absence before 2018, which is left out',
        },
        {
          remark: `num_students = 0 AND ${PRINTED} > 0`,
          why: 'num_students is 0, yet the group has rates',
        },
        {
          remark: `${ANY_TOO_FEW} AND ${MARKS_ZEROS} AND ${PRINTED} BETWEEN 1 AND 99`,
          why: 'a tier is withheld and the others do not add up to 1',
        },
        {
          remark: `${PRINTED} > 0 AND NOT ${ANY_TOO_FEW} AND abs(${PRINTED} - 100) > 1`,
          why: 'the tiers do not add up to 1',
        },
      ],
    },
    {
      name: 'attendance in columns by name of the student group',
      years: '2004-2010',
      place: PAIR_OF_CODES,
      blocks: Object.entries(ATTENDANCE_GROUPS).map(([demographic, [, name]]) => {
        const isTotal = demographic === 'all';
        return {
          keys: { demographic },
          figures: {
            num_students: needed(count(`Number of Students ${name}`), isTotal),
            five_or_fewer_days_absent_rate: needed(percent(`5 or Fewer Days Absent ${name}`), isTotal),
            six_to_fifteen_days_absent_rate: percent(`6 to 15 Days Absent ${name}`),
            over_15_days_absent_rate: percent(`More than 15 Days Absent ${name}`),
          },
        };
      }),
      blankIsNoRow: true,
    },
  ],
});

/** The name of each group in headers of 2004 to 2006, and its letters in those of 2007 to 2010. */
const COHORT_GROUPS: Readonly<Record<string, readonly [name: string, letters: string]>> = {
  all: ['All Students', '0'],
  asian_pacific_islander: ['Asian', 'a'],
  black: ['Black', 'b'],
  hispanic: ['Hispanic', 'h'],
  native_american: ['Native Amer/Alaskan Native', 'n'],
  white: ['White', 'w'],
  multiracial: ['Multiracial', 'u'],
  male: ['Male', 'm'],
  female: ['Female', 'f'],
  students_with_disabilities: ['Students with Disabilities', 'S'],
  students_without_disabilities: ['Students without Disabilities', 'RL'],
  english_learners: ['Limited English Proficient', 'L'],
  economically_disadvantaged: ['Economically Disadvantaged', '_ed'],
  not_economically_disadvantaged: ['Not Economically Disadv', '_ned'],
  migrant: ['Migrant', '_mig'],
};

/** A rate is served unchanged, never computed from the counts. Until 2009 a zero may mean a withheld figure. */
const graduationRate4YearCohort = importer({
  path: 'education/graduation_rate_4_year_cohort',
  reads: "GOSA's Graduation Rate (4-year cohort) downloads, one file per school year",
  about: { report: ['graduation'], cohort: ['four years'] },
  layouts: [
    {
      name: 'graduation rates by label',
      years: '2011-2024',
      ...OFFICE,
      keys: {
        demographic: { headers: ['LABEL_LVL_1_DESC', 'LABEL_LVL_1', 'Reporting Label'], studentGroup: true },
      },
      figures: {
        num_graduates: needed(count('PROGRAM_TOTAL')),
        num_cohort: count('TOTAL_COUNT'),
        graduation_rate: needed(percent('PROGRAM_PERCENT')),
      },
      beside: { kind: ['COMPLETER_TYPE'] },
      rules: [
        { drop: 'kind IS NOT NULL', why: 'completers by credential, not graduates of a cohort' },
        { remark: 'num_graduates > num_cohort', why: 'more graduates than students in the cohort' },
        {
          remark: 'num_cohort > 0 AND abs(num_graduates / num_cohort - graduation_rate) > 0.005',
          why: 'the rate is more than half a point from graduates over cohort',
        },
      ],
    },
    {
      name: 'graduation rates in columns by student group',
      years: '2004-2010',
      place: PAIR_OF_CODES,
      blocks: Object.entries(COHORT_GROUPS).map(([demographic, [name, letters]]) => {
        const isTotal = demographic === 'all';
        const classSizes = [name, name.replace('Native Amer', 'Amer')].map(
          one => `Approximate Class Size ${one}`,
        );
        return {
          keys: { demographic },
          figures: {
            num_graduates: needed(count(`Number Taken ${name}`, `GradRate_N${letters}`), isTotal),
            num_cohort: count(...classSizes, `GradRate_S${letters}`),
            graduation_rate: needed(percent(`Graduation Rate ${name}`, `GradRate_P${letters}`), isTotal),
          },
        };
      }),
      blankIsNoRow: true,
    },
  ],
});

const highSchoolCompleters = importer({
  path: 'education/high_school_completers',
  reads: "GOSA's High School Completers downloads, one file per school year",
  // Some complete school with a certificate of attendance.
  about: { report: ['completers', 'graduation', 'attendance'] },
  layouts: [
    {
      name: 'completers by credential',
      years: '2011-2024',
      ...OFFICE,
      keys: {
        demographic: { headers: ['LABEL_LVL_5_CD'], studentGroup: true },
        completer_type: {
          headers: ['COMPLETER_TYPE'],
          what: 'kind of completer',
        },
        credential_type: {
          headers: ['LABEL_LVL_1_DESC'],
          what: 'credential',
          codes: {
            diplomas_college_prep_and_vocational:
              'diplomaswithbothcollegeprepvoc diplomaswithbothcollegeprepvocationalendorsements',
            diplomas_college_prep: 'diplomaswithcollegeprependorsements',
            diplomas_vocational: 'diplomaswithvocationalendorsements',
          },
        },
      },
      figures: {
        num_completers: needed(count('PROGRAM_TOTAL')),
        pct_of_credential_type: needed(percent('PROGRAM_PERCENT')),
      },
    },
  ],
});

const salariesAndBenefits = importer({
  path: 'education/salaries_and_benefits',
  reads: "GOSA's Salaries and Benefits downloads, one file per school year",
  about: { report: ['salaries'] },
  layouts: [
    {
      name: 'salaries and benefits by kind of staff',
      years: '2011-2024',
      // The level isn't read, because since 2023 it calls regional agencies DOE OTHER.
      place: { ...GOSA_CODES, levels: false },
      year: YEAR,
      keys: {
        staff_category: {
          headers: ['CATEGORY'],
          what: 'kind of staff',
        },
      },
      figures: {
        salaries: needed(number('SALARIES')),
        benefits: needed(number('BENEFITS')),
        salaries_and_benefits: needed(number('SALARIES_AND_BENEFITS')),
        pct_revenue_gf_title_lottery: percent('% Rev- GF/Title/Lottery'),
        pct_revenue_total_k12: percent('% Rev- Total K-12'),
        pct_expense_gf_title_lottery: percent('% Exp- GF/Title/Lottery'),
        pct_expense_total_k12: percent('% Exp-Total K-12'),
      },
      rules: [{ drop: 'school_code IS NOT NULL', why: 'a school: pay is of districts and the state' }],
    },
  ],
});

/**
 * The headers of the files that hold it (the Financial Efficiency Star Rating's, with a column for each fiscal year) are
 * unknown. GOSA's Revenues and Expenditures has other sums, which include capital and debt.
 */
const perPupilExpenditure = importer({
  path: 'education/per_pupil_expenditure',
  reads: 'spending per student, under the names of the contract or with --columns',
  about: { report: ['per pupil'] },
  merges: true,
});

/** Verbal was renamed Reading in 2012, within the old test. */
const COMPONENT: Key = {
  headers: ['TEST_CMPNT_TYP_CD'],
  what: 'test component',
  codes: {
    reading: 'verbal',
    mathematics: 'math',
    math_section_score: 'mathsectionscorenew',
    evidence_based_reading_and_writing: 'evidencebasedreadingandwritingnew',
    reading_test_score: 'readingtestscorenew',
    writlang_test_score: 'writlangtestscorenew',
    essay_reading_score: 'essayreadingscorenew',
    essay_analysis_score: 'essayanalysisscorenew',
    essay_writing_score: 'essaywritingscorenew',
  },
};

/** Writing means of 112 to 195 in 2011 to 2015, sums above the scale in 2010, and 0 for nobody in 2004 to 2007. */
const OFF_SCALE: Rule = {
  column: 'avg_score',
  leaveOut: `avg_score NOT BETWEEN CASE
      WHEN test_component IN ('verbal_math', 'combined_test_score') THEN 400
      WHEN test_component IN ('combined', 'verbal_math_writing') THEN 600
      WHEN test_component = 'essay_total' THEN 6
      WHEN starts_with(test_component, 'essay_') THEN 2
      WHEN test_component IN ('reading_test_score', 'writlang_test_score') THEN 100 ELSE 200 END
    AND CASE
      WHEN test_component IN ('verbal_math', 'combined_test_score') THEN 1600
      WHEN test_component IN ('combined', 'verbal_math_writing') THEN 2400
      WHEN test_component = 'essay_total' THEN 24
      WHEN starts_with(test_component, 'essay_') THEN 8 ELSE 800 END`,
  why: 'the mean is off the scale of its test component and is left out',
  scale: true,
};

const SAT_GROUPS: Readonly<Record<string, readonly string[]>> = {
  all: ['All Students', '0'],
  asian_pacific_islander: ['Asian', 'A'],
  black: ['Black', 'B'],
  female: ['Female', 'F'],
  hispanic: ['Hispanic', 'H'],
  male: ['Male', 'M'],
  native_american: ['American Indian', 'N'],
  other: ['O'],
  race_unknown: ['R'],
  white: ['White', 'W'],
};

/** The wide files' name of each component. Total may be the sum of two sections or of three. */
const SECTIONS = { verbal_math: 'Total', reading: 'Verbal', mathematics: 'Math', writing: 'Writing' };

type Attempt = 'highest' | 'recent';

/** The wide files of 2004 to 2010 are the same for both attempts, and each takes its own columns of them. */
function wideSat(attempt: Attempt): Layout {
  const prefix = attempt === 'highest' ? 'High' : 'Recent';
  const blocks: Block[] = [];
  for (const [test_component, section] of Object.entries(SECTIONS)) {
    const all = blocks.length;
    for (const [demographic, names] of Object.entries(SAT_GROUPS)) {
      blocks.push({
        keys: { test_component, demographic },
        // Files without a section have no counts of it either.
        needs: { block: all, column: 'avg_score' },
        figures: {
          num_tested: number(...names.map(name => `Number Taken ${name}`)),
          avg_score: needed(
            number(...names.map(name => `${prefix} ${section} ${name}`)),
            demographic === 'all' && section !== 'Writing',
          ),
        },
      });
    }
  }
  const total = attempt === 'highest' ? ['High Total All Students', 'High Total 0'] : ['Recent Total'];
  blocks.push({
    keys: {
      test_component: attempt === 'highest' ? 'combined' : 'verbal_math_writing',
      demographic: 'all',
    },
    needs: { block: blocks.length, column: 'avg_score' },
    figures: {
      num_tested: number('Number Taken All Students', 'Number Taken 0'),
      avg_score: number(...total),
    },
  });
  const ofSection = (section: string) => [`${prefix} ${section} All Students`, `${prefix} ${section} 0`];
  const two = 'abs(avg_score - number_of(of_verbal) - number_of(of_math))';
  const three = 'abs(avg_score - number_of(of_verbal) - number_of(of_math) - number_of(of_writing))';
  // The highest total of 2008 to 2010 doesn't say how many sections it adds up.
  const highestTotal: readonly Rule[] = [
    {
      drop: `test_component = 'verbal_math' AND demographic = 'all' AND coalesce(${three} < ${two}, false)`,
      why: 'the total is of three sections, and served as such',
    },
    {
      drop: `test_component = 'combined' AND NOT coalesce(${three} < ${two}, false)`,
      why: 'the total is of two sections, and served as such',
    },
  ];
  return {
    name: 'means in columns by student group',
    years: '2004-2010',
    place: PAIR_OF_CODES,
    blocks,
    beside: {
      of_verbal: ofSection('Verbal'),
      of_math: ofSection('Math'),
      of_writing: ofSection('Writing'),
    },
    blankIsNoRow: true,
    shared: true,
    rules: [...(attempt === 'highest' ? highestTotal : []), OFF_SCALE],
  };
}

/** Long files repeat the figures of the district and the state beside each school's. */
const SAT_LEVELS = { schools: 'INSTN', districts: 'DSTRCT', states: 'STATE' } as const;

/** The number tested may be fractional: in 2024 that of districts is. */
function satScores(attempt: Attempt, reads: string): Importer {
  return importer({
    path: `education/sat_scores_${attempt}`,
    reads,
    about: { report: ['sat'], attempt: [attempt] },
    layouts: [
      {
        name: 'means by test component',
        years: '2011-2024',
        place: { ...GOSA_CODES, levels: false },
        year: YEAR,
        keys: { demographic: { value: 'all' }, test_component: COMPONENT },
        beside: { subgroup: ['SUBGRP_DESC'], attempt: ['HIGHEST_RECENT_IND'] },
        blocks: (['schools', 'districts', 'states'] as const).map(level => ({
          level,
          figures: {
            num_tested: needed(number(`${SAT_LEVELS[level]}_NUM_TESTED_CNT`), level === 'schools'),
            avg_score: needed(number(`${SAT_LEVELS[level]}_AVG_SCORE_VAL`), level === 'schools'),
          },
        })),
        rules: [
          {
            drop: "subgroup IS NOT NULL AND student_group(subgroup) IS DISTINCT FROM 'all'",
            why: 'a student group: since 2011 means are of all students',
          },
          {
            drop: `attempt IS NOT NULL AND lower(attempt) <> '${attempt}'`,
            why: `not of the ${attempt} scores, as HIGHEST_RECENT_IND says`,
          },
          OFF_SCALE,
        ],
      },
      wideSat(attempt),
    ],
    merges: true,
  });
}

export const gosa: readonly Importer[] = [
  attendance,
  graduationRate4YearCohort,
  highSchoolCompleters,
  satScores('highest', "GOSA's SAT Scores (Highest) downloads"),
  satScores('recent', "GOSA's SAT Scores (Recent) downloads"),
  salariesAndBenefits,
  perPupilExpenditure,
];
