/** End-of-grade tests: results of Georgia Milestones, and student growth. */
import { GOSA_CODES, YEAR } from './gosa.ts';
import type { Importer } from './importer.ts';
import {
  type Block,
  type CodePlace,
  count,
  type Figures,
  type Layout,
  needed,
  number,
  percent,
} from './importer.ts';
import { importer } from './layouts.ts';

/** Codes in the department's workbooks. State, system and school level come in workbooks of their own. */
const CODES: CodePlace = {
  kind: 'codes',
  district: ['System Code', 'System ID'],
  school: ['School Code', 'School ID'],
  levels: false,
  optional: true,
};

type Metrics = Readonly<Record<string, readonly string[]>>;

const METRICS: Metrics = {
  num_tested: ['Number Tested', 'N Tested'],
  avg_scale_score: ['Mean Scale Score', 'Average Scale Score'],
  scale_score_std_dev: ['Standard Deviation'],
  pct_beginning_learner: ['% Beginning Learner'],
  pct_developing_learner: ['% Developing Learner'],
  pct_proficient_learner: ['% Proficient Learner'],
  pct_distinguished_learner: ['% Distinguished Learner'],
  pct_developing_learner_or_above: [
    '% Developing Learner & Above',
    '% Developing Learner and Above',
    '% Developing Learner or Above',
  ],
  pct_proficient_learner_or_above: [
    '% Proficient Learner & Above',
    '% Proficient Learner and Above',
    '% Proficient Learner or Above',
  ],
  // In one file of 2021 the rate has no header of its own under its subject.
  enrolled_tested_rate: ['Percent of Enrolled Students Tested', '% of Enrolled Students Tested', 'blank'],
};

const GROWTH: Metrics = {
  num_sgp_received: ['Number Received SGP'],
  sgp_median: ['SGP Median', 'Median SGP'],
  pct_sgp_low_growth: ['% SGP Low Growth', '% Low Growth'],
  pct_sgp_typical_growth: ['% SGP Typical Growth', '% Typical Growth'],
  pct_sgp_high_growth: ['% SGP High Growth', '% High Growth'],
};

/** By the grade's Lexile threshold, which is in the header. */
const READING: Metrics = {
  pct_below_grade_level_lexile: ['% Below Grade Level…'],
  pct_grade_level_or_above_lexile: ['% Grade Level or Above…', '% Grade Level and Above…'],
};

/** Figures by their metrics' names, each put into headers. */
function metricFigures(
  metrics: Metrics,
  headersOf: (metric: string) => readonly string[],
  required: readonly string[] = [],
): Figures {
  return Object.fromEntries(
    Object.entries(metrics).map(([column, names]) => {
      const headers = names.flatMap(headersOf);
      const isNumber = /^(avg_scale_score|scale_score_std_dev|sgp_median)$/.test(column);
      const holding = column.startsWith('num_') ? count : isNumber ? number : percent;
      return [column, needed(holding(...headers), required.includes(column))];
    }),
  );
}

const under =
  (...subjects: readonly string[]) =>
  (metric: string) =>
    subjects.map(subject => `${subject} ${metric}`);

const SUBJECTS = {
  english_language_arts: 'English Language Arts',
  mathematics: 'Mathematics',
  science: 'Science',
  social_studies: 'Social Studies',
  physical_science: 'HS Physical Science',
} as const;

/** Course tests never carry a scale score. */
const { avg_scale_score: _, scale_score_std_dev: __, ...COURSE_METRICS } = METRICS;

/** From 2016 to 2021 eighth graders and others sat end-of-course tests: each subject may have three parts. */
const WORKBOOK_BLOCKS: readonly Block[] = Object.entries(SUBJECTS).flatMap(([subject, name]): Block[] => [
  {
    keys: { subject, assessment_type: 'eog' },
    figures: {
      ...metricFigures(
        METRICS,
        under(name, `${name} EOG`, ...(subject === 'physical_science' ? ['Physical Science'] : [])),
        subject === 'mathematics' ? ['num_tested', 'pct_beginning_learner'] : [],
      ),
      ...(subject === 'english_language_arts' ? metricFigures(READING, under('Reading Status')) : {}),
      ...(subject === 'english_language_arts' || subject === 'mathematics'
        ? metricFigures(GROWTH, under(`SGP ${name}`))
        : {}),
    },
  },
  {
    keys: { subject, assessment_type: 'eoc' },
    figures: metricFigures(COURSE_METRICS, under(`${name} EOC`)),
  },
  {
    keys: { subject, assessment_type: 'eog_and_eoc_combined' },
    figures: metricFigures(
      COURSE_METRICS,
      under(`${name} EOG and EOC Combined`, `${name} EOG & EOC Combined`),
    ),
  },
]);

/**
 * Two offices' files feed the dataset, and each sets only its own columns. GOSA's have the number tested and the four
 * levels; the import computes nothing that the state didn't publish.
 */
