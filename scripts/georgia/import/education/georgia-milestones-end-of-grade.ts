import { figure, type Importer, text, unsaid } from '../importer.ts';
import { shapeOf } from '../layout-shape.ts';
import { WORKBOOKS } from './end-of-grade-workbooks.ts';
import { PLACE_COLUMNS, PLACE_NAMES, PLACED_SOURCE } from './places.ts';
import { studentGroup } from './student-groups.ts';

/**
 * End-of-grade results of Georgia Milestones by grade, all students: a table of several years, rebuilt from GOSA's
 * downloads.
 *
 * - `year` is the year in which the school year ends.
 * - DISTRICT in school_code is a whole district, ALL in district_code the state.
 * - GOSA's own downloads may have a row for each student group. Only all students are served: other rows, and rows with
 *   a blank group, are dropped.
 * - The department's workbooks, read since 2015 by `end-of-grade-workbooks.ts`, have more columns. Each file is the
 *   authority for its own, so that both offices' may be imported.
 * - Rows of all grades together (grade ALL) have no place in the dataset and are dropped, and so are rows with no
 *   tested count: without it a share cannot be weighed.
 * - The four shares by achievement level are percentages to one decimal and add up to between 99.9 and 100.2. Scale
 *   scores, Lexile shares, growth and the two cumulative shares are not in the file and stay NULL: the
 *   import computes nothing that the state did not publish. Level counts are not part of the dataset.
 * - assessment_type is eog: rows of another type, such as end-of-course results, are dropped.
 * - A grade is written 3, 03, 3.0, 3rd or Grade 3.
 */
const GRADE = `regexp_extract(trim(grade), '^(?:grade\\s*)?0*(\\d{1,2})(?:\\.0*|st|nd|rd|th)?(?:\\s+grade)?$', 1, 'i')`;

const OTHER_TYPE = `WHEN assessment IS NULL THEN 'no assessment type'
            WHEN regexp_replace(lower(assessment), '[^a-z]', '', 'g') NOT IN ('eog', 'endofgrade')
              THEN concat('the assessment type "', assessment, '" is not end of grade')`;

const OTHER_GROUP = `WHEN label IS NULL THEN 'no student group'
            WHEN ${studentGroup('label')} IS DISTINCT FROM 'all'
              THEN concat('the student group "', label, '" is not all students')`;

/** Columns that no file of this kind has. */
const NOT_IN_FILE = [
  'avg_scale_score',
  'scale_score_std_dev',
  'pct_developing_learner_or_above',
  'pct_proficient_learner_or_above',
  'pct_below_grade_level_lexile',
  'pct_grade_level_or_above_lexile',
  'enrolled_tested_rate',
  'num_sgp_received',
  'sgp_median',
  'pct_sgp_low_growth',
  'pct_sgp_typical_growth',
  'pct_sgp_high_growth',
];

const SUPPLIED = [
  'num_tested',
  'pct_beginning_learner',
  'pct_developing_learner',
  'pct_proficient_learner',
  'pct_distinguished_learner',
];

const COLUMNS = {
  ...PLACE_COLUMNS,
  grade_level: 'VARCHAR',
  subject: 'VARCHAR',
  assessment_type: 'VARCHAR',
  num_tested: 'INTEGER',
  avg_scale_score: 'DOUBLE',
  scale_score_std_dev: 'DOUBLE',
  pct_beginning_learner: 'DOUBLE',
  pct_developing_learner: 'DOUBLE',
  pct_proficient_learner: 'DOUBLE',
  pct_distinguished_learner: 'DOUBLE',
  pct_developing_learner_or_above: 'DOUBLE',
  pct_proficient_learner_or_above: 'DOUBLE',
  pct_below_grade_level_lexile: 'DOUBLE',
  pct_grade_level_or_above_lexile: 'DOUBLE',
  enrolled_tested_rate: 'DOUBLE',
  num_sgp_received: 'INTEGER',
  sgp_median: 'DOUBLE',
  pct_sgp_low_growth: 'DOUBLE',
  pct_sgp_typical_growth: 'DOUBLE',
  pct_sgp_high_growth: 'DOUBLE',
} as const;

