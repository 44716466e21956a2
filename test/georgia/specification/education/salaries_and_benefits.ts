import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'education/salaries_and_benefits',
  facts: {
    version: '1.1.0',
    years: [2011, 2024],
    gaps: [],
    levels: ['districts', 'states'],
    defaultDetail: 'districts',
    grain: ['year', 'district_code', 'school_code', 'staff_category'],
    keyMetric: 'salaries_and_benefits',
    columns: {
      year: { type: 'integer', nullable: false, role: 'year' },
      district_code: { type: 'string', nullable: true, role: 'fk_district' },
      school_code: { type: 'string', nullable: true, role: 'fk_school' },
      staff_category: {
        type: 'string',
        nullable: false,
        role: 'categorical',
        values: ['teachers_and_paraprofessionals', 'school_administration', 'general_administration'],
      },
      salaries: { type: 'number', nullable: true, role: 'metric', unit: 'currency' },
      benefits: { type: 'number', nullable: true, role: 'metric', unit: 'currency' },
      salaries_and_benefits: { type: 'number', nullable: true, role: 'metric', unit: 'currency' },
      pct_revenue_gf_title_lottery: { type: 'number', nullable: true, role: 'metric', unit: 'ratio' },
      pct_revenue_total_k12: { type: 'number', nullable: true, role: 'metric', unit: 'ratio' },
      pct_expense_gf_title_lottery: { type: 'number', nullable: true, role: 'metric', unit: 'ratio' },
      pct_expense_total_k12: { type: 'number', nullable: true, role: 'metric', unit: 'ratio' },
    },
  },
  sentences: [
    { says: 'Years 2011-2024', rules: ['year_known', 'year_in_folder'] },
    { says: 'detail districts, states; the level is read from the NULL keys', rules: ['level_keys'] },
    { says: 'Grain: year, district_code, school_code, staff_category', rules: ['grain_unique'] },
    { says: 'year: integer, not null', rules: ['year_not_null'] },
    { says: 'district_code: FK districts', rules: ['district_code_known'] },
    { says: 'school_code: FK schools, composite with district_code', rules: ['school_code_known'] },
    { says: 'school_code is always NULL', rules: ['school_code_always_null'] },
    {
      says: 'District codes 850 to 888 are regional service agencies (dimension type resa)',
      rules: [],
      why: 'A fact of the districts dimension: no change to the rows of this dataset can break it.',
    },
    {
      says: 'staff_category: teachers_and_paraprofessionals, school_administration, general_administration',
      rules: ['staff_category_values', 'staff_category_not_null'],
    },
    {
      says: 'exactly one row per category per entity per year',
      rules: ['every_category_once_per_place', 'grain_unique'],
    },
    {
      says: 'salaries, benefits: small negatives are real',
      rules: [],
      why: 'It allows values; how small is not stated, and currency has no lower bound.',
    },
    { says: 'salaries_and_benefits equals the sum within $1', rules: ['total_is_salaries_plus_benefits'] },
    {
      says: 'The four pct_ columns are ratios on a 0-1 scale, not bounded by 1',
      rules: [
        'pct_revenue_gf_title_lottery_range',
        'pct_revenue_total_k12_range',
        'pct_expense_gf_title_lottery_range',
        'pct_expense_total_k12_range',
      ],
    },
    { says: 'the 2021 values exceed 1', rules: ['ratios_exceed_one_in_2021'] },
    {
      says: 'State row: for 2011-2013 it equals the sum of all district rows',
      rules: ['state_is_sum_of_all_districts_to_2013'],
    },
    {
      says: 'State row: from 2014 it equals the sum of 3-digit traditional districts only (excludes 850-888 and 7-digit charters)',
      rules: ['state_is_sum_of_ordinary_districts_from_2014'],
    },
  ],
  breaks: {
    school_code_always_null: `UPDATE t SET school_code = '0101'
      WHERE rowid = (SELECT min(rowid) FROM t WHERE district_code IS NOT NULL)`,
    every_category_once_per_place: 'DELETE FROM t WHERE rowid = (SELECT min(rowid) FROM t)',
    total_is_salaries_plus_benefits: `UPDATE t SET salaries_and_benefits = salaries_and_benefits + 2
      WHERE rowid = (SELECT min(rowid) FROM t WHERE salaries + benefits + salaries_and_benefits IS NOT NULL)`,
    state_is_sum_of_all_districts_to_2013: `UPDATE t SET salaries = salaries + 1000000
      WHERE rowid = (SELECT min(s.rowid) FROM t s JOIN t d USING (year, staff_category)
        WHERE s.district_code IS NULL AND s.year BETWEEN 2011 AND 2013 AND s.salaries IS NOT NULL
          AND d.district_code IS NOT NULL)`,
    state_is_sum_of_ordinary_districts_from_2014: `UPDATE t SET salaries = salaries + 1000000
      WHERE rowid = (SELECT min(s.rowid) FROM t s JOIN t d USING (year, staff_category)
        WHERE s.district_code IS NULL AND s.year >= 2014 AND s.salaries IS NOT NULL
          AND length(d.district_code) = 3 AND d.district_code < '850')`,
    ratios_exceed_one_in_2021: `UPDATE t SET pct_revenue_gf_title_lottery = 0.5, pct_revenue_total_k12 = 0.5,
        pct_expense_gf_title_lottery = 0.5, pct_expense_total_k12 = 0.5
      WHERE year = 2021`,
  },
};
