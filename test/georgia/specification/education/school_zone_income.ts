import { changeFirst, type Specification } from '../facts.ts';
import { SCHOOLS_ALONE } from './school-places.ts';

export const specification: Specification = {
  key: 'education/school_zone_income',
  alike: [SCHOOLS_ALONE],
  facts: {
    version: '1.0.0',
    years: [2027, 2027],
    grain: ['year', 'district_code', 'school_code', 'zone_level'],
    keyMetric: 'median_household_income',
    updateFrequency: 'as zones change and each December',
  },
  columns: {
    zone_level: { role: 'categorical', values: ['elementary', 'middle', 'high'] },
    num_households: { type: 'integer', nullable: false },
    num_households_moe: { type: 'integer', nullable: false },
    median_household_income: { type: 'integer', nullable: true, unit: 'currency' },
    median_household_income_moe: { type: 'integer', nullable: true },
    mean_household_income: { type: 'integer', nullable: true, unit: 'currency' },
    mean_household_income_moe: { type: 'integer', nullable: true },
    estimate_source: { role: 'categorical', values: ['school_district', 'county', 'block_groups'] },
    zone_differs_by_grade: { type: 'boolean', nullable: false },
  },
  sentences: {
    'Year 2027 only': ['year_known', 'year_in_folder', 'year_not_null'],
    'detail schools': ['district_code_not_null', 'school_code_not_null'],
    'Grain: year, district_code, school_code, zone_level': ['grain_unique'],
    'Dollars are 2024 dollars': 'The year of the dollars is not in the rows; an amount cannot show it.',
    'district_code, school_code (string, not null)': [
      'district_code_not_null',
      'school_code_not_null',
      'district_code_known',
      'school_code_known',
    ],
    'zone_level (elementary, middle, high)': ['zone_level_values', 'zone_level_not_null'],
    'num_households (integer, not null)': ['num_households_not_null', 'num_households_range'],
    'income figures are shown only where at least 50 households': ['income_needs_50_households'],
    'num_households_moe (integer, not null)': ['num_households_moe_not_null', 'num_households_moe_range'],
    'median_household_income: NULL when fewer than 50 households': ['income_needs_50_households'],
    'median_household_income: NULL when its margin exceeds the median': ['median_margin_at_most_median'],
    '200001 means $200,000 or more': ['median_top_code_200001'],
    'median_household_income_moe: NULL when the median is NULL or top-coded': [
      'median_margin_null_without_median',
      'median_margin_null_when_top_coded',
    ],
    'mean_household_income: NULL when fewer than 50 households': ['income_needs_50_households'],
    'mean_household_income: NULL when block groups with withheld aggregate income hold more than 1 percent of households':
      'No column says how many households live in block groups with withheld income.',
    'mean_household_income: NULL when its margin exceeds the mean': ['mean_margin_at_most_mean'],
    'mean_household_income_moe: NULL exactly when the mean is NULL': ['mean_margin_null_with_mean'],
    'estimate_source: school_district, county, block_groups': [
      'estimate_source_values',
      'estimate_source_not_null',
    ],
    'zone_differs_by_grade (boolean, not null)': ['zone_differs_by_grade_not_null'],
  },
  breaks: {
    income_needs_50_households: changeFirst('num_households = 49', 'median_household_income IS NOT NULL'),
    median_margin_at_most_median: changeFirst(
      'median_household_income_moe = median_household_income + 1',
      'median_household_income < 200001',
    ),
    median_top_code_200001: changeFirst(
      'median_household_income = 210000',
      'median_household_income IS NOT NULL',
    ),
    median_margin_null_without_median: changeFirst(
      'median_household_income = NULL',
      'median_household_income_moe IS NOT NULL',
    ),
    median_margin_null_when_top_coded: changeFirst(
      'median_household_income = 200001',
      'median_household_income_moe IS NOT NULL',
    ),
    mean_margin_at_most_mean: changeFirst(
      'mean_household_income_moe = mean_household_income + 1',
      'mean_household_income IS NOT NULL',
    ),
    mean_margin_null_with_mean: changeFirst(
      'mean_household_income_moe = NULL',
      'mean_household_income IS NOT NULL',
    ),
  },
};
