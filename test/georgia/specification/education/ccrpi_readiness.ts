import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'education/ccrpi_readiness',
  facts: {
    version: '1.1.0',
    years: [2018, 2025],
    gaps: [2020],
    summaryYears: [2018, 2019, 2021],
    levels: ['districts', 'schools', 'states'],
    defaultDetail: 'schools',
    grain: [
      'year',
      'district_code',
      'school_code',
      'demographic',
      'grade_cluster',
      'indicator',
      'sub_indicator',
    ],
    keyMetric: 'indicator_score',
    columns: {
      year: { type: 'integer', nullable: false, role: 'year' },
      district_code: { type: 'string', nullable: true, role: 'fk_district' },
      school_code: { type: 'string', nullable: true, role: 'fk_school' },
      demographic: {
        type: 'string',
        nullable: false,
        role: 'fk_demographic',
        values: [
          'all',
          'asian_pacific_islander',
          'black',
          'economically_disadvantaged',
          'english_learners',
          'hispanic',
          'multiracial',
          'native_american',
          'students_with_disabilities',
          'white',
        ],
      },
      grade_cluster: {
        type: 'string',
        nullable: false,
        role: 'categorical',
        values: ['elementary', 'middle', 'high'],
      },
      indicator: {
        type: 'string',
        nullable: false,
        role: 'categorical',
        values: [
          'accelerated_enrollment',
          'at_or_above_grade_level_reading',
          'attendance',
          'beyond_the_core',
          'college_and_career_readiness',
          'literacy',
          'pathway_completion',
          'student_attendance',
        ],
      },
      sub_indicator: {
        type: 'string',
        nullable: true,
        role: 'categorical',
        values: [
          'act_sat_ap_ib_cambridge',
          'advanced_academic',
          'advanced_placement',
          'all',
          'asvab',
          'cambridge',
          'career_exploratory',
          'computer_science',
          'ctae',
          'dual_enrollment',
          'eopa',
          'fine_arts',
          'international_baccalaureate',
          'physical_education_health',
          'tcsg_usg',
          'work_based_learning',
          'world_language',
        ],
      },
      indicator_score: { type: 'number', nullable: true, role: 'metric', unit: 'score', min: 0, max: 100 },
      unbenchmarked_rate: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
    },
  },
  sentences: [
    { says: 'Years 2018-2025, year_gap 2020.', rules: ['year_known', 'year_in_folder', 'year_not_null'] },
    { says: 'Detail districts, schools, states.', rules: ['level_keys'] },
    {
      says: 'Grain: year, district_code, school_code, demographic, grade_cluster, indicator, sub_indicator.',
      rules: ['grain_unique'],
    },
    {
      says: 'district_code: FK districts; school_code: FK schools, composite with district_code.',
      rules: ['district_code_known', 'school_code_known'],
    },
    { says: 'demographic (10).', rules: ['demographic_values', 'demographic_not_null', 'demographic_known'] },
    {
      says: 'grade_cluster: elementary, middle, high.',
      rules: ['grade_cluster_values', 'grade_cluster_not_null'],
    },
    { says: 'indicator (8).', rules: ['indicator_values', 'indicator_not_null'] },
    {
      says: 'Accelerated enrollment, pathway completion and college and career readiness exist at high only.',
      rules: ['high_school_indicators'],
    },
    { says: 'beyond_the_core at elementary and middle only.', rules: ['beyond_the_core_below_high_school'] },
    {
      says: 'literacy and student_attendance (2018-2022).',
      rules: ['literacy_and_student_attendance_to_2022'],
    },
    {
      says: 'They are distinct series from their 2023+ successors.',
      rules: ['reading_and_attendance_from_2023'],
    },
    { says: 'sub_indicator (17 values).', rules: ['sub_indicator_values'] },
    {
      says: 'sub_indicator NULL in 2018-2019.',
      rules: ['no_sub_indicators_2018_2019', 'sub_indicator_from_2021'],
    },
    {
      says: '`all` is the rolled-up indicator score.',
      rules: [],
      why: 'How parts are weighted into the whole is not stated, and a part or the whole may be withheld.',
    },
    { says: 'indicator_score: score 0-100.', rules: ['indicator_score_range'] },
    { says: 'unbenchmarked_rate: proportion.', rules: ['unbenchmarked_rate_range'] },
    {
      says: 'Only accelerated_enrollment rows carry independent information in unbenchmarked_rate.',
      rules: [],
      why: 'What other rows hold (NULL or a figure that follows from the score) is not stated.',
    },
  ],
  breaks: {
    high_school_indicators: `
      UPDATE t SET grade_cluster = 'middle'
      WHERE rowid = (SELECT min(rowid) FROM t WHERE indicator = 'pathway_completion')`,
    beyond_the_core_below_high_school: `
      UPDATE t SET grade_cluster = 'high'
      WHERE rowid = (SELECT min(rowid) FROM t WHERE indicator = 'beyond_the_core')`,
    literacy_and_student_attendance_to_2022: `
      UPDATE t SET indicator = 'student_attendance'
      WHERE rowid = (SELECT min(rowid) FROM t WHERE indicator = 'attendance')`,
    reading_and_attendance_from_2023: `
      UPDATE t SET indicator = 'attendance'
      WHERE rowid = (SELECT min(rowid) FROM t WHERE indicator = 'student_attendance')`,
    no_sub_indicators_2018_2019: `
      UPDATE t SET sub_indicator = 'all'
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year IN (2018, 2019))`,
    sub_indicator_from_2021: `
      UPDATE t SET sub_indicator = NULL
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year = 2021)`,
  },
};
