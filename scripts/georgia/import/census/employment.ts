import { contractShape } from '../contract-shape.ts';
import { figure, type Importer, type Shape, text, unsaid } from '../importer.ts';
import { tableOf } from '../layout-shape.ts';
import { CENSUS_PLACE, estimate as figureOf, oneYearProblem, PLACED_IN_CENSUS } from './census-places.ts';

/**
 * Labor force and unemployment of counties, tracts or the state from the American Community Survey (table B23025), as
 * JSON: an extract keyed by county, or the answer of the Census Bureau's API.
 *
 * - `labor_force` is the civilian labor force (B23025_003), `unemployed` its unemployed (B23025_005). A county with a
 *   large army base has a labor force far below its adults, so the armed forces are left out.
 * - The vintage's end year is in the file's name (2022 of `2018-2022_acs5.json`), or given by --year.
 * - The rate is the unrounded quotient, never a rounded percentage; without a labor force it is NULL.
 * - If the file has margins, the rate's margin follows from them by the Census Bureau's formula for ratios. The extract of
 *   2023 has none, so all margins are NULL. Margins above 1.0 are NULL.
 * - The bureau's negative codes (such as -666666666) are not figures and become NULL.
 * - A row belongs to the smallest place that has a column in the file. If that code is blank, the row is dropped: its
 *   place is unknown. A file of places that the dataset does not have is refused.
 * - Without a column for the county, the code of the whole place gives it: 13001, or GEO_ID's 0500000US13001. A row
 *   without a county is the state's only if that code is the state's.
 * - The extract has counties only. The import adds up no state row: the bureau publishes its own.
 */
const GEOID = "regexp_replace(geoid, '^\\d{7}US', '', 'i')";

const COUNTY_OF_GEOID = `REPLACE (nullif(${GEOID}, '13') AS county)`;

const UNKNOWN_GEOID = `WHEN geoid IS NULL THEN 'no county code'
            WHEN NOT regexp_full_match(${GEOID}, '13(\\d{3})?')
              THEN concat('the code "', geoid, '" is neither a county''s nor the state''s')`;

const estimate = (cell: string) => `CASE WHEN number_of(${cell}) >= 0 THEN count_of(${cell}) END`;

function marginsNotIn(present: ReadonlySet<string>): string[] {
  const unemployed = present.has('unemployed_moe');
  const force = present.has('labor_force_moe');
  return [
    ...(unemployed ? [] : ['num_unemployed_moe']),
    ...(force ? [] : ['num_civilian_labor_force_moe']),
    ...(unemployed && force ? [] : ['unemployment_rate_moe']),
  ];
}

