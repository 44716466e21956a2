import { type SourceColumn, text } from '../importer.ts';

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

/** Headers of the bureau's other geographies, in small letters without spaces and punctuation. */
const OTHER_PLACES = new RegExp(
  `^(${[
    'us',
    'region',
    'division',
    '.*orpart',
    'countysubdivision',
    'subminorcivildivision',
    'block',
    'blockgroup',
    'place',
    'consolidatedcity',
    'alaskanative.*',
    'schooldistrict(elementary|secondary|administrativearea)',
    'congressionaldistrict.*',
    'statelegislativedistrict.*',
    'votingdistrict',
    'publicusemicrodataarea.*',
    'zipcodetabulationarea.*',
    '.*statisticalarea.*',
    'metropolitandivision.*',
    'newenglandcity.*',
    'urban.*',
    'subbarrio',
    'americanindian.*',
    'tribal.*',
  ].join('|')})$`,
);

/** What the shapes of the survey's tables have in common. */
export const CENSUS_SHAPE = { yearSpan: 'last', otherPlaces: OTHER_PLACES } as const;

/** Georgia's code and those of its counties, tracts and school districts. */
const WHOLE = `regexp_replace(geoid, '^\\d{7}US', '', 'i')`;
const LEVEL = `regexp_extract(geoid, '^(\\d{3})\\d{4}US', 1, 'i')`;
const COUNTY = `CASE WHEN regexp_full_match(county, '\\d{1,3}|13\\d{3}') THEN lpad(right(county, 3), 3, '0') END`;

/**
 * SQL for `source` with `county_fips`, `tract_geoid`, `district_code`, `detail` and `place_wrong`. A row belongs to the
 * smallest place that has a column in the file: if that code is blank, its place is unknown. A school district's code is
 * the lake's, whose districts have those of the census.
 */
export function placedInCensus(present: ReadonlySet<string>): string {
  const parts = present.has('unified')
    ? "concat(lpad(state, 2, '0'), lpad(nullif(unified, ''), 5, '0'))"
    : present.has('tract')
      ? `lpad(state, 2, '0') || ${COUNTY} || lpad(tract, 6, '0')`
      : present.has('county')
        ? `lpad(state, 2, '0') || ${COUNTY}`
        : present.has('state')
          ? "lpad(state, 2, '0')"
          : 'CAST(NULL AS VARCHAR)';
  const own = ['unified', 'tract', 'county'].filter(name => present.has(name));
  // The code of the whole place counts where no column has a part of it.
  const code =
    own.length > 0 || !present.has('geoid')
      ? parts
      : `CASE WHEN regexp_full_match(${WHOLE}, '\\d+') THEN ${WHOLE} END`;
  return `(
  SELECT *, CASE
      WHEN state IS NOT NULL AND lpad(state, 2, '0') <> '13' THEN 'not a place of Georgia'
      ${own.map(name => `WHEN ${name} IS NULL THEN 'no ${name === 'unified' ? 'school district' : name} code'`).join(' ')}
      WHEN code IS NULL THEN 'no code of a place'
      WHEN detail IS NULL THEN concat('the code "', code, '" is of no county, school district, tract or state')
      WHEN NOT starts_with(code, '13') THEN 'not a place of Georgia'
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
      FROM (SELECT *, coalesce(${LEVEL}, '') AS level_code, ${code} AS code FROM source)) p
    LEFT JOIN census_district d ON p.detail = 'districts' AND d.census_id = p.code[3:]))`;
}

/** SQL for an estimate or a margin: the bureau's negative codes, such as -555555555, aren't figures. */
export const estimate = (cell: string): string =>
  `CASE WHEN number_of(${cell}) >= 0 THEN count_of(${cell}) END`;
