import { COUNT, category, DENOMINATOR, PROPORTION } from '../columns.ts';
import { changeFirst, type Specification } from '../facts.ts';
import { END_OF_GRADE } from './end-of-grade.ts';
import { SCHOOLS_AND_ABOVE } from './school-places.ts';

export const specification: Specification = {
  key: 'education/georgia_milestones_end_of_grade',
  alike: [SCHOOLS_AND_ABOVE, END_OF_GRADE],
  facts: {
    years: [2015, 2025],
    gaps: [2020],
    summaryYears: [2015, 2018, 2024],
    grain: ['year', 'district_code', 'school_code', 'grade_level', 'subject', 'assessment_type'],
    keyMetric: 'avg_scale_score',
  },
  columns: {
    grade_level: category('03 04 05 06 07 08'),
    subject: category('english_language_arts mathematics science social_studies physical_science'),
    assessment_type: category('eog eoc eog_and_eoc_combined'),
    num_tested: DENOMINATOR,
    avg_scale_score: { type: 'number', nullable: true, role: 'metric', unit: 'score', min: 140, max: 830 },
    scale_score_std_dev: { type: 'number', nullable: true, role: 'metric', min: 0 },
    pct_beginning_learner: PROPORTION,
    pct_developing_learner: PROPORTION,
    pct_proficient_learner: PROPORTION,
    pct_distinguished_learner: PROPORTION,
    pct_below_grade_level_lexile: PROPORTION,
    pct_grade_level_or_above_lexile: PROPORTION,
    enrolled_tested_rate: PROPORTION,
    num_sgp_received: COUNT,
    sgp_median: { type: 'number', nullable: true, role: 'metric', unit: 'percentile' },
  },
  sentences: {
    'Years 2015-2025, year_gap 2020': ['year_known', 'year_in_folder'],
    'Grain: year, district_code, school_code, grade_level, subject, assessment_type': ['grain_unique'],
    'grade_level: 03 to 08': ['grade_level_values', 'grade_level_not_null'],
    'subject: english_language_arts, mathematics, science, social_studies, physical_science': [
      'subject_values',
      'subject_not_null',
    ],
    'physical_science (grade 8, from 2022)': ['physical_science_grade_8_from_2022'],
    'assessment_type: eog, eoc, eog_and_eoc_combined': ['assessment_type_values', 'assessment_type_not_null'],
    'eoc variants exist only 2016-2021': ['course_tests_only_2016_to_2021'],
    'use eog for comparable series': 'Advice to the reader; it says nothing of any row.',
    'num_tested is an integer denominator': ['num_tested_range'],
    'num_tested is NULL when suppressed':
      'The suppressed count is not in the data, so a NULL cannot be checked against it.',
    'avg_scale_score: score, 140 to 830': ['avg_scale_score_range'],
    'avg_scale_score is never published for eoc or combined rows': ['scale_score_only_for_eog'],
    'scale_score_std_dev is published 2022 onward': ['standard_deviation_from_2022'],
    'scale_score_std_dev is at least 0': ['scale_score_std_dev_range'],
    'The four achievement levels are proportions (of the tested students)': [
      'pct_beginning_learner_range',
      'pct_developing_learner_range',
      'pct_proficient_learner_range',
      'pct_distinguished_learner_range',
      'achievement_levels_partition_tested',
    ],
    'The two cumulative-share columns': [
      'pct_developing_learner_or_above_range',
      'pct_proficient_learner_or_above_range',
      'developing_or_above_adds_up',
      'proficient_or_above_adds_up',
    ],
    'English language arts rows also carry the two Lexile shares': [
      'lexile_english_language_arts_only',
      'lexile_shares_complement',
      'pct_below_grade_level_lexile_range',
      'pct_grade_level_or_above_lexile_range',
    ],
    'Lexile shares are published from 2018': ['lexile_from_2018'],
    'Lexile thresholds by grade 3 to 8: 520L, 740L, 830L, 925L, 970L, 1010L':
      'Rows hold shares of students, not Lexile measures; the thresholds are in the column descriptions.',
    '2024-2025 add num_sgp_received, sgp_median and the three growth shares': ['growth_only_2024_and_2025'],
    'Growth columns are on English language arts and mathematics rows for grades 4-8': [
      'growth_subjects_and_grades',
    ],
    'Low, typical and high growth are the three-way split of students with a growth percentile': [
      'growth_levels_partition_students',
      'pct_sgp_low_growth_range',
      'pct_sgp_typical_growth_range',
      'pct_sgp_high_growth_range',
    ],
    'num_sgp_received is a count': ['num_sgp_received_range'],
    'sgp_median is a percentile': ['sgp_median_range'],
    'enrolled_tested_rate is a proportion (column list)': ['enrolled_tested_rate_range'],
  },
  breaks: {
    physical_science_grade_8_from_2022: changeFirst(
      "subject = 'physical_science'",
      "subject = 'mathematics' AND grade_level <> '08'",
    ),
    course_tests_only_2016_to_2021: changeFirst(
      "assessment_type = 'eoc'",
      "assessment_type = 'eog' AND year NOT BETWEEN 2016 AND 2021",
    ),
    scale_score_only_for_eog: changeFirst('avg_scale_score = 500', "assessment_type <> 'eog'"),
    standard_deviation_from_2022: changeFirst('scale_score_std_dev = 50', 'year < 2022'),
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
    lexile_english_language_arts_only: changeFirst(
      'pct_below_grade_level_lexile = 0.4',
      "subject <> 'english_language_arts' AND year >= 2018",
    ),
    lexile_from_2018: changeFirst(
      'pct_below_grade_level_lexile = 0.4',
      "subject = 'english_language_arts' AND year < 2018",
    ),
    lexile_shares_complement: changeFirst(
      'pct_below_grade_level_lexile = CASE WHEN pct_below_grade_level_lexile > 0.5 THEN 0 ELSE 1 END',
      'pct_below_grade_level_lexile + pct_grade_level_or_above_lexile IS NOT NULL',
    ),
    growth_only_2024_and_2025: changeFirst(
      'num_sgp_received = 30',
      "year NOT IN (2024, 2025) AND subject = 'mathematics' AND grade_level <> '03'",
    ),
    growth_subjects_and_grades: `UPDATE t SET sgp_median = 50
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year IN (2024, 2025)
        AND (grade_level = '03' OR subject NOT IN ('english_language_arts', 'mathematics')))`,
  },
};
