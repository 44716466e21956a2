import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'education/georgia_student_growth_model_end_of_grade',
  facts: {
    version: '1.1.0',
    years: [2015, 2023],
    gaps: [2020, 2021, 2022],
    summaryYears: [2015, 2019, 2023],
    levels: ['districts', 'schools', 'states'],
    defaultDetail: 'schools',
    grain: ['year', 'district_code', 'school_code', 'grade_level', 'subject'],
    keyMetric: 'sgp_median',
    columns: {
      year: { type: 'integer', nullable: false, role: 'year' },
      district_code: { type: 'string', nullable: true, role: 'fk_district' },
      school_code: { type: 'string', nullable: true, role: 'fk_school' },
      grade_level: {
        type: 'string',
        nullable: false,
        role: 'categorical',
        values: ['all', '04', '05', '06', '07', '08'],
      },
      subject: {
        type: 'string',
        nullable: false,
        role: 'categorical',
        values: ['english_language_arts', 'mathematics', 'science', 'social_studies'],
      },
      num_tested: { type: 'integer', nullable: true, role: 'metric', unit: 'count' },
      num_sgp_received: {
        type: 'integer',
        nullable: true,
        role: 'metric',
        unit: 'count',
        component: 'denominator',
      },
      sgp_received_rate: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      sgp_median: { type: 'number', nullable: true, role: 'metric', unit: 'percentile', min: 1, max: 99 },
      pct_proficient_learner_or_above: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      pct_developing_learner_or_above: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      pct_sgp_typical_or_high_growth: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      pct_sgp_low_growth: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      pct_sgp_typical_growth: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      pct_sgp_high_growth: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
    },
  },
  sentences: [
    {
      says: 'Published years 2015-2019 and 2023 (year_gaps 2020, 2021, 2022)',
      rules: ['year_known', 'year_in_folder'],
    },
    {
      says: 'detail districts, schools, states; the level is read from the NULL keys',
      rules: ['level_keys'],
    },
    { says: 'Grain: year, district_code, school_code, grade_level, subject', rules: ['grain_unique'] },
    { says: 'year: integer, not null', rules: ['year_not_null'] },
    { says: 'district_code: FK districts', rules: ['district_code_known'] },
    { says: 'school_code: FK schools, composite with district_code', rules: ['school_code_known'] },
    {
      says: 'grade_level: all, 04, 05, 06, 07, 08',
      rules: ['grade_level_values', 'grade_level_not_null'],
    },
    { says: 'all (2015-2019 aggregate)', rules: ['grade_all_only_2015_to_2019'] },
    {
      says: 'subject: english_language_arts, mathematics, science, social_studies',
      rules: ['subject_values', 'subject_not_null'],
    },
    {
      says: 'science and social studies only in 2015-2016',
      rules: ['science_and_social_studies_only_2015_and_2016'],
    },
    { says: 'num_tested (integer; NULL in 2023)', rules: ['tested_count_null_in_2023', 'num_tested_range'] },
    { says: 'num_sgp_received (integer, denominator)', rules: ['num_sgp_received_range'] },
    {
      says: 'sgp_received_rate (proportion; NULL in 2023)',
      rules: ['received_rate_null_in_2023', 'sgp_received_rate_range'],
    },
    { says: 'sgp_median (number, percentile, 1 to 99)', rules: ['sgp_median_range'] },
    {
      says: 'sgp_median: halves such as .5 occur',
      rules: [],
      why: 'It says that halves may occur, not that every row has one; no row contradicts it.',
    },
    { says: 'sgp_median is NULL when num_sgp_received is 0', rules: ['median_null_without_students'] },
    {
      says: 'pct_proficient_learner_or_above, pct_developing_learner_or_above (proportion; NULL in 2023)',
      rules: [
        'achievement_shares_null_in_2023',
        'achievement_shares_nested',
        'pct_proficient_learner_or_above_range',
        'pct_developing_learner_or_above_range',
      ],
    },
    {
      says: 'pct_sgp_typical_or_high_growth (NULL in 2023)',
      rules: ['typical_or_high_null_in_2023', 'pct_sgp_typical_or_high_growth_range'],
    },
    {
      says: 'Low is below 35, typical 35 to 65, high above 65, typical or high at least 35',
      rules: [],
      why: 'Rows hold shares of students, not the percentiles of single students.',
    },
    {
      says: 'pct_sgp_low_growth and pct_sgp_typical_growth are 2023 only',
      rules: ['three_way_split_only_2023', 'pct_sgp_low_growth_range', 'pct_sgp_typical_growth_range'],
    },
    {
      says: 'The high-growth share follows the same three-way split',
      rules: ['three_way_split_only_2023', 'growth_levels_partition_students', 'pct_sgp_high_growth_range'],
    },
  ],
  breaks: {
    grade_all_only_2015_to_2019: `UPDATE t SET grade_level = 'all'
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year = 2023)`,
    science_and_social_studies_only_2015_and_2016: `UPDATE t SET subject = 'science'
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year NOT IN (2015, 2016))`,
    tested_count_null_in_2023: `UPDATE t SET num_tested = 40
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year = 2023)`,
    received_rate_null_in_2023: `UPDATE t SET sgp_received_rate = 0.9
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year = 2023)`,
    achievement_shares_null_in_2023: `UPDATE t SET pct_proficient_learner_or_above = 0.4
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year = 2023)`,
    typical_or_high_null_in_2023: `UPDATE t SET pct_sgp_typical_or_high_growth = 0.6
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year = 2023)`,
    three_way_split_only_2023: `UPDATE t SET pct_sgp_high_growth = 0.3
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year <> 2023)`,
    growth_levels_partition_students: `UPDATE t
      SET pct_sgp_low_growth = CASE WHEN pct_sgp_low_growth > 0.5 THEN 0 ELSE 1 END
      WHERE rowid = (SELECT min(rowid) FROM t
        WHERE pct_sgp_low_growth + pct_sgp_typical_growth + pct_sgp_high_growth IS NOT NULL)`,
    median_null_without_students: `UPDATE t SET num_sgp_received = 0
      WHERE rowid = (SELECT min(rowid) FROM t WHERE sgp_median IS NOT NULL)`,
    achievement_shares_nested: `UPDATE t
      SET pct_developing_learner_or_above = 0, pct_proficient_learner_or_above = 0.5
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year <> 2023)`,
  },
};