/** Headers of the Census Bureau's other geographies, in small letters without spaces and punctuation. */
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
    'schooldistrict.*',
    'congressionaldistrict.*',
    'statelegislativedistrict.*',
    'votingdistrict',
    'publicusemicrodataarea.*',
    'zipcodetabulationarea.*',
    '.*statisticalarea.*',
    'metropolitandivision.*',
    'newenglandcity.*',
    'urbanarea.*',
    'americanindian.*',
    'tribal.*',
  ].join('|')})$`,
);

/** Files of data.census.gov, of any level, and answers of the API for school districts. */
const byPlace: Shape = {
  name: 'table B23025, employment status',
  yearSpan: 'last',
  problem: oneYearProblem,
  columns: [
    ...CENSUS_PLACE,
    figure('labor_force', 'number', ['B23025_003E']),
    figure('unemployed', 'number', ['B23025_005E']),
    figure('labor_force_moe', 'number', ['B23025_003M'], false),
    figure('unemployed_moe', 'number', ['B23025_005M'], false),
  ],
  select: present => `
    SELECT line, ${unsaid(marginsNotIn(present))} AS unsaid, year, county_fips, district_code, tract_geoid, detail,
      place_wrong AS dropped, num_unemployed, num_civilian_labor_force, num_unemployed_moe, num_civilian_labor_force_moe,
      rate AS unemployment_rate, CASE WHEN moe <= 1 THEN moe END AS unemployment_rate_moe
    FROM (
      SELECT *, sqrt(num_unemployed_moe ** 2 + (rate * num_civilian_labor_force_moe) ** 2)
          / nullif(num_civilian_labor_force, 0) AS moe
      FROM (
        SELECT *, num_unemployed / nullif(num_civilian_labor_force, 0) AS rate
        FROM (
          SELECT line, file_year AS year, county_fips, district_code, tract_geoid, detail, place_wrong,
            ${figureOf('unemployed')} AS num_unemployed, ${figureOf('labor_force')} AS num_civilian_labor_force,
            ${figureOf('unemployed_moe')} AS num_unemployed_moe,
            ${figureOf('labor_force_moe')} AS num_civilian_labor_force_moe
          FROM ${PLACED_IN_CENSUS})))`,
};

const CONTRACT = tableOf(
  'census/employment',
  'year:i county_fips:s district_code:s tract_geoid:s unemployment_rate:d unemployment_rate_moe:d num_unemployed:i num_civilian_labor_force:i num_unemployed_moe:i num_civilian_labor_force_moe:i',
  'year county_fips district_code tract_geoid',
);

export const employment: Importer = {
  name: 'employment',
  reads: 'American Community Survey 5-year labor force and unemployed, JSON',
  target: CONTRACT,
  shapes: [
    {
      name: 'labor force and unemployed by county',
      columns: [
        text('state', ['state_fips', 'state']),
        text('county', ['county_fips', 'county'], false),
        text('tract', ['tract', 'tract_code'], false),
        text('year', ['year', 'vintage'], false),
        figure('labor_force', 'count', ['labor_force', 'civilian_labor_force', 'B23025_003E']),
        figure('unemployed', 'count', ['unemployed', 'B23025_005E']),
        figure('labor_force_moe', 'count', ['labor_force_moe', 'B23025_003M'], false),
        figure('unemployed_moe', 'count', ['unemployed_moe', 'B23025_005M'], false),
        text('geoid', ['fips', 'geoid'], false),
      ],
      yearSpan: 'last',
      otherPlaces: OTHER_PLACES,
      select: present => `
        SELECT line, ${unsaid(marginsNotIn(present))} AS unsaid, county_fips, tract_geoid,
          CASE
            WHEN state IS NULL OR state <> '13' THEN 'not a place of Georgia'
            ${present.has('geoid') && !present.has('county') ? UNKNOWN_GEOID : ''}
            WHEN county IS NOT NULL AND NOT regexp_full_match(county, '\\d{1,3}|13\\d{3}') THEN 'the county code is not 3 digits'
            WHEN tract IS NOT NULL AND NOT regexp_full_match(tract, '\\d{6}') THEN 'the tract code is not 6 digits'
            WHEN tract IS NOT NULL AND county IS NULL THEN 'a tract without a county'
            ${present.has('county') ? "WHEN county IS NULL THEN 'no county code'" : ''}
            ${present.has('tract') ? "WHEN tract IS NULL THEN 'no tract code'" : ''}
          END AS dropped,
          CASE
            WHEN num_unemployed > num_civilian_labor_force THEN 'more unemployed than in the labor force'
            WHEN num_unemployed IS NULL OR num_civilian_labor_force IS NULL THEN 'no estimate is published'
          END AS remark,
          CASE WHEN tract_geoid IS NOT NULL THEN 'tracts' WHEN county_fips IS NOT NULL THEN 'counties' ELSE 'states' END AS detail,
          year, num_unemployed, num_civilian_labor_force, num_unemployed_moe, num_civilian_labor_force_moe,
          num_unemployed / nullif(num_civilian_labor_force, 0) AS unemployment_rate,
          CASE WHEN moe <= 1 THEN moe END AS unemployment_rate_moe
        FROM (
          SELECT *,
            sqrt(num_unemployed_moe ** 2
              + (num_unemployed / nullif(num_civilian_labor_force, 0) * num_civilian_labor_force_moe) ** 2)
              / nullif(num_civilian_labor_force, 0) AS moe
          FROM (
            SELECT line, state, county, tract, geoid,
              year_of(year, file_year) AS year,
              CASE WHEN tract IS NULL THEN '13' || right('00' || county, 3) END AS county_fips,
              '13' || right('00' || county, 3) || tract AS tract_geoid,
              ${estimate('unemployed')} AS num_unemployed,
              ${estimate('labor_force')} AS num_civilian_labor_force,
              ${estimate('unemployed_moe')} AS num_unemployed_moe,
              ${estimate('labor_force_moe')} AS num_civilian_labor_force_moe
            FROM (SELECT * ${present.has('county') ? '' : COUNTY_OF_GEOID} FROM source)))`,
    },
    byPlace,
    contractShape(CONTRACT),
  ],
  repeated: 'refuse',
  merges: false,
};