const milestones = importer({
  path: 'education/georgia_milestones_end_of_grade',
  reads: 'end-of-grade results by grade, all students, any years in one file',
  about: { report: ['end of grade'], test: ['grade'] },
  merges: true,
  layouts: [
    {
      name: 'end-of-grade results by grade',
      years: '2015-2024',
      place: GOSA_CODES,
      year: YEAR,
      keys: {
        assessment_type: {
          headers: ['assessment_type'],
          otherwise: 'eog',
          what: 'assessment type',
          codes: { eog: 'endofgrade' },
          only: 'eog',
          unlike: 'is not end of grade',
        },
        student_group: {
          headers: [
            'SUBGROUP_NAME',
            'SUBGROUP_DESC',
            'Subgroup',
            'Student Group',
            'Reporting Label',
            'Reporting Category',
            'SUBGRP_DESC',
          ],
          otherwise: 'all',
          studentGroup: true,
          only: 'all',
          unlike: 'is not all students',
        },
        grade_level: {
          headers: ['grade', 'ACDMC_LVL', 'Grade Level'],
          grade: true,
          unlike: 'is not 3 to 8',
        },
        subject: {
          headers: ['subject', 'TEST_CMPNT_TYP_NM', 'Content Area'],
          what: 'subject',
          codes: {
            english_language_arts: 'ela',
            mathematics: 'math',
          },
        },
      },
      figures: {
        num_tested: needed(count('num_tested', 'NUM_TESTED_CNT')),
        pct_beginning_learner: needed(percent('BEGIN_PCT')),
        pct_developing_learner: needed(percent('DEVELOPING_PCT')),
        pct_proficient_learner: needed(percent('PROFICIENT_PCT')),
        pct_distinguished_learner: needed(percent('DISTINGUISHED_PCT')),
      },
      rules: [
        // Without a count a share can't be weighed.
        { drop: 'is_marker(c_num_tested)', why: 'no tested count' },
        { remark: 'is_marker(c_pct_beginning_learner)', why: 'a tested count without shares' },
        {
          // In one decimal the shares add up to between 99.9 and 100.2.
          remark: `abs(number_of(c_pct_beginning_learner) + number_of(c_pct_developing_learner)
            + number_of(c_pct_proficient_learner) + number_of(c_pct_distinguished_learner) - 100) > 0.25`,
          why: 'the four shares do not add up to 100',
        },
      ],
    },
    {
      // Neither year nor, since 2016, grade has a column: the names of file, member and sheet give them.
      name: 'end-of-grade workbook',
      years: '2015-2019, 2021-2025',
      twoRows: true,
      place: CODES,
      keys: { grade_level: { headers: ['Grade', 'Grade Level'], grade: true, optional: true } },
      blocks: WORKBOOK_BLOCKS,
      rules: [
        {
          drop: `num_tested IS NULL AND pct_beginning_learner IS NULL AND pct_developing_learner IS NULL
            AND (district_code IS NULL OR assessment_type <> 'eog')`,
          why: 'a test that nobody of the place sat: all its figures are dashes',
        },
      ],
    },
  ],
});

/** A subject's names in headers: before the colon, or as the upper of two rows. */
const GROWTH_SUBJECTS = {
  english_language_arts: ['ELA', 'English Language Arts'],
  mathematics: ['Math', 'Mathematics'],
  science: ['Science'],
  social_studies: ['Social Studies'],
} as const;

const GROWTH_METRICS: Metrics = {
  num_tested: ['N Tested', 'Number Tested'],
  num_sgp_received: ['N Received SGP', 'Number Received SGP'],
  sgp_received_rate: ['% Received SGP'],
  sgp_median: ['Median SGP', 'SGP Median'],
  pct_proficient_learner_or_above: ['% Proficient Learner and Above', '% Proficient Learner or Above'],
  pct_developing_learner_or_above: ['% Developing Learner and Above', '% Developing Learner or Above'],
  pct_sgp_typical_or_high_growth: ['% Typical or High Growth'],
  pct_sgp_low_growth: ['% Low Growth', '% SGP Low Growth'],
  pct_sgp_typical_growth: ['% Typical Growth', '% SGP Typical Growth'],
  pct_sgp_high_growth: ['% High Growth', '% SGP High Growth'],
};

const GROWTH_LAYOUT: Omit<Layout, 'name' | 'place'> = {
  years: '2015-2019, 2023',
  twoRows: true,
  keys: {
    grade_level: { headers: ['Grade', 'Grade Level'], grade: true, optional: true },
  },
  blocks: Object.entries(GROWTH_SUBJECTS).map(([subject, names]) => ({
    keys: { subject },
    figures: metricFigures(
      GROWTH_METRICS,
      // In 2016 and 2017 the lower row repeats the subject: English Language Arts over ELA: N Tested.
      metric => names.flatMap(name => [`${name}: ${metric}`, `${names.at(-1)} ${name}: ${metric}`]),
      subject === 'mathematics' ? ['num_sgp_received', 'sgp_median'] : [],
    ),
  })),
  rules: [
    {
      leaveOut: 'sgp_median NOT BETWEEN 1 AND 99',
      column: 'sgp_median',
      why: "the median isn't a percentile (0 means nobody) and is left out",
    },
  ],
};

/** A workbook has a sheet for each grade and one for all, and no year: the file's name has it. */
const growth = importer({
  path: 'education/georgia_student_growth_model_end_of_grade',
  reads: "GaDOE's student growth model, end of grade: state, system and school workbooks",
  about: { report: ['growth', 'end of grade'], test: ['grade'] },
  layouts: [
    {
      name: 'growth of schools, by key',
      ...GROWTH_LAYOUT,
      place: { kind: 'seven digits', headers: ['Key'] },
    },
    {
      name: 'growth by system and school code',
      ...GROWTH_LAYOUT,
      // The systems' codes of 2015 are under State.
      place: { ...CODES, district: ['System Code', 'System ID', 'State'], levels: true },
    },
  ],
});

export const endOfGrade: readonly Importer[] = [milestones, growth];
