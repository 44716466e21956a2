import type { SampleDimension } from './dataset.ts';

/** No file names a made-up place; the one for which `unlisted` holds stands for those that the list lacks. */
const seen = (unlisted: string) => `CASE WHEN ${unlisted} THEN 'from_source' ELSE 'list' END AS entry_origin,
  CAST(NULL AS INTEGER) AS first_year, CAST(NULL AS INTEGER) AS last_year`;

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
    sql: `SELECT district_code, district_name, district_census_id, district_type, ${seen("district_code = 'RTC'")} FROM districts`,
  },
  {
    key: 'education/schools',
    sql: `SELECT district_code, school_code, school_name, ${seen('district_code || school_code = (SELECT max(district_code || school_code) FROM schools)')} FROM schools`,
  },
];
