import { COUNT } from '../columns.ts';
import { changeFirst, names, type Specification } from '../facts.ts';
import { CITIZENSHIP } from './nativity.ts';
import { SURVEY_PLACES, SURVEY_VINTAGES, TRACTS_AND_ABOVE } from './survey.ts';

export const specification: Specification = {
  key: 'census/foreign_born_population',
  alike: [SURVEY_PLACES, SURVEY_VINTAGES, TRACTS_AND_ABOVE, CITIZENSHIP],
  facts: {
    grain: names(
      'year county_fips district_code tract_geoid citizenship_status place_of_birth region_of_birth',
    ),
    keyMetric: 'population_count',
  },
  columns: {
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
    population_count: COUNT,
    population_count_moe: { type: 'number', nullable: true, role: 'metric' },
  },
  sentences: {
    'Grain: year, county_fips, district_code, tract_geoid, citizenship_status, place_of_birth, region_of_birth':
      ['grain_unique'],
    'place_of_birth: all, born_in_state, born_other_state, native_born_abroad, foreign_born': [
      'place_of_birth_values',
    ],
    'The four non-all values partition the total': ['places_of_birth_partition_total'],
    'served only at citizenship_status = all and region_of_birth = all': ['place_of_birth_only_at_totals'],
    'place_of_birth = foreign_born and citizenship_status = foreign_born are the same people': [
      'foreign_born_same_on_both_axes',
    ],
    'do not add the axes': 'Advice on reading.',
    'region_of_birth: all, europe, asia, africa, oceania, latin_america, northern_america': [
      'region_of_birth_values',
    ],
    'Non-all values exist only under citizenship_status foreign_born, naturalized, noncitizen at place_of_birth = all':
      ['region_only_for_foreign_born'],
    'From vintage 2023 the region rows sum to at most the subtotal': ['regions_within_subtotal'],
    'people born at sea belong to no region': 'The reason for the sentence before; they have no row.',
    'population_count (count)': ['population_count_range'],
    'foreign_born by region rows are the exact sum of naturalized and noncitizen region cells': [
      'foreign_born_regions_sum_citizenship',
    ],
    'population_count_moe: NULL only for the controlled total (all, all, all)': [
      'margin_null_only_for_total',
    ],
    'a margin is at least zero': ['population_count_moe_range'],
    'derived foreign_born by region margins use the square root of the sum of squares': [
      'foreign_born_region_margin_root_of_squares',
    ],
  },
  breaks: {
    place_of_birth_only_at_totals: changeFirst(
      "citizenship_status = 'native'",
      "place_of_birth = 'born_in_state'",
    ),
    region_only_for_foreign_born: changeFirst(
      "citizenship_status = 'native'",
      "region_of_birth <> 'all' AND citizenship_status = 'noncitizen'",
    ),
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
    margin_null_only_for_total: changeFirst(
      'population_count_moe = NULL',
      "citizenship_status <> 'all' AND population_count_moe IS NOT NULL",
    ),
    foreign_born_region_margin_root_of_squares:
      "UPDATE t SET population_count_moe = population_count_moe + 10 WHERE rowid = (SELECT min(f.rowid) FROM t f JOIN t n ON n.year = f.year AND n.county_fips IS NOT DISTINCT FROM f.county_fips AND n.district_code IS NOT DISTINCT FROM f.district_code AND n.tract_geoid IS NOT DISTINCT FROM f.tract_geoid AND n.region_of_birth = f.region_of_birth JOIN t c ON c.year = f.year AND c.county_fips IS NOT DISTINCT FROM f.county_fips AND c.district_code IS NOT DISTINCT FROM f.district_code AND c.tract_geoid IS NOT DISTINCT FROM f.tract_geoid AND c.region_of_birth = f.region_of_birth WHERE f.region_of_birth <> 'all' AND f.citizenship_status = 'foreign_born' AND n.citizenship_status = 'naturalized' AND c.citizenship_status = 'noncitizen' AND f.population_count_moe IS NOT NULL AND n.population_count_moe IS NOT NULL AND c.population_count_moe IS NOT NULL)",
  },
};
