import type { SampleDataset } from '../dataset.ts';
import { arrestCells } from './arrests.ts';
import { withTotals } from './totals.ts';

/** Each month's arrests, divided among all combinations of the axes. Totals are their sums. */
export const iceArrests: SampleDataset = {
  key: 'immigration/ice_arrests',
  sql: `
    WITH drawn AS (${arrestCells}),
    summed AS (
      ${withTotals({
        from: 'drawn',
        axes: ['month', 'demographic', 'criminality', 'apprehension_method_group', 'citizenship_country'],
        sums: ['num_arrests'],
      })}
    )
    SELECT *, NULL AS county_fips, 'states' AS detail
    FROM summed
    WHERE demographic <> 'unknown'`,
};
