import { figure, type Importer, ignored, type Shape, type SourceFile, text } from '../importer.ts';
import type { Layout } from '../layout.ts';
import { shapeOf } from '../layout-shape.ts';
import type { About } from '../subjects.ts';
import { flagColour, isOtherFlag, otherFlagRemark } from './flags.ts';
import { GADOE_CODES, GOSA_CODES, STUDENT_GROUP } from './place-layouts.ts';
import { PLACE_COLUMNS, PLACE_NAMES, PLACED_SOURCE } from './places.ts';
import { studentGroup } from './student-groups.ts';

/**
 * Graduation rates of the College and Career Ready Performance Index, Department of Education. Four kinds of file feed
 * the dataset, in any order: rates by student group and kind of rate, sizes of the four-year cohort with its graduates,
 * both in one, and rates of one kind that no column names.
 *
 * - A five-year rate is served under the year in which its cohort was due after four years. Files since 2022 say that
 *   year; in those of 2018 to 2020 all rates bear the year of publication, which is one later. The import moves them, and
 *   says so. What a moved or older rate has of targets and flags in a year without them is left out, and reported.
 * - A file of rates of one kind has neither year nor kind of rate. Its name says the kind: 5-year, or 4-year or cohort.
 *   Without such a name the year decides: only for 2021 did the office publish a file of another name, and it has
 *   five-year rates. They are of the cohort due in 2020, whose fifth year was 2021, and are served as 2020. The
 *   five-year rates of the cohort due in 2021 are others, from the file of 2022.
 * - The cohort file names no year in any row: its name begins with it, or --year gives it.
 * - ALL in System ID is the state, ALL in School ID a whole district. Codes are not padded in the source.
 * - TFS, Too Few Students and No Data all become NULL; the row stays.
 * - Counts are those of the four-year cohort, unless the file gives each row a rate type. Four-year counts by student
 *   group are served in 2023 only; in files of other years such rows are dropped, or lose their counts if they also
 *   have rates.
 * - A file with both rates by type and counts is the authority for both, and replaces those of earlier files.
 * - The cohort file's own rate, which may differ by 0.4 points, is used only for rows that no file of rates has, and for
 *   corrected counts whose present rate differs by more, or follows from the old counts. Cohorts too small to publish
 *   have no row among the rates; their rows are kept, all NULL, since the place had a cohort.
 */
const GROUPS_COUNTED_IN = 2023;

/** Years for which the index had targets and flags. */
const YEARS_WITH_TARGETS = '2018, 2019, 2023, 2024, 2025';

const UNCOUNTED = `counts by student group are served in ${GROUPS_COUNTED_IN} only`;

const PLACE = [
  text('district', ['System ID', 'SYSTEM_ID', 'District ID', 'SCHOOL_DSTRCT_CD']),
  text('school', ['School ID', 'SCHOOL_ID', 'INSTN_NUMBER']),
  text('label', [
    'Reporting Label',
    'Reporting Category',
    'Reporting Category Code',
    'Subgroup',
    'Student Group',
  ]),
];

const LEVEL = text('level', ['Reporting Level', 'Level'], false);

const year = (required: boolean) => text('year', ['School Year', 'SCHOOL_YEAR', 'Year'], required);

const rateType = (required: boolean) => text('rate_type', ['Graduation Rate Type', 'Rate Type'], required);

const rate = (required: boolean) => figure('rate', 'percent', ['Graduation Rate', 'Rate'], required);

const TARGETS = [
  figure('target', 'percent', ['Graduation Rate Target', 'Indicator Target', 'Target'], false),
  text('flag', ['CCRPI Flag', 'Graduation Rate Flag', 'Flag'], false),
];

const COUNTS = [
  figure('cohort', 'count', ['Graduation Class Size', 'Class Size', 'Cohort Size']),
  figure('graduates', 'count', ['Total Graduated', 'Graduates']),
];

const RATE_TYPE = `CASE
  WHEN regexp_matches(rate_type, '^\\s*(4|four)', 'i') THEN '4_year'
  WHEN regexp_matches(rate_type, '^\\s*(5|five)', 'i') THEN '5_year'
  WHEN regexp_matches(rate_type, '^\\s*on.?time', 'i') THEN 'on_time' END`;

const COUNT_REMARKS = `WHEN uncounted AND NOT (is_marker(cohort) AND is_marker(graduates)) THEN '${UNCOUNTED}, and left out'
        WHEN count_of(graduates) > count_of(cohort) THEN 'more graduates than students in the cohort'
        WHEN is_marker(cohort) <> is_marker(graduates) THEN 'only one of the two counts is published'`;

const TARGET_VALUES = `,
      CASE WHEN NOT untimely THEN proportion_of(target) END AS indicator_target,
      CASE WHEN NOT untimely THEN ${flagColour('flag')} END AS ccrpi_flag`;

const COUNT_VALUES = `,
      CASE WHEN NOT uncounted THEN count_of(cohort) END AS num_cohort,
      CASE WHEN NOT uncounted THEN count_of(graduates) END AS num_graduates`;

