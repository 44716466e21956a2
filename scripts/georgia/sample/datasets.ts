import { accountability } from './accountability.ts';
import { zones } from './attendance-zones.ts';
import { census } from './census.ts';
import type { Samples } from './draws.ts';
import { education } from './education.ts';
import { immigration } from './immigration.ts';
import { schoolTests } from './school-tests.ts';

export interface SampleTable {
  readonly kind: 'dataset' | 'dimension';
  /** `education/attendance`; of a dimension `counties` if it is global, `education/districts` if it belongs to a domain. */
  readonly key: string;
  readonly sql: string;
}

const tables = (kind: SampleTable['kind'], samples: Samples): readonly SampleTable[] =>
  Object.entries(samples).map(([key, sql]) => ({ kind, key, sql }));

export const datasets = tables('dataset', {
  ...census,
  ...education,
  ...accountability,
  ...schoolTests,
  ...zones,
  ...immigration,
});

/** Marks the place for which `unlisted` holds as one that only files of facts name. Made-up places have no years. */
const seen = (unlisted: string) => `CASE WHEN ${unlisted} THEN 'from_source' ELSE 'list' END AS entry_origin,
  CAST(NULL AS INTEGER) AS first_year, CAST(NULL AS INTEGER) AS last_year`;

export const dimensions = tables('dimension', {
  block_groups: 'SELECT block_group_geoid FROM block_groups',
  counties: 'SELECT county_fips, county_name FROM counties',
  tracts: 'SELECT tract_geoid, tract_name FROM tracts',
  'education/demographics': 'SELECT demographic, demographic_label, demographic_category FROM demographics',
  'education/districts': `SELECT district_code, district_name, district_census_id, district_type,
    ${seen("district_code = 'RTC'")} FROM districts`,
  'education/schools': `SELECT district_code, school_code, school_name,
    ${seen('district_code || school_code = (SELECT max(district_code || school_code) FROM schools)')} FROM schools`,
});
