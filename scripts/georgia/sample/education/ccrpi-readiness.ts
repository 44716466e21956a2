import type { SampleDataset } from '../dataset.ts';
import { fromSchools } from '../levels.ts';
import { gradeClusters } from './grade-clusters.ts';
import { expectedReadiness, readinessIndicators, readinessScore } from './readiness-indicators.ts';

/**
 * Each group draws the students who reach an indicator as a whole and, among them, those who reach each of its parts,
 * which overlap. Parts are published from 2021.
 */
export const ccrpiReadiness: SampleDataset = {
  key: 'education/ccrpi_readiness',
  sql: `
    WITH parts(indicator, sub_indicator, part_share) AS (
      VALUES
        ('beyond_the_core', 'fine_arts', 0.7),
        ('beyond_the_core', 'physical_education_health', 0.82),
        ('beyond_the_core', 'world_language', 0.24),
        ('beyond_the_core', 'computer_science', 0.2),
        ('beyond_the_core', 'career_exploratory', 0.35),
        ('accelerated_enrollment', 'advanced_placement', 0.6),
        ('accelerated_enrollment', 'dual_enrollment', 0.42),
        ('accelerated_enrollment', 'international_baccalaureate', 0.05),
        ('accelerated_enrollment', 'cambridge', 0.01),
        ('pathway_completion', 'ctae', 0.72),
        ('pathway_completion', 'advanced_academic', 0.36),
        ('pathway_completion', 'fine_arts', 0.25),
        ('pathway_completion', 'world_language', 0.3),
        ('college_and_career_readiness', 'act_sat_ap_ib_cambridge', 0.55),
        ('college_and_career_readiness', 'eopa', 0.38),
        ('college_and_career_readiness', 'tcsg_usg', 0.2),
        ('college_and_career_readiness', 'work_based_learning', 0.12),
        ('college_and_career_readiness', 'asvab', 0.08)
    ), wholes AS (
      SELECT
        year, district_code, school_code, demographic, grade_cluster, indicator, place,
        -- Pathways and readiness are those of the graduates, about a quarter of a high school.
        CASE WHEN indicator IN ('pathway_completion', 'college_and_career_readiness')
          THEN round(students * 0.24)::BIGINT ELSE students END AS base,
        concat_ws('/', 'readiness', place, indicator, demographic, year) AS key,
        count_of(base, ${expectedReadiness}, key) AS reached
      FROM (${gradeClusters}) c JOIN (${readinessIndicators}) USING (grade_cluster)
      WHERE year BETWEEN first_year AND last_year AND year <> 2020
    ), drawn AS (
      SELECT
        * EXCLUDE (key, place), CASE WHEN year >= 2021 THEN 'all' END AS sub_indicator
      FROM wholes WHERE base > 0
      UNION ALL BY NAME
      SELECT
        * EXCLUDE (key, place, part_share)
          REPLACE (count_of(reached, logistic(logit(part_share)
            + 0.5 * n(concat_ws('/', 'readiness part', place, sub_indicator))
            + 0.15 * drift(concat_ws('/', 'readiness part', place, sub_indicator), year)),
            concat_ws('/', key, sub_indicator)) AS reached)
      FROM wholes JOIN parts USING (indicator)
      WHERE year >= 2021 AND base > 0 AND (grade_cluster <> 'elementary' OR sub_indicator <> 'career_exploratory')
    ), summed AS (
      ${fromSchools({
        from: 'drawn',
        axes: ['year', 'demographic', 'grade_cluster', 'indicator', 'sub_indicator'],
        sums: ['base', 'reached'],
      })}
    )
    SELECT
      year, district_code, school_code, demographic, grade_cluster, indicator, sub_indicator,
      CASE WHEN base >= 15 THEN round(${readinessScore('(reached / base)')}, 2) END AS indicator_score,
      CASE WHEN base >= 15 AND indicator = 'accelerated_enrollment' THEN round(reached / base, 4) END
        AS unbenchmarked_rate,
      detail
    FROM summed`,
};
