import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'education/per_pupil_expenditure',
  facts: {
    version: '1.0.0',
    years: [2014, 2024],
    gaps: [],
    summaryYears: [2014, 2015, 2017],
    levels: ['districts', 'schools'],
    defaultDetail: 'schools',
    grain: ['year', 'district_code', 'school_code'],
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
  },
  sentences: [
    { says: 'Fiscal years 2014-2024; detail districts, schools', rules: ['year_known', 'level_keys'] },
    { says: 'district rows 2014-2024, school rows 2017-2024', rules: ['school_rows_from_2017'] },
    { says: 'Grain: year, district_code, school_code', rules: ['grain_unique'] },
    {
      says: 'year (integer, not null): ending calendar year of the school year',
      rules: ['year_not_null', 'year_known', 'year_in_folder'],
    },
    {
      says: 'district_code: FK districts; 3-digit zero-padded for standard districts, 7-digit for state-charter or state-school operators',
      rules: ['district_code_format', 'district_code_known'],
    },
    {
      says: 'school_code: FK schools, composite with district_code; 4-character zero-padded',
      rules: ['school_code_format', 'school_code_known'],
    },
    {
      says: 'district_code (not null); school_code NULL on district rows',
      rules: ['district_code_not_null', 'level_keys'],
    },
    {
      says: 'The too-few-students marker and blank cells become NULL',
      rules: [],
      why: 'Once the marker is NULL nothing tells it from a blank cell.',
    },
    { says: 'Dollars are nominal', rules: [], why: 'The unit of the figures; a row does not show it.' },
    {
      says: 'total_expenditures: district rows equal federal plus state/local within $1',
      rules: ['district_total_is_federal_plus_state_local'],
    },
    {
      says: 'school rows include allocated central costs',
      rules: [],
      why: 'The allocated amount is not a column.',
    },
    { says: 'fte_enrollment (count)', rules: ['fte_enrollment_range'] },
    {
      says: 'per_pupil_expenditure = total_expenditures / fte_enrollment',
      rules: ['per_pupil_is_total_over_enrollment'],
    },
    {
      says: 'federal_per_pupil_expenditure, state_local_per_pupil_expenditure: NULL for district 2014',
      rules: ['no_per_pupil_split_for_districts_in_2014'],
    },
    { says: 'they add to per_pupil_expenditure within rounding', rules: ['per_pupil_parts_add_up'] },
    {
      says: 'federal_expenditures, state_local_expenditures: district rows only',
      rules: ['district_amounts_only_on_district_rows'],
    },
    {
      says: 'included_expenditures, included_federal_expenditures: school rows only (pre-allocation)',
      rules: ['included_amounts_only_on_school_rows'],
    },
    {
      says: 'School rows also carry total_federal_expenditures, total_state_local_expenditures and a share of district enrollment',
      rules: ['allocated_amounts_only_on_school_rows', 'pct_of_district_enrollment_range'],
    },
  ],
  breaks: {
    district_code_format:
      'UPDATE t SET district_code = substr(district_code, 2) WHERE rowid = (SELECT min(rowid) FROM t WHERE length(district_code) = 3)',
    school_code_format:
      "UPDATE t SET school_code = school_code || '0' WHERE rowid = (SELECT min(rowid) FROM t WHERE school_code IS NOT NULL)",
    school_rows_from_2017:
      'UPDATE t SET year = 2016 WHERE rowid = (SELECT min(rowid) FROM t WHERE school_code IS NOT NULL)',
    district_total_is_federal_plus_state_local:
      'UPDATE t SET federal_expenditures = federal_expenditures + 100 WHERE rowid = (SELECT min(rowid) FROM t WHERE school_code IS NULL AND total_expenditures IS NOT NULL AND federal_expenditures IS NOT NULL AND state_local_expenditures IS NOT NULL)',
    per_pupil_is_total_over_enrollment:
      'UPDATE t SET per_pupil_expenditure = per_pupil_expenditure + 100 WHERE rowid = (SELECT min(rowid) FROM t WHERE per_pupil_expenditure IS NOT NULL AND total_expenditures IS NOT NULL AND fte_enrollment > 0)',
    per_pupil_parts_add_up:
      'UPDATE t SET federal_per_pupil_expenditure = federal_per_pupil_expenditure + 100 WHERE rowid = (SELECT min(rowid) FROM t WHERE per_pupil_expenditure IS NOT NULL AND federal_per_pupil_expenditure IS NOT NULL AND state_local_per_pupil_expenditure IS NOT NULL)',
    no_per_pupil_split_for_districts_in_2014:
      'UPDATE t SET federal_per_pupil_expenditure = 1000 WHERE rowid = (SELECT min(rowid) FROM t WHERE year = 2014 AND school_code IS NULL)',
    district_amounts_only_on_district_rows:
      'UPDATE t SET federal_expenditures = 1000 WHERE rowid = (SELECT min(rowid) FROM t WHERE school_code IS NOT NULL)',
    included_amounts_only_on_school_rows:
      'UPDATE t SET included_expenditures = 1000 WHERE rowid = (SELECT min(rowid) FROM t WHERE school_code IS NULL)',
    allocated_amounts_only_on_school_rows:
      'UPDATE t SET total_federal_expenditures = 1000 WHERE rowid = (SELECT min(rowid) FROM t WHERE school_code IS NULL)',
  },
};
