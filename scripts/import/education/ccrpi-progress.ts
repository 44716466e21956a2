import { figure, type Importer, type SourceColumn, text } from '../importer.ts';
import { studentGroup } from './student-groups.ts';

/**
 * Progress towards English language proficiency of the College and Career Ready Performance Index.
 *
 * - One indicator: progress_towards_elp. Other indicators of the dataset come in other files, so rows of the same year
 *   that the lake already holds stay.
 * - Grade cluster E, M, H is elementary, middle, high.
 * - The rate is a score from 0 to 100 and is not turned into a proportion; `100.00+` is exactly 100. The four shares
 *   by bands moved are percentages and become proportions; in 2022 they add up to between 99.99 and 100.02.
 * - TFS in all five cells (a place with too few English learners) becomes NULL; the row stays.
 */
const score = (name: string, headers: readonly string[], required = true): SourceColumn => ({
  ...figure(name, 'number', headers, required),
  scale: 100,
});

export const ccrpiProgress: Importer = {
  name: 'ccrpi_progress',
  reads: "GaDOE's CCRPI progress towards English language proficiency by subgroup",
  target: {
    path: 'education/ccrpi_progress',
    kind: 'dataset',
    columns: {
      year: 'INTEGER',
      district_code: 'VARCHAR',
      school_code: 'VARCHAR',
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
  shapes: [
    {
      name: 'progress towards English language proficiency',
      columns: [
        text('year', ['School Year', 'SCHOOL_YEAR', 'Year']),
        text('district', ['System ID', 'SYSTEM_ID', 'District ID']),
        text('school', ['School ID', 'SCHOOL_ID']),
        text('cluster', ['Grade Cluster', 'GRADE_CLUSTER']),
        text('label', ['Reporting Label', 'Reporting Category', 'Subgroup']),
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
        score('target', ['Progress Towards ELP Target', 'Indicator Target', 'Target'], false),
        text('level', ['Reporting Level', 'Detail Level'], false),
        text('flag', ['CCRPI Flag', 'Flag'], false),
      ],
      select: () => `
        SELECT line, year, district_code, school_code, demographic, grade_cluster,
          CASE
            WHEN place IS NOT NULL THEN place
            WHEN demographic IS NULL THEN concat('the student group "', label, '" is not one of the dataset''s')
            WHEN grade_cluster IS NULL THEN concat('the grade cluster "', cluster, '" is not E, M or H')
          END AS dropped,
          CASE
            WHEN abs(number_of(none) + number_of(less) + number_of(one) + number_of(more) - 100) > 0.05
              THEN 'the four bands do not add up to 100'
            WHEN number_of(score) NOT BETWEEN 0 AND 100 THEN 'the score is outside 0 to 100'
            WHEN NOT is_marker(flag) AND lower(trim(flag)) NOT IN ('green', 'red', 'yellow')
              THEN concat('the flag "', flag, '" is not green, red or yellow and is left out')
          END AS remark,
          detail_of(district_code, school_code) AS detail,
          'progress_towards_elp' AS indicator,
          CASE WHEN lower(trim(flag)) IN ('green', 'red', 'yellow') THEN lower(trim(flag)) END AS ccrpi_flag,
          number_of(score) AS indicator_score,
          number_of(target) AS indicator_target,
          proportion_of(none) AS pct_no_positive_movement,
          proportion_of(less) AS pct_moved_less_than_one_band,
          proportion_of(one) AS pct_moved_one_band,
          proportion_of(more) AS pct_moved_more_than_one_band
        FROM (
          SELECT * EXCLUDE (year),
            place_problem(level, district, school) AS place,
            year_of(year, file_year) AS year,
            district_code_of(district) AS district_code,
            school_code_of(school) AS school_code,
            ${studentGroup('label')} AS demographic,
            CASE upper(trim(cluster))
              WHEN 'E' THEN 'elementary' WHEN 'ELEMENTARY' THEN 'elementary'
              WHEN 'M' THEN 'middle' WHEN 'MIDDLE' THEN 'middle'
              WHEN 'H' THEN 'high' WHEN 'HIGH' THEN 'high' END AS grade_cluster
          FROM source)`,
    },
  ],
  repeated: 'refuse',
  merges: true,
};
