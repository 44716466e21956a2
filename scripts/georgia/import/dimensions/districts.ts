import { type Importer, text } from '../importer.ts';
import { ENTRY_ORIGIN, SEEN_COLUMNS, suppliedByList, YEAR_OF_ROW } from './entry-origin.ts';

/** SQL for the kind of a district, from its code. */
export const DISTRICT_TYPE = `CASE
            WHEN district_code = 'RTC' THEN 'state_special'
            WHEN starts_with(district_code, '782') AND length(district_code) = 7 THEN 'state_charter'
            WHEN starts_with(district_code, '783') AND length(district_code) = 7 THEN 'commission_charter'
            WHEN starts_with(district_code, '799') THEN 'state_school'
            WHEN district_code BETWEEN '850' AND '888' AND length(district_code) = 3 THEN 'resa'
            WHEN district_code >= '800' THEN 'state_agency'
            ELSE 'standard' END`;

/**
 * Districts and other operators, from a list of them and from any file that names districts next to their codes. The
 * first row of a code gives its name, so the list goes first; later files add the codes that it lacks.
 *
 * - The kind follows from the code: 850 to 888 are the regional service agencies; 782… and 783… (seven digits) the
 *   charter operators under the state and the former commission; 799 and 799… the state schools; 891 the state agency.
 *   Other codes below 800 are standard districts. Any other code from 800 up is taken for a state agency,
 *   which the import reports.
 * - RTC, all residential treatment centers together, is in no list, so the importer adds it.
 * - The census code is served without the state's 13 in front: five digits, or NULL.
 * - A list of schools names no operators. A seven-digit operator runs one school and is then called by its name; other
 *   rows without a district's name are dropped.
 */
export const districts: Importer = {
  name: 'districts',
  reads: 'a list of districts, then any files with district codes and names (schools lists too)',
  target: {
    path: 'education/_dimensions/districts',
    kind: 'dimension',
    columns: {
      district_code: 'VARCHAR',
      district_name: 'VARCHAR',
      district_census_id: 'VARCHAR',
      district_type: 'VARCHAR',
      ...SEEN_COLUMNS,
    },
    key: ['district_code'],
  },
  shapes: [
    {
      name: 'district codes and names',
      columns: [
        text('code', ['district_code', 'SCHOOL_DSTRCT_CD', 'SCHOOL_DISTRCT_CD', 'System ID', 'District ID']),
        text('name', ['district_name', 'SCHOOL_DSTRCT_NM', 'System Name', 'District Name'], false),
        text('school', ['school_name', 'INSTN_NAME', 'School Name'], false),
        text('census', ['census_sd_geoid', 'district_census_id', 'GEOID'], false),
        YEAR_OF_ROW,
      ],
      supplies: suppliedByList(['district_name', 'district_census_id', 'district_type']),
      select: () => `
        SELECT line, district_code, district_name, district_census_id,
          CASE
            WHEN code IS NULL AND district_name IS NOT NULL AND is_total(district_name) THEN 'a total, not a district'
            WHEN code IS NULL THEN 'no district code'
            WHEN district_code IS NULL AND is_total(code) THEN 'a total, not a district'
            WHEN district_code IS NULL THEN 'the district code is neither 3 nor 7 digits'
            WHEN district_name IS NULL THEN 'no district name'
          END AS dropped,
          CASE
            WHEN census IS NOT NULL AND district_census_id IS NULL
              THEN 'the census code is not 13 and five digits, and is left out'
            WHEN district_code BETWEEN '800' AND '999' AND length(district_code) = 3
              AND district_code NOT BETWEEN '850' AND '888' AND district_code <> '891'
              THEN 'a code of no known kind, taken for a state agency'
          END AS remark,
          ${DISTRICT_TYPE} AS district_type, entry_origin
        FROM (
          SELECT line, code, census, ${ENTRY_ORIGIN},
            district_code_of(code) AS district_code,
            coalesce(name, CASE WHEN length(district_code_of(code)) = 7 THEN school END) AS district_name,
            CASE
              WHEN regexp_full_match(census, '13\\d{5}') THEN census[3:]
              WHEN regexp_full_match(census, '\\d{5}') THEN census END AS district_census_id
          FROM source
          UNION ALL
          SELECT 0, 'RTC', NULL, 'list', 'RTC', 'Residential Treatment Centers', NULL)`,
    },
  ],
  repeated: 'first',
  merges: true,
  words: /district|system/i,
};
