import { figure, type Importer, type Shape, text, unsaid } from '../importer.ts';
import { tableOf } from '../layout-shape.ts';
import { CENSUS_PLACE, CENSUS_SHAPE, estimate, placedInCensus } from './census-places.ts';

/**
 * Labor force and unemployment from the American Community Survey (table B23025): an extract keyed by county, the answer
 * of the Census Bureau's API, or a file of data.census.gov.
 *
 * - `labor_force` is the civilian labor force (B23025_003), `unemployed` its unemployed (B23025_005). A county with a
 *   large army base has a labor force far below its adults, so the armed forces are left out.
 * - The vintage's end year is in a column, in the file's name (2022 of `2018-2022_acs5.json`), or given by --year.
 * - The rate is the unrounded quotient, never a rounded percentage; without a labor force it is NULL.
 * - If the file has margins, the rate's margin follows from them by the Census Bureau's formula for ratios. The extract of
 *   2023 has none, so all margins are NULL. Margins above 1.0 are NULL.
 * - The bureau's negative codes (such as -666666666) are not figures and become NULL.
 * - The extract has counties only. The import adds up no state row: the bureau publishes its own.
 */
const byPlace: Shape = {
  ...CENSUS_SHAPE,
  name: 'table B23025, employment status',
  columns: [
    ...CENSUS_PLACE,
    text('year', ['year', 'vintage'], false),
    figure('labor_force', 'count', ['labor_force', 'civilian_labor_force', 'B23025_003E']),
    figure('unemployed', 'count', ['unemployed', 'B23025_005E']),
    figure('labor_force_moe', 'count', ['labor_force_moe', 'B23025_003M'], false),
    figure('unemployed_moe', 'count', ['unemployed_moe', 'B23025_005M'], false),
  ],
  select: present => `
    SELECT line, ${unsaid(marginsNotIn(present))} AS unsaid, year, county_fips, district_code, tract_geoid, detail,
      place_wrong AS dropped, num_unemployed, num_civilian_labor_force, num_unemployed_moe, num_civilian_labor_force_moe,
      CASE
        WHEN num_unemployed > num_civilian_labor_force THEN 'more unemployed than in the labor force'
        WHEN num_unemployed IS NULL OR num_civilian_labor_force IS NULL THEN 'no estimate is published'
      END AS remark,
      rate AS unemployment_rate, CASE WHEN moe <= 1 THEN moe END AS unemployment_rate_moe
    FROM (
      SELECT *, sqrt(num_unemployed_moe ** 2 + (rate * num_civilian_labor_force_moe) ** 2)
          / nullif(num_civilian_labor_force, 0) AS moe
      FROM (
        SELECT *, num_unemployed / nullif(num_civilian_labor_force, 0) AS rate
        FROM (
          SELECT line, year_of(year, file_year) AS year, county_fips, district_code, tract_geoid, detail, place_wrong,
            ${estimate('unemployed')} AS num_unemployed, ${estimate('labor_force')} AS num_civilian_labor_force,
            ${estimate('unemployed_moe')} AS num_unemployed_moe,
            ${estimate('labor_force_moe')} AS num_civilian_labor_force_moe
          FROM ${placedInCensus(present)})))`,
};

function marginsNotIn(present: ReadonlySet<string>): string[] {
  const unemployed = present.has('unemployed_moe');
  const force = present.has('labor_force_moe');
  return [
    ...(unemployed ? [] : ['num_unemployed_moe']),
    ...(force ? [] : ['num_civilian_labor_force_moe']),
    ...(unemployed && force ? [] : ['unemployment_rate_moe']),
  ];
}

const CONTRACT = tableOf(
  'census/employment',
  'year:i county_fips:s district_code:s tract_geoid:s unemployment_rate:d unemployment_rate_moe:d num_unemployed:i num_civilian_labor_force:i num_unemployed_moe:i num_civilian_labor_force_moe:i',
  'year county_fips district_code tract_geoid',
);

export const employment: Importer = {
  name: 'employment',
  reads: "American Community Survey table B23025: data.census.gov's CSV, or JSON of the API or by county",
  target: CONTRACT,
  shapes: [byPlace],
  repeated: 'refuse',
  merges: false,
};
