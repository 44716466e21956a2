import type { SampleDataset } from '../dataset.ts';
import { zonePiecesByGrade } from './attendance-zones.ts';

/** The pieces of zones, summed by tract, as shares of the tract. */
export const schoolAttendanceZoneTracts: SampleDataset = {
  key: 'education/school_attendance_zone_tracts',
  sql: `
    WITH pieces AS (${zonePiecesByGrade}),
    tract_land AS (
      SELECT substr(block_group_geoid, 1, 11) AS tract_geoid, sum(land)::BIGINT AS land
      FROM (SELECT DISTINCT block_group_geoid, land FROM pieces) GROUP BY ALL
    ), summed AS (
      SELECT
        district_code, school_code, zone_level, grade_level, substr(block_group_geoid, 1, 11) AS tract_geoid,
        sum(people_of_piece)::BIGINT AS people_of_piece,
        sum(land_of_piece)::BIGINT AS land_of_piece
      FROM pieces GROUP BY ALL
    ), shared AS (
      SELECT
        *,
        round(land_of_piece / land, 4) AS area_share,
        sum(people_of_piece) OVER (PARTITION BY district_code, school_code, grade_level) AS people_of_zone
      FROM summed
      JOIN tract_land USING (tract_geoid)
      JOIN (SELECT tract_geoid, population FROM tracts) USING (tract_geoid)
    )
    SELECT
      2027 AS year, district_code, school_code, zone_level, grade_level, tract_geoid,
      people_of_piece AS num_population,
      population AS num_tract_population,
      round(people_of_piece / nullif(population, 0), 4) AS pct_of_tract_population,
      area_share AS pct_of_tract_area,
      round(people_of_piece / nullif(people_of_zone, 0), 4) AS pct_of_zone_population,
      row_number() OVER (
        PARTITION BY tract_geoid, grade_level
        ORDER BY people_of_piece DESC, area_share DESC, district_code, school_code
      ) = 1 AS is_largest_zone_for_tract,
      'schools' AS detail
    FROM shared`,
};
