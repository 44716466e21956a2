import { splitAmongGroups } from '../split.ts';

const school = 'year, district_code, school_code';

/**
 * The graduating cohort of every high school, year (2004 to 2025) and group: `cohort` students, of whom
 * `not_graduated` had no diploma after four years, none withheld. A school's cohort is about a quarter of its students,
 * and the school draws who does not graduate. Groups divide the cohort by size, and those who do not graduate by size
 * and effect. Groups of an exhaustive category add up to `all` in both. Until 2010 graduates are counted by an
 * earlier method, which finds more of them.
 */
export const graduationCohorts: string = `
  WITH expected AS (
    SELECT
      ${school}, demographic, demographic_category, exhaustive, effect, students, place,
      round(total * high / 4)::BIGINT AS cohort_of_all,
      logistic(CASE WHEN year <= 2010 THEN 0.75 + 0.12 * (year - 2004) ELSE 1.15 + 0.065 * (year - 2012) END
        + 0.5 * e.z + 0.15 * drift('graduation/' || place, year)) AS share
    FROM enrollment e
    JOIN schools USING (district_code, school_code),
    LATERAL (SELECT concat_ws('/', district_code, school_code) AS place)
    WHERE high > 0
  ), cohorts AS (
    SELECT
      *,
      ${splitAmongGroups({ total: 'cohort_of_all', weight: 'students', within: school })} AS cohort,
      count_of(cohort_of_all, 1 - share, concat_ws('/', 'not graduated', place, year)) AS left_of_all
    FROM expected
  ), weighed AS (
    SELECT
      *,
      round(1000 * cohort * exp(CASE demographic WHEN 'all' THEN 0 ELSE effect
        + 0.2 * n(concat_ws('/', 'graduation of group', place, demographic))
        + n(concat_ws('/', 'graduation of group', place, demographic, year)) / sqrt(20 + cohort) END))::BIGINT AS weight
    FROM cohorts
  ), divided AS (
    SELECT
      *,
      least(cohort, ${splitAmongGroups({ total: 'left_of_all', weight: 'weight', within: school })}) AS share_of_left
    FROM weighed
  ), capped AS (
    -- What is more than a group's cohort falls to the others of its category, who have room for it.
    SELECT
      *,
      cohort - share_of_left AS room,
      left_of_all - sum(share_of_left) OVER (PARTITION BY ${school}, demographic_category) AS excess
    FROM divided
  )
  SELECT
    ${school}, demographic, cohort,
    CASE WHEN exhaustive
      THEN share_of_left + ${splitAmongGroups({ total: 'excess', weight: 'room', within: school })}
      ELSE greatest(share_of_left, left_of_all - (cohort_of_all - cohort))
    END AS not_graduated
  FROM capped`;
