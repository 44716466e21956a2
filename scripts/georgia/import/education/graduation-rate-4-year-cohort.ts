import { figure, type Importer, text, unsaid } from '../importer.ts';
import { GOSA_PLACE, PLACE_COLUMNS, PLACE_NAMES, PLACED_SOURCE } from './places.ts';
import { studentGroup } from './student-groups.ts';

/**
 * Four-year graduation rates of the Governor's Office of Student Achievement: one row per place and label
 * (`Grad Rate -ALL Students`, …).
 *
 * - The label 2018-19 is the school year that ends in 2019: year 2019.
 * - PROGRAM_TOTAL is graduates, TOTAL_COUNT the cohort, PROGRAM_PERCENT the rate, to one or two decimals. A rate
 *   in the source is served unchanged, never computed from the counts.
 * - TFS and blank become NULL and the row stays: the place reports the group but withholds it.
 */
export const graduationRate4YearCohort: Importer = {
  name: 'graduation_rate_4_year_cohort',
  reads: "GOSA's Graduation Rate (4-year cohort) downloads, one file per school year",
  target: {
    path: 'education/graduation_rate_4_year_cohort',
    kind: 'dataset',
    columns: {
      ...PLACE_COLUMNS,
      demographic: 'VARCHAR',
      num_graduates: 'INTEGER',
      num_cohort: 'INTEGER',
      graduation_rate: 'DOUBLE',
    },
    key: ['year', 'district_code', 'school_code', 'demographic'],
  },
  shapes: [
    {
      name: 'graduation rates by label',
      columns: [
        ...GOSA_PLACE,
        text('label', ['LABEL_LVL_1_DESC', 'LABEL_LVL_1', 'Reporting Label']),
        figure('graduates', 'count', ['PROGRAM_TOTAL']),
        figure('cohort', 'count', ['TOTAL_COUNT'], false),
        figure('rate', 'percent', ['PROGRAM_PERCENT']),
        ...PLACE_NAMES,
      ],
      select: present => `
        SELECT line, ${unsaid(present.has('cohort') ? [] : ['num_cohort'])} AS unsaid, year, district_code, school_code, demographic,
          CASE
            WHEN place IS NOT NULL THEN place
            WHEN demographic IS NULL THEN concat('the label "', label, '" is not one of the dataset''s student groups')
          END AS dropped,
          CASE
            WHEN count_of(graduates) > count_of(cohort) THEN 'more graduates than students in the cohort'
            WHEN count_of(cohort) > 0 AND abs(100 * count_of(graduates) / count_of(cohort) - number_of(rate)) > 0.5
              THEN 'the rate is more than half a point from graduates over cohort'
          END AS remark,
          detail_of(district_code, school_code) AS detail,
          count_of(graduates) AS num_graduates,
          count_of(cohort) AS num_cohort,
          proportion_of(rate) AS graduation_rate
        FROM (
          SELECT line, label, graduates, cohort, rate,
            place_problem(level, district, school) AS place,
            year_of(year, file_year) AS year,
            district_code_of(district) AS district_code,
            school_code_of(school) AS school_code,
            ${studentGroup('label')} AS demographic
          FROM ${PLACED_SOURCE})`,
    },
  ],
  repeated: 'refuse',
  merges: false,
};
