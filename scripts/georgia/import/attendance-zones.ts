/** Datasets on the attendance zones of schools, which others computed. */
import { dataset } from './dataset.ts';
import type { Importer } from './importer.ts';

const COMMON = {
  reads: 'a table under the names of the contract, or with --columns',
  merges: true,
  // Place columns would give another level.
  level: 'schools',
} as const;

export const attendanceZones: readonly Importer[] = [
  dataset({
    ...COMMON,
    path: 'education/school_attendance_zone_block_groups',
    about: { report: ['zones'] },
    columns: `year district_code school_code zone_level:s grade_level block_group_geoid num_population:i
      num_block_group_population:i pct_of_block_group_population:d pct_of_block_group_area:d pct_of_zone_population:d
      num_households:i num_block_group_households:i pct_of_block_group_households:d is_largest_zone_for_block_group:b`,
  }),
  dataset({
    ...COMMON,
    path: 'education/school_attendance_zone_tracts',
    about: { report: ['zones'] },
    columns: `year district_code school_code zone_level:s grade_level tract_geoid num_population:i
      num_tract_population:i pct_of_tract_population:d pct_of_tract_area:d pct_of_zone_population:d
      is_largest_zone_for_tract:b`,
  }),
  dataset({
    ...COMMON,
    path: 'education/school_zone_income',
    about: { report: ['income', 'zones'] },
    columns: `year district_code school_code zone_level num_households:i num_households_moe:i
      median_household_income:i median_household_income_moe:i mean_household_income:i mean_household_income_moe:i
      estimate_source:s zone_differs_by_grade:b`,
  }),
];
