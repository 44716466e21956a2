import type { SampleDataset } from '../dataset.ts';
import { split } from '../split.ts';
import { monthlyArrests } from './arrests.ts';
import { countries, criminality, genders } from './axes.ts';
import { withTotals } from './totals.ts';

/** Removals follow arrests by two months. Each month's are divided among all combinations of the axes. */
export const iceRemovals: SampleDataset = {
  key: 'immigration/ice_removals',
  sql: `
    WITH genders AS (${genders}), criminality AS (${criminality}), countries AS (${countries}),
    programs(ice_program, share, surge, first_year) AS (
      VALUES
        ('287g_program', 0.14, 0.2, 2022), ('287g_task_force', 0.03, 0.6, 2025),
        ('alternatives_to_detention', 0.02, 0.3, 2022), ('border_patrol', 0.05, -0.5, 2022),
        ('criminal_alien_program', 0.6, -0.2, 2022), ('docket_control', 0.06, 0.0, 2022),
        ('fugitive_operations', 0.07, 0.8, 2022), ('other', 0.03, 0.0, 2022)
    ), months AS (${monthlyArrests}),
    totals AS (
      SELECT
        year, month, coverage, surge,
        round(coverage * (0.45 + 0.1 * surge) * coalesce(lag(arrests, 2) OVER (ORDER BY elapsed), 230)
          * exp(0.05 * n(concat_ws('/', 'removals', year, month)))) AS removals
      FROM months
    ), cells AS (
      SELECT
        year, month, demographic, criminality, ice_program, citizenship_country, removals,
        u(concat_ws('/', 'removals', year, month, demographic, criminality, ice_program, citizenship_country)) AS turn,
        round(100000000 * genders.share * criminality.share * programs.share * countries.share
          * exp(totals.surge * (criminality.surge + programs.surge)
            + 0.2 * n('removals/' || citizenship_country)))::BIGINT AS weight
      FROM totals JOIN programs ON year >= first_year, genders, criminality, countries
    ), drawn AS (
      SELECT *, ${split({ total: 'removals', weight: 'weight', within: 'year, month', order: 'turn' })} AS num_removals
      FROM cells
    ), summed AS (
      ${withTotals({
        from: 'drawn',
        axes: ['month', 'demographic', 'criminality', 'ice_program', 'citizenship_country'],
        sums: ['num_removals'],
      })}
    )
    SELECT *, NULL AS county_fips, 'states' AS detail
    FROM summed
    WHERE demographic <> 'unknown'`,
};
