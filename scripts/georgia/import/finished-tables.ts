import type { Importer } from './importer.ts';
import { tableOf } from './layout-shape.ts';

/** Path, columns, key, and the level of all rows if the keys would tell another. */
const TABLES = [
  [
    'immigration/quarterly_detainer_reports',
    'year:i quarter:s county_fips:s num_inmates_booked:i num_lesc_inquiries:i num_lesc_responses:i num_responses_illegal_alien:i num_detainers:i',
    'year quarter county_fips',
  ],
  [
    'immigration/undocumented_population_characteristics',
    'year:i county_fips:s demographic:s estimator:s region_of_birth:s country_of_birth:s years_in_us:s age_bracket:s estimated_population:i',
    'year county_fips demographic estimator region_of_birth country_of_birth years_in_us age_bracket',
  ],
  [
    'education/school_attendance_zone_block_groups',
    'year:i district_code:s school_code:s zone_level:s grade_level:s block_group_geoid:s num_population:i num_block_group_population:i pct_of_block_group_population:d pct_of_block_group_area:d pct_of_zone_population:d num_households:i num_block_group_households:i pct_of_block_group_households:d is_largest_zone_for_block_group:b',
    'year district_code school_code grade_level block_group_geoid',
    'schools',
  ],
  [
    'education/school_attendance_zone_tracts',
    'year:i district_code:s school_code:s zone_level:s grade_level:s tract_geoid:s num_population:i num_tract_population:i pct_of_tract_population:d pct_of_tract_area:d pct_of_zone_population:d is_largest_zone_for_tract:b',
    'year district_code school_code grade_level tract_geoid',
    'schools',
  ],
  [
    'education/school_zone_income',
    'year:i district_code:s school_code:s zone_level:s num_households:i num_households_moe:i median_household_income:i median_household_income_moe:i mean_household_income:i mean_household_income_moe:i estimate_source:s zone_differs_by_grade:b',
    'year district_code school_code zone_level',
    'schools',
  ],
] as const;

/** Datasets that others counted or estimated: under the contract's names, or with --columns. */
export const finishedTables: readonly Importer[] = TABLES.map(([path, columns, key, level]) => ({
  name: path.replace(/^.*\//, ''),
  reads: 'a table under the names of the contract, or with --columns',
  target: { ...tableOf(path, columns, key), ...(level ? { level } : {}) },
  shapes: [],
  repeated: 'refuse',
  merges: true,
}));