/** @param has true for each of targets and flags, and counts, that the shape has */
function selectRows(
  present: ReadonlySet<string>,
  has: { readonly targets: boolean; readonly counts: boolean },
): string {
  const leftOut = [
    ...(has.targets
      ? [
          `CASE WHEN ${isOtherFlag('flag')} OR untimely AND NOT is_marker(flag) THEN 'ccrpi_flag' END`,
          "CASE WHEN untimely AND NOT is_marker(target) THEN 'indicator_target' END",
        ]
      : []),
    ...(has.counts
      ? [
          "CASE WHEN uncounted AND NOT is_marker(cohort) THEN 'num_cohort' END",
          "CASE WHEN uncounted AND NOT is_marker(graduates) THEN 'num_graduates' END",
        ]
      : []),
  ];
  return `
    SELECT line, [${leftOut.join(', ')}] AS unsaid, year, district_code, school_code, demographic, rate_type,
      CASE
        WHEN place IS NOT NULL THEN place
        WHEN demographic IS NULL THEN concat('the student group "', label, '" is not one of the dataset''s')
        WHEN rate_type IS NULL THEN concat('the rate type "', rate_label, '" is not one of the dataset''s')
        WHEN rate_type = 'on_time' AND school_code IS NULL THEN 'an on-time rate of a district or the state'
        ${has.targets ? '' : `WHEN uncounted THEN '${UNCOUNTED}'`}
      END AS dropped,
      CASE
        ${has.targets ? otherFlagRemark('flag') : ''}
        ${has.counts ? COUNT_REMARKS : ''}
        ${has.targets ? "WHEN untimely AND NOT (is_marker(target) AND is_marker(flag)) THEN 'a target or flag of a year without targets, as five-year rates bring them, is left out'" : ''}
        WHEN moved THEN concat('a five-year rate published in ', year + 1, ', served as ', year, ': its cohort was due then')
      END AS remark,
      detail_of(district_code, school_code) AS detail,
      proportion_of(rate) AS graduation_rate${has.targets ? TARGET_VALUES : ''}${has.counts ? COUNT_VALUES : ''}
    FROM (SELECT * REPLACE (CASE WHEN moved THEN year - 1 ELSE year END AS year),
        rate_type = '4_year' AND demographic <> 'all' AND year <> ${GROUPS_COUNTED_IN} AS uncounted,
        CASE WHEN moved THEN year - 1 ELSE year END NOT IN (${YEARS_WITH_TARGETS}) AS untimely
      FROM (SELECT *, coalesce(rate_type = '5_year'
          AND year >= max(year) FILTER (WHERE rate_type = '4_year') OVER (), false) AS moved FROM (
      SELECT * EXCLUDE (year, rate_type), rate_type AS rate_label,
        place_problem(level, district, school) AS place,
        year_of(year, file_year) AS year,
        district_code_of(district) AS district_code,
        school_code_of(school) AS school_code,
        ${studentGroup('label')} AS demographic,
        ${present.has('rate_type') ? RATE_TYPE : "'4_year'"} AS rate_type
      FROM ${PLACED_SOURCE})))`;
}

const suppliesRates = (present: ReadonlySet<string>) => [
  'graduation_rate',
  ...(present.has('target') ? ['indicator_target'] : []),
  ...(present.has('flag') ? ['ccrpi_flag'] : []),
];

const SUPPLIED_COUNTS = ['num_cohort', 'num_graduates'];

const ratesWithCounts: Shape = {
  name: 'graduation rates with cohort counts',
  columns: [...PLACE, rateType(true), ...COUNTS, rate(true), ...TARGETS, year(false), LEVEL, ...PLACE_NAMES],
  select: present => selectRows(present, { targets: true, counts: true }),
  supplies: present => [...SUPPLIED_COUNTS, ...suppliesRates(present)],
};

const FOUR_YEARS: About = { cohort: ['four years'] };

const counts: Shape = {
  name: 'cohort counts',
  about: present => (present.has('rate_type') ? {} : FOUR_YEARS),
  yearOfDate: true,
  columns: [...PLACE, ...COUNTS, rate(false), year(false), LEVEL, rateType(false), ...PLACE_NAMES],
  select: present => selectRows(present, { targets: false, counts: true }),
  supplies: () => SUPPLIED_COUNTS,
  ownRate: {
    rate: 'graduation_rate',
    column: 'rate',
    whole: 'num_cohort',
    part: 'num_graduates',
    within: 0.004,
    rounding: 0.0001,
  },
};

const rates: Shape = {
  name: 'graduation rates by subgroup',
  columns: [year(true), ...PLACE, rateType(true), rate(true), ...TARGETS, LEVEL, ...PLACE_NAMES],
  select: present => selectRows(present, { targets: true, counts: false }),
  supplies: suppliesRates,
};

/** The year whose file has only five-year rates, although its name does not say so. */
const FIVE_YEAR_RATES_ALONE = 2021;

