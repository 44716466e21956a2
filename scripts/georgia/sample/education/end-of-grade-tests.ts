import { growthAdvantage } from './student-growth.ts';

/**
 * Results of the tests of grades 3 to 8 in every school, 2015 to 2025 without 2020, as counts of students, none
 * withheld: by achievement level, below the reading threshold of the grade (`below_lexile`, English language arts) and
 * by growth (grades 4 to 8; `received` have a growth percentile). `score_sum` adds up their scale scores. Eighth
 * graders who take a high-school course sit its test instead: `eoc` rows to 2021, physical science after.
 */
export const endOfGradeTests = `
  WITH statewide(year, shift, participation) AS (
    VALUES
      (2015, 0, 0.985), (2016, 2, 0.987), (2017, 3, 0.988), (2018, 5, 0.989), (2019, 7, 0.99), (2021, -9, 0.7),
      (2022, -6, 0.965), (2023, -3, 0.978), (2024, 0, 0.984), (2025, 3, 0.986)
  ), grades(grade_level, elementary_grade, lexile_cut) AS (
    VALUES
      ('03', true, 479), ('04', true, 489), ('05', true, 482), ('06', false, 490), ('07', false, 485),
      ('08', false, 482)
  ), subjects(subject, course_share, easier) AS (
    VALUES
      ('english_language_arts', 0.0, 0), ('mathematics', 0.22, 2), ('science', 0.16, 4), ('social_studies', 0.0, 6)
  ), pupils AS (
    SELECT
      year, district_code, school_code, grade_level, subject, e.z, school, shift, easier, lexile_cut,
      round(CASE WHEN elementary_grade THEN total * elementary / 6 ELSE total * middle / 3 END
        * (1 + 0.05 * n(concat_ws('/', 'grade size', school, grade_level, year))))::BIGINT AS enrolled,
      logistic(logit(participation) + 0.3 * n(concat_ws('/', 'participation', district_code, year))) AS participation,
      -- Not every school offers courses, and after 2021 only the one in science has its own rows.
      CASE WHEN grade_level = '08' AND u(concat_ws('/', 'course offered', school, subject)) > 0.25
        AND (year BETWEEN 2016 AND 2021 OR year >= 2022 AND subject = 'science')
        THEN course_share * exp(0.25 * e.z) ELSE 0 END AS course_share
    FROM enrollment e JOIN schools s USING (district_code, school_code)
    JOIN statewide USING (year),
    grades, subjects,
    LATERAL (SELECT concat_ws('/', district_code, school_code) AS school)
    WHERE demographic = 'all' AND CASE WHEN elementary_grade THEN elementary ELSE middle END > 0
      AND (year <= 2016 OR subject IN ('english_language_arts', 'mathematics')
        OR subject = 'science' AND grade_level IN ('05', '08') OR subject = 'social_studies' AND grade_level = '08'
        OR subject = 'social_studies' AND grade_level = '05' AND year <= 2019)
  ), seated AS (
    SELECT
      *,
      concat_ws('/', 'grade test', school, grade_level, subject, year) AS key,
      count_of(enrolled, participation, key || '/tested') AS tested_of_all,
      count_of(tested_of_all, least(0.6, course_share), key || '/course') AS course_takers
    FROM pupils
  ), groups AS (
    SELECT
      * REPLACE (enrolled - course_takers AS enrolled),
      'eog' AS assessment_type,
      subject AS tested_subject,
      tested_of_all - course_takers AS tested,
      0 AS ahead
    FROM seated
    UNION ALL BY NAME
    SELECT
      * REPLACE (key || '/course test' AS key, round(course_takers * 1.015)::BIGINT AS enrolled),
      CASE WHEN year <= 2021 THEN 'eoc' ELSE 'eog' END AS assessment_type,
      CASE WHEN year <= 2021 THEN subject ELSE 'physical_science' END AS tested_subject,
      course_takers AS tested,
      38 AS ahead
    FROM seated WHERE course_takers > 0
  ), expected AS (
    SELECT
      *,
      500 + shift + easier + ahead + 25 * z
        + 6 * drift(concat_ws('/', 'achievement', school, subject), year)
        + 5 * n(key || '/achievement') AS mean,
      -- Chances of staying below each cut score: 475, 525 and 580, where single students spread by about 52.
      logistic((475 - mean) / 28.7) AS below_developing,
      logistic((525 - mean) / 28.7) AS below_proficient,
      logistic((580 - mean) / 28.7) AS below_distinguished,
      ${growthAdvantage('subject')} + 0.15 * n(key || '/growth') AS growth
    FROM groups
  ), levels AS (
    SELECT
      *,
      count_of(tested, below_developing, key || '/beginning') AS beginning,
      count_of(tested - beginning, (below_proficient - below_developing) / (1 - below_developing), key || '/developing')
        AS developing,
      count_of(tested - beginning - developing,
        (below_distinguished - below_proficient) / (1 - below_proficient), key || '/proficient') AS proficient,
      tested - beginning - developing - proficient AS distinguished,
      CASE WHEN assessment_type = 'eog' AND grade_level >= '04' AND tested_subject <> 'physical_science'
        -- A few schools' earlier scores could not be linked.
        AND u(key || '/linked') > 0.004 THEN count_of(tested, 0.94, key || '/received') ELSE 0 END AS received
    FROM expected
  ), grown AS (
    SELECT
      *,
      count_of(received, logistic(logit(0.35) - growth), key || '/low') AS low,
      count_of(received - low, logistic(logit(0.35 / 0.65) + 0.5 * growth), key || '/high') AS high
    FROM levels
  )
  SELECT
    year, district_code, school_code, grade_level, tested_subject AS subject, assessment_type,
    enrolled, tested, beginning, developing, proficient, distinguished,
    438 * beginning + 500 * developing + 551 * proficient + 612 * distinguished
      + round(14 * sqrt(tested) * n(key || '/score'))::BIGINT AS score_sum,
    CASE WHEN subject = 'english_language_arts'
      THEN count_of(tested, logistic((lexile_cut - mean) / 28.7), key || '/lexile') ELSE 0 END AS below_lexile,
    received, low, received - low - high AS typical, high
  FROM grown
  WHERE tested > 0`;
