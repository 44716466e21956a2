import type { SampleDataset } from '../dataset.ts';
import { fromSchools } from '../levels.ts';
import { gradeClusters } from './grade-clusters.ts';
import { growthAdvantage } from './student-growth.ts';

/**
 * Students of each group earn points, 100 each for a year's progress: for growth by the school's advantage and the
 * group's effect, for English proficiency by the bands that English learners move. Scores are points by students.
 */
export const ccrpiProgress: SampleDataset = {
  key: 'education/ccrpi_progress',
  sql: `
    WITH clusters AS (
      SELECT * FROM (${gradeClusters}) WHERE year BETWEEN 2018 AND 2025
    ), growth AS (
      SELECT
        year, district_code, school_code, demographic, grade_cluster, subject || '_growth' AS indicator,
        -- Who has an earlier score: grades 4 and 5, all of the middle grades, and about half of high school.
        round(c.students * CASE grade_cluster WHEN 'elementary' THEN 0.31 WHEN 'middle' THEN 0.94 ELSE 0.45 END)::BIGINT
          AS tested,
        concat_ws('/', 'growth score', place, subject, demographic) AS key,
        greatest(0, round(tested * (84 + 15 * ${growthAdvantage('subject')} - 7 * effect
            + CASE demographic WHEN 'all' THEN 0 ELSE 1.5 * n(key) END)
          + 30 * sqrt(tested) * n(concat_ws('/', key, year))))::BIGINT AS points
      FROM clusters c, (VALUES ('english_language_arts'), ('mathematics')) subjects(subject)
      WHERE year IN (2018, 2019) OR year >= 2023
    ), learners AS (
      SELECT
        year, district_code, school_code, demographic, grade_cluster, 'progress_towards_elp' AS indicator,
        -- All English learners, and those of each group.
        CASE WHEN demographic IN ('all', 'english_learners') THEN english_learners
          ELSE round(english_learners * least(0.97, students / total * english_learner_factor)) END::BIGINT AS students,
        concat_ws('/', 'english proficiency', place,
          CASE demographic WHEN 'all' THEN 'english_learners' ELSE demographic END, year) AS key,
        0.25 * z + 0.25 * drift('english proficiency/' || place, year)
          - CASE WHEN demographic IN ('all', 'english_learners') THEN 0 ELSE 0.5 * effect END
          - CASE grade_cluster WHEN 'elementary' THEN 0 WHEN 'middle' THEN 0.35 ELSE 0.5 END
          - CASE year WHEN 2020 THEN 0.1 WHEN 2021 THEN 0.5 WHEN 2022 THEN 0.25 ELSE 0 END AS advantage
      FROM (
        SELECT
          * EXCLUDE (students), students::DOUBLE AS students,
          max(students) FILTER (demographic = 'all') OVER cluster AS total,
          max(students) FILTER (demographic = 'english_learners') OVER cluster AS english_learners
        FROM clusters
        WINDOW cluster AS (PARTITION BY year, place)
      )
      JOIN (VALUES
        ('all', 1), ('asian_pacific_islander', 2.6), ('black', 0.15), ('economically_disadvantaged', 1.3),
        ('english_learners', 1), ('hispanic', 4), ('multiracial', 0.3), ('native_american', 0.6),
        ('students_with_disabilities', 1), ('white', 0.12)
      ) factors(demographic, english_learner_factor) USING (demographic)
      WHERE year = 2018 OR demographic = 'english_learners'
    ), moved AS (
      SELECT
        *,
        count_of(students, logistic(-0.75 - advantage), key || '/none') AS none,
        count_of(students - none, logistic(-1.3 - 0.4 * advantage), key || '/less') AS less,
        count_of(students - none - less, logistic(0.1 - 0.4 * advantage), key || '/one') AS one,
        students - none - less - one AS more
      FROM learners
    ), drawn AS (
      SELECT * EXCLUDE (key, tested), tested AS students, 0 AS none, 0 AS less, 0 AS one, 0 AS more FROM growth
      UNION ALL BY NAME
      SELECT * EXCLUDE (key, advantage), 50 * less + 100 * one + 150 * more AS points FROM moved
    ), summed AS (
      ${fromSchools({
        from: 'drawn',
        axes: ['year', 'demographic', 'grade_cluster', 'indicator'],
        sums: ['students', 'points', 'none', 'less', 'one', 'more'],
      })}
    ), scored AS (
      SELECT
        *,
        students >= 15 AS published,
        CASE WHEN published THEN least(100, round(points / students, 2)) END AS score,
        concat_ws('/', 'proficiency target', detail, district_code, school_code, grade_cluster) AS key,
        CASE WHEN indicator = 'progress_towards_elp' AND demographic = 'english_learners'
          AND year NOT BETWEEN 2020 AND 2022
          THEN round(least(100, 0.6 * score + 26.5 + 2.5 * n(key) + 2.5 * n(concat_ws('/', key, year))), 1) END AS target
      FROM summed
      WHERE students > 0
    )
    SELECT
      year, district_code, school_code, demographic, grade_cluster, indicator,
      CASE WHEN score >= target THEN 'green' WHEN score >= target - 4 THEN 'yellow' WHEN score < target THEN 'red' END
        AS ccrpi_flag,
      score AS indicator_score,
      target AS indicator_target,
      CASE WHEN published AND year IN (2021, 2022) THEN round(none / students, 4) END AS pct_no_positive_movement,
      CASE WHEN published AND year IN (2021, 2022) THEN round(less / students, 4) END AS pct_moved_less_than_one_band,
      CASE WHEN published AND year IN (2021, 2022) THEN round(one / students, 4) END AS pct_moved_one_band,
      CASE WHEN published AND year IN (2021, 2022) THEN round(more / students, 4) END AS pct_moved_more_than_one_band,
      detail
    FROM scored`,
};
