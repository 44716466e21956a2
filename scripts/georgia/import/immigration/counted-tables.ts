import { contractShape } from '../contract-shape.ts';
import type { Importer } from '../importer.ts';
import { tableOf } from '../layout-shape.ts';

const TABLES = [
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

/** Immigration datasets that others counted or estimated: under the contract's names, or with --columns. */
export const countedTables: readonly Importer[] = TABLES.map(([topic, keys, figures]) => {
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
