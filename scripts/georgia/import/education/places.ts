import { type SourceColumn, text } from '../importer.ts';

/** Names next to the codes of a place. Only their words for a total matter here. */
export const PLACE_NAMES: readonly SourceColumn[] = [
  text('district_name', ['System Name', 'District Name', 'SCHOOL_DSTRCT_NM', 'SCHOOL_DISTRCT_NM'], false),
  text('school_name', ['School Name', 'INSTN_NAME', 'INSTITUTION_NAME'], false),
];

/**
 * SQL for `source` with ALL for a blank code whose name is a total's: in some years the offices leave the state's code
 * blank and write All Systems as its name.
 */
export const PLACED_SOURCE = `(SELECT * REPLACE (
    code_or_total(district, district_name) AS district,
    code_or_total(school, coalesce(school_name, CASE WHEN district IS NULL THEN district_name END)) AS school)
  FROM source)`;

/** Year and place in a table. */
export const PLACE_COLUMNS = { year: 'INTEGER', district_code: 'VARCHAR', school_code: 'VARCHAR' } as const;
