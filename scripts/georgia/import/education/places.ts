import { type SourceColumn, text } from '../importer.ts';

/** Names that stand beside the codes of a place. Only their words for a total are read here. */
export const PLACE_NAMES: readonly SourceColumn[] = [
  text('district_name', ['System Name', 'District Name', 'SCHOOL_DSTRCT_NM', 'SCHOOL_DISTRCT_NM'], false),
  text('school_name', ['School Name', 'INSTN_NAME', 'INSTITUTION_NAME'], false),
];

/**
 * SQL for `source` in which a blank code is ALL where the name beside it says so: the offices leave the code of the
 * state blank in some years, and write All Systems as its name.
 */
export const PLACED_SOURCE = `(SELECT * REPLACE (
    code_or_total(district, district_name) AS district,
    code_or_total(school, coalesce(school_name, CASE WHEN district IS NULL THEN district_name END)) AS school)
  FROM source)`;
