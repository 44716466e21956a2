import type { SampleDataset } from '../dataset.ts';
import { fromSchools } from '../levels.ts';
import { graduationCohorts } from './graduation-cohorts.ts';

/**
 * The graduating cohorts as the federal rate counts them. A group of fewer than ten is withheld: as zeros until 2009,
 * as NULL since. The size of the cohort is not published for 2012 to 2016.
 */
export const graduationRate4YearCohort: SampleDataset = {
  key: 'education/graduation_rate_4_year_cohort',
  sql: `
    WITH cohorts AS (${graduationCohorts}), drawn AS (
      SELECT *, cohort - not_graduated AS graduates
      FROM cohorts
      WHERE cohort > 0
        AND year <= 2024
        AND (year >= 2018 OR demographic NOT IN ('active_duty', 'foster_care', 'homeless'))
        AND NOT (year = 2021 AND demographic = 'english_learners')
    ), summed AS (
      ${fromSchools({ from: 'drawn', axes: ['year', 'demographic'], sums: ['cohort', 'graduates'] })}
    ), judged AS (
      SELECT *, cohort >= 10 AS published, CASE WHEN year <= 2009 THEN 0 END AS withheld
      FROM summed
    )
    SELECT
      year, district_code, school_code, demographic,
      CASE WHEN published THEN graduates ELSE withheld END AS num_graduates,
      CASE WHEN year NOT BETWEEN 2012 AND 2016 THEN CASE WHEN published THEN cohort ELSE withheld END END AS num_cohort,
      CASE WHEN published THEN round(graduates / cohort, 3) ELSE withheld END AS graduation_rate,
      detail
    FROM judged`,
};
