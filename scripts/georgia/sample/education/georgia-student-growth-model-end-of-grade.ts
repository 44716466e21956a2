import type { SampleDataset } from '../dataset.ts';
import { fromSchools } from '../levels.ts';
import { endOfGradeTests } from './end-of-grade-tests.ts';
import { medianGrowthPercentile } from './student-growth.ts';

/** The same tests as Georgia Milestones; 2023 publishes growth alone, but splits it three ways. */
export const georgiaStudentGrowthModelEndOfGrade: SampleDataset = {
  key: 'education/georgia_student_growth_model_end_of_grade',
  sql: `
    WITH tests AS (${endOfGradeTests}),
    drawn AS (
      SELECT * EXCLUDE (proficient, developing),
        proficient + distinguished AS proficient_or_above,
        developing + proficient + distinguished AS developing_or_above
      FROM tests
      WHERE year IN (2015, 2016, 2017, 2018, 2019, 2023) AND grade_level >= '04' AND assessment_type = 'eog'
        AND (year <= 2016 OR subject IN ('english_language_arts', 'mathematics'))
    ), graded AS (
      SELECT * FROM drawn
      UNION ALL
      SELECT * REPLACE ('all' AS grade_level) FROM drawn WHERE year <= 2019
    ), summed AS (
      ${fromSchools({
        from: 'graded',
        axes: ['year', 'grade_level', 'subject'],
        sums: ['tested', 'proficient_or_above', 'developing_or_above', 'received', 'low', 'typical', 'high'],
      })}
    ), judged AS (
      SELECT
        *,
        tested >= 10 AND year <> 2023 AS test_published,
        received >= 15 AS growth_published,
        growth_published AND year <> 2023 AS with_tests,
        growth_published AND year = 2023 AS split
      FROM summed
    )
    SELECT
      year, district_code, school_code, grade_level, subject,
      CASE WHEN test_published THEN tested END AS num_tested,
      CASE WHEN growth_published OR received = 0 THEN received END AS num_sgp_received,
      CASE WHEN with_tests THEN round(received / tested, 4) END AS sgp_received_rate,
      CASE WHEN growth_published THEN ${medianGrowthPercentile} END AS sgp_median,
      CASE WHEN test_published THEN round(proficient_or_above / tested, 4) END AS pct_proficient_learner_or_above,
      CASE WHEN test_published THEN round(developing_or_above / tested, 4) END AS pct_developing_learner_or_above,
      CASE WHEN with_tests THEN round((typical + high) / received, 4) END AS pct_sgp_typical_or_high_growth,
      CASE WHEN split THEN round(low / received, 4) END AS pct_sgp_low_growth,
      CASE WHEN split THEN round(typical / received, 4) END AS pct_sgp_typical_growth,
      CASE WHEN split THEN round(high / received, 4) END AS pct_sgp_high_growth,
      detail
    FROM judged`,
};
