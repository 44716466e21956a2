import { type Importer, text } from '../importer.ts';
import { ENTRY_ORIGIN, SEEN_COLUMNS, suppliedByList, YEAR_OF_ROW } from './entry-origin.ts';

/**
 * Schools, from a list of them and from any file that names schools next to their codes. The first row of a school gives
 * its name, so the list goes first; later files add the schools that it lacks. Give the files of facts too: a
 * closed school is in old facts only, and a build refuses a fact whose school the dimension lacks.
 *
 * - A seven-digit operator runs one school, whose code is the operator's last four digits (true of every such school in
 *   the state's list). A row that names only the operator, as in a list of districts, therefore names the school: the
 *   part of the name after "Charter Schools- ".
 * - A list of districts has no codes of schools, so a blank code isn't an error.
 * - Rows of districts and the state are dropped.
 */
export const schools: Importer = {
  name: 'schools',
  reads: 'a list of schools, then any files with school codes and names (a districts list too)',
  target: {
    path: 'education/_dimensions/schools',
    kind: 'dimension',
    columns: {
      district_code: 'VARCHAR',
      school_code: 'VARCHAR',
      school_name: 'VARCHAR',
      ...SEEN_COLUMNS,
    },
    key: ['district_code', 'school_code'],
  },
  shapes: [
    {
      name: 'school codes and names',
      columns: [
        text('district', [
          'district_code',
          'SCHOOL_DSTRCT_CD',
          'SCHOOL_DISTRCT_CD',
          'System ID',
          'District ID',
        ]),
        text('school', ['school_code', 'INSTN_NUMBER', 'School ID'], false),
        text('name', ['school_name', 'INSTN_NAME', 'School Name'], false),
        text('operator', ['district_name', 'SCHOOL_DSTRCT_NM', 'System Name', 'District Name'], false),
        YEAR_OF_ROW,
      ],
      supplies: suppliedByList(['school_name']),
      select: () => `
        SELECT line, district_code, entry_origin,
          CASE WHEN only_school THEN district_code[4:] ELSE school_code END AS school_code,
          CASE WHEN only_school THEN regexp_replace(operator, '^.*Charter Schools( II)?\\s*-\\s*', '') ELSE name END
            AS school_name,
          CASE
            WHEN place IS NOT NULL THEN place
            WHEN district_code IS NULL THEN 'the state, not a school'
            WHEN only_school AND operator IS NULL THEN 'no name'
            WHEN only_school THEN NULL
            WHEN school_code IS NULL THEN 'a district, not a school'
            WHEN name IS NULL THEN 'no school name'
          END AS dropped
        FROM (
          SELECT line, name, operator, ${ENTRY_ORIGIN},
            place_problem(CASE WHEN school IS NULL THEN CASE WHEN is_total(district) THEN 'State' ELSE 'District' END END,
              district, school) AS place,
            district_code_of(district) AS district_code,
            school_code_of(school) AS school_code,
            length(district_code_of(district)) = 7 AND school_code_of(school) IS NULL AS only_school
          FROM source)`,
    },
  ],
  repeated: 'first',
  merges: true,
  words: /school/i,
};