function rateTypeOf({ name, year: fileYear }: SourceFile): '4_year' | '5_year' | undefined {
  const four = /(?<!\d)4[-_ ]?ye?a?r|four[-_ ]?year/i.test(name);
  const five = /(?<!\d)5[-_ ]?ye?a?r|five[-_ ]?year/i.test(name);
  if (four && five) return undefined;
  if (five) return '5_year';
  if (four || /cohort/i.test(name)) return '4_year';
  return fileYear === FIVE_YEAR_RATES_ALONE ? '5_year' : undefined;
}

const ratesOfOneKind: Shape = {
  name: 'graduation rates of one kind',
  yearOfDate: true,
  columns: [
    ...PLACE,
    rate(true),
    LEVEL,
    ...PLACE_NAMES,
    ignored('id'),
    ignored('Grade Configuration'),
    ignored('Grade Cluster'),
  ],
  exact: true,
  problem: file =>
    rateTypeOf(file) === undefined
      ? 'holds rates of one kind, and no column and not its name says which: put 4-year or 5-year in the name'
      : undefined,
  select: (_, file) => `
    SELECT line, year, district_code, school_code, demographic, '${rateTypeOf(file)}' AS rate_type,
      CASE
        WHEN place IS NOT NULL THEN place
        WHEN demographic IS NULL THEN concat('the student group "', label, '" is not one of the dataset''s')
      END AS dropped,
      ${rateTypeOf(file) === '5_year' ? "concat('a five-year rate published in ', file_year, ', served as ', year, ': its cohort was due then')" : 'NULL'} AS remark,
      detail_of(district_code, school_code) AS detail,
      proportion_of(rate) AS graduation_rate
    FROM (
      SELECT line, label, rate, file_year,
        place_problem(level, district, school) AS place,
        file_year - ${rateTypeOf(file) === '5_year' ? 1 : 0} AS year,
        district_code_of(district) AS district_code,
        school_code_of(school) AS school_code,
        ${studentGroup('label')} AS demographic
      FROM ${PLACED_SOURCE})`,
  supplies: () => ['graduation_rate'],
};

/** Rates of 2012 to 2014. */
const ratesOfCohort: Layout = {
  name: 'graduation rates of a cohort',
  years: '2012-2014',
  about: FOUR_YEARS,
  place: GADOE_CODES,
  year: ['Cohort Year'],
  keys: { demographic: STUDENT_GROUP, rate_type: { value: '4_year' } },
  blocks: [
    { figures: { graduation_rate: { headers: ['Graduation Rate'], holds: 'percent', required: true } } },
  ],
};

/** Rates under the Act of 2020: of students who attended without a break, to the regular date. Schools only. */
const onTimeRates: Layout = {
  name: 'on-time graduation rates',
  years: '2021-2024',
  place: GADOE_CODES,
  year: ['Year', 'School Year'],
  keys: { demographic: STUDENT_GROUP, rate_type: { value: 'on_time' } },
  blocks: [
    {
      figures: {
        graduation_rate: { headers: ['On-Time Graduation Rate'], holds: 'percent', required: true },
        num_cohort: { headers: ['Total Enrolled'], holds: 'count', required: true },
        num_graduates: { headers: ['Total Graduated'], holds: 'count', required: true },
      },
    },
  ],
  rules: [{ drop: 'school_code IS NULL', why: 'an on-time rate of a district or the state' }],
};

/** GOSA's cohort counts of 2023, whose file the department published as a PDF alone. Its rates are the department's. */
const gosaCounts: Layout = {
  name: 'cohort counts by label',
  years: '2023',
  about: FOUR_YEARS,
  place: GOSA_CODES,
  year: ['LONG_SCHOOL_YEAR'],
  keys: { demographic: STUDENT_GROUP, rate_type: { value: '4_year' } },
  blocks: [
    {
      figures: {
        num_cohort: { headers: ['TOTAL_COUNT'], holds: 'count', required: true },
        num_graduates: { headers: ['PROGRAM_TOTAL'], holds: 'count', required: true },
      },
    },
  ],
  rules: [
    {
      drop: `year <> ${GROUPS_COUNTED_IN}`,
      why: `another office's counts serve for ${GROUPS_COUNTED_IN} only`,
    },
  ],
};

const COLUMNS = {
  ...PLACE_COLUMNS,
  demographic: 'VARCHAR',
  rate_type: 'VARCHAR',
  graduation_rate: 'DOUBLE',
  num_cohort: 'INTEGER',
  num_graduates: 'INTEGER',
  indicator_target: 'DOUBLE',
  ccrpi_flag: 'VARCHAR',
} as const;

const LAYOUTS = [ratesOfCohort, onTimeRates, gosaCounts].map(layout =>
  shapeOf(layout, Object.keys(COLUMNS), true),
);

export const ccrpiGraduationRate: Importer = {
  name: 'ccrpi_graduation_rate',
  reads: "GaDOE's CCRPI graduation rates by subgroup and its cohort counts, either or both",
  target: {
    path: 'education/ccrpi_graduation_rate',
    kind: 'dataset',
    columns: COLUMNS,
    key: ['year', 'district_code', 'school_code', 'demographic', 'rate_type'],
  },
  shapes: [ratesWithCounts, counts, rates, ...LAYOUTS, ratesOfOneKind],
  repeated: 'refuse',
  merges: true,
};
