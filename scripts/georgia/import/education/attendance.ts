import { figure, type Importer, type SourceColumn, unsaid } from '../importer.ts';
import type { Layout } from '../layout.ts';
import { shapeOf } from '../layout-shape.ts';
import { PAIR_OF_CODES } from './place-layouts.ts';
import { GOSA_PLACE, PLACE_COLUMNS, PLACE_NAMES, PLACED_SOURCE } from './places.ts';

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

/** Years in which the source prints TFS for an empty tier. */
const YEARS_WITH_MARKED_ZEROS = '2023, 2024';

const MEASURES = [
  { name: 'students', prefix: 'STUDENT_COUNT', holds: 'count', column: 'num_students' },
  {
    name: 'tier_1',
    prefix: 'FIVE_OR_FEWER_PERCENT',
    holds: 'percent',
    column: 'five_or_fewer_days_absent_rate',
  },
  {
    name: 'tier_2',
    prefix: 'SIX_TO_FIFTEEN_PERCENT',
    holds: 'percent',
    column: 'six_to_fifteen_days_absent_rate',
  },
  { name: 'tier_3', prefix: 'OVER_15_PERCENT', holds: 'percent', column: 'over_15_days_absent_rate' },
  { name: 'chronic', prefix: 'CHRONIC_ABSENT_PERC', holds: 'percent', column: 'chronically_absent_rate' },
] as const;

function measureColumns(suffix: string): SourceColumn[] {
  return MEASURES.map(({ name, prefix, holds }) => {
    const spellings = SPELLINGS[suffix] ?? [suffix];
    const headers = spellings.flatMap(spelling => [`${prefix}_${spelling}`, `${prefix}ENT_${spelling}`]);
    // The columns of the total are required; a year may not report every group.
    return {
      ...figure(`${suffix}_${name}`, holds, headers, suffix === 'ALL' && name !== 'chronic'),
      measure: name,
    };
  });
}

function groupsOf(present: ReadonlySet<string>): (keyof typeof GROUPS)[] {
  return (Object.keys(GROUPS) as (keyof typeof GROUPS)[]).filter(suffix =>
    MEASURES.some(({ name }) => present.has(`${suffix}_${name}`)),
  );
}

/** Columns that the file's groups lack. Chronic absence may be missing from all groups of a year. */
function lackedColumns(present: ReadonlySet<string>): string[] {
  const groups = groupsOf(present);
  const measures = MEASURES.filter(
    ({ name }) => name !== 'chronic' || groups.some(suffix => present.has(`${suffix}_chronic`)),
  );
  return groups
    .flatMap(suffix => measures.map(({ name }) => `${suffix}_${name}`))
    .filter(name => !present.has(name));
}

function unsaidOf(suffix: string, present: ReadonlySet<string>): string {
  return unsaid(MEASURES.filter(({ name }) => !present.has(`${suffix}_${name}`)).map(({ column }) => column));
}

function selectAttendance(present: ReadonlySet<string>): string {
  const groups = groupsOf(present).map(
    suffix =>
      `('${GROUPS[suffix]}', ${MEASURES.map(({ name }) => `s.${suffix}_${name}`).join(', ')}, ${unsaidOf(suffix, present)})`,
  );
  const tier = (name: string) =>
    `CASE WHEN is_too_few(${name}) AND year IN (${YEARS_WITH_MARKED_ZEROS}) AND printed >= 99 THEN 0
       ELSE proportion_of(${name}) END`;
  return `
    SELECT line, unsaid,
      place_problem(level, district, school) AS dropped,
      CASE
        WHEN year < 2018 AND number_of(chronic) IS NOT NULL THEN 'chronic absence before 2018, which is left out'
        WHEN count_of(students) = 0 AND printed > 0 THEN 'num_students is 0, yet the group has rates'
        WHEN any_too_few AND year IN (${YEARS_WITH_MARKED_ZEROS}) AND printed BETWEEN 1 AND 99 THEN 'a tier is withheld and the others do not add up to 1'
        WHEN printed > 0 AND NOT any_too_few AND abs(printed - 100) > 1 THEN 'the tiers do not add up to 1'
      END AS remark,
      detail_of(district_code_of(district), school_code_of(school)) AS detail,
      year,
      district_code_of(district) AS district_code,
      school_code_of(school) AS school_code,
      demographic,
      count_of(students) AS num_students,
      ${tier('tier_1')} AS five_or_fewer_days_absent_rate,
      ${tier('tier_2')} AS six_to_fifteen_days_absent_rate,
      ${tier('tier_3')} AS over_15_days_absent_rate,
      CASE WHEN year >= 2018 THEN proportion_of(chronic) END AS chronically_absent_rate
    FROM (
      SELECT line, level, district, school, year_of(year, file_year) AS year, g.*,
        coalesce(number_of(tier_1), 0) + coalesce(number_of(tier_2), 0) + coalesce(number_of(tier_3), 0) AS printed,
        is_too_few(tier_1) OR is_too_few(tier_2) OR is_too_few(tier_3) AS any_too_few
      FROM ${PLACED_SOURCE} s, (VALUES ${groups.join(', ')})
        AS g(demographic, students, tier_1, tier_2, tier_3, chronic, unsaid))`;
}

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

const COLUMNS = {
  ...PLACE_COLUMNS,
  demographic: 'VARCHAR',
  num_students: 'INTEGER',
  five_or_fewer_days_absent_rate: 'DOUBLE',
  six_to_fifteen_days_absent_rate: 'DOUBLE',
  over_15_days_absent_rate: 'DOUBLE',
  chronically_absent_rate: 'DOUBLE',
} as const;

export const attendance: Importer = {
  name: 'attendance',
  reads: "GOSA's Attendance downloads, one file per school year",
  target: {
    path: 'education/attendance',
    kind: 'dataset',
    columns: COLUMNS,
    key: ['year', 'district_code', 'school_code', 'demographic'],
  },
  shapes: [
    {
      name: 'attendance by student group',
      columns: [...GOSA_PLACE, ...Object.keys(GROUPS).flatMap(measureColumns), ...PLACE_NAMES],
      select: selectAttendance,
      lacks: lackedColumns,
    },
    shapeOf(BY_NAME, Object.keys(COLUMNS), false),
  ],
  repeated: 'refuse',
  merges: false,
};
