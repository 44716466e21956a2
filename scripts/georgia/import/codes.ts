/** Words in place of a code: such a row is a total. */
const TOTALS =
  "'', 'ALL', 'ALL COLUMN VALUES', 'ALL SYSTEMS', 'ALL DISTRICTS', 'ALL SCHOOLS', 'STATE', 'STATEWIDE', 'GEORGIA', 'STATE OF GEORGIA', 'DISTRICT', 'SYSTEM'";

/**
 * SQL macros that read codes, places and years (VARCHAR cells, NULL where blank):
 * - `district_code_of(t)`: three digits with leading zeros, seven digits, or RTC; NULL if the cell is a total
 * - `school_code_of(t)`: four digits with leading zeros; NULL if the cell is a total
 * - `code_or_total(code, name)`: the code; ALL if it is blank and the name is a total's
 * - `place_problem(level, district, school)`: why the row names no place, else NULL; `level` is the source's own word
 *   for the row's level, or NULL. A blank code is a total only if that word says so: a school without a code must not
 *   become its district
 * - `detail_of(district, school)`: the level that follows from the two codes, once read
 * - `school_year_of(t)`: the year in which the school year ends: 2024 for 2023-24, 2023-2024, 23-24, FY24, 2024;
 *   NULL if the cell isn't a year. Two digits above 50 mean the last century
 * - `year_of(t, file_year)`: the school year of the cell, or the file's if the cell is blank
 */
export const CODE_MACROS = [
  `CREATE MACRO bare_code(t) AS regexp_replace(trim(t), '^''|\\.0+$', '', 'g')`,
  `CREATE MACRO is_total(t) AS t IS NULL OR upper(trim(t)) IN (${TOTALS})`,
  `CREATE MACRO is_district_code(t) AS regexp_full_match(bare_code(t), '\\d{1,3}|\\d{7}') OR upper(trim(t)) = 'RTC'`,
  `CREATE MACRO is_school_code(t) AS regexp_full_match(bare_code(t), '\\d{1,4}')`,
  `CREATE MACRO district_code_of(t) AS CASE
     WHEN is_total(t) THEN NULL
     WHEN regexp_full_match(bare_code(t), '\\d{1,3}') THEN lpad(bare_code(t), 3, '0')
     WHEN is_district_code(t) THEN upper(bare_code(t)) END`,
  `CREATE MACRO school_code_of(t) AS CASE
     WHEN is_total(t) THEN NULL
     WHEN is_school_code(t) THEN lpad(bare_code(t), 4, '0') END`,
  `CREATE MACRO code_or_total(code, name) AS
     CASE WHEN code IS NULL AND name IS NOT NULL AND is_total(name) THEN 'ALL' ELSE code END`,
  `CREATE MACRO detail_of(district, school) AS CASE
     WHEN district IS NULL THEN 'states' WHEN school IS NULL THEN 'districts' ELSE 'schools' END`,
  `CREATE MACRO level_of(t) AS CASE
     WHEN upper(trim(t)) IN ('STATE', 'STATEWIDE', 'ALL') THEN 'states'
     WHEN upper(trim(t)) IN ('DISTRICT', 'SYSTEM') THEN 'districts'
     WHEN upper(trim(t)) IN ('SCHOOL', 'INSTITUTION') THEN 'schools' END`,
  `CREATE MACRO place_problem(level, district, school) AS CASE
     WHEN NOT is_total(district) AND NOT is_district_code(district) THEN 'the district code is neither 3 nor 7 digits'
     WHEN NOT is_total(school) AND NOT is_school_code(school) THEN 'the school code is not 4 digits'
     WHEN is_total(district) AND NOT is_total(school) THEN 'a school without a district'
     WHEN level IS NOT NULL AND level_of(level) IS NULL THEN 'the level is neither state, district nor school'
     WHEN district IS NULL AND coalesce(level_of(level) <> 'states', true) THEN 'no district code'
     WHEN school IS NULL AND coalesce(level_of(level) = 'schools', true) THEN 'no school code'
     WHEN level_of(level) <> detail_of(district_code_of(district), school_code_of(school))
       THEN 'the level and the codes disagree' END`,
  `CREATE MACRO year_from(first, last) AS CASE
     WHEN last = '' THEN first
     WHEN (first + 1) % 100 = cast(last AS INTEGER) % 100
       AND (length(last) = 2 OR cast(last AS INTEGER) = first + 1) THEN first + 1 END`,
  `CREATE MACRO bare_year(t) AS regexp_replace(regexp_replace(regexp_replace(regexp_replace(trim(t),
     '^[SFA]Y\\s*(\\d{2})$', '20\\1', 'i'), '^([SFA]Y|School Year)\\s*', '', 'i'), '\\.0+$', ''),
     '\\s*[-/\\x{2010}-\\x{2014}]\\s*', '-')`,
  `CREATE MACRO school_year_of(t) AS CASE
     WHEN regexp_full_match(bare_year(t), '(19|20)\\d{2}(-(\\d{2}|\\d{4}))?') THEN
       year_from(cast(bare_year(t)[1:4] AS INTEGER), regexp_extract(bare_year(t), '-(\\d+)$', 1))
     WHEN regexp_full_match(bare_year(t), '\\d{2}-\\d{2}') THEN
       year_from(cast(bare_year(t)[1:2] AS INTEGER) + CASE WHEN bare_year(t)[1:2] > '50' THEN 1900 ELSE 2000 END,
         bare_year(t)[4:5]) END`,
  `CREATE MACRO year_of(t, file_year) AS CASE WHEN t IS NULL THEN file_year ELSE school_year_of(t) END`,
];
