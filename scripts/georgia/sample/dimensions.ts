import type { SampleDimension } from './dataset.ts';

export const dimensions: readonly SampleDimension[] = [
  { key: 'block_groups', sql: 'SELECT block_group_geoid FROM block_groups' },
  { key: 'counties', sql: 'SELECT county_fips, county_name FROM counties' },
  { key: 'tracts', sql: 'SELECT tract_geoid, tract_name FROM tracts' },
  {
    key: 'education/demographics',
    sql: 'SELECT demographic, demographic_label, demographic_category FROM demographics',
  },
  {
    key: 'education/districts',
    sql: 'SELECT district_code, district_name, district_census_id, district_type FROM districts',
  },
  { key: 'education/schools', sql: 'SELECT district_code, school_code, school_name FROM schools' },
];
