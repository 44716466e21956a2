import { DENOMINATOR, NUMERATOR, PROPORTION } from '../columns.ts';
import { changeFirst, names, type Specification } from '../facts.ts';
import { CITIZENSHIP } from './nativity.ts';
import { SURVEY_PLACES, SURVEY_VINTAGES, TRACTS_AND_ABOVE } from './survey.ts';

export const specification: Specification = {
  key: 'census/poverty_by_nativity',
  alike: [SURVEY_PLACES, SURVEY_VINTAGES, TRACTS_AND_ABOVE, CITIZENSHIP],
  facts: {
    grain: names('year county_fips district_code tract_geoid citizenship_status native_birthplace'),
  },
  columns: {
    native_birthplace: {
      type: 'string',
      role: 'categorical',
      values: ['all', 'born_in_us', 'born_outside_us'],
    },
    poverty_rate: PROPORTION,
    poverty_rate_moe: PROPORTION,
    num_below_poverty: NUMERATOR,
    num_below_poverty_moe: { type: 'integer', nullable: true, role: 'metric' },
    num_poverty_universe: DENOMINATOR,
    num_poverty_universe_moe: { type: 'number', nullable: true, role: 'metric' },
  },
  sentences: {
    'Grain: year, county_fips, district_code, tract_geoid, citizenship_status, native_birthplace': [
      'grain_unique',
    ],
    'citizenship_status: all values served at native_birthplace = all': ['every_citizenship_status_served'],
    'native_birthplace: all, born_in_us, born_outside_us': ['native_birthplace_values'],
    'Non-all values exist only under citizenship_status = native': ['birthplace_only_for_natives'],
    'born_in_us + born_outside_us = native': ['birthplaces_add_up_to_natives'],
    'poverty_rate (proportion) = num_below_poverty / num_poverty_universe': [
      'poverty_rate_range',
      'poverty_rate_is_share_of_universe',
    ],
    'poverty_rate is NULL when the universe is empty': [
      'poverty_rate_null_without_universe',
      'poverty_rate_where_derivable',
    ],
    'poverty_rate_moe is NULL when a component margin is missing, the universe is zero, or the derived margin exceeds 1.0':
      ['poverty_rate_moe_null_where_not_derivable', 'poverty_rate_moe_range'],
    'a served margin is always above zero': ['poverty_rate_moe_above_zero'],
    'rates of exactly 0 or 1 use a model margin': ['poverty_rate_moe_modeled_at_zero_and_one'],
    'num_below_poverty, num_poverty_universe (count)': [
      'num_below_poverty_range',
      'num_poverty_universe_range',
    ],
    'num_below_poverty_moe, num_poverty_universe_moe': [
      'num_below_poverty_moe_range',
      'num_poverty_universe_moe_range',
    ],
    'num_poverty_universe excludes institutionalized people, military group quarters, college dormitories and unrelated individuals under 15':
      'No column tells who was counted.',
  },
  breaks: {
    every_citizenship_status_served:
      "DELETE FROM t WHERE rowid = (SELECT min(rowid) FROM t WHERE citizenship_status = 'noncitizen' AND native_birthplace = 'all')",
    birthplace_only_for_natives: changeFirst(
      "citizenship_status = 'noncitizen'",
      "native_birthplace = 'born_in_us'",
    ),
    birthplaces_add_up_to_natives:
      "UPDATE t SET num_poverty_universe = num_poverty_universe + 1 WHERE rowid = (SELECT min(p.rowid) FROM t p JOIN t q ON q.year = p.year AND q.county_fips IS NOT DISTINCT FROM p.county_fips AND q.district_code IS NOT DISTINCT FROM p.district_code AND q.tract_geoid IS NOT DISTINCT FROM p.tract_geoid WHERE p.native_birthplace = 'born_in_us' AND p.num_poverty_universe IS NOT NULL AND q.native_birthplace = 'born_outside_us' AND q.num_poverty_universe IS NOT NULL)",
    citizenship_hierarchy_adds_up:
      "UPDATE t SET num_poverty_universe = num_poverty_universe + 1 WHERE rowid = (SELECT min(p.rowid) FROM t p JOIN t q ON q.year = p.year AND q.county_fips IS NOT DISTINCT FROM p.county_fips AND q.district_code IS NOT DISTINCT FROM p.district_code AND q.tract_geoid IS NOT DISTINCT FROM p.tract_geoid JOIN t f ON f.year = p.year AND f.county_fips IS NOT DISTINCT FROM p.county_fips AND f.district_code IS NOT DISTINCT FROM p.district_code AND f.tract_geoid IS NOT DISTINCT FROM p.tract_geoid WHERE p.citizenship_status = 'naturalized' AND p.num_poverty_universe IS NOT NULL AND q.citizenship_status = 'noncitizen' AND q.num_poverty_universe IS NOT NULL AND f.citizenship_status = 'foreign_born' AND f.num_poverty_universe IS NOT NULL)",
    poverty_rate_is_share_of_universe: changeFirst(
      'poverty_rate = CASE WHEN poverty_rate > 0.5 THEN poverty_rate - 0.1 ELSE poverty_rate + 0.1 END',
      'poverty_rate IS NOT NULL AND num_below_poverty IS NOT NULL AND num_poverty_universe > 0',
    ),
    poverty_rate_null_without_universe: changeFirst('num_poverty_universe = 0', 'poverty_rate IS NOT NULL'),
    poverty_rate_where_derivable: changeFirst(
      'poverty_rate = NULL',
      'poverty_rate IS NOT NULL AND num_below_poverty IS NOT NULL AND num_poverty_universe > 0',
    ),
    poverty_rate_moe_null_where_not_derivable: changeFirst(
      'num_below_poverty_moe = NULL',
      'poverty_rate_moe IS NOT NULL',
    ),
    poverty_rate_moe_above_zero:
      'UPDATE t SET poverty_rate_moe = 0 WHERE rowid = (SELECT min(rowid) FROM t WHERE poverty_rate_moe IS NOT NULL AND num_below_poverty > 0 AND num_below_poverty < num_poverty_universe)',
    poverty_rate_moe_modeled_at_zero_and_one:
      'UPDATE t SET poverty_rate_moe = CASE WHEN poverty_rate_moe > 0.5 THEN poverty_rate_moe - 0.1 ELSE poverty_rate_moe + 0.1 END WHERE rowid = (SELECT min(rowid) FROM t WHERE poverty_rate_moe IS NOT NULL AND num_poverty_universe > 0 AND (num_below_poverty = 0 OR num_below_poverty = num_poverty_universe))',
  },
};
