import type { SampleDataset } from '../dataset.ts';
import { fromSchools } from '../levels.ts';
import { split, splitAmongGroups } from '../split.ts';
import { graduationCohorts } from './graduation-cohorts.ts';

const school = 'year, district_code, school_code';

/**
 * Students who leave high school with a credential: graduates of the cohort, and some who needed longer. Each school's
 * completers are divided by credential, and each credential's among the groups. The three diplomas by track
 * give way to one general diploma, which is reported from 2012 on.
 */
export const highSchoolCompleters: SampleDataset = {
  key: 'education/high_school_completers',
  sql: `
    WITH credentials(credential_type, completer_type, share_in_2011, share_in_2012, share_later, lean) AS (
      -- lean: how much a group's disadvantage adds to its part of the credential.
      VALUES
        ('diplomas_college_prep',                'graduates',        0.610, 0.300, 0.004, -0.3),
        ('diplomas_college_prep_and_vocational', 'graduates',        0.180, 0.090, 0.002,  0.0),
        ('diplomas_vocational',                  'graduates',        0.130, 0.060, 0.003,  0.4),
        ('general_education_diplomas',           'graduates',        0.000, 0.480, 0.955,  0.0),
        ('special_education_diplomas',           'other_completers', 0.045, 0.040, 0.021,  0.8),
        ('certificates_of_attendance',           'other_completers', 0.035, 0.030, 0.015,  0.6)
    ), mixed AS (
      SELECT
        y.year, credential_type, completer_type, lean,
        CASE
          WHEN year = 2011 THEN share_in_2011
          ELSE share_later + (share_in_2012 - share_later) * 0.55 ** (year - 2012)
        END AS share
      FROM credentials, range(2011, 2025) y(year)
      WHERE NOT (y.year = 2011 AND credential_type = 'general_education_diplomas')
    ), completed AS (
      SELECT
        ${school}, demographic, demographic_category, exhaustive, effect,
        cohort - not_graduated + round(0.3 * not_graduated)::BIGINT AS completers,
        concat_ws('/', district_code, school_code) AS place
      FROM (${graduationCohorts}) JOIN demographics USING (demographic)
      WHERE demographic_category IN ('total', 'race_ethnicity', 'sex')
    ), credited AS (
      SELECT
        *,
        round(1000000 * share * exp(
          0.3 * n(concat_ws('/', 'credential', place, credential_type))
          + 0.1 * n(concat_ws('/', 'credential', place, credential_type, year))))::BIGINT AS weight
      FROM completed JOIN mixed USING (year)
      WHERE demographic = 'all'
    ), totals AS (
      SELECT
        ${school}, credential_type, completer_type, lean,
        ${split({ total: 'completers', weight: 'weight', within: school, order: 'credential_type' })} AS total
      FROM credited
    ), weighed AS (
      SELECT
        *,
        CASE demographic WHEN 'all' THEN completers ELSE round(1000 * completers * exp(lean * effect
          + 0.1 * n(concat_ws('/', 'credential of group', place, credential_type, demographic, year))))
        END::BIGINT AS group_weight
      FROM totals JOIN completed USING (${school})
    ), drawn AS (
      SELECT
        ${school}, demographic, credential_type, completer_type,
        ${splitAmongGroups({ total: 'total', weight: 'group_weight', within: `${school}, credential_type` })}
          AS completers
      FROM weighed
    ), summed AS (
      ${fromSchools({
        from: 'drawn',
        axes: ['year', 'demographic', 'credential_type', 'completer_type'],
        sums: ['completers'],
      })}
    ), compared AS (
      SELECT
        *,
        max(completers) FILTER (demographic = 'all')
          OVER (PARTITION BY detail, ${school}, credential_type) AS of_all,
        year BETWEEN 2012 AND 2017 OR year BETWEEN 2021 AND 2022 AS zero_is_published
      FROM summed
    )
    SELECT
      year, district_code, school_code, demographic, completer_type, credential_type,
      CASE WHEN completers >= 10 OR (completers = 0 AND zero_is_published) THEN completers END AS num_completers,
      -- Until 2022 the share is published even where the group's own count is withheld.
      CASE WHEN of_all >= 10 AND (completers >= 10 OR year <= 2022) THEN round(completers / of_all, 3) END
        AS pct_of_credential_type,
      detail
    FROM compared
    -- A credential that a place did not give is listed only where its zeros are.
    WHERE of_all > 0 OR zero_is_published`,
};
