import { COUNT, category, DENOMINATOR, PROPORTION } from '../columns.ts';
import { changeFirst, type Specification } from '../facts.ts';
import { END_OF_GRADE } from './end-of-grade.ts';
import { SCHOOLS_AND_ABOVE } from './school-places.ts';

export const specification: Specification = {
  key: 'education/georgia_student_growth_model_end_of_grade',
  alike: [SCHOOLS_AND_ABOVE, END_OF_GRADE],
  facts: {
    years: [2015, 2023],
    gaps: [2020, 2021, 2022],
    summaryYears: [2015, 2019, 2023],
    grain: ['year', 'district_code', 'school_code', 'grade_level', 'subject'],
    keyMetric: 'sgp_median',
  },
  columns: {
    grade_level: category('all 04 05 06 07 08'),
    subject: category('english_language_arts mathematics science social_studies'),
    num_tested: COUNT,
    num_sgp_received: DENOMINATOR,
    sgp_received_rate: PROPORTION,
    sgp_median: { type: 'number', nullable: true, role: 'metric', unit: 'percentile', min: 1, max: 99 },
    pct_sgp_typical_or_high_growth: PROPORTION,
  },
  sentences: {
    'Published years 2015-2019 and 2023 (year_gaps 2020, 2021, 2022)': ['year_known', 'year_in_folder'],
    'Grain: year, district_code, school_code, grade_level, subject': ['grain_unique'],
    'grade_level: all, 04, 05, 06, 07, 08': ['grade_level_values', 'grade_level_not_null'],
    'all (2015-2019 aggregate)': ['grade_all_only_2015_to_2019'],
    'subject: english_language_arts, mathematics, science, social_studies': [
      'subject_values',
      'subject_not_null',
    ],
    'science and social studies only in 2015-2016': ['science_and_social_studies_only_2015_and_2016'],
    'num_tested (integer; NULL in 2023)': ['tested_count_null_in_2023', 'num_tested_range'],
    'num_sgp_received (integer, denominator)': ['num_sgp_received_range'],
    'sgp_received_rate (proportion; NULL in 2023)': ['received_rate_null_in_2023', 'sgp_received_rate_range'],
    'sgp_median (number, percentile, 1 to 99)': ['sgp_median_range'],
    'sgp_median: halves such as .5 occur':
      'It says that halves may occur, not that every row has one; no row contradicts it.',
    'sgp_median is NULL when num_sgp_received is 0': ['median_null_without_students'],
    'pct_proficient_learner_or_above, pct_developing_learner_or_above (proportion; NULL in 2023)': [
      'achievement_shares_null_in_2023',
      'achievement_shares_nested',
      'pct_proficient_learner_or_above_range',
      'pct_developing_learner_or_above_range',
    ],
    'pct_sgp_typical_or_high_growth (NULL in 2023)': [
      'typical_or_high_null_in_2023',
      'pct_sgp_typical_or_high_growth_range',
    ],
    'Low is below 35, typical 35 to 65, high above 65, typical or high at least 35':
      'Rows hold shares of students, not the percentiles of single students.',
    'pct_sgp_low_growth and pct_sgp_typical_growth are 2023 only': [
      'three_way_split_only_2023',
      'pct_sgp_low_growth_range',
      'pct_sgp_typical_growth_range',
    ],
    'The high-growth share follows the same three-way split': [
      'three_way_split_only_2023',
      'growth_levels_partition_students',
      'pct_sgp_high_growth_range',
    ],
  },
  breaks: {
    grade_all_only_2015_to_2019: changeFirst("grade_level = 'all'", 'year = 2023'),
    science_and_social_studies_only_2015_and_2016: changeFirst(
      "subject = 'science'",
      'year NOT IN (2015, 2016)',
    ),
    tested_count_null_in_2023: changeFirst('num_tested = 40', 'year = 2023'),
    received_rate_null_in_2023: changeFirst('sgp_received_rate = 0.9', 'year = 2023'),
    achievement_shares_null_in_2023: changeFirst('pct_proficient_learner_or_above = 0.4', 'year = 2023'),
    typical_or_high_null_in_2023: changeFirst('pct_sgp_typical_or_high_growth = 0.6', 'year = 2023'),
    three_way_split_only_2023: changeFirst('pct_sgp_high_growth = 0.3', 'year <> 2023'),
    median_null_without_students: changeFirst('num_sgp_received = 0', 'sgp_median IS NOT NULL'),
    achievement_shares_nested: changeFirst(
      'pct_developing_learner_or_above = 0, pct_proficient_learner_or_above = 0.5',
      'year <> 2023',
    ),
  },
};