export const georgiaMilestonesEndOfGrade: Importer = {
  name: 'georgia_milestones_end_of_grade',
  reads: 'end-of-grade results by grade, all students, any years in one file',
  target: {
    path: 'education/georgia_milestones_end_of_grade',
    kind: 'dataset',
    columns: COLUMNS,
    key: ['year', 'district_code', 'school_code', 'grade_level', 'subject', 'assessment_type'],
  },
  shapes: [
    {
      name: 'end-of-grade results by grade',
      columns: [
        text('year', ['year', 'LONG_SCHOOL_YEAR', 'School Year']),
        text('district', ['district_code', 'SCHOOL_DSTRCT_CD', 'SCHOOL_DISTRCT_CD', 'System ID']),
        text('school', ['school_code', 'INSTN_NUMBER', 'School ID']),
        text('level', ['DETAIL_LVL_DESC', 'Detail Level', 'Reporting Level'], false),
        text('subject', ['subject', 'TEST_CMPNT_TYP_NM', 'Content Area']),
        text('grade', ['grade', 'ACDMC_LVL', 'Grade Level']),
        text(
          'label',
          [
            'SUBGROUP_NAME',
            'SUBGROUP_DESC',
            'Subgroup',
            'Student Group',
            'Reporting Label',
            'Reporting Category',
            'SUBGRP_DESC',
          ],
          false,
        ),
        text('assessment', ['assessment_type'], false),
        figure('tested', 'count', ['num_tested', 'NUM_TESTED_CNT']),
        figure('beginning', 'percent', ['begin_pct', 'BEGIN_PCT']),
        figure('developing', 'percent', ['developing_pct', 'DEVELOPING_PCT']),
        figure('proficient', 'percent', ['proficient_pct', 'PROFICIENT_PCT']),
        figure('distinguished', 'percent', ['distinguished_pct', 'DISTINGUISHED_PCT']),
        ...PLACE_NAMES,
      ],
      select: present => `
        SELECT line, ${unsaid(NOT_IN_FILE)} AS unsaid, year, district_code, school_code, grade_level, subject,
          CASE
            WHEN place IS NOT NULL THEN place
            ${present.has('assessment') ? OTHER_TYPE : ''}
            ${present.has('label') ? OTHER_GROUP : ''}
            WHEN upper(grade) IN ('ALL', 'ALL GRADES') THEN 'all grades together'
            WHEN grade_level NOT BETWEEN '03' AND '08' OR grade_level IS NULL
              THEN concat('the grade "', grade, '" is not 3 to 8')
            WHEN subject IS NULL THEN concat('the subject "', subject_name, '" is not one of the dataset''s')
            WHEN is_marker(tested) THEN 'no tested count'
          END AS dropped,
          CASE
            WHEN is_marker(beginning) AND NOT is_marker(tested) THEN 'a tested count without shares'
            WHEN abs(number_of(beginning) + number_of(developing) + number_of(proficient)
              + number_of(distinguished) - 100) > 0.25 THEN 'the four shares do not add up to 100'
          END AS remark,
          detail_of(district_code, school_code) AS detail,
          'eog' AS assessment_type,
          count_of(tested) AS num_tested,
          proportion_of(beginning) AS pct_beginning_learner,
          proportion_of(developing) AS pct_developing_learner,
          proportion_of(proficient) AS pct_proficient_learner,
          proportion_of(distinguished) AS pct_distinguished_learner
        FROM (
          SELECT line, label, assessment, grade, subject AS subject_name, tested, beginning, developing, proficient, distinguished,
            place_problem(level, district, school) AS place,
            year_of(year, file_year) AS year,
            district_code_of(district) AS district_code,
            school_code_of(school) AS school_code,
            lpad(nullif(${GRADE}, ''), 2, '0') AS grade_level,
            MAP {
              'englishlanguagearts': 'english_language_arts', 'ela': 'english_language_arts',
              'mathematics': 'mathematics', 'math': 'mathematics', 'science': 'science',
              'socialstudies': 'social_studies', 'physicalscience': 'physical_science'
            }[regexp_replace(lower(subject), '[^a-z]', '', 'g')] AS subject
          FROM ${PLACED_SOURCE})`,
      supplies: () => SUPPLIED,
    },
    ...WORKBOOKS.map(layout => shapeOf(layout, Object.keys(COLUMNS), true)),
  ],
  repeated: 'refuse',
  merges: true,
};
