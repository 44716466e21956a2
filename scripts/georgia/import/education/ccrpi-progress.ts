import { figure, type Importer, ignored, type Shape, type SourceColumn, text } from '../importer.ts';
import { flagColour, isOtherFlag, otherFlagRemark } from './flags.ts';
import { PLACE_COLUMNS, PLACE_NAMES, PLACED_SOURCE } from './places.ts';
import { studentGroup } from './student-groups.ts';

/**
 * Progress of the College and Career Ready Performance Index: growth in English language arts and mathematics, and
 * progress towards English language proficiency.
 *
 * - The files of 2021 and 2022 have only progress towards English proficiency, with the shares of learners by bands
 *   moved. Those of all other years have a row for each indicator, with its target and flag (G, Y or R), but no shares.
 *   Columns that one file lacks keep the values of an earlier one.
 * - Grade cluster E, M, H is elementary, middle, high.
 * - The rate is a score from 0 to 100 and is not turned into a proportion; `100.00+` is exactly 100. The four shares
 *   by bands moved are percentages and become proportions; in 2022 they add up to between 99.99 and 100.02.
 * - TFS in all five cells (a place with too few English learners) becomes NULL; the row stays.
 */
const score = (name: string, headers: readonly string[], required = true): SourceColumn => ({
  ...figure(name, 'number', headers, required),
  scale: 100,
});

const PLACE = [
  text('year', ['School Year', 'SCHOOL_YEAR', 'Year']),
  text('district', ['System ID', 'SYSTEM_ID', 'District ID']),
  text('school', ['School ID', 'SCHOOL_ID']),
  text('cluster', ['Grade Cluster', 'GRADE_CLUSTER']),
  text('label', ['Reporting Label', 'Reporting Category', 'Subgroup', 'Student Group']),
];

const OTHERS = [
  score('target', ['Progress Towards ELP Target', 'Indicator Target', 'Target'], false),
  text('level', ['Reporting Level', 'Detail Level'], false),
  text('flag', ['CCRPI Flag', 'Flag'], false),
  ...PLACE_NAMES,
  ignored('id'),
  ignored('Grade Configuration'),
];

const INDICATOR = `MAP {
  'elagrowth': 'english_language_arts_growth', 'englishlanguagearts': 'english_language_arts_growth',
  'mathematicsgrowth': 'mathematics_growth', 'mathematics': 'mathematics_growth',
  'elpprogress': 'progress_towards_elp', 'progresstowardslanguageproficiency': 'progress_towards_elp',
  'progresstowardsenglishlanguageproficiency': 'progress_towards_elp'
}[regexp_replace(lower(indicator_name), '[^a-z]', '', 'g')]`;

/** Columns of the table, with those of the source that give them. */
const READ_FROM = {
  indicator_score: 'score',
  indicator_target: 'target',
  ccrpi_flag: 'flag',
  pct_no_positive_movement: 'none',
  pct_moved_less_than_one_band: 'less',
  pct_moved_one_band: 'one',
  pct_moved_more_than_one_band: 'more',
} as const;

const supplies = (present: ReadonlySet<string>) =>
  Object.entries(READ_FROM).flatMap(([column, name]) => (present.has(name) ? [column] : []));

/** @param indicator SQL for the row's indicator; NULL if the dataset does not have it */
function selectProgress(indicator: string, bands: boolean): string {
  return `
    SELECT line, CASE WHEN ${isOtherFlag('flag')} THEN ['ccrpi_flag'] END AS unsaid, year,
      district_code, school_code, demographic, grade_cluster, indicator,
      CASE
        WHEN place IS NOT NULL THEN place
        WHEN demographic IS NULL THEN concat('the student group "', label, '" is not one of the dataset''s')
        WHEN grade_cluster IS NULL THEN concat('the grade cluster "', cluster, '" is not E, M or H')
        ${bands ? '' : OTHER_INDICATOR}
      END AS dropped,
      CASE
        ${bands ? BANDS_REMARK : ''}
        WHEN number_of(score) NOT BETWEEN 0 AND 100 THEN 'the score is outside 0 to 100'
        ${otherFlagRemark('flag')}
      END AS remark,
      detail_of(district_code, school_code) AS detail,
      ${flagColour('flag')} AS ccrpi_flag,
      number_of(score) AS indicator_score,
      number_of(target) AS indicator_target${bands ? BAND_VALUES : ''}
    FROM (
      SELECT * EXCLUDE (year),
        place_problem(level, district, school) AS place,
        year_of(year, file_year) AS year,
        district_code_of(district) AS district_code,
        school_code_of(school) AS school_code,
        ${studentGroup('label')} AS demographic,
        ${indicator} AS indicator,
        CASE upper(trim(cluster))
          WHEN 'E' THEN 'elementary' WHEN 'ELEMENTARY' THEN 'elementary'
          WHEN 'M' THEN 'middle' WHEN 'MIDDLE' THEN 'middle'
          WHEN 'H' THEN 'high' WHEN 'HIGH' THEN 'high' END AS grade_cluster
      FROM ${PLACED_SOURCE})`;
}

const OTHER_INDICATOR = `WHEN indicator IS NULL
          THEN concat('the indicator "', indicator_name, '" is not one of the dataset''s')`;

const BANDS_REMARK = `WHEN abs(number_of(none) + number_of(less) + number_of(one) + number_of(more) - 100) > 0.05
          THEN 'the four bands do not add up to 100'`;

const BAND_VALUES = `,
      proportion_of(none) AS pct_no_positive_movement,
      proportion_of(less) AS pct_moved_less_than_one_band,
      proportion_of(one) AS pct_moved_one_band,
      proportion_of(more) AS pct_moved_more_than_one_band`;

const byIndicator: Shape = {
  name: 'progress by indicator',
  columns: [...PLACE, text('indicator_name', ['Indicator']), score('score', ['Indicator Score']), ...OTHERS],
  select: () => selectProgress(INDICATOR, false),
  supplies,
};

const byBand: Shape = {
  name: 'progress towards English language proficiency',
  columns: [
    ...PLACE,
    score('score', [
      'Progress Towards ELP Rate',
      'Progress Toward ELP Rate',
      'Progress Towards English Language Proficiency Rate',
      'ELP Progress Rate',
    ]),
    figure('none', 'percent', ['No Positive Movement'], false),
    figure('less', 'percent', ['Moved Less Than One Band'], false),
    figure('one', 'percent', ['Moved One Band'], false),
    figure('more', 'percent', ['Moved More Than One Band'], false),
    ...OTHERS,
  ],
  select: () => selectProgress("'progress_towards_elp'", true),
  supplies,
};

export const ccrpiProgress: Importer = {
  name: 'ccrpi_progress',
  reads: "GaDOE's CCRPI progress by subgroup, and its progress towards English language proficiency",
  target: {
    path: 'education/ccrpi_progress',
    kind: 'dataset',
    columns: {
      ...PLACE_COLUMNS,
      demographic: 'VARCHAR',
      grade_cluster: 'VARCHAR',
      indicator: 'VARCHAR',
      ccrpi_flag: 'VARCHAR',
      indicator_score: 'DOUBLE',
      indicator_target: 'DOUBLE',
      pct_no_positive_movement: 'DOUBLE',
      pct_moved_less_than_one_band: 'DOUBLE',
      pct_moved_one_band: 'DOUBLE',
      pct_moved_more_than_one_band: 'DOUBLE',
    },
    key: ['year', 'district_code', 'school_code', 'demographic', 'grade_cluster', 'indicator'],
  },
  shapes: [byIndicator, byBand],
  repeated: 'refuse',
  merges: true,
  words: /progress/i,
};
