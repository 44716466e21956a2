import { contractShape } from './contract-shape.ts';
import type { Importer } from './importer.ts';
import { tableOf } from './layout-shape.ts';

const TABLES = [
  [
    'ice_arrests_with_detention_stays',
    'month:s county_fips:s demographic:s criminality:s apprehension_method_group:s citizenship_country:s',
    'num_arrests:i num_arrests_detained:i detention_rate_after_arrest:d',
  ],
  [
    'ice_detention_stays',
    'month:s county_fips:s demographic:s arresting_agency_group:s release_reason:s citizenship_country:s',
    'num_stays:i num_stays_ended:i avg_stay_length_days:d avg_facilities_per_stay:d',
  ],
  [
    'ice_detention_stints',
    'month:s county_fips:s demographic:s arresting_agency_group:s release_reason:s citizenship_country:s',
    'num_stints:i num_stints_ended:i avg_stint_length_days:d',
  ],
  [
    'ice_removals',
    'month:s county_fips:s demographic:s criminality:s ice_program:s citizenship_country:s',
    'num_removals:i',
  ],
  [
    'quarterly_detainer_reports',
    'quarter:s county_fips:s',
    'num_inmates_booked:i num_lesc_inquiries:i num_lesc_responses:i num_responses_illegal_alien:i num_detainers:i',
  ],
  [
    'undocumented_population_characteristics',
    'county_fips:s demographic:s estimator:s region_of_birth:s country_of_birth:s years_in_us:s age_bracket:s',
    'estimated_population:i',
  ],
] as const;

/** Counts of the other immigration datasets, under the contract's names or with --columns. Records are not counted. */
export const immigrationTables: readonly Importer[] = TABLES.map(([topic, keys, figures]) => {
  const key = ['year', ...keys.split(' ').map(column => column.replace(/:.*/, ''))].join(' ');
  const target = tableOf(`immigration/${topic}`, `year:i ${keys} ${figures}`, key);
  return {
    name: topic,
    reads: 'counts under the names of the contract, or with --columns',
    target,
    shapes: [contractShape(target)],
    repeated: 'refuse',
    merges: true,
  };
});
