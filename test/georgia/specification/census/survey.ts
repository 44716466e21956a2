import { changeFirst, type Statements } from '../facts.ts';

/** The places of a survey; a row has at most one of them. */
export const SURVEY_PLACES: Statements = {
  columns: {
    county_fips: { type: 'string', nullable: true, role: 'fk_county' },
    district_code: { type: 'string', nullable: true, role: 'fk_district' },
    tract_geoid: { type: 'string', nullable: true, role: 'fk_tract' },
  },
};

/** Survey estimates, one vintage a year. */
export const SURVEY_VINTAGES: Statements = {
  facts: {
    version: '1.0.0',
    years: [2020, 2024],
    defaultDetail: 'counties',
  },
  sentences: {
    'year is the vintage end year': ['year_known', 'year_in_folder', 'year_not_null'],
    'Estimates are survey-based with 90 percent margins of error in *_moe columns':
      'How the publisher makes the figures; the confidence level leaves no trace in a row.',
  },
};

/** Estimates for the state and for every county, district and tract. */
export const TRACTS_AND_ABOVE: Statements = {
  facts: {
    levels: ['counties', 'districts', 'states', 'tracts'],
  },
  columns: {
    year: { type: 'integer', nullable: false, role: 'year' },
  },
  sentences: {
    'Years 2020-2024; detail counties, districts, states, tracts': [
      'year_known',
      'year_in_folder',
      'level_keys',
    ],
    'consecutive vintages overlap about 80 percent, so never difference them as annual change':
      'Advice on reading; any two vintages are valid rows.',
    'county_fips: 5-digit, state 13 plus county, FK counties': ['county_fips_format', 'county_fips_known'],
    'district_code: FK districts, school-district estimates mapped onto standard districts': [
      'districts_are_standard',
      'district_code_known',
    ],
    'about 180 standard districts': 'A lake may hold a part of the districts, and "about" sets no number.',
    'tract_geoid: 11-digit, 2020 boundaries, FK tracts': ['tract_geoid_format', 'tract_geoid_known'],
    "Only the key of the row's own level is populated; the state row has all three NULL": [
      'one_geography_key',
      'level_keys',
    ],
  },
  breaks: {
    one_geography_key: changeFirst(
      'county_fips = (SELECT min(county_fips) FROM t)',
      'tract_geoid IS NOT NULL OR district_code IS NOT NULL',
    ),
    county_fips_format: changeFirst(
      "county_fips = '12' || substr(county_fips, 3)",
      'county_fips IS NOT NULL',
    ),
    tract_geoid_format: changeFirst('tract_geoid = substr(tract_geoid, 1, 10)', 'tract_geoid IS NOT NULL'),
    districts_are_standard: changeFirst("district_code = '850'", 'district_code IS NOT NULL'),
  },
};

/** Estimates for the state and for counties only. */
export const COUNTIES_AND_STATE: Statements = {
  facts: {
    levels: ['counties', 'states'],
  },
  columns: {
    year: { type: 'integer', role: 'year' },
  },
  breaks: {
    district_and_tract_always_null: changeFirst("district_code = '601'", 'district_code IS NULL'),
  },
};
