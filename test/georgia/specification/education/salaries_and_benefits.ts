import { CURRENCY, category, RATIO } from '../columns.ts';
import { changeFirst, type Specification } from '../facts.ts';
import { SCHOOLS_AND_ABOVE } from './school-places.ts';

export const specification: Specification = {
  key: 'education/salaries_and_benefits',
  alike: [SCHOOLS_AND_ABOVE],
  facts: {
    version: '1.1.0',
    years: [2011, 2024],
    levels: ['districts', 'states'],
    defaultDetail: 'districts',
    grain: ['year', 'district_code', 'school_code', 'staff_category'],
    keyMetric: 'salaries_and_benefits',
  },
  columns: {
    staff_category: category('teachers_and_paraprofessionals school_administration general_administration'),
    salaries: CURRENCY,
    benefits: CURRENCY,
    salaries_and_benefits: CURRENCY,
    pct_revenue_gf_title_lottery: RATIO,
    pct_revenue_total_k12: RATIO,
    pct_expense_gf_title_lottery: RATIO,
    pct_expense_total_k12: RATIO,
  },
  sentences: {
    'Years 2011-2024': ['year_known', 'year_in_folder'],
    'detail districts, states; the level is read from the NULL keys': ['level_keys'],
    'Grain: year, district_code, school_code, staff_category': ['grain_unique'],
    'year: integer, not null': ['year_not_null'],
    'district_code: FK districts': ['district_code_known'],
    'school_code: FK schools, composite with district_code': ['school_code_known'],
    'school_code is always NULL': ['school_code_always_null'],
    'District codes 850 to 888 are regional service agencies (dimension type resa)':
      'A fact of the districts dimension: no change to the rows of this dataset can break it.',
    'staff_category: teachers_and_paraprofessionals, school_administration, general_administration': [
      'staff_category_values',
      'staff_category_not_null',
    ],
    'exactly one row per category per entity per year': ['every_category_once_per_place', 'grain_unique'],
    'salaries, benefits: small negatives are real':
      'It allows values; how small is not stated, and currency has no lower bound.',
    'salaries_and_benefits equals the sum within $1': ['total_is_salaries_plus_benefits'],
    'The four pct_ columns are ratios on a 0-1 scale, not bounded by 1': [
      'pct_revenue_gf_title_lottery_range',
      'pct_revenue_total_k12_range',
      'pct_expense_gf_title_lottery_range',
      'pct_expense_total_k12_range',
    ],
    'the 2021 values exceed 1': ['ratios_exceed_one_in_2021'],
    'State row: for 2011-2013 it equals the sum of all district rows': [
      'state_is_sum_of_all_districts_to_2013',
    ],
    'State row: from 2014 it equals the sum of 3-digit traditional districts only (excludes 850-888 and 7-digit charters)':
      ['state_is_sum_of_ordinary_districts_from_2014'],
  },
  breaks: {
    school_code_always_null: changeFirst("school_code = '0101'", 'district_code IS NOT NULL'),
    every_category_once_per_place: 'DELETE FROM t WHERE rowid = (SELECT min(rowid) FROM t)',
    total_is_salaries_plus_benefits: changeFirst(
      'salaries_and_benefits = salaries_and_benefits + 2',
      'salaries + benefits + salaries_and_benefits IS NOT NULL',
    ),
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
