import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'education/georgia_milestones_end_of_grade',
  facts: {
    version: '1.1.0',
    years: [2015, 2025],
    gaps: [2020],
    summaryYears: [2015, 2018, 2024],
    levels: ['districts', 'schools', 'states'],
    defaultDetail: 'schools',
    grain: ['year', 'district_code', 'school_code', 'grade_level', 'subject', 'assessment_type'],
    keyMetric: 'avg_scale_score',
    columns: {
      year: { type: 'integer', nullable: false, role: 'year' },
      district_code: { type: 'string', nullable: true, role: 'fk_district' },
      school_code: { type: 'string', nullable: true, role: 'fk_school' },
      grade_level: {
        type: 'string',
        nullable: false,
        role: 'categorical',
        values: ['03', '04', '05', '06', '07', '08'],
      },
      subject: {
        type: 'string',
        nullable: false,
        role: 'categorical',
        values: ['english_language_arts', 'mathematics', 'science', 'social_studies', 'physical_science'],
      },
      assessment_type: {
        type: 'string',
        nullable: false,
        role: 'categorical',
        values: ['eog', 'eoc', 'eog_and_eoc_combined'],
      },
      num_tested: {
        type: 'integer',
        nullable: true,
        role: 'metric',
        unit: 'count',
        component: 'denominator',
      },
      avg_scale_score: { type: 'number', nullable: true, role: 'metric', unit: 'score', min: 140, max: 830 },
      scale_score_std_dev: { type: 'number', nullable: true, role: 'metric', min: 0 },
      pct_beginning_learner: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      pct_developing_learner: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      pct_proficient_learner: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      pct_distinguished_learner: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      pct_developing_learner_or_above: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      pct_proficient_learner_or_above: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      pct_below_grade_level_lexile: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      pct_grade_level_or_above_lexile: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      enrolled_tested_rate: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      num_sgp_received: { type: 'integer', nullable: true, role: 'metric', unit: 'count' },
      sgp_median: { type: 'number', nullable: true, role: 'metric', unit: 'percentile' },
      pct_sgp_low_growth: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      pct_sgp_typical_growth: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      pct_sgp_high_growth: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
    },
  },
  sentences: [
    { says: 'Years 2015-2025, year_gap 2020', rules: ['year_known', 'year_in_folder'] },
    {
      says: 'detail districts, schools, states; the level is read from the NULL keys',
      rules: ['level_keys'],
    },
    {
      says: 'Grain: year, district_code, school_code, grade_level, subject, assessment_type',
      rules: ['grain_unique'],
    },
    { says: 'year: integer, not null', rules: ['year_not_null'] },
    { says: 'district_code: FK districts', rules: ['district_code_known'] },
    { says: 'school_code: FK schools, composite with district_code', rules: ['school_code_known'] },
    { says: 'grade_level: 03 to 08', rules: ['grade_level_values', 'grade_level_not_null'] },
    {
      says: 'subject: english_language_arts, mathematics, science, social_studies, physical_science',
      rules: ['subject_values', 'subject_not_null'],
    },
    { says: 'physical_science (grade 8, from 2022)', rules: ['physical_science_grade_8_from_2022'] },
    {
      says: 'assessment_type: eog, eoc, eog_and_eoc_combined',
      rules: ['assessment_type_values', 'assessment_type_not_null'],
    },
    { says: 'eoc variants exist only 2016-2021', rules: ['course_tests_only_2016_to_2021'] },
    {
      says: 'use eog for comparable series',
      rules: [],
      why: 'Advice to the reader; it says nothing of any row.',
    },
    { says: 'num_tested is an integer denominator', rules: ['num_tested_range'] },
    {
      says: 'num_tested is NULL when suppressed',
      rules: [],
      why: 'The suppressed count is not in the data, so a NULL cannot be checked against it.',
    },
    { says: 'avg_scale_score: score, 140 to 830', rules: ['avg_scale_score_range'] },
    {
      says: 'avg_scale_score is never published for eoc or combined rows',
      rules: ['scale_score_only_for_eog'],
    },
    { says: 'scale_score_std_dev is published 2022 onward', rules: ['standard_deviation_from_2022'] },
    { says: 'scale_score_std_dev is at least 0', rules: ['scale_score_std_dev_range'] },
    {
      says: 'The four achievement levels are proportions (of the tested students)',
      rules: [
        'pct_beginning_learner_range',
        'pct_developing_learner_range',
        'pct_proficient_learner_range',
        'pct_distinguished_learner_range',
        'achievement_levels_partition_tested',
      ],
    },
    {
      says: 'The two cumulative-share columns',
      rules: [
        'pct_developing_learner_or_above_range',
        'pct_proficient_learner_or_above_range',
        'developing_or_above_adds_up',
        'proficient_or_above_adds_up',
      ],
    },
    {
      says: 'English language arts rows also carry the two Lexile shares',
      rules: [
        'lexile_english_language_arts_only',
        'lexile_shares_complement',
        'pct_below_grade_level_lexile_range',
        'pct_grade_level_or_above_lexile_range',
      ],
    },
    { says: 'Lexile shares are published from 2018', rules: ['lexile_from_2018'] },
    {
      says: 'Lexile thresholds by grade 3 to 8: 520L, 740L, 830L, 925L, 970L, 1010L',
      rules: [],
      why: 'Rows hold shares of students, not Lexile measures; the thresholds are in the column descriptions.',
    },
    {
      says: '2024-2025 add num_sgp_received, sgp_median and the three growth shares',
      rules: ['growth_only_2024_and_2025'],
    },
    {
      says: 'Growth columns are on English language arts and mathematics rows for grades 4-8',
      rules: ['growth_subjects_and_grades'],
    },
    {
      says: 'Low, typical and high growth are the three-way split of students with a growth percentile',
      rules: [
        'growth_levels_partition_students',
        'pct_sgp_low_growth_range',
        'pct_sgp_typical_growth_range',
        'pct_sgp_high_growth_range',
      ],
    },
    { says: 'num_sgp_received is a count', rules: ['num_sgp_received_range'] },
    { says: 'sgp_median is a percentile', rules: ['sgp_median_range'] },
    { says: 'enrolled_tested_rate is a proportion (column list)', rules: ['enrolled_tested_rate_range'] },
  ],
  breaks: {
    physical_science_grade_8_from_2022: `UPDATE t SET subject = 'physical_science'
      WHERE rowid = (SELECT min(rowid) FROM t WHERE subject = 'mathematics' AND grade_level <> '08')`,
    course_tests_only_2016_to_2021: `UPDATE t SET assessment_type = 'eoc'
      WHERE rowid = (SELECT min(rowid) FROM t WHERE assessment_type = 'eog' AND year NOT BETWEEN 2016 AND 2021)`,
    scale_score_only_for_eog: `UPDATE t SET avg_scale_score = 500
      WHERE rowid = (SELECT min(rowid) FROM t WHERE assessment_type <> 'eog')`,
    standard_deviation_from_2022: `UPDATE t SET scale_score_std_dev = 50
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year < 2022)`,
    achievement_levels_partition_tested: `UPDATE t
      SET pct_beginning_learner = CASE WHEN pct_beginning_learner > 0.5 THEN 0 ELSE 1 END
      WHERE rowid = (SELECT min(rowid) FROM t WHERE pct_beginning_learner + pct_developing_learner
        + pct_proficient_learner + pct_distinguished_learner IS NOT NULL)`,
    developing_or_above_adds_up: `UPDATE t
      SET pct_developing_learner_or_above = CASE WHEN pct_developing_learner_or_above > 0.5 THEN 0 ELSE 1 END
      WHERE rowid = (SELECT min(rowid) FROM t WHERE pct_developing_learner_or_above + pct_developing_learner
        + pct_proficient_learner + pct_distinguished_learner IS NOT NULL)`,
    proficient_or_above_adds_up: `UPDATE t
      SET pct_proficient_learner_or_above = CASE WHEN pct_proficient_learner_or_above > 0.5 THEN 0 ELSE 1 END
      WHERE rowid = (SELECT min(rowid) FROM t WHERE pct_proficient_learner_or_above + pct_proficient_learner
        + pct_distinguished_learner IS NOT NULL)`,
    lexile_english_language_arts_only: `UPDATE t SET pct_below_grade_level_lexile = 0.4
      WHERE rowid = (SELECT min(rowid) FROM t WHERE subject <> 'english_language_arts' AND year >= 2018)`,
    lexile_from_2018: `UPDATE t SET pct_below_grade_level_lexile = 0.4
      WHERE rowid = (SELECT min(rowid) FROM t WHERE subject = 'english_language_arts' AND year < 2018)`,
    lexile_shares_complement: `UPDATE t
      SET pct_below_grade_level_lexile = CASE WHEN pct_below_grade_level_lexile > 0.5 THEN 0 ELSE 1 END
      WHERE rowid = (SELECT min(rowid) FROM t
        WHERE pct_below_grade_level_lexile + pct_grade_level_or_above_lexile IS NOT NULL)`,
    growth_only_2024_and_2025: `UPDATE t SET num_sgp_received = 30
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year NOT IN (2024, 2025)
        AND subject = 'mathematics' AND grade_level <> '03')`,
    growth_subjects_and_grades: `UPDATE t SET sgp_median = 50
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year IN (2024, 2025)
        AND (grade_level = '03' OR subject NOT IN ('english_language_arts', 'mathematics')))`,
    growth_levels_partition_students: `UPDATE t
      SET pct_sgp_low_growth = CASE WHEN pct_sgp_low_growth > 0.5 THEN 0 ELSE 1 END
      WHERE rowid = (SELECT min(rowid) FROM t
        WHERE pct_sgp_low_growth + pct_sgp_typical_growth + pct_sgp_high_growth IS NOT NULL)`,
  },
};
