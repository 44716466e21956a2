import type { SampleDataset } from '../dataset.ts';
import { fromSchools } from '../levels.ts';
import { endOfGradeTests } from './end-of-grade-tests.ts';
import { medianGrowthPercentile } from './student-growth.ts';

/** Adds the rows of both kinds of test to those of each grade, and publishes the columns of each year. */
export const georgiaMilestonesEndOfGrade: SampleDataset = {
  key: 'education/georgia_milestones_end_of_grade',
  sql: `
    WITH drawn AS (${endOfGradeTests}),
    with_totals AS (
      SELECT * FROM drawn
      UNION ALL
      SELECT * REPLACE ('eog_and_eoc_combined' AS assessment_type)
      FROM drawn
      WHERE year BETWEEN 2016 AND 2021 AND grade_level = '08' AND subject IN ('mathematics', 'science')
    ), summed AS (
      ${fromSchools({
        from: 'with_totals',
        axes: ['year', 'grade_level', 'subject', 'assessment_type'],
        sums: [
          'enrolled',
          'tested',
          'beginning',
          'developing',
          'proficient',
          'distinguished',
          'score_sum',
          'below_lexile',
          'received',
          'low',
          'typical',
          'high',
        ],
      })}
    ), judged AS (
      SELECT
        *,
        tested >= 10 AS published,
        published AND year >= 2024 AND grade_level <> '03' AND subject IN ('english_language_arts', 'mathematics')
          AS with_growth,
        with_growth AND received >= 10 AS growth_published,
        -- Scores spread within each level, too: squares of its mean and of its own deviation.
        (438 * beginning + 500 * developing + 551 * proficient + 612 * distinguished) / tested AS mean_of_levels,
        (beginning * (438 ** 2 + 27 ** 2) + developing * (500 ** 2 + 14 ** 2) + proficient * (551 ** 2 + 15 ** 2)
          + distinguished * (612 ** 2 + 25 ** 2)) / tested AS mean_square
      FROM summed
    )
    SELECT
      year, district_code, school_code, grade_level, subject, assessment_type,
      CASE WHEN published THEN tested END AS num_tested,
      CASE WHEN published AND assessment_type = 'eog' THEN round(score_sum / tested, 1) END AS avg_scale_score,
      CASE WHEN published AND year >= 2022 THEN round(sqrt(mean_square - mean_of_levels ** 2), 1) END
        AS scale_score_std_dev,
      CASE WHEN published THEN round(beginning / tested, 4) END AS pct_beginning_learner,
      CASE WHEN published THEN round(developing / tested, 4) END AS pct_developing_learner,
      CASE WHEN published THEN round(proficient / tested, 4) END AS pct_proficient_learner,
      CASE WHEN published THEN round(distinguished / tested, 4) END AS pct_distinguished_learner,
      CASE WHEN published THEN round((developing + proficient + distinguished) / tested, 4) END
        AS pct_developing_learner_or_above,
      CASE WHEN published THEN round((proficient + distinguished) / tested, 4) END AS pct_proficient_learner_or_above,
      CASE WHEN published AND year >= 2018 AND subject = 'english_language_arts'
        THEN round(below_lexile / tested, 4) END AS pct_below_grade_level_lexile,
      round(1 - pct_below_grade_level_lexile, 4) AS pct_grade_level_or_above_lexile,
      CASE WHEN published AND assessment_type = 'eog' THEN round(tested / enrolled, 4) END AS enrolled_tested_rate,
      CASE WHEN growth_published THEN received END AS num_sgp_received,
      CASE WHEN growth_published THEN ${medianGrowthPercentile} END AS sgp_median,
      CASE WHEN growth_published THEN round(low / received, 4) END AS pct_sgp_low_growth,
      CASE WHEN growth_published THEN round(typical / received, 4) END AS pct_sgp_typical_growth,
      CASE WHEN growth_published THEN round(high / received, 4) END AS pct_sgp_high_growth,
      detail
    FROM judged`,
};
