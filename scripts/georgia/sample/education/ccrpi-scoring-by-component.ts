import type { SampleDataset } from '../dataset.ts';
import { fromSchools } from '../levels.ts';
import { gradeClusters } from './grade-clusters.ts';
import { graduationCohorts } from './graduation-cohorts.ts';
import { expectedReadiness, readinessIndicators, readinessScore } from './readiness-indicators.ts';
import { growthAdvantage } from './student-growth.ts';

const components = [
  'achievement',
  'growth_points',
  'gap',
  'ed_el_swd',
  'etb',
  'mastery',
  'growth',
  'closing',
  'ready',
  'graduation',
];

/** A place's component out of the sum of its students' hundredths of a point. */
const score = (component: string) => `round(${component} / students / 100, 1)`;

/**
 * Schools score each component of both indices, drawn from the same bases as the indicators' own datasets; larger
 * places have their students' mean. Treatment centers are a district of their own, outside the state's sums.
 */
export const ccrpiScoringByComponent: SampleDataset = {
  key: 'education/ccrpi_scoring_by_component',
  sql: `
    WITH clusters AS (
      SELECT
        year, district_code, school_code, grade_cluster, place, school, z, effect, students,
        'ccrpi/' || place AS key,
        concat_ws('/', key, year) AS yearly
      FROM (${gradeClusters})
      WHERE demographic = 'all' AND year >= 2012 AND year NOT IN (2020, 2021)
    ), readiness AS (
      SELECT year, place, sum(round(100 * ${readinessScore(expectedReadiness)})::BIGINT) / count(*) AS ready
      FROM clusters JOIN (${readinessIndicators}) USING (grade_cluster)
      WHERE year BETWEEN first_year AND last_year
      GROUP BY year, place
    ), graduation AS (
      -- Of four and five years, counted as two to one.
      SELECT year, district_code, school_code, 1 - 0.93 * not_graduated / nullif(cohort, 0) AS graduated
      FROM (${graduationCohorts}) WHERE demographic = 'all'
    ), scored AS (
      SELECT
        year, district_code, school_code, grade_cluster, c.students,
        -- Points of the index to 2017: the most that each kind can reach changed in 2015.
        year <= 2014 AS early,
        logistic(0.65 + 0.5 * z + 0.12 * drift(key || '/achievement', year) + 0.08 * n(yearly || '/achievement'))
          * CASE WHEN early THEN 60 ELSE 50 END AS achievement,
        logistic(0.9 + 1.5 * ${growthAdvantage("'mathematics'")} + 0.2 * n(yearly || '/growth'))
          * CASE WHEN early THEN 22 ELSE 40 END AS growth_points,
        logistic(0.1 + 0.15 * z + 0.7 * n(yearly || '/gap')) * CASE WHEN early THEN 15 ELSE 10 END AS gap,
        greatest(0, least(10, 3.2 + 2.2 * n(key || '/bonus') + 1.6 * n(yearly || '/bonus'))) AS ed_el_swd,
        greatest(0, least(CASE WHEN year <= 2013 THEN 2 WHEN year = 2014 THEN 3 ELSE 2.5 END,
          0.8 + 0.7 * n(key || '/bar') + 0.5 * n(yearly || '/bar'))) AS etb,
        greatest(1, least(100, 66 + CASE WHEN year >= 2022 THEN 1.2 * (year - 2025) ELSE year - 2018 END + 11 * z
          + 2.5 * drift(key || '/achievement', year) + 1.5 * n(yearly || '/achievement'))) AS mastery,
        greatest(0, least(100, 84
          + 7.5 * (${growthAdvantage("'english_language_arts'")} + ${growthAdvantage("'mathematics'")})
          + 2 * n(yearly || '/growth'))) AS growth,
        greatest(0, least(100, 68 + 6 * z + 19 * n(yearly || '/closing'))) AS closing,
        ready / 100 AS ready,
        100 * graduated AS graduation
      FROM clusters c
      LEFT JOIN readiness USING (year, place)
      LEFT JOIN graduation USING (year, district_code, school_code)
    ), drawn AS (
      SELECT
        year, district_code, school_code, grade_cluster, students,
        ${components.map(name => `(students * round(100 * coalesce(${name}, 0)))::BIGINT AS ${name}`).join(', ')}
      FROM scored
    ), summed AS (
      ${fromSchools({ from: 'drawn', axes: ['year', 'grade_cluster'], sums: ['students', ...components] })}
    ), with_treatment_centers AS (
      SELECT * FROM summed
      UNION ALL BY NAME
      SELECT
        year::INTEGER AS year, 'RTC' AS district_code, 'districts' AS detail, grade_cluster, students,
        ${['achievement', 'growth_points', 'gap', 'ed_el_swd', 'etb']
          .map(
            name => `(students * round(${name} * exp(0.2 * n(concat_ws('/', 'ccrpi/RTC', grade_cluster, year, '${name}')))))::BIGINT
          AS ${name}`,
          )
          .join(', ')}
      FROM range(2015, 2018) y(year), (VALUES
        ('elementary', 40, 1250, 2300, 420, 90, 40), ('middle', 140, 1180, 2250, 400, 70, 40),
        ('high', 230, 1020, 2100, 380, 60, 40)
      ) t(grade_cluster, students, achievement, growth_points, gap, ed_el_swd, etb)
    ), published AS (
      SELECT
        *,
        year <= 2017 AND students >= 15 AS with_points,
        year >= 2018 AND students >= 15 AS with_scores,
        CASE WHEN with_points THEN least(59.9, greatest(2.6, ${score('achievement')})) END AS achievement_points,
        CASE WHEN with_points THEN ${score('growth_points')} END AS progress_points,
        CASE WHEN with_points THEN ${score('gap')} END AS achievement_gap_points,
        CASE WHEN with_points THEN ${score('ed_el_swd')} END AS ed_el_swd_performance,
        CASE WHEN with_points THEN ${score('etb')} END AS etb_points,
        CASE WHEN with_points THEN round(least(10, ed_el_swd_performance + etb_points), 1) END AS challenge_points,
        CASE WHEN with_scores THEN ${score('mastery')} END AS content_mastery,
        -- In 2022 growth could not be scored, for want of scores of the year before.
        CASE WHEN with_scores AND year <> 2022 THEN ${score('growth')} END AS progress,
        CASE WHEN with_scores AND year <> 2022 THEN ${score('closing')} END AS closing_gaps,
        CASE WHEN with_scores THEN ${score('ready')} END AS readiness,
        CASE WHEN with_scores AND grade_cluster = 'high' THEN ${score('graduation')} END AS graduation_rate,
        round(CASE
          WHEN year <= 2017 THEN achievement_points + progress_points + achievement_gap_points + challenge_points
          WHEN year > 2019 THEN NULL
          WHEN grade_cluster = 'high' THEN 0.3 * content_mastery + 0.3 * progress + 0.1 * closing_gaps + 0.15 * readiness
            + 0.15 * graduation_rate
          ELSE 0.3 * content_mastery + 0.35 * progress + 0.15 * closing_gaps + 0.2 * readiness
        END, 1) AS ccrpi_score
      FROM with_treatment_centers
    )
    SELECT
      year, district_code, school_code, grade_cluster, achievement_points, progress_points, achievement_gap_points,
      ed_el_swd_performance, etb_points, challenge_points, content_mastery, progress, closing_gaps, readiness,
      graduation_rate, ccrpi_score,
      round(sum(round(10 * ccrpi_score)::BIGINT * students) OVER place
        / nullif(sum(students) FILTER (ccrpi_score IS NOT NULL) OVER place, 0) / 10, 1) AS ccrpi_single_score,
      detail
    FROM published
    WINDOW place AS (PARTITION BY year, detail, district_code, school_code)`,
};
