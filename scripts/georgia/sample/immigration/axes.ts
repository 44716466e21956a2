/**
 * The axes that the enforcement datasets share, as tables of values without their `all`. `share` is the value's
 * share of arrests before 2025 and `surge` how much likelier it becomes after; all figures are invented.
 */

/** Months from October 2022 to August 2026; the records end on 6 August, `coverage` into the last month. */
export const months = `
  SELECT
    elapsed,
    year(start)::INTEGER AS year,
    strftime(start, '%m') AS month,
    CASE WHEN start = DATE '2026-08-01' THEN 6 / 31 ELSE 1 END AS coverage
  FROM range(47) t(elapsed), LATERAL (SELECT (DATE '2022-10-01' + to_months(elapsed::INTEGER))::DATE AS start)`;

/** Records of unknown gender count toward `all` only: leave out the rows of `unknown` after summing. */
export const genders = `
  SELECT * FROM (VALUES ('female', 0.09), ('male', 0.905), ('unknown', 0.005)) t(demographic, share)`;

export const criminality = `
  SELECT * FROM (VALUES
    ('convicted_criminal', 0.46, -0.4),
    ('other_immigration_violator', 0.24, 0.6),
    ('pending_criminal_charges', 0.30, 0.1)
  ) t(criminality, share, surge)`;

export const arrestMethods = `
  SELECT * FROM (VALUES
    ('287g_program', 0.12, 0.3),
    ('at_large_arrest', 0.13, 1.1),
    ('custodial_arrest', 0.68, -0.3),
    ('other', 0.07, 0.0)
  ) t(apprehension_method_group, share, surge)`;

export const countries = `
  SELECT * FROM (VALUES
    ('brazil', 0.012), ('china', 0.008), ('colombia', 0.025), ('cuba', 0.012), ('dominican_republic', 0.008),
    ('ecuador', 0.016), ('el_salvador', 0.06), ('guatemala', 0.15), ('haiti', 0.01), ('honduras', 0.11),
    ('india', 0.014), ('jamaica', 0.016), ('mauritania', 0.002), ('mexico', 0.42), ('nicaragua', 0.02),
    ('nigeria', 0.006), ('peru', 0.012), ('russia', 0.002), ('senegal', 0.002), ('south_korea', 0.004),
    ('venezuela', 0.04), ('vietnam', 0.006), ('other', 0.042), ('unknown', 0.003)
  ) t(citizenship_country, share)`;
