import { changeFirst, type Specification } from '../facts.ts';
import { PADDED_CODES } from './school-places.ts';

export const specification: Specification = {
  key: 'education/per_pupil_expenditure',
  alike: [PADDED_CODES],
  facts: {
    version: '1.0.0',
    years: [2014, 2024],
    summaryYears: [2014, 2015, 2017],
    levels: ['districts', 'schools'],
    defaultDetail: 'schools',
    grain: ['year', 'district_code', 'school_code'],
  },
  columns: {
    year: { type: 'integer', nullable: false, role: 'year' },
    district_code: { type: 'string', nullable: false, role: 'fk_district' },
    school_code: { type: 'string', nullable: true, role: 'fk_school' },
    total_expenditures: { type: 'number', role: 'metric', unit: 'currency' },
    fte_enrollment: { type: 'integer', role: 'metric', unit: 'count', component: 'denominator' },
    per_pupil_expenditure: { type: 'number', role: 'metric', unit: 'currency' },
    federal_per_pupil_expenditure: { type: 'number', role: 'metric', nullable: true },
    state_local_per_pupil_expenditure: { type: 'number', role: 'metric', nullable: true },
    federal_expenditures: { nullable: true, role: 'metric' },
    state_local_expenditures: { nullable: true, role: 'metric' },
    included_expenditures: { nullable: true, role: 'metric' },
    included_federal_expenditures: { nullable: true, role: 'metric' },
    total_federal_expenditures: { role: 'metric' },
    total_state_local_expenditures: { role: 'metric' },
  },
  sentences: {
    'Fiscal years 2014-2024; detail districts, schools': ['year_known', 'level_keys'],
    'district rows 2014-2024, school rows 2017-2024': ['school_rows_from_2017'],
    'Grain: year, district_code, school_code': ['grain_unique'],
    'district_code (not null); school_code NULL on district rows': ['district_code_not_null', 'level_keys'],
    'Dollars are nominal': 'The unit of the figures; a row does not show it.',
    'total_expenditures: district rows equal federal plus state/local within $1': [
      'district_total_is_federal_plus_state_local',
    ],
    'school rows include allocated central costs': 'The allocated amount is not a column.',
    'fte_enrollment (count)': ['fte_enrollment_range'],
    'per_pupil_expenditure = total_expenditures / fte_enrollment': ['per_pupil_is_total_over_enrollment'],
    'federal_per_pupil_expenditure, state_local_per_pupil_expenditure: NULL for district 2014': [
      'no_per_pupil_split_for_districts_in_2014',
    ],
    'they add to per_pupil_expenditure within rounding': ['per_pupil_parts_add_up'],
    'federal_expenditures, state_local_expenditures: district rows only': [
      'district_amounts_only_on_district_rows',
    ],
    'included_expenditures, included_federal_expenditures: school rows only (pre-allocation)': [
      'included_amounts_only_on_school_rows',
    ],
    'School rows also carry total_federal_expenditures, total_state_local_expenditures and a share of district enrollment':
      ['allocated_amounts_only_on_school_rows', 'pct_of_district_enrollment_range'],
  },
  breaks: {
    school_rows_from_2017: changeFirst('year = 2016', 'school_code IS NOT NULL'),
    district_total_is_federal_plus_state_local:
      'UPDATE t SET federal_expenditures = federal_expenditures + 100 WHERE rowid = (SELECT min(rowid) FROM t WHERE school_code IS NULL AND total_expenditures IS NOT NULL AND federal_expenditures IS NOT NULL AND state_local_expenditures IS NOT NULL)',
    per_pupil_is_total_over_enrollment: changeFirst(
      'per_pupil_expenditure = per_pupil_expenditure + 100',
      'per_pupil_expenditure IS NOT NULL AND total_expenditures IS NOT NULL AND fte_enrollment > 0',
    ),
    per_pupil_parts_add_up:
      'UPDATE t SET federal_per_pupil_expenditure = federal_per_pupil_expenditure + 100 WHERE rowid = (SELECT min(rowid) FROM t WHERE per_pupil_expenditure IS NOT NULL AND federal_per_pupil_expenditure IS NOT NULL AND state_local_per_pupil_expenditure IS NOT NULL)',
    no_per_pupil_split_for_districts_in_2014: changeFirst(
      'federal_per_pupil_expenditure = 1000',
      'year = 2014 AND school_code IS NULL',
    ),
    district_amounts_only_on_district_rows: changeFirst(
      'federal_expenditures = 1000',
      'school_code IS NOT NULL',
    ),
    included_amounts_only_on_school_rows: changeFirst('included_expenditures = 1000', 'school_code IS NULL'),
    allocated_amounts_only_on_school_rows: changeFirst(
      'total_federal_expenditures = 1000',
      'school_code IS NULL',
    ),
  },
};
