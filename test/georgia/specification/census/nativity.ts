import type { Statements } from '../facts.ts';

/** Estimates for the large counties that the census publishes. */
export const LARGE_COUNTIES: Statements = {
  facts: {
    grain: ['year', 'county_fips', 'district_code', 'tract_geoid', 'citizenship_status'],
  },
  columns: {
    citizenship_status: {
      role: 'categorical',
      values: ['all', 'native', 'foreign_born', 'naturalized', 'noncitizen'],
    },
  },
  sentences: {
    'Years 2020-2024; detail counties, states (default counties)': [
      'year_known',
      'year_in_folder',
      'level_keys',
    ],
    'Grain: year, county_fips, district_code, tract_geoid, citizenship_status': ['grain_unique'],
    'consecutive vintages overlap about 80 percent, so never difference them as annual change':
      'Advice to readers; any set of rows that follows it or not is the same rows.',
    'county_fips (string, nullable, 5-digit, FK counties)': ['county_fips_known'],
    "Only the key of the row's own level is populated; the state row has all three NULL": [
      'level_keys',
      'district_and_tract_always_null',
    ],
    'district_code and tract_geoid are always NULL': ['district_and_tract_always_null'],
    'citizenship_status (categorical) has values all, native, foreign_born, naturalized, noncitizen': [
      'citizenship_status_values',
    ],
    'only the counties the census publishes per vintage (22 in 2020, 20 in 2021, 23 in 2022, 24 in 2023, 24 in 2024)':
      ['published_counties_per_vintage', 'no_more_counties_than_published'],
    'absent counties are absent, not NULL': ['level_keys', 'published_counties_per_vintage'],
    'Citizenship is asked, not legal status':
      'A statement of how the records were made; it leaves no trace in a row.',
  },
  breaks: {
    no_more_counties_than_published:
      'UPDATE t SET county_fips = (SELECT min(d.county_fips) FROM _dimensions.counties d WHERE d.county_fips NOT IN (SELECT county_fips FROM t WHERE county_fips IS NOT NULL)) WHERE rowid = (SELECT min(rowid) FROM t WHERE county_fips IS NOT NULL)',
    published_counties_per_vintage:
      'DELETE FROM t WHERE county_fips = (SELECT min(county_fips) FROM t) AND year = (SELECT min(year) FROM t WHERE county_fips = (SELECT min(county_fips) FROM t))',
  },
};

/** Citizenship as a hierarchy, down to tracts. */
export const CITIZENSHIP: Statements = {
  columns: {
    citizenship_status: {
      type: 'string',
      role: 'categorical',
      values: ['all', 'native', 'foreign_born', 'naturalized', 'noncitizen'],
    },
  },
  sentences: {
    'citizenship_status has values all, native, foreign_born, naturalized, noncitizen': [
      'citizenship_status_values',
    ],
    'a hierarchy (all = native + foreign_born; foreign_born = naturalized + noncitizen)': [
      'citizenship_hierarchy_adds_up',
    ],
    'never to be summed': 'Advice on reading.',
    'Citizenship is asked, not legal status': 'How the survey asks; no column holds legal status.',
  },
};
