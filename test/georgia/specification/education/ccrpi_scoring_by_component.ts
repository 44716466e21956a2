import { SCORE, SCORE_TO_100 } from '../columns.ts';
import { changeFirst, type Specification } from '../facts.ts';
import { CCRPI_CLUSTERS } from './ccrpi.ts';
import { SCHOOLS_AND_ABOVE } from './school-places.ts';

export const specification: Specification = {
  key: 'education/ccrpi_scoring_by_component',
  alike: [SCHOOLS_AND_ABOVE, CCRPI_CLUSTERS],
  facts: {
    version: '1.2.0',
    years: [2012, 2025],
    gaps: [2020, 2021],
    summaryYears: [2017, 2018, 2019, 2020, 2021],
    levels: ['districts', 'schools', 'states'],
    defaultDetail: 'schools',
    grain: ['year', 'district_code', 'school_code', 'grade_cluster'],
    keyMetric: 'ccrpi_single_score',
  },
  columns: {
    achievement_points: SCORE,
    progress_points: SCORE,
    achievement_gap_points: SCORE,
    ed_el_swd_performance: { type: 'number', nullable: true, role: 'metric', unit: 'score', min: 0, max: 10 },
    etb_points: SCORE,
    challenge_points: { type: 'number', nullable: true, role: 'metric', unit: 'score', min: 0, max: 10 },
    content_mastery: SCORE_TO_100,
    progress: SCORE_TO_100,
    closing_gaps: SCORE_TO_100,
    readiness: SCORE_TO_100,
    graduation_rate: SCORE_TO_100,
    ccrpi_score: SCORE,
    ccrpi_single_score: SCORE,
  },
  sentences: {
    'Years 2012-2025, year_gaps 2020 and 2021.': ['year_known', 'year_in_folder', 'year_not_null'],
    'Grain: year, district_code, school_code, grade_cluster.': ['grain_unique'],
    'grade_cluster: elementary, middle, high.': ['grade_cluster_values', 'grade_cluster_not_null'],
    'No demographic breakdown.': 'A statement about the columns, which the schema document shows.',
    'district_code may be RTC (2015-2017).': ['treatment_centers_2015_2017', 'district_code_known'],
    'RTC: district rows.': ['treatment_centers_have_no_schools'],
    'Points era: 2012-2017 only; NULL from 2018.': ['points_to_2017'],
    'achievement_points observed 2.6-59.9.': ['achievement_points_in_observed_range'],
    'progress_points: max about 22 in 2012-2014, 40 in 2015-2017.': ['progress_points_ceiling'],
    'progress_points: values not comparable across those sub-eras.':
      'Advice to the reader; the contract’s limitations carry it.',
    'achievement_gap_points: max 15 in 2012-2014, 10 in 2015-2017.': ['achievement_gap_points_ceiling'],
    'ed_el_swd_performance 0-10.': ['ed_el_swd_performance_range'],
    'etb_points: cap 2.0 in 2012-2013, 3.0 in 2014, 2.5 in 2015-2017.': ['exceeding_the_bar_ceiling'],
    'challenge_points 0-10.': ['challenge_points_range'],
    'challenge_points equals ed_el_swd_performance plus etb_points capped at 10.': [
      'challenge_points_are_capped_sum',
    ],
    'achievement_points + progress_points + achievement_gap_points + challenge_points = ccrpi_score.': [
      'points_add_up_to_score',
    ],
    'Score era: 2018 onward; NULL for 2012-2017.': ['component_scores_from_2018'],
    'content_mastery 0-100, the headline series; five component scores.': [
      'content_mastery_range',
      'progress_range',
      'closing_gaps_range',
      'readiness_range',
      'graduation_rate_range',
    ],
    'ccrpi_score and ccrpi_single_score accompany 2012-2019; suppressed for 2022; dropped from 2023.': [
      'overall_scores_to_2019',
    ],
  },
  breaks: {
    treatment_centers_2015_2017: changeFirst(
      "district_code = 'RTC'",
      'year NOT BETWEEN 2015 AND 2017 AND district_code IS NOT NULL AND school_code IS NULL',
    ),
    treatment_centers_have_no_schools: changeFirst(
      "district_code = 'RTC'",
      'year BETWEEN 2015 AND 2017 AND school_code IS NOT NULL',
    ),
    points_to_2017: changeFirst('achievement_points = 30', 'year >= 2018'),
    component_scores_from_2018: changeFirst('closing_gaps = 50', 'year <= 2017'),
    overall_scores_to_2019: changeFirst('ccrpi_single_score = 70', 'year >= 2022'),
    progress_points_ceiling: changeFirst('progress_points = 24, ccrpi_score = NULL', 'year <= 2014'),
    achievement_gap_points_ceiling: changeFirst(
      'achievement_gap_points = 12, ccrpi_score = NULL',
      'year BETWEEN 2015 AND 2017',
    ),
    exceeding_the_bar_ceiling: changeFirst(
      'etb_points = 2.7, challenge_points = NULL',
      'year BETWEEN 2015 AND 2017',
    ),
    challenge_points_are_capped_sum: changeFirst(
      'ed_el_swd_performance = 10, etb_points = 1, challenge_points = 9, ccrpi_score = NULL',
      'year <= 2017',
    ),
    points_add_up_to_score: `
      UPDATE t SET ccrpi_score = ccrpi_score + 1
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year <= 2017 AND ccrpi_score + achievement_points
        + progress_points + achievement_gap_points + challenge_points IS NOT NULL)`,
    achievement_points_in_observed_range: changeFirst(
      'achievement_points = 60, ccrpi_score = NULL',
      'achievement_points IS NOT NULL',
    ),
  },
};
