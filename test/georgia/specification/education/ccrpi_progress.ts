import { category, PROPORTION, SCORE_TO_100 } from '../columns.ts';
import { changeFirst, type Specification } from '../facts.ts';
import { CCRPI_CLUSTERS, CCRPI_INDICATORS } from './ccrpi.ts';
import { SCHOOLS_AND_ABOVE } from './school-places.ts';

export const specification: Specification = {
  key: 'education/ccrpi_progress',
  alike: [SCHOOLS_AND_ABOVE, CCRPI_CLUSTERS, CCRPI_INDICATORS],
  facts: {
    summaryYears: [2018, 2019, 2023],
    grain: ['year', 'district_code', 'school_code', 'demographic', 'grade_cluster', 'indicator'],
  },
  columns: {
    indicator: category('english_language_arts_growth mathematics_growth progress_towards_elp'),
    ccrpi_flag: { type: 'string', nullable: true, role: 'categorical', values: ['green', 'red', 'yellow'] },
    indicator_target: SCORE_TO_100,
    pct_no_positive_movement: PROPORTION,
    pct_moved_less_than_one_band: PROPORTION,
    pct_moved_one_band: PROPORTION,
    pct_moved_more_than_one_band: PROPORTION,
  },
  sentences: {
    'Years 2018-2025.': ['year_known', 'year_in_folder', 'year_not_null'],
    'Grain: year, district_code, school_code, demographic, grade_cluster, indicator.': ['grain_unique'],
    'demographic values (10).': ['demographic_values', 'demographic_not_null', 'demographic_known'],
    'ELP rows cover all 10 groups in 2018.': ['english_proficiency_of_ten_groups_2018'],
    'ELP rows: only english_learners from 2019 on.': ['english_proficiency_of_english_learners_only'],
    'grade_cluster: elementary, high, middle.': ['grade_cluster_values', 'grade_cluster_not_null'],
    'indicator: english_language_arts_growth, mathematics_growth, progress_towards_elp.': [
      'indicator_values',
      'indicator_not_null',
    ],
    'progress_towards_elp is the only indicator in 2021-2022; 2020 is ELP-only.': [
      'english_proficiency_alone_2020_2022',
    ],
    'ccrpi_flag: green, red, yellow.': ['ccrpi_flag_values'],
    'ccrpi_flag set only on progress_towards_elp rows for english_learners in 2018, 2019, 2023, 2024, 2025.':
      ['flags_of_english_learners_only'],
    'indicator_score: score 0-100; the marker 100.00+ is served as exactly 100.': ['indicator_score_range'],
    'indicator_score is NULL when suppressed or not applicable.':
      'A row does not say why its score is absent.',
    'indicator_target: score 0-100.': ['indicator_target_range'],
    'indicator_target: same population as ccrpi_flag.': ['targets_of_english_learners_only'],
    'Band columns: proportion.': [
      'pct_no_positive_movement_range',
      'pct_moved_less_than_one_band_range',
      'pct_moved_one_band_range',
      'pct_moved_more_than_one_band_range',
    ],
    'English-learner band movement, 2021-2022 only.': [
      'bands_2021_2022_only',
      'english_proficiency_alone_2020_2022',
      'english_proficiency_of_english_learners_only',
    ],
    'Four band columns partition English learners (sum 1.0 within rounding).': [
      'bands_partition_english_learners',
    ],
  },
  breaks: {
    english_proficiency_alone_2020_2022: changeFirst(
      "indicator = 'mathematics_growth'",
      'year IN (2020, 2021, 2022)',
    ),
    english_proficiency_of_english_learners_only: changeFirst(
      "demographic = 'black'",
      'year BETWEEN 2020 AND 2022',
    ),
    english_proficiency_of_ten_groups_2018: `
      DELETE FROM t WHERE year = 2018 AND indicator = 'progress_towards_elp' AND demographic = 'native_american'`,
    flags_of_english_learners_only: changeFirst(
      "ccrpi_flag = 'green'",
      "indicator <> 'progress_towards_elp'",
    ),
    targets_of_english_learners_only: changeFirst('indicator_target = 50', 'year IN (2020, 2021, 2022)'),
    bands_2021_2022_only: changeFirst('pct_moved_one_band = 0.25', 'year NOT IN (2021, 2022)'),
    bands_partition_english_learners: changeFirst(
      'pct_no_positive_movement = 0.5, pct_moved_less_than_one_band = 0.5, pct_moved_one_band = 0.01',
      'pct_moved_more_than_one_band IS NOT NULL',
    ),
  },
};
