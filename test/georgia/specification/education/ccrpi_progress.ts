import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'education/ccrpi_progress',
  facts: {
    version: '1.1.0',
    years: [2018, 2025],
    gaps: [],
    summaryYears: [2018, 2019, 2023],
    levels: ['districts', 'schools', 'states'],
    defaultDetail: 'schools',
    grain: ['year', 'district_code', 'school_code', 'demographic', 'grade_cluster', 'indicator'],
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
        values: ['english_language_arts_growth', 'mathematics_growth', 'progress_towards_elp'],
      },
      ccrpi_flag: { type: 'string', nullable: true, role: 'categorical', values: ['green', 'red', 'yellow'] },
      indicator_score: { type: 'number', nullable: true, role: 'metric', unit: 'score', min: 0, max: 100 },
      indicator_target: { type: 'number', nullable: true, role: 'metric', unit: 'score', min: 0, max: 100 },
      pct_no_positive_movement: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      pct_moved_less_than_one_band: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      pct_moved_one_band: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      pct_moved_more_than_one_band: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
    },
  },
  sentences: [
    { says: 'Years 2018-2025.', rules: ['year_known', 'year_in_folder', 'year_not_null'] },
    { says: 'Detail districts, schools, states.', rules: ['level_keys'] },
    {
      says: 'Grain: year, district_code, school_code, demographic, grade_cluster, indicator.',
      rules: ['grain_unique'],
    },
    {
      says: 'district_code: FK districts; school_code: FK schools, composite with district_code.',
      rules: ['district_code_known', 'school_code_known'],
    },
    {
      says: 'demographic values (10).',
      rules: ['demographic_values', 'demographic_not_null', 'demographic_known'],
    },
    { says: 'ELP rows cover all 10 groups in 2018.', rules: ['english_proficiency_of_ten_groups_2018'] },
    {
      says: 'ELP rows: only english_learners from 2019 on.',
      rules: ['english_proficiency_of_english_learners_only'],
    },
    {
      says: 'grade_cluster: elementary, high, middle.',
      rules: ['grade_cluster_values', 'grade_cluster_not_null'],
    },
    {
      says: 'indicator: english_language_arts_growth, mathematics_growth, progress_towards_elp.',
      rules: ['indicator_values', 'indicator_not_null'],
    },
    {
      says: 'progress_towards_elp is the only indicator in 2021-2022; 2020 is ELP-only.',
      rules: ['english_proficiency_alone_2020_2022'],
    },
    { says: 'ccrpi_flag: green, red, yellow.', rules: ['ccrpi_flag_values'] },
    {
      says: 'ccrpi_flag set only on progress_towards_elp rows for english_learners in 2018, 2019, 2023, 2024, 2025.',
      rules: ['flags_of_english_learners_only'],
    },
    {
      says: 'indicator_score: score 0-100; the marker 100.00+ is served as exactly 100.',
      rules: ['indicator_score_range'],
    },
    {
      says: 'indicator_score is NULL when suppressed or not applicable.',
      rules: [],
      why: 'A row does not say why its score is absent.',
    },
    { says: 'indicator_target: score 0-100.', rules: ['indicator_target_range'] },
    { says: 'indicator_target: same population as ccrpi_flag.', rules: ['targets_of_english_learners_only'] },
    {
      says: 'Band columns: proportion.',
      rules: [
        'pct_no_positive_movement_range',
        'pct_moved_less_than_one_band_range',
        'pct_moved_one_band_range',
        'pct_moved_more_than_one_band_range',
      ],
    },
    {
      says: 'English-learner band movement, 2021-2022 only.',
      rules: [
        'bands_2021_2022_only',
        'english_proficiency_alone_2020_2022',
        'english_proficiency_of_english_learners_only',
      ],
    },
    {
      says: 'Four band columns partition English learners (sum 1.0 within rounding).',
      rules: ['bands_partition_english_learners'],
    },
  ],
  breaks: {
    english_proficiency_alone_2020_2022: `
      UPDATE t SET indicator = 'mathematics_growth'
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year IN (2020, 2021, 2022))`,
    english_proficiency_of_english_learners_only: `
      UPDATE t SET demographic = 'black'
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year BETWEEN 2020 AND 2022)`,
    english_proficiency_of_ten_groups_2018: `
      DELETE FROM t WHERE year = 2018 AND indicator = 'progress_towards_elp' AND demographic = 'native_american'`,
    flags_of_english_learners_only: `
      UPDATE t SET ccrpi_flag = 'green'
      WHERE rowid = (SELECT min(rowid) FROM t WHERE indicator <> 'progress_towards_elp')`,
    targets_of_english_learners_only: `
      UPDATE t SET indicator_target = 50
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year IN (2020, 2021, 2022))`,
    bands_2021_2022_only: `
      UPDATE t SET pct_moved_one_band = 0.25
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year NOT IN (2021, 2022))`,
    bands_partition_english_learners: `
      UPDATE t SET pct_no_positive_movement = 0.5, pct_moved_less_than_one_band = 0.5, pct_moved_one_band = 0.01
      WHERE rowid = (SELECT min(rowid) FROM t WHERE pct_moved_more_than_one_band IS NOT NULL)`,
  },
};
