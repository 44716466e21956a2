import { DENOMINATOR, groups, PROPORTION } from '../columns.ts';
import { changeFirst, type Specification } from '../facts.ts';
import { SCHOOLS_AND_ABOVE } from './school-places.ts';

export const specification: Specification = {
  key: 'education/attendance',
  alike: [SCHOOLS_AND_ABOVE],
  facts: {
    version: '1.2.0',
    years: [2004, 2024],
    summaryYears: [2004, 2018],
    levels: ['districts', 'schools', 'states'],
    defaultDetail: 'schools',
    grain: ['year', 'district_code', 'school_code', 'demographic'],
    keyMetric: 'chronically_absent_rate',
    // A withheld tier of 2023-2024 is 0.0.
    zeroIsReal: false,
  },
  columns: {
    demographic: groups(`
        all asian_pacific_islander black economically_disadvantaged english_learners female hispanic
        male migrant multiracial native_american not_economically_disadvantaged
        students_with_disabilities students_without_disabilities white`),
    num_students: DENOMINATOR,
    five_or_fewer_days_absent_rate: PROPORTION,
    six_to_fifteen_days_absent_rate: PROPORTION,
    over_15_days_absent_rate: PROPORTION,
    chronically_absent_rate: PROPORTION,
  },
  sentences: {
    'Years 2004-2024.': ['year_known', 'year_in_folder', 'year_not_null'],
    'Detail districts, schools, states: state rows have NULL district and school keys; district rows have NULL school_code.':
      ['level_keys'],
    'Grain: year, district_code, school_code, demographic.': ['grain_unique'],
    'district_code: FK districts; 3-digit for standard districts, 7-digit for operators.': [
      'district_code_known',
    ],
    'school_code: FK schools, composite with district_code.': ['school_code_known'],
    'demographic (15 values), not null, FK demographics.': [
      'demographic_values',
      'demographic_not_null',
      'demographic_known',
    ],
    '`all` overlaps every other value; subgroups are exclusive only within their own category.':
      'Withheld groups and groups that the source does not report keep the parts of a category from adding up to the whole.',
    'num_students: count; NULL means suppressed (fewer than 10 students).': [
      'num_students_range',
      'small_groups_withheld',
    ],
    'Real zeros exist only in 2004-2010 and 2023-2024.': ['zero_students_only_in_documented_years'],
    'Proportions are on a 0-1 scale.': [
      'five_or_fewer_days_absent_rate_range',
      'six_to_fifteen_days_absent_rate_range',
      'over_15_days_absent_rate_range',
      'chronically_absent_rate_range',
    ],
    'Three tiers partition the subgroup (sum about 1.0).': ['tiers_partition_students'],
    'In 2023-2024 a TFS tier cell is decoded to 0.0.': ['tiers_partition_students'],
    'chronically_absent_rate: published from 2018.': ['chronic_absence_from_2018'],
    'chronically_absent_rate: share absent 10 percent or more of enrolled days.':
      'Days of single students are not in the dataset.',
  },
  breaks: {
    tiers_partition_students: `
      UPDATE t SET over_15_days_absent_rate = 0.9, six_to_fifteen_days_absent_rate = 0.9
      WHERE rowid = (SELECT min(rowid) FROM t WHERE five_or_fewer_days_absent_rate IS NOT NULL
        AND six_to_fifteen_days_absent_rate IS NOT NULL AND over_15_days_absent_rate IS NOT NULL)`,
    zero_students_only_in_documented_years: changeFirst('num_students = 0', 'year BETWEEN 2011 AND 2022'),
    small_groups_withheld: changeFirst('num_students = 9', 'num_students IS NOT NULL'),
    chronic_absence_from_2018: changeFirst('chronically_absent_rate = 0.1', 'year < 2018'),
  },
};
