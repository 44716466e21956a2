import { literal } from '../../../build/lake/sql.ts';
import type { Importer } from './importer.ts';

/** All demographic groups that datasets use. Groups of one category exclude each other. */
export const DEMOGRAPHICS: readonly (readonly [code: string, label: string, category: string])[] = [
  ['active_duty', 'Children of active-duty military', 'military_family'],
  ['all', 'All', 'total'],
  ['asian_pacific_islander', 'Asian or Pacific Islander', 'race_ethnicity'],
  ['black', 'Black', 'race_ethnicity'],
  ['economically_disadvantaged', 'Economically disadvantaged', 'income'],
  ['english_learners', 'English learners', 'language'],
  ['female', 'Female', 'sex'],
  ['foster_care', 'In foster care', 'foster_care'],
  ['hispanic', 'Hispanic', 'race_ethnicity'],
  ['homeless', 'Homeless', 'housing'],
  ['male', 'Male', 'sex'],
  ['migrant', 'Migrant', 'migrant_status'],
  ['multiracial', 'Multiracial', 'race_ethnicity'],
  ['native_american', 'American Indian or Alaska Native', 'race_ethnicity'],
  ['not_economically_disadvantaged', 'Not economically disadvantaged', 'income'],
  ['other', 'Other race or ethnicity', 'race_ethnicity'],
  ['race_unknown', 'Race or ethnicity unknown', 'race_ethnicity'],
  ['students_with_disabilities', 'Students with disabilities', 'disability'],
  ['students_without_disabilities', 'Students without disabilities', 'disability'],
  ['white', 'White', 'race_ethnicity'],
];

/** The dimension of these groups. It reads no file. */
export const demographics: Importer = {
  name: 'demographics',
  reads: 'no file: the list of groups is part of the program',
  target: {
    path: 'education/_dimensions/demographics',
    kind: 'dimension',
    columns: { demographic: 'VARCHAR', demographic_label: 'VARCHAR', demographic_category: 'VARCHAR' },
    key: ['demographic'],
  },
  shapes: [],
  rows: `SELECT * FROM (VALUES ${DEMOGRAPHICS.map(row => `(${row.map(literal).join(', ')})`).join(', ')})
    AS v(demographic, demographic_label, demographic_category)`,
  repeated: 'refuse',
  merges: false,
};
