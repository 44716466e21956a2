import type { Figure, Layout } from '../layout.ts';
import { datasetImporter, tableOf } from '../layout-shape.ts';
import { GOSA_CODES, PAIR_OF_CODES, YEAR } from './place-layouts.ts';

/**
 * Attendance of the Governor's Office of Student Achievement: one wide row per state, district and school, with five
 * columns for each of fifteen student groups.
 *
 * - The label 2023-24 is the school year that ends in 2024: year 2024.
 * - INDIAN is native_american, ASIAN the combined Asian and Pacific Islander group, LEP english_learners, ED
 *   economically_disadvantaged, SWD students_with_disabilities. HISPANI is how the source spells it.
 * - A count marked TFS is a group of fewer than ten and becomes NULL; its rates are published all the same, and kept.
 * - In 2023 and 2024 the source also prints TFS for a tier that nobody falls into. In every group of 2023-24 with such
 *   a tier the printed tiers add up to 100 within rounding, so the marked tiers become 0. If the printed tiers add up to
 *   less than 99 (or all are withheld), and in every other year, a marked tier is NULL.
 * - A file has a group if it has any of its five columns. The import reports the others, which are NULL.
 * - A group whose five cells are all blank has no students here: its row is kept, all NULL. Blank is never 0.
 * - A chronic rate marked TFS becomes NULL in every year. In 2023-24 it too seems to mean that nobody was chronically
 *   absent (rates that stand for a single student are printed, a rate of 0 never is), but no total shows it, and the
 *   dataset's definition decodes the tiers alone.
 * - A count of 0 next to rates occurs in 2023-24; it is kept as published, and reported.
 * - Chronic absence is published from 2018; in files without those columns it is NULL. The file of 2011 has them almost
 *   empty, with some zeros: they are left out, which the import reports.
 * - Files of 2004 to 2010 have the groups' full names in their headers, and no year.
 */
const GROUPS = {
  ALL: 'all',
  INDIAN: 'native_american',
  ASIAN: 'asian_pacific_islander',
  BLACK: 'black',
  WHITE: 'white',
  HISPANI: 'hispanic',
  MULTI: 'multiracial',
  FEMALE: 'female',
  MALE: 'male',
  SWD: 'students_with_disabilities',
  NOT_SWD: 'students_without_disabilities',
  ED: 'economically_disadvantaged',
  NOT_ED: 'not_economically_disadvantaged',
  LEP: 'english_learners',
  MIGRANT: 'migrant',
} as const;

/** Other spellings of a group's suffix. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  HISPANI: ['HISPANI', 'HISPANIC'],
  MULTI: ['MULTI', 'MULTIRACIAL'],
  LEP: ['LEP', 'EL'],
};

const TIERS = {
  five_or_fewer_days_absent_rate: 'FIVE_OR_FEWER_PERCENT',
  six_to_fifteen_days_absent_rate: 'SIX_TO_FIFTEEN_PERCENT',
  over_15_days_absent_rate: 'OVER_15_PERCENT',
} as const;

const cells = Object.keys(TIERS).map(name => `c_${name}`);
/** SQL for the sum of the printed tiers. */
const PRINTED = `(${cells.map(cell => `coalesce(number_of(${cell}), 0)`).join(' + ')})`;
const ANY_TOO_FEW = `(${cells.map(cell => `is_too_few(${cell})`).join(' OR ')})`;

/** SQL: the source prints TFS for an empty tier. */
const MARKS_ZEROS = 'year IN (2023, 2024)';

/** SQL for a tier, of which the others may add up to all students. */
const tier = (cell: string) =>
  `CASE WHEN is_too_few(${cell}) AND ${MARKS_ZEROS} AND ${PRINTED} >= 99 THEN 0 ELSE proportion_of(${cell}) END`;

function figuresOf(suffix: keyof typeof GROUPS): Readonly<Record<string, Figure>> {
  const spellings: readonly string[] = SPELLINGS[suffix] ?? [suffix];
  const headers = (prefix: string) =>
    spellings.flatMap(spelling => [`${prefix}_${spelling}`, `${prefix}ENT_${spelling}`]);
  // The columns of the total are required; a year may not report every group.
  const required = suffix === 'ALL';
  return {
    num_students: { headers: headers('STUDENT_COUNT'), holds: 'count', required },
    ...Object.fromEntries(
      Object.entries(TIERS).map(([name, prefix]): [string, Figure] => [
        name,
        { headers: headers(prefix), holds: 'percent', required, value: tier(`c_${name}`) },
      ]),
    ),
    chronically_absent_rate: { headers: headers('CHRONIC_ABSENT_PERC'), holds: 'percent' },
  };
}

const BY_SUFFIX: Layout = {
  name: 'attendance by student group',
  years: '2011-2024',
  place: GOSA_CODES,
  year: YEAR,
  keys: { demographic: { value: '' } },
  blocks: Object.entries(GROUPS).map(([suffix, demographic]) => ({
    keys: { demographic },
    figures: figuresOf(suffix as keyof typeof GROUPS),
  })),
  rules: [
    {
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
};

const NAMES = {
  all: 'All',
  asian_pacific_islander: 'Asian',
  black: 'Black',
  economically_disadvantaged: 'Economically Disadvantaged',
  english_learners: 'Limited English Proficient',
  female: 'Female',
  hispanic: 'Hispanic',
  male: 'Male',
  migrant: 'Migrant',
  multiracial: 'Multiracial',
  native_american: 'Native Amer/Alaskan Native',
  not_economically_disadvantaged: 'Not Economically Disadvantaged',
  students_with_disabilities: 'Students with Disabilities',
  students_without_disabilities: 'Students without Disabilities',
  white: 'White',
} as const;

const BY_NAME: Layout = {
  name: 'attendance in columns by name of the student group',
  years: '2004-2010',
  place: PAIR_OF_CODES,
  keys: { demographic: { value: '' } },
  blocks: Object.entries(NAMES).map(([demographic, name]) => ({
    keys: { demographic },
    figures: {
      num_students: {
        headers: [`Number of Students ${name}`],
        holds: 'count',
        required: demographic === 'all',
      },
      five_or_fewer_days_absent_rate: {
        headers: [`5 or Fewer Days Absent ${name}`],
        holds: 'percent',
        required: demographic === 'all',
      },
      six_to_fifteen_days_absent_rate: { headers: [`6 to 15 Days Absent ${name}`], holds: 'percent' },
      over_15_days_absent_rate: { headers: [`More than 15 Days Absent ${name}`], holds: 'percent' },
    },
  })),
  blankIsNoRow: true,
};

export const attendance = datasetImporter(
  tableOf(
    'education/attendance',
    'year:i district_code:s school_code:s demographic:s num_students:i five_or_fewer_days_absent_rate:d six_to_fifteen_days_absent_rate:d over_15_days_absent_rate:d chronically_absent_rate:d',
    'year district_code school_code demographic',
  ),
  "GOSA's Attendance downloads, one file per school year",
  [BY_SUFFIX, BY_NAME],
);
