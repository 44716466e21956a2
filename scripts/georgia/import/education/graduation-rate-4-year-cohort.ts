import type { Figure, Layout } from '../layout.ts';
import { datasetImporter, tableOf } from '../layout-shape.ts';
import { GOSA_CODES, PAIR_OF_CODES, YEAR } from './place-layouts.ts';

/** Each group with its name in the headers of 2004 to 2006, and its letters in those of 2007 to 2010. */
const WIDE_GROUPS = {
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
} as const;

const figure = (headers: readonly string[], holds: Figure['holds'], required = false): Figure => ({
  headers,
  holds,
  required,
});

const wideTable: Layout = {
  name: 'graduation rates in columns by student group',
  years: '2004-2010',
  place: PAIR_OF_CODES,
  keys: { demographic: { value: '' } },
  blocks: Object.entries(WIDE_GROUPS).map(([demographic, [name, letters]]) => ({
    keys: { demographic },
    figures: {
      num_graduates: figure([`Number Taken ${name}`, `GradRate_N${letters}`], 'count', demographic === 'all'),
      num_cohort: figure(
        [
          `Approximate Class Size ${name}`,
          `Approximate Class Size ${name.replace('Native Amer', 'Amer')}`,
          `GradRate_S${letters}`,
        ],
        'count',
      ),
      graduation_rate: figure(
        [`Graduation Rate ${name}`, `GradRate_P${letters}`],
        'percent',
        demographic === 'all',
      ),
    },
  })),
  blankIsNoRow: true,
};

const longTable: Layout = {
  name: 'graduation rates by label',
  years: '2011-2024',
  place: GOSA_CODES,
  year: YEAR,
  keys: { demographic: { headers: ['LABEL_LVL_1_DESC', 'LABEL_LVL_1', 'Reporting Label'], group: true } },
  blocks: [
    {
      figures: {
        num_graduates: figure(['PROGRAM_TOTAL'], 'count', true),
        num_cohort: figure(['TOTAL_COUNT'], 'count'),
        graduation_rate: figure(['PROGRAM_PERCENT'], 'percent', true),
      },
    },
  ],
  beside: { kind: ['COMPLETER_TYPE'] },
  rules: [
    { drop: 'kind IS NOT NULL', why: 'completers by credential, not graduates of a cohort' },
    { remark: 'num_graduates > num_cohort', why: 'more graduates than students in the cohort' },
    {
      remark: 'num_cohort > 0 AND abs(num_graduates / num_cohort - graduation_rate) > 0.005',
      why: 'the rate is more than half a point from graduates over cohort',
    },
  ],
};

/**
 * Four-year graduation rates of the Governor's Office of Student Achievement.
 *
 * - The label 2018-19 is the school year that ends in 2019: year 2019. Files before 2011 have the year in their names.
 * - A rate in the source is served unchanged, never computed from the counts.
 * - TFS, Too few Students and blank become NULL and the row stays: the place reports the group but withholds it. Until
 *   2009 a zero may stand for a withheld figure; it is served as published.
 */
export const graduationRate4YearCohort = datasetImporter(
  tableOf(
    'education/graduation_rate_4_year_cohort',
    'year:i district_code:s school_code:s demographic:s num_graduates:i num_cohort:i graduation_rate:d',
    'year district_code school_code demographic',
  ),
  "GOSA's Graduation Rate (4-year cohort) downloads, one file per school year",
  [longTable, wideTable],
);
