import { type SourceColumn, type SourceFile, text } from '../importer.ts';

/**
 * Places in the Census Bureau's tables: a column for each part of the code, as in the answers of its API, or the whole
 * code in GEO_ID (`0500000US13001`), as in the files of data.census.gov.
 */
export const CENSUS_PLACE: readonly SourceColumn[] = [
  text('state', ['state', 'state_fips'], false),
  text('county', ['county', 'county_fips'], false),
  text('tract', ['tract', 'tract_code'], false),
  text('unified', ['school district (unified)'], false),
  text('geoid', ['GEO_ID', 'Geography', 'GEOID', 'fips'], false),
  text('place_name', ['NAME', 'Geographic Area Name'], false),
];

/** Georgia's code and those of its counties, tracts and school districts, the two kinds of smaller ones included. */
const WHOLE = `regexp_replace(geoid, '^\\d{7}US', '', 'i')`;
const LEVEL = `regexp_extract(geoid, '^(\\d{3})\\d{4}US', 1, 'i')`;

/**
 * SQL for `source` with `county_fips`, `tract_geoid`, `census_district` (five digits), `detail` and `place_wrong`. A
 * school district's code is the lake's: its table `census_district` has those of the dimension.
 */
export const PLACED_IN_CENSUS = `(
  SELECT *, CASE
      WHEN code IS NULL THEN 'no code of a place'
      WHEN NOT starts_with(code, '13') THEN 'not a place of Georgia'
      WHEN detail IS NULL THEN concat('the code "', code, '" is of no county, school district, tract or state')
      WHEN detail = 'districts' AND district_code IS NULL
        THEN 'a school district that the lake''s districts do not have under its census code'
    END AS place_wrong,
    CASE WHEN detail = 'counties' THEN code END AS county_fips,
    CASE WHEN detail = 'tracts' THEN code END AS tract_geoid
  FROM (
    SELECT p.*, d.district_code FROM (
      SELECT *, CASE
          WHEN level_code IN ('950', '960', '970') THEN 'districts'
          WHEN level_code NOT IN ('', '040', '050', '140') THEN NULL
          WHEN length(code) = 2 THEN 'states' WHEN length(code) = 5 THEN 'counties'
          WHEN length(code) = 7 THEN 'districts' WHEN length(code) = 11 THEN 'tracts' END AS detail
      FROM (
        SELECT *, coalesce(${LEVEL}, '') AS level_code,
          coalesce(
            CASE WHEN regexp_full_match(${WHOLE}, '\\d{2,12}') THEN ${WHOLE} END,
            CASE
              WHEN unified IS NOT NULL THEN concat(lpad(state, 2, '0'), lpad(unified, 5, '0'))
              WHEN tract IS NOT NULL AND county IS NOT NULL
                THEN concat(lpad(state, 2, '0'), lpad(right(county, 3), 3, '0'), lpad(tract, 6, '0'))
              WHEN tract IS NOT NULL THEN NULL
              WHEN county IS NOT NULL THEN concat(lpad(state, 2, '0'), lpad(right(county, 3), 3, '0'))
              ELSE lpad(state, 2, '0') END) AS code
        FROM source)) p
    LEFT JOIN census_district d ON p.detail = 'districts' AND d.census_id = p.code[3:]))`;

/** SQL for an estimate or a margin: the bureau's negative codes, such as -555555555, are no figures. */
export const estimate = (cell: string): string =>
  `CASE WHEN number_of(${cell}) >= 0 THEN count_of(${cell}) END`;

/** The datasets are of the survey's five-year estimates. */
export function oneYearProblem({ name }: SourceFile): string | undefined {
  return /1Y20\d\d|acs[-_]?1(?!\d)|1[-_ ]?year/i.test(name)
    ? "is of the survey's one-year estimates: the dataset has those of five years"
    : undefined;
}
