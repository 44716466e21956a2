import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'education/ccrpi_scoring_by_component',
  facts: {
    version: '1.2.0',
    years: [2012, 2025],
    gaps: [2020, 2021],
    summaryYears: [2017, 2018, 2019, 2020, 2021],
    levels: ['districts', 'schools', 'states'],
    defaultDetail: 'schools',
    grain: ['year', 'district_code', 'school_code', 'grade_cluster'],
    keyMetric: 'ccrpi_single_score',
    columns: {
      year: { type: 'integer', nullable: false, role: 'year' },
      district_code: { type: 'string', nullable: true, role: 'fk_district' },
      school_code: { type: 'string', nullable: true, role: 'fk_school' },
      grade_cluster: {
        type: 'string',
        nullable: false,
        role: 'categorical',
        values: ['elementary', 'middle', 'high'],
      },
      achievement_points: { type: 'number', nullable: true, role: 'metric', unit: 'score' },
      progress_points: { type: 'number', nullable: true, role: 'metric', unit: 'score' },
      achievement_gap_points: { type: 'number', nullable: true, role: 'metric', unit: 'score' },
      ed_el_swd_performance: {
        type: 'number',
        nullable: true,
        role: 'metric',
        unit: 'score',
        min: 0,
        max: 10,
      },
      etb_points: { type: 'number', nullable: true, role: 'metric', unit: 'score' },
      challenge_points: { type: 'number', nullable: true, role: 'metric', unit: 'score', min: 0, max: 10 },
      content_mastery: { type: 'number', nullable: true, role: 'metric', unit: 'score', min: 0, max: 100 },
      progress: { type: 'number', nullable: true, role: 'metric', unit: 'score', min: 0, max: 100 },
      closing_gaps: { type: 'number', nullable: true, role: 'metric', unit: 'score', min: 0, max: 100 },
      readiness: { type: 'number', nullable: true, role: 'metric', unit: 'score', min: 0, max: 100 },
      graduation_rate: { type: 'number', nullable: true, role: 'metric', unit: 'score', min: 0, max: 100 },
      ccrpi_score: { type: 'number', nullable: true, role: 'metric', unit: 'score' },
      ccrpi_single_score: { type: 'number', nullable: true, role: 'metric', unit: 'score' },
    },
  },
  sentences: [
    {
      says: 'Years 2012-2025, year_gaps 2020 and 2021.',
      rules: ['year_known', 'year_in_folder', 'year_not_null'],
    },
    { says: 'Detail districts, schools, states.', rules: ['level_keys'] },
    { says: 'Grain: year, district_code, school_code, grade_cluster.', rules: ['grain_unique'] },
    {
      says: 'district_code: FK districts; school_code: FK schools, composite with district_code.',
      rules: ['district_code_known', 'school_code_known'],
    },
    {
      says: 'grade_cluster: elementary, middle, high.',
      rules: ['grade_cluster_values', 'grade_cluster_not_null'],
    },
    {
      says: 'No demographic breakdown.',
      rules: [],
      why: 'A statement about the columns, which the schema document shows.',
    },
    {
      says: 'district_code may be RTC (2015-2017).',
      rules: ['treatment_centers_2015_2017', 'district_code_known'],
    },
    { says: 'RTC: district rows.', rules: ['treatment_centers_have_no_schools'] },
    { says: 'Points era: 2012-2017 only; NULL from 2018.', rules: ['points_to_2017'] },
    { says: 'achievement_points observed 2.6-59.9.', rules: ['achievement_points_in_observed_range'] },
    {
      says: 'progress_points: max about 22 in 2012-2014, 40 in 2015-2017.',
      rules: ['progress_points_ceiling'],
    },
    {
      says: 'progress_points: values not comparable across those sub-eras.',
      rules: [],
      why: 'Advice to the reader; the contract’s limitations carry it.',
    },
    {
      says: 'achievement_gap_points: max 15 in 2012-2014, 10 in 2015-2017.',
      rules: ['achievement_gap_points_ceiling'],
    },
    { says: 'ed_el_swd_performance 0-10.', rules: ['ed_el_swd_performance_range'] },
    {
      says: 'etb_points: cap 2.0 in 2012-2013, 3.0 in 2014, 2.5 in 2015-2017.',
      rules: ['exceeding_the_bar_ceiling'],
    },
    { says: 'challenge_points 0-10.', rules: ['challenge_points_range'] },
    {
      says: 'challenge_points equals ed_el_swd_performance plus etb_points capped at 10.',
      rules: ['challenge_points_are_capped_sum'],
    },
    {
      says: 'achievement_points + progress_points + achievement_gap_points + challenge_points = ccrpi_score.',
      rules: ['points_add_up_to_score'],
    },
    { says: 'Score era: 2018 onward; NULL for 2012-2017.', rules: ['component_scores_from_2018'] },
    {
      says: 'content_mastery 0-100, the headline series; five component scores.',
      rules: [
        'content_mastery_range',
        'progress_range',
        'closing_gaps_range',
        'readiness_range',
        'graduation_rate_range',
      ],
    },
    {
      says: 'ccrpi_score and ccrpi_single_score accompany 2012-2019; suppressed for 2022; dropped from 2023.',
      rules: ['overall_scores_to_2019'],
    },
  ],
  breaks: {
    treatment_centers_2015_2017: `
      UPDATE t SET district_code = 'RTC'
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year NOT BETWEEN 2015 AND 2017
        AND district_code IS NOT NULL AND school_code IS NULL)`,
    treatment_centers_have_no_schools: `
      UPDATE t SET district_code = 'RTC'
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year BETWEEN 2015 AND 2017 AND school_code IS NOT NULL)`,
    points_to_2017: `
      UPDATE t SET achievement_points = 30
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year >= 2018)`,
    component_scores_from_2018: `
      UPDATE t SET closing_gaps = 50
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year <= 2017)`,
    overall_scores_to_2019: `
      UPDATE t SET ccrpi_single_score = 70
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year >= 2022)`,
    progress_points_ceiling: `
      UPDATE t SET progress_points = 24, ccrpi_score = NULL
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year <= 2014)`,
    achievement_gap_points_ceiling: `
      UPDATE t SET achievement_gap_points = 12, ccrpi_score = NULL
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year BETWEEN 2015 AND 2017)`,
    exceeding_the_bar_ceiling: `
      UPDATE t SET etb_points = 2.7, challenge_points = NULL
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year BETWEEN 2015 AND 2017)`,
    challenge_points_are_capped_sum: `
      UPDATE t SET ed_el_swd_performance = 10, etb_points = 1, challenge_points = 9, ccrpi_score = NULL
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year <= 2017)`,
    points_add_up_to_score: `
      UPDATE t SET ccrpi_score = ccrpi_score + 1
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year <= 2017 AND ccrpi_score + achievement_points
        + progress_points + achievement_gap_points + challenge_points IS NOT NULL)`,
    achievement_points_in_observed_range: `
      UPDATE t SET achievement_points = 60, ccrpi_score = NULL
      WHERE rowid = (SELECT min(rowid) FROM t WHERE achievement_points IS NOT NULL)`,
  },
};
