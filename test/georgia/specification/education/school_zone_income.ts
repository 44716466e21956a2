import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'education/school_zone_income',
  facts: {
    version: '1.0.0',
    years: [2027, 2027],
    gaps: [],
    levels: ['schools'],
    defaultDetail: 'schools',
    grain: ['year', 'district_code', 'school_code', 'zone_level'],
    keyMetric: 'median_household_income',
    updateFrequency: 'as zones change and each December',
    columns: {
      year: { type: 'integer', nullable: false, role: 'year' },
      district_code: { type: 'string', nullable: false, role: 'fk_district' },
      school_code: { type: 'string', nullable: false, role: 'fk_school' },
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
  },
  sentences: [
    { says: 'Year 2027 only', rules: ['year_known', 'year_in_folder', 'year_not_null'] },
    { says: 'detail schools', rules: ['district_code_not_null', 'school_code_not_null'] },
    { says: 'Grain: year, district_code, school_code, zone_level', rules: ['grain_unique'] },
    {
      says: 'Dollars are 2024 dollars',
      rules: [],
      why: 'The year of the dollars is not in the rows; an amount cannot show it.',
    },
    {
      says: 'district_code, school_code (string, not null)',
      rules: ['district_code_not_null', 'school_code_not_null', 'district_code_known', 'school_code_known'],
    },
    { says: 'zone_level (elementary, middle, high)', rules: ['zone_level_values', 'zone_level_not_null'] },
    {
      says: 'num_households (integer, not null)',
      rules: ['num_households_not_null', 'num_households_range'],
    },
    {
      says: 'income figures are shown only where at least 50 households',
      rules: ['income_needs_50_households'],
    },
    {
      says: 'num_households_moe (integer, not null)',
      rules: ['num_households_moe_not_null', 'num_households_moe_range'],
    },
    {
      says: 'median_household_income: NULL when fewer than 50 households',
      rules: ['income_needs_50_households'],
    },
    {
      says: 'median_household_income: NULL when its margin exceeds the median',
      rules: ['median_margin_at_most_median'],
    },
    { says: '200001 means $200,000 or more', rules: ['median_top_code_200001'] },
    {
      says: 'median_household_income_moe: NULL when the median is NULL or top-coded',
      rules: ['median_margin_null_without_median', 'median_margin_null_when_top_coded'],
    },
    {
      says: 'mean_household_income: NULL when fewer than 50 households',
      rules: ['income_needs_50_households'],
    },
    {
      says: 'mean_household_income: NULL when block groups with withheld aggregate income hold more than 1 percent of households',
      rules: [],
      why: 'No column says how many households live in block groups with withheld income.',
    },
    {
      says: 'mean_household_income: NULL when its margin exceeds the mean',
      rules: ['mean_margin_at_most_mean'],
    },
    {
      says: 'mean_household_income_moe: NULL exactly when the mean is NULL',
      rules: ['mean_margin_null_with_mean'],
    },
    {
      says: 'estimate_source: school_district, county, block_groups',
      rules: ['estimate_source_values', 'estimate_source_not_null'],
    },
    { says: 'zone_differs_by_grade (boolean, not null)', rules: ['zone_differs_by_grade_not_null'] },
  ],
  breaks: {
    income_needs_50_households: `UPDATE t SET num_households = 49
      WHERE rowid = (SELECT min(rowid) FROM t WHERE median_household_income IS NOT NULL)`,
    median_margin_at_most_median: `UPDATE t SET median_household_income_moe = median_household_income + 1
      WHERE rowid = (SELECT min(rowid) FROM t WHERE median_household_income < 200001)`,
    median_top_code_200001: `UPDATE t SET median_household_income = 210000
      WHERE rowid = (SELECT min(rowid) FROM t WHERE median_household_income IS NOT NULL)`,
    median_margin_null_without_median: `UPDATE t SET median_household_income = NULL
      WHERE rowid = (SELECT min(rowid) FROM t WHERE median_household_income_moe IS NOT NULL)`,
    median_margin_null_when_top_coded: `UPDATE t SET median_household_income = 200001
      WHERE rowid = (SELECT min(rowid) FROM t WHERE median_household_income_moe IS NOT NULL)`,
    mean_margin_at_most_mean: `UPDATE t SET mean_household_income_moe = mean_household_income + 1
      WHERE rowid = (SELECT min(rowid) FROM t WHERE mean_household_income IS NOT NULL)`,
    mean_margin_null_with_mean: `UPDATE t SET mean_household_income_moe = NULL
      WHERE rowid = (SELECT min(rowid) FROM t WHERE mean_household_income IS NOT NULL)`,
  },
};
