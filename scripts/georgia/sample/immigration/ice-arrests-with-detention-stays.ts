import type { SampleDataset } from '../dataset.ts';
import { arrestCells } from './arrests.ts';
import { withTotals } from './totals.ts';

/** The arrests of each cell of ice_arrests, and how many of them led to a detention stay. */
export const iceArrestsWithDetentionStays: SampleDataset = {
  key: 'immigration/ice_arrests_with_detention_stays',
  sql: `
    WITH methods(apprehension_method_group, held) AS (
      VALUES ('287g_program', 1.5), ('at_large_arrest', 0.9), ('custodial_arrest', 1.3), ('other', 0.2)
    ), histories(criminality, effect) AS (
      VALUES ('convicted_criminal', 0.4), ('other_immigration_violator', -0.6), ('pending_criminal_charges', 0.2)
    ), drawn AS (
      SELECT
        *,
        CASE WHEN num_arrests = 0 THEN 0 ELSE
          count_of(num_arrests, logistic(held + effect + 0.5 * surge
            - CASE demographic WHEN 'female' THEN 0.7 ELSE 0 END
            + 0.15 * n(concat_ws('/', 'detained', citizenship_country))
            + 0.1 * n(concat_ws('/', 'detained', year, month))),
            concat_ws('/', 'detained', year, month, demographic, criminality, apprehension_method_group,
              citizenship_country))
        END AS num_arrests_detained
      FROM (${arrestCells}) JOIN methods USING (apprehension_method_group) JOIN histories USING (criminality)
    ), summed AS (
      ${withTotals({
        from: 'drawn',
        axes: ['month', 'demographic', 'criminality', 'apprehension_method_group', 'citizenship_country'],
        sums: ['num_arrests', 'num_arrests_detained'],
      })}
    )
    SELECT
      *,
      round(num_arrests_detained / nullif(num_arrests, 0), 4) AS detention_rate_after_arrest,
      NULL AS county_fips,
      'states' AS detail
    FROM summed
    WHERE demographic <> 'unknown'`,
};
