import { changeFirst, type Statements } from '../facts.ts';

/** Rows of schools, of districts (no school) and of the state (neither). */
export const SCHOOLS_AND_ABOVE: Statements = {
  columns: {
    year: { type: 'integer', nullable: false, role: 'year' },
    district_code: { type: 'string', nullable: true, role: 'fk_district' },
    school_code: { type: 'string', nullable: true, role: 'fk_school' },
  },
};

/** Rows of schools alone. */
export const SCHOOLS_ALONE: Statements = {
  facts: {
    levels: ['schools'],
    defaultDetail: 'schools',
  },
  columns: {
    year: { type: 'integer', nullable: false, role: 'year' },
    district_code: { type: 'string', nullable: false, role: 'fk_district' },
    school_code: { type: 'string', nullable: false, role: 'fk_school' },
  },
};

/** Codes padded with zeros to a fixed length. */
export const PADDED_CODES: Statements = {
  sentences: {
    'year (integer, not null): ending calendar year of the school year': [
      'year_not_null',
      'year_known',
      'year_in_folder',
    ],
    'district_code: FK districts; 3-digit zero-padded for standard districts, 7-digit for state-charter or state-school operators':
      ['district_code_format', 'district_code_known'],
    'school_code: FK schools, composite with district_code; 4-character zero-padded': [
      'school_code_format',
      'school_code_known',
    ],
    'The too-few-students marker and blank cells become NULL':
      'Once the marker is NULL nothing tells it from a blank cell.',
  },
  breaks: {
    district_code_format: changeFirst(
      'district_code = substr(district_code, 2)',
      'length(district_code) = 3',
    ),
    school_code_format: changeFirst("school_code = school_code || '0'", 'school_code IS NOT NULL'),
  },
};

/** Which of the padded codes a row has at each level. */
export const PADDED_CODES_OR_NULL: Statements = {
  sentences: {
    'district_code is NULL on state rows': ['level_keys'],
    'school_code is NULL on district and state rows': ['level_keys'],
  },
};
