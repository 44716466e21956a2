import { accountability } from './accountability.ts';
import { zones } from './attendance-zones.ts';
import { census } from './census.ts';
import type { Samples } from './draws.ts';
import { education } from './education.ts';
import { immigration } from './immigration.ts';
import { schoolTests } from './school-tests.ts';

export const datasets: Samples = {
  ...census,
  ...education,
  ...accountability,
  ...schoolTests,
  ...zones,
  ...immigration,
};

/** Marks the place for which `unlisted` holds as one that only files of facts name. Made-up places have no years. */
const seen = (unlisted: string) => `CASE WHEN ${unlisted} THEN 'from_source' ELSE 'list' END AS entry_origin`;

/** By their paths in the lake. */
export const dimensions: Samples = {
  '_dimensions/block_groups': 'SELECT block_group_geoid FROM block_groups',
  '_dimensions/counties': 'SELECT county_fips, county_name FROM counties',
  '_dimensions/tracts': 'SELECT tract_geoid, tract_name FROM tracts',
  'education/_dimensions/demographics':
    'SELECT demographic, demographic_label, demographic_category FROM demographics',
  'education/_dimensions/districts': `SELECT district_code, district_name, district_census_id, district_type,
    ${seen("district_code = 'RTC'")} FROM districts`,
  'education/_dimensions/schools': `SELECT district_code, school_code, school_name,
    ${seen('place = (SELECT max(place) FROM schools)')} FROM schools`,
};
