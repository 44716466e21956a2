import { DENOMINATOR, NUMERATOR, PROPORTION } from '../columns.ts';
import { changeFirst, type Specification } from '../facts.ts';
import { SURVEY_PLACES, SURVEY_VINTAGES, TRACTS_AND_ABOVE } from './survey.ts';

export const specification: Specification = {
  key: 'census/employment',
  alike: [SURVEY_PLACES, SURVEY_VINTAGES, TRACTS_AND_ABOVE],
  facts: {
    grain: ['year', 'county_fips', 'district_code', 'tract_geoid'],
    keyMetric: 'unemployment_rate',
    updateFrequency: 'annual',
  },
  columns: {
    unemployment_rate: PROPORTION,
    unemployment_rate_moe: PROPORTION,
    num_unemployed: NUMERATOR,
    num_civilian_labor_force: DENOMINATOR,
    num_unemployed_moe: { type: 'integer', nullable: true, role: 'metric' },
    num_civilian_labor_force_moe: { type: 'integer', nullable: true, role: 'metric' },
  },
  sentences: {
    'Grain: year, county_fips, district_code, tract_geoid': ['grain_unique'],
    'unemployment_rate (proportion)': ['unemployment_rate_range'],
    'unemployment_rate = num_unemployed / num_civilian_labor_force': [
      'unemployment_rate_is_share_of_labor_force',
    ],
    'unemployment_rate is NULL when no labor force': [
      'unemployment_rate_null_without_labor_force',
      'unemployment_rate_where_derivable',
    ],
    'unemployment_rate_moe: ratio-formula margin': ['unemployment_rate_moe_ratio_formula'],
    'unemployment_rate_moe is NULL when a component margin is missing, the labor force is zero, or the margin exceeds 1.0':
      [
        'unemployment_rate_moe_null_where_not_derivable',
        'unemployment_rate_moe_where_derivable',
        'unemployment_rate_moe_range',
      ],
    'num_unemployed, num_civilian_labor_force (count)': [
      'num_unemployed_range',
      'num_civilian_labor_force_range',
    ],
    'armed forces excluded': 'No column tells who was counted.',
    'num_unemployed_moe, num_civilian_labor_force_moe (integer, nullable)': [
      'num_unemployed_moe_range',
      'num_civilian_labor_force_moe_range',
    ],
  },
  breaks: {
    unemployment_rate_is_share_of_labor_force:
      'UPDATE t SET unemployment_rate = CASE WHEN unemployment_rate > 0.5 THEN unemployment_rate - 0.1 ELSE unemployment_rate + 0.1 END WHERE rowid = (SELECT min(rowid) FROM t WHERE unemployment_rate IS NOT NULL AND num_unemployed IS NOT NULL AND num_civilian_labor_force > 0)',
    unemployment_rate_null_without_labor_force: changeFirst(
      'num_civilian_labor_force = 0',
      'unemployment_rate IS NOT NULL',
    ),
    unemployment_rate_moe_where_derivable: changeFirst(
      'unemployment_rate_moe = NULL',
      'unemployment_rate_moe <= 0.5 AND num_unemployed IS NOT NULL AND num_civilian_labor_force > 0',
    ),
    unemployment_rate_where_derivable: changeFirst(
      'unemployment_rate = NULL',
      'unemployment_rate IS NOT NULL AND num_unemployed IS NOT NULL AND num_civilian_labor_force > 0',
    ),
    unemployment_rate_moe_ratio_formula:
      'UPDATE t SET unemployment_rate_moe = CASE WHEN unemployment_rate_moe > 0.5 THEN unemployment_rate_moe - 0.1 ELSE unemployment_rate_moe + 0.1 END WHERE rowid = (SELECT min(rowid) FROM t WHERE unemployment_rate_moe IS NOT NULL AND num_unemployed IS NOT NULL AND num_civilian_labor_force > 0)',
    unemployment_rate_moe_null_where_not_derivable: changeFirst(
      'num_unemployed_moe = NULL',
      'unemployment_rate_moe IS NOT NULL',
    ),
  },
};
