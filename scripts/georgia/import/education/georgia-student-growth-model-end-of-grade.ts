import type { Block, Layout } from '../layout.ts';
import { datasetImporter, tableOf } from '../layout-shape.ts';

/** A subject's names in headers: before the colon, or as the upper of two rows. */
const SUBJECTS = {
  english_language_arts: ['ELA', 'English Language Arts'],
  mathematics: ['Math', 'Mathematics'],
  science: ['Science'],
  social_studies: ['Social Studies'],
} as const;

const METRICS = {
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
} as const;

const BLOCKS: readonly Block[] = Object.entries(SUBJECTS).map(([subject, names]) => ({
  keys: { subject },
  figures: Object.fromEntries(
    Object.entries(METRICS).map(([column, metrics]) => [
      column,
      {
        // In 2016 and 2017 the lower row repeats the subject: English Language Arts over ELA: N Tested.
        headers: metrics.flatMap(metric =>
          names.flatMap(name => [`${name}: ${metric}`, `${names.at(-1)} ${name}: ${metric}`]),
        ),
        holds: column.startsWith('num_') ? 'count' : column === 'sgp_median' ? 'number' : 'percent',
        required: subject === 'mathematics' && /^(num_sgp_received|sgp_median)$/.test(column),
      },
    ]),
  ),
}));

const COMMON: Pick<Layout, 'years' | 'keys' | 'blocks' | 'rules' | 'twoRows'> = {
  years: '2015-2019, 2023',
  twoRows: true,
  keys: {
    grade_level: { headers: ['Grade', 'Grade Level'], grades: ['all', '04', '05', '06', '07', '08'] },
    subject: { value: '' },
  },
  blocks: BLOCKS,
  rules: [
    {
      leaveOut: 'sgp_median NOT BETWEEN 1 AND 99',
      column: 'sgp_median',
      why: 'the median is no percentile (0 stands for nobody) and is left out',
    },
  ],
};

/**
 * Student growth percentiles of the end-of-grade tests, Department of Education. One workbook for the state, the systems
 * and the schools each; a sheet for each grade and one for all. Neither has a year: the file's name does.
 */
export const georgiaStudentGrowthModelEndOfGrade = datasetImporter(
  tableOf(
    'education/georgia_student_growth_model_end_of_grade',
    'year:i district_code:s school_code:s grade_level:s subject:s num_tested:i num_sgp_received:i sgp_received_rate:d sgp_median:d pct_proficient_learner_or_above:d pct_developing_learner_or_above:d pct_sgp_typical_or_high_growth:d pct_sgp_low_growth:d pct_sgp_typical_growth:d pct_sgp_high_growth:d',
    'year district_code school_code grade_level subject',
  ),
  "GaDOE's student growth model, end of grade: state, system and school workbooks",
  [
    { name: 'growth of schools, by key', ...COMMON, place: { kind: 'seven digits', headers: ['Key'] } },
    {
      name: 'growth by system and school code',
      ...COMMON,
      place: {
        kind: 'codes',
        // The systems' codes of 2015 are under State.
        district: ['System Code', 'System ID', 'State'],
        school: ['School Code', 'School ID'],
        optional: true,
      },
    },
  ],
);
