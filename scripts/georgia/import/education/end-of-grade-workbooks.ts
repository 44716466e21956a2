import type { Block, Figure, Layout } from '../layout.ts';

/**
 * Georgia Milestones end-of-grade workbooks of the Department of Education, since 2015: one for the state, the systems
 * and the schools each, and in some years one for each grade in an archive. Two rows make the header: the subject, and
 * the metric below it.
 *
 * - Neither year nor, since 2016, grade has a column: the names of file, member and sheet give them.
 * - From 2016 to 2021 eighth graders and others sat end-of-course tests: each subject may have three parts. A course test
 *   that nobody of a place sat has dashes in all columns, and no row.
 * - Reading status (below grade level or at it, by the grade's Lexile threshold) belongs to English language arts.
 * - In one file of 2021 the rate of tested among enrolled students has no header of its own under its subject.
 */
const METRICS = {
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
  enrolled_tested_rate: ['Percent of Enrolled Students Tested', '% of Enrolled Students Tested', 'blank'],
} as const;

const GROWTH = {
  num_sgp_received: ['Number Received SGP'],
  sgp_median: ['SGP Median', 'Median SGP'],
  pct_sgp_low_growth: ['% SGP Low Growth', '% Low Growth'],
  pct_sgp_typical_growth: ['% SGP Typical Growth', '% Typical Growth'],
  pct_sgp_high_growth: ['% SGP High Growth', '% High Growth'],
} as const;

const READING = {
  pct_below_grade_level_lexile: ['% Below Grade Level…'],
  pct_grade_level_or_above_lexile: ['% Grade Level or Above…', '% Grade Level and Above…'],
} as const;

function figures(
  subjects: readonly string[],
  metrics: Readonly<Record<string, readonly string[]>>,
  required: readonly string[] = [],
): Record<string, Figure> {
  return Object.fromEntries(
    Object.entries(metrics).map(([column, names]) => [
      column,
      {
        headers: names.flatMap(name => subjects.map(subject => `${subject} ${name}`)),
        holds: column.startsWith('num_')
          ? 'count'
          : /^(avg_scale_score|scale_score_std_dev|sgp_median)$/.test(column)
            ? 'number'
            : 'percent',
        required: required.includes(column),
      },
    ]),
  );
}

const SUBJECTS = {
  english_language_arts: 'English Language Arts',
  mathematics: 'Mathematics',
  science: 'Science',
  social_studies: 'Social Studies',
  physical_science: 'HS Physical Science',
} as const;

/** Course tests never carry a scale score. */
const { avg_scale_score: _, scale_score_std_dev: __, ...COURSE_METRICS } = METRICS;

const BLOCKS: readonly Block[] = Object.entries(SUBJECTS).flatMap(([subject, name]): Block[] => [
  {
    keys: { subject, assessment_type: 'eog' },
    figures: {
      ...figures(
        [name, `${name} EOG`, ...(subject === 'physical_science' ? ['Physical Science'] : [])],
        METRICS,
        subject === 'mathematics' ? ['num_tested', 'pct_beginning_learner'] : [],
      ),
      ...(subject === 'english_language_arts' ? figures(['Reading Status'], READING) : {}),
      ...(subject === 'english_language_arts' || subject === 'mathematics'
        ? figures([`SGP ${name}`], GROWTH)
        : {}),
    },
  },
  { keys: { subject, assessment_type: 'eoc' }, figures: figures([`${name} EOC`], COURSE_METRICS) },
  {
    keys: { subject, assessment_type: 'eog_and_eoc_combined' },
    figures: figures([`${name} EOG and EOC Combined`, `${name} EOG & EOC Combined`], COURSE_METRICS),
  },
]);

export const WORKBOOKS: readonly Layout[] = [
  {
    name: 'end-of-grade workbook',
    years: '2015-2019, 2021-2025',
    twoRows: true,
    place: {
      kind: 'codes',
      district: ['System Code', 'System ID'],
      school: ['School Code', 'School ID'],
      levels: false,
      optional: true,
    },
    keys: {
      grade_level: { headers: ['Grade', 'Grade Level'], grades: ['03', '04', '05', '06', '07', '08'] },
      subject: { value: '' },
      assessment_type: { value: '' },
    },
    blocks: BLOCKS,
    rules: [
      {
        drop: "num_tested IS NULL AND pct_beginning_learner IS NULL AND pct_developing_learner IS NULL AND (district_code IS NULL OR assessment_type <> 'eog')",
        why: 'a test that nobody of the place sat: all its figures are dashes',
      },
    ],
  },
];
