import type { SampleDataset } from '../dataset.ts';
import { zonePiecesByGrade } from './attendance-zones.ts';

/** The pieces of zones, as shares of their block groups. */
export const schoolAttendanceZoneBlockGroups: SampleDataset = {
  key: 'education/school_attendance_zone_block_groups',
  sql: `
    WITH shared AS (
      SELECT
        *,
        round(land_of_piece / land, 4) AS area_share,
        sum(people_of_piece) OVER (PARTITION BY district_code, school_code, grade_level) AS people_of_zone
      FROM (${zonePiecesByGrade})
    )
    SELECT
      2027 AS year, district_code, school_code, zone_level, grade_level, block_group_geoid,
      people_of_piece AS num_population,
      population AS num_block_group_population,
      round(people_of_piece / nullif(population, 0), 4) AS pct_of_block_group_population,
      area_share AS pct_of_block_group_area,
      round(people_of_piece / nullif(people_of_zone, 0), 4) AS pct_of_zone_population,
      households_of_piece AS num_households,
      households AS num_block_group_households,
      round(households_of_piece / nullif(households, 0), 4) AS pct_of_block_group_households,
      row_number() OVER (
        PARTITION BY block_group_geoid, grade_level
        ORDER BY people_of_piece DESC, area_share DESC, district_code, school_code
      ) = 1 AS is_largest_zone_for_block_group,
      'schools' AS detail
    FROM shared`,
};
