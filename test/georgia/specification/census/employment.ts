import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'census/employment',
  facts: {
    version: '1.0.0',
    years: [2020, 2024],
    gaps: [],
    levels: ['counties', 'districts', 'states', 'tracts'],
    defaultDetail: 'counties',
    grain: ['year', 'county_fips', 'district_code', 'tract_geoid'],
    keyMetric: 'unemployment_rate',
    updateFrequency: 'annual',
    columns: {
      year: { type: 'integer', nullable: false, role: 'year' },
      county_fips: { type: 'string', nullable: true, role: 'fk_county' },
      district_code: { type: 'string', nullable: true, role: 'fk_district' },
      tract_geoid: { type: 'string', nullable: true, role: 'fk_tract' },
      unemployment_rate: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      unemployment_rate_moe: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      num_unemployed: {
        type: 'integer',
        nullable: true,
        role: 'metric',
        unit: 'count',
        component: 'numerator',
      },
      num_civilian_labor_force: {
        type: 'integer',
        nullable: true,
        role: 'metric',
        unit: 'count',
        component: 'denominator',
      },
      num_unemployed_moe: { type: 'integer', nullable: true, role: 'metric' },
      num_civilian_labor_force_moe: { type: 'integer', nullable: true, role: 'metric' },
    },
  },
  sentences: [
    {
      says: 'Years 2020-2024; detail counties, districts, states, tracts',
      rules: ['year_known', 'year_in_folder', 'level_keys'],
    },
    { says: 'Grain: year, county_fips, district_code, tract_geoid', rules: ['grain_unique'] },
    { says: 'year is the vintage end year', rules: ['year_known', 'year_in_folder', 'year_not_null'] },
    {
      says: 'consecutive vintages overlap about 80 percent, so never difference them as annual change',
      rules: [],
      why: 'Advice on reading; any two vintages are valid rows.',
    },
    {
      says: 'Estimates are survey-based with 90 percent margins of error in *_moe columns',
      rules: [],
      why: 'How the publisher makes the figures; the confidence level leaves no trace in a row.',
    },
    {
      says: 'county_fips: 5-digit, state 13 plus county, FK counties',
      rules: ['county_fips_format', 'county_fips_known'],
    },
    {
      says: 'district_code: FK districts, school-district estimates mapped onto standard districts',
      rules: ['districts_are_standard', 'district_code_known'],
    },
    {
      says: 'about 180 standard districts',
      rules: [],
      why: 'A lake may hold a part of the districts, and "about" sets no number.',
    },
    {
      says: 'tract_geoid: 11-digit, 2020 boundaries, FK tracts',
      rules: ['tract_geoid_format', 'tract_geoid_known'],
    },
    {
      says: "Only the key of the row's own level is populated; the state row has all three NULL",
      rules: ['one_geography_key', 'level_keys'],
    },
    { says: 'unemployment_rate (proportion)', rules: ['unemployment_rate_range'] },
    {
      says: 'unemployment_rate = num_unemployed / num_civilian_labor_force',
      rules: ['unemployment_rate_is_share_of_labor_force'],
    },
    {
      says: 'unemployment_rate is NULL when no labor force',
      rules: ['unemployment_rate_null_without_labor_force', 'unemployment_rate_where_derivable'],
    },
    { says: 'unemployment_rate_moe: ratio-formula margin', rules: ['unemployment_rate_moe_ratio_formula'] },
    {
      says: 'unemployment_rate_moe is NULL when a component margin is missing, the labor force is zero, or the margin exceeds 1.0',
      rules: [
        'unemployment_rate_moe_null_where_not_derivable',
        'unemployment_rate_moe_where_derivable',
        'unemployment_rate_moe_range',
      ],
    },
    {
      says: 'num_unemployed, num_civilian_labor_force (count)',
      rules: ['num_unemployed_range', 'num_civilian_labor_force_range'],
    },
    { says: 'armed forces excluded', rules: [], why: 'No column tells who was counted.' },
    {
      says: 'num_unemployed_moe, num_civilian_labor_force_moe (integer, nullable)',
      rules: ['num_unemployed_moe_range', 'num_civilian_labor_force_moe_range'],
    },
  ],
  breaks: {
    one_geography_key:
      'UPDATE t SET county_fips = (SELECT min(county_fips) FROM t) WHERE rowid = (SELECT min(rowid) FROM t WHERE tract_geoid IS NOT NULL OR district_code IS NOT NULL)',
    county_fips_format:
      "UPDATE t SET county_fips = '12' || substr(county_fips, 3) WHERE rowid = (SELECT min(rowid) FROM t WHERE county_fips IS NOT NULL)",
    tract_geoid_format:
      'UPDATE t SET tract_geoid = substr(tract_geoid, 1, 10) WHERE rowid = (SELECT min(rowid) FROM t WHERE tract_geoid IS NOT NULL)',
    districts_are_standard:
      "UPDATE t SET district_code = '850' WHERE rowid = (SELECT min(rowid) FROM t WHERE district_code IS NOT NULL)",
    unemployment_rate_is_share_of_labor_force:
      'UPDATE t SET unemployment_rate = CASE WHEN unemployment_rate > 0.5 THEN unemployment_rate - 0.1 ELSE unemployment_rate + 0.1 END WHERE rowid = (SELECT min(rowid) FROM t WHERE unemployment_rate IS NOT NULL AND num_unemployed IS NOT NULL AND num_civilian_labor_force > 0)',
    unemployment_rate_null_without_labor_force:
      'UPDATE t SET num_civilian_labor_force = 0 WHERE rowid = (SELECT min(rowid) FROM t WHERE unemployment_rate IS NOT NULL)',
    unemployment_rate_moe_where_derivable:
      'UPDATE t SET unemployment_rate_moe = NULL WHERE rowid = (SELECT min(rowid) FROM t WHERE unemployment_rate_moe <= 0.5 AND num_unemployed IS NOT NULL AND num_civilian_labor_force > 0)',
    unemployment_rate_where_derivable:
      'UPDATE t SET unemployment_rate = NULL WHERE rowid = (SELECT min(rowid) FROM t WHERE unemployment_rate IS NOT NULL AND num_unemployed IS NOT NULL AND num_civilian_labor_force > 0)',
    unemployment_rate_moe_ratio_formula:
      'UPDATE t SET unemployment_rate_moe = CASE WHEN unemployment_rate_moe > 0.5 THEN unemployment_rate_moe - 0.1 ELSE unemployment_rate_moe + 0.1 END WHERE rowid = (SELECT min(rowid) FROM t WHERE unemployment_rate_moe IS NOT NULL AND num_unemployed IS NOT NULL AND num_civilian_labor_force > 0)',
    unemployment_rate_moe_null_where_not_derivable:
      'UPDATE t SET num_unemployed_moe = NULL WHERE rowid = (SELECT min(rowid) FROM t WHERE unemployment_rate_moe IS NOT NULL)',
  },
};
