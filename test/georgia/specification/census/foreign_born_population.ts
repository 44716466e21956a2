import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'census/foreign_born_population',
  facts: {
    version: '1.0.0',
    years: [2020, 2024],
    gaps: [],
    levels: ['counties', 'districts', 'states', 'tracts'],
    defaultDetail: 'counties',
    grain: [
      'year',
      'county_fips',
      'district_code',
      'tract_geoid',
      'citizenship_status',
      'place_of_birth',
      'region_of_birth',
    ],
    keyMetric: 'population_count',
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
      place_of_birth: {
        type: 'string',
        role: 'categorical',
        values: ['all', 'born_in_state', 'born_other_state', 'native_born_abroad', 'foreign_born'],
      },
      region_of_birth: {
        type: 'string',
        role: 'categorical',
        values: ['all', 'europe', 'asia', 'africa', 'oceania', 'latin_america', 'northern_america'],
      },
      population_count: { type: 'integer', nullable: true, role: 'metric', unit: 'count' },
      population_count_moe: { type: 'number', nullable: true, role: 'metric' },
    },
  },
  sentences: [
    {
      says: 'Years 2020-2024; detail counties, districts, states, tracts',
      rules: ['year_known', 'year_in_folder', 'level_keys'],
    },
    {
      says: 'Grain: year, county_fips, district_code, tract_geoid, citizenship_status, place_of_birth, region_of_birth',
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
      says: 'place_of_birth: all, born_in_state, born_other_state, native_born_abroad, foreign_born',
      rules: ['place_of_birth_values'],
    },
    { says: 'The four non-all values partition the total', rules: ['places_of_birth_partition_total'] },
    {
      says: 'served only at citizenship_status = all and region_of_birth = all',
      rules: ['place_of_birth_only_at_totals'],
    },
    {
      says: 'place_of_birth = foreign_born and citizenship_status = foreign_born are the same people',
      rules: ['foreign_born_same_on_both_axes'],
    },
    { says: 'do not add the axes', rules: [], why: 'Advice on reading.' },
    {
      says: 'region_of_birth: all, europe, asia, africa, oceania, latin_america, northern_america',
      rules: ['region_of_birth_values'],
    },
    {
      says: 'Non-all values exist only under citizenship_status foreign_born, naturalized, noncitizen at place_of_birth = all',
      rules: ['region_only_for_foreign_born'],
    },
    {
      says: 'From vintage 2023 the region rows sum to at most the subtotal',
      rules: ['regions_within_subtotal'],
    },
    {
      says: 'people born at sea belong to no region',
      rules: [],
      why: 'The reason for the sentence before; they have no row.',
    },
    { says: 'population_count (count)', rules: ['population_count_range'] },
    {
      says: 'foreign_born by region rows are the exact sum of naturalized and noncitizen region cells',
      rules: ['foreign_born_regions_sum_citizenship'],
    },
    {
      says: 'population_count_moe: NULL only for the controlled total (all, all, all)',
      rules: ['margin_null_only_for_total'],
    },
    { says: 'a margin is at least zero', rules: ['population_count_moe_range'] },
    {
      says: 'derived foreign_born by region margins use the square root of the sum of squares',
      rules: ['foreign_born_region_margin_root_of_squares'],
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
    place_of_birth_only_at_totals:
      "UPDATE t SET citizenship_status = 'native' WHERE rowid = (SELECT min(rowid) FROM t WHERE place_of_birth = 'born_in_state')",
    region_only_for_foreign_born:
      "UPDATE t SET citizenship_status = 'native' WHERE rowid = (SELECT min(rowid) FROM t WHERE region_of_birth <> 'all' AND citizenship_status = 'noncitizen')",
    places_of_birth_partition_total:
      "UPDATE t SET population_count = population_count + 1 WHERE rowid = (SELECT min(p.rowid) FROM t p JOIN (SELECT year, county_fips, district_code, tract_geoid FROM t WHERE place_of_birth <> 'all' GROUP BY year, county_fips, district_code, tract_geoid HAVING count(population_count) = 4) q ON q.year = p.year AND q.county_fips IS NOT DISTINCT FROM p.county_fips AND q.district_code IS NOT DISTINCT FROM p.district_code AND q.tract_geoid IS NOT DISTINCT FROM p.tract_geoid JOIN t a ON a.year = p.year AND a.county_fips IS NOT DISTINCT FROM p.county_fips AND a.district_code IS NOT DISTINCT FROM p.district_code AND a.tract_geoid IS NOT DISTINCT FROM p.tract_geoid WHERE p.place_of_birth = 'born_in_state' AND a.citizenship_status = 'all' AND a.place_of_birth = 'all' AND a.region_of_birth = 'all' AND a.population_count IS NOT NULL)",
    foreign_born_same_on_both_axes:
      "UPDATE t SET population_count = population_count + 1 WHERE rowid = (SELECT min(p.rowid) FROM t p JOIN t c ON c.year = p.year AND c.county_fips IS NOT DISTINCT FROM p.county_fips AND c.district_code IS NOT DISTINCT FROM p.district_code AND c.tract_geoid IS NOT DISTINCT FROM p.tract_geoid WHERE p.place_of_birth = 'foreign_born' AND p.population_count IS NOT NULL AND c.place_of_birth = 'all' AND c.region_of_birth = 'all' AND c.citizenship_status = 'foreign_born' AND c.population_count IS NOT NULL)",
    citizenship_hierarchy_adds_up:
      "UPDATE t SET population_count = population_count + 1 WHERE rowid = (SELECT min(n.rowid) FROM t n JOIN t f ON f.year = n.year AND f.county_fips IS NOT DISTINCT FROM n.county_fips AND f.district_code IS NOT DISTINCT FROM n.district_code AND f.tract_geoid IS NOT DISTINCT FROM n.tract_geoid JOIN t a ON a.year = n.year AND a.county_fips IS NOT DISTINCT FROM n.county_fips AND a.district_code IS NOT DISTINCT FROM n.district_code AND a.tract_geoid IS NOT DISTINCT FROM n.tract_geoid WHERE n.citizenship_status = 'native' AND n.population_count IS NOT NULL AND f.citizenship_status = 'foreign_born' AND f.place_of_birth = 'all' AND f.region_of_birth = 'all' AND f.population_count IS NOT NULL AND a.citizenship_status = 'all' AND a.place_of_birth = 'all' AND a.region_of_birth = 'all' AND a.population_count IS NOT NULL)",
    regions_within_subtotal:
      "UPDATE t SET population_count = population_count + 100000000 WHERE rowid = (SELECT min(r.rowid) FROM t r JOIN t s ON s.year = r.year AND s.county_fips IS NOT DISTINCT FROM r.county_fips AND s.district_code IS NOT DISTINCT FROM r.district_code AND s.tract_geoid IS NOT DISTINCT FROM r.tract_geoid AND s.citizenship_status = r.citizenship_status WHERE r.region_of_birth <> 'all' AND r.population_count IS NOT NULL AND s.region_of_birth = 'all' AND s.place_of_birth = 'all' AND s.population_count IS NOT NULL)",
    foreign_born_regions_sum_citizenship:
      "UPDATE t SET population_count = population_count - 1 WHERE rowid = (SELECT min(f.rowid) FROM t f JOIN t n ON n.year = f.year AND n.county_fips IS NOT DISTINCT FROM f.county_fips AND n.district_code IS NOT DISTINCT FROM f.district_code AND n.tract_geoid IS NOT DISTINCT FROM f.tract_geoid AND n.region_of_birth = f.region_of_birth JOIN t c ON c.year = f.year AND c.county_fips IS NOT DISTINCT FROM f.county_fips AND c.district_code IS NOT DISTINCT FROM f.district_code AND c.tract_geoid IS NOT DISTINCT FROM f.tract_geoid AND c.region_of_birth = f.region_of_birth WHERE f.region_of_birth <> 'all' AND f.citizenship_status = 'foreign_born' AND n.citizenship_status = 'naturalized' AND c.citizenship_status = 'noncitizen' AND f.population_count > 0 AND n.population_count IS NOT NULL AND c.population_count IS NOT NULL)",
    margin_null_only_for_total:
      "UPDATE t SET population_count_moe = NULL WHERE rowid = (SELECT min(rowid) FROM t WHERE citizenship_status <> 'all' AND population_count_moe IS NOT NULL)",
    foreign_born_region_margin_root_of_squares:
      "UPDATE t SET population_count_moe = population_count_moe + 10 WHERE rowid = (SELECT min(f.rowid) FROM t f JOIN t n ON n.year = f.year AND n.county_fips IS NOT DISTINCT FROM f.county_fips AND n.district_code IS NOT DISTINCT FROM f.district_code AND n.tract_geoid IS NOT DISTINCT FROM f.tract_geoid AND n.region_of_birth = f.region_of_birth JOIN t c ON c.year = f.year AND c.county_fips IS NOT DISTINCT FROM f.county_fips AND c.district_code IS NOT DISTINCT FROM f.district_code AND c.tract_geoid IS NOT DISTINCT FROM f.tract_geoid AND c.region_of_birth = f.region_of_birth WHERE f.region_of_birth <> 'all' AND f.citizenship_status = 'foreign_born' AND n.citizenship_status = 'naturalized' AND c.citizenship_status = 'noncitizen' AND f.population_count_moe IS NOT NULL AND n.population_count_moe IS NOT NULL AND c.population_count_moe IS NOT NULL)",
  },
};
