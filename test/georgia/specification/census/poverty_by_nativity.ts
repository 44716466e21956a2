import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'census/poverty_by_nativity',
  facts: {
    version: '1.0.0',
    years: [2020, 2024],
    gaps: [],
    levels: ['counties', 'districts', 'states', 'tracts'],
    defaultDetail: 'counties',
    grain: ['year', 'county_fips', 'district_code', 'tract_geoid', 'citizenship_status', 'native_birthplace'],
    columns: {
      year: { type: 'integer', nullable: false, role: 'year' },
      county_fips: { type: 'string', nullable: true, role: 'fk_county' },
      district_code: { type: 'string', nullable: true, role: 'fk_district' },
      tract_geoid: { type: 'string', nullable: true, role: 'fk_tract' },
      citizenship_status: {
        type: 'string',
        role: 'categorical',
        values: ['all', 'native', 'foreign_born', 'naturalized', 'noncitizen'],
      },
      native_birthplace: {
        type: 'string',
        role: 'categorical',
        values: ['all', 'born_in_us', 'born_outside_us'],
      },
      poverty_rate: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      poverty_rate_moe: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      num_below_poverty: {
        type: 'integer',
        nullable: true,
        role: 'metric',
        unit: 'count',
        component: 'numerator',
      },
      num_below_poverty_moe: { type: 'integer', nullable: true, role: 'metric' },
      num_poverty_universe: {
        type: 'integer',
        nullable: true,
        role: 'metric',
        unit: 'count',
        component: 'denominator',
      },
      num_poverty_universe_moe: { type: 'number', nullable: true, role: 'metric' },
    },
  },
  sentences: [
    {
      says: 'Years 2020-2024; detail counties, districts, states, tracts',
      rules: ['year_known', 'year_in_folder', 'level_keys'],
    },
    {
      says: 'Grain: year, county_fips, district_code, tract_geoid, citizenship_status, native_birthplace',
      rules: ['grain_unique'],
    },
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
    {
      says: 'citizenship_status has values all, native, foreign_born, naturalized, noncitizen',
      rules: ['citizenship_status_values'],
    },
    {
      says: 'a hierarchy (all = native + foreign_born; foreign_born = naturalized + noncitizen)',
      rules: ['citizenship_hierarchy_adds_up'],
    },
    { says: 'never to be summed', rules: [], why: 'Advice on reading.' },
    {
      says: 'Citizenship is asked, not legal status',
      rules: [],
      why: 'How the survey asks; no column holds legal status.',
    },
    {
      says: 'citizenship_status: all values served at native_birthplace = all',
      rules: ['every_citizenship_status_served'],
    },
    { says: 'native_birthplace: all, born_in_us, born_outside_us', rules: ['native_birthplace_values'] },
    {
      says: 'Non-all values exist only under citizenship_status = native',
      rules: ['birthplace_only_for_natives'],
    },
    { says: 'born_in_us + born_outside_us = native', rules: ['birthplaces_add_up_to_natives'] },
    {
      says: 'poverty_rate (proportion) = num_below_poverty / num_poverty_universe',
      rules: ['poverty_rate_range', 'poverty_rate_is_share_of_universe'],
    },
    {
      says: 'poverty_rate is NULL when the universe is empty',
      rules: ['poverty_rate_null_without_universe', 'poverty_rate_where_derivable'],
    },
    {
      says: 'poverty_rate_moe is NULL when a component margin is missing, the universe is zero, or the derived margin exceeds 1.0',
      rules: ['poverty_rate_moe_null_where_not_derivable', 'poverty_rate_moe_range'],
    },
    { says: 'a served margin is always above zero', rules: ['poverty_rate_moe_above_zero'] },
    {
      says: 'rates of exactly 0 or 1 use a model margin',
      rules: ['poverty_rate_moe_modeled_at_zero_and_one'],
    },
    {
      says: 'num_below_poverty, num_poverty_universe (count)',
      rules: ['num_below_poverty_range', 'num_poverty_universe_range'],
    },
    {
      says: 'num_below_poverty_moe, num_poverty_universe_moe',
      rules: ['num_below_poverty_moe_range', 'num_poverty_universe_moe_range'],
    },
    {
      says: 'num_poverty_universe excludes institutionalized people, military group quarters, college dormitories and unrelated individuals under 15',
      rules: [],
      why: 'No column tells who was counted.',
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
    every_citizenship_status_served:
      "DELETE FROM t WHERE rowid = (SELECT min(rowid) FROM t WHERE citizenship_status = 'noncitizen' AND native_birthplace = 'all')",
    birthplace_only_for_natives:
      "UPDATE t SET citizenship_status = 'noncitizen' WHERE rowid = (SELECT min(rowid) FROM t WHERE native_birthplace = 'born_in_us')",
    birthplaces_add_up_to_natives:
      "UPDATE t SET num_poverty_universe = num_poverty_universe + 1 WHERE rowid = (SELECT min(p.rowid) FROM t p JOIN t q ON q.year = p.year AND q.county_fips IS NOT DISTINCT FROM p.county_fips AND q.district_code IS NOT DISTINCT FROM p.district_code AND q.tract_geoid IS NOT DISTINCT FROM p.tract_geoid WHERE p.native_birthplace = 'born_in_us' AND p.num_poverty_universe IS NOT NULL AND q.native_birthplace = 'born_outside_us' AND q.num_poverty_universe IS NOT NULL)",
    citizenship_hierarchy_adds_up:
      "UPDATE t SET num_poverty_universe = num_poverty_universe + 1 WHERE rowid = (SELECT min(p.rowid) FROM t p JOIN t q ON q.year = p.year AND q.county_fips IS NOT DISTINCT FROM p.county_fips AND q.district_code IS NOT DISTINCT FROM p.district_code AND q.tract_geoid IS NOT DISTINCT FROM p.tract_geoid JOIN t f ON f.year = p.year AND f.county_fips IS NOT DISTINCT FROM p.county_fips AND f.district_code IS NOT DISTINCT FROM p.district_code AND f.tract_geoid IS NOT DISTINCT FROM p.tract_geoid WHERE p.citizenship_status = 'naturalized' AND p.num_poverty_universe IS NOT NULL AND q.citizenship_status = 'noncitizen' AND q.num_poverty_universe IS NOT NULL AND f.citizenship_status = 'foreign_born' AND f.num_poverty_universe IS NOT NULL)",
    poverty_rate_is_share_of_universe:
      'UPDATE t SET poverty_rate = CASE WHEN poverty_rate > 0.5 THEN poverty_rate - 0.1 ELSE poverty_rate + 0.1 END WHERE rowid = (SELECT min(rowid) FROM t WHERE poverty_rate IS NOT NULL AND num_below_poverty IS NOT NULL AND num_poverty_universe > 0)',
    poverty_rate_null_without_universe:
      'UPDATE t SET num_poverty_universe = 0 WHERE rowid = (SELECT min(rowid) FROM t WHERE poverty_rate IS NOT NULL)',
    poverty_rate_where_derivable:
      'UPDATE t SET poverty_rate = NULL WHERE rowid = (SELECT min(rowid) FROM t WHERE poverty_rate IS NOT NULL AND num_below_poverty IS NOT NULL AND num_poverty_universe > 0)',
    poverty_rate_moe_null_where_not_derivable:
      'UPDATE t SET num_below_poverty_moe = NULL WHERE rowid = (SELECT min(rowid) FROM t WHERE poverty_rate_moe IS NOT NULL)',
    poverty_rate_moe_above_zero:
      'UPDATE t SET poverty_rate_moe = 0 WHERE rowid = (SELECT min(rowid) FROM t WHERE poverty_rate_moe IS NOT NULL AND num_below_poverty > 0 AND num_below_poverty < num_poverty_universe)',
    poverty_rate_moe_modeled_at_zero_and_one:
      'UPDATE t SET poverty_rate_moe = CASE WHEN poverty_rate_moe > 0.5 THEN poverty_rate_moe - 0.1 ELSE poverty_rate_moe + 0.1 END WHERE rowid = (SELECT min(rowid) FROM t WHERE poverty_rate_moe IS NOT NULL AND num_poverty_universe > 0 AND (num_below_poverty = 0 OR num_below_poverty = num_poverty_universe))',
  },
};
