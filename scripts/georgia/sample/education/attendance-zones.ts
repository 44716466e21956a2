import { split } from '../split.ts';

/**
 * Attendance zones of standard districts, cut into pieces: one row per zone and block group that it covers, with the
 * people, households and land of the piece (whole numbers; pieces of a block group add up to it, except for ground that
 * no school serves). A district's block groups lie on a line, end to end, and each level's zones are sections of the
 * same line, long as their schools are large, so that zones are contiguous and cut block groups at their ends.
 * `redrawn` is false for the zones of a level's first grades and true for those of its last grade, if the district
 * redraws those (`differs`). A piece without a school has no row.
 */
export const zonePieces: string = `
  WITH served AS (
    SELECT
      district_code, school_code, s.enrollment, level AS zone_level,
      concat_ws('/', district_code, school_code) AS place,
      count(*) OVER (PARTITION BY district_code, level) AS schools_of_level
    FROM schools s
    JOIN districts d USING (district_code),
    LATERAL (SELECT CASE WHEN elementary = 1 THEN 'elementary' WHEN middle = 1 THEN 'middle' ELSE 'high' END AS level)
    WHERE d.district_type = 'standard'
  ), sized AS (
    -- Some elementary schools of choice have a zone of a few streets only, with two to twelve children in it.
    SELECT
      *,
      row_number() OVER (PARTITION BY zone_level, schools_of_level > 1 ORDER BY u('zone of choice/' || place)) AS turn,
      CASE
        WHEN zone_level = 'elementary' AND schools_of_level > 1 AND turn % 48 BETWEEN 1 AND 3 THEN 5 * (turn % 48) - 3
        ELSE enrollment
      END AS children
    FROM served
  ), zoned AS (
    SELECT
      district_code, school_code, zone_level, redrawn, schools_of_level, differs,
      round(1000 * children
        * exp(0.2 * n('zone/' || place) + CASE WHEN redrawn THEN 0.4 * n('zone redrawn/' || place) ELSE 0 END))::BIGINT
        AS weight
    FROM sized,
    LATERAL (SELECT schools_of_level > 1 AND u(concat_ws('/', 'zones by grade', district_code, zone_level)) < 0.15
      AS differs),
    (VALUES (false), (true)) r(redrawn)
    WHERE differs OR NOT redrawn
  ), ground AS (
    SELECT
      district_code, block_group_geoid, b.population, households,
      round(1000000 * exp(0.9 * n('block group land/' || block_group_geoid))
        * CASE WHEN b.population < 50 THEN 4 ELSE 1 END)::BIGINT AS land,
      100 * (b.population + 20) AS length,
      length // 2 AS reach,
      sum(length) OVER (PARTITION BY district_code ORDER BY block_group_geoid ROWS UNBOUNDED PRECEDING) AS finish,
      sum(length) OVER (PARTITION BY district_code) AS line
    FROM block_groups b JOIN tracts USING (tract_geoid)
  ), sections AS (
    SELECT
      z.*,
      line * (sum(weight) OVER along) // sum(weight) OVER level AS finish,
      line * (sum(weight) OVER along - weight) // sum(weight) OVER level AS start
    FROM zoned z JOIN (SELECT DISTINCT district_code, line FROM ground) USING (district_code)
    WINDOW
      level AS (PARTITION BY district_code, zone_level, redrawn),
      along AS (PARTITION BY district_code, zone_level, redrawn ORDER BY school_code ROWS UNBOUNDED PRECEDING)
  ), cut AS (
    -- Real borders are not straight: a block group reaches half its length into its neighbours.
    SELECT
      zone_level, redrawn, differs, schools_of_level, g.district_code, school_code, block_group_geoid, population,
      households, land, length,
      least(s.finish, g.finish + reach) - greatest(s.start, g.finish - length - reach) AS overlap,
      concat_ws('/', zone_level, redrawn, g.district_code, school_code, block_group_geoid) AS piece
    FROM ground g
    JOIN sections s ON s.district_code = g.district_code
      AND s.start < g.finish + reach AND s.finish > g.finish - length - reach
    UNION ALL BY NAME
    -- Barracks, lakes and forests: ground that no school serves, at any level.
    SELECT
      zone_level, redrawn, g.district_code, block_group_geoid, population, households, land, length,
      round(length * (0.2 + 2 * u('ground without school/' || block_group_geoid)))::BIGINT AS overlap,
      concat_ws('/', zone_level, redrawn, block_group_geoid) AS piece
    FROM ground g JOIN (SELECT DISTINCT district_code, zone_level, redrawn FROM zoned) USING (district_code)
    WHERE u('ground without school?/' || block_group_geoid) < 0.03
  ), weighed AS (
    -- On some of the small pieces there is land but no house.
    SELECT
      *,
      CASE WHEN 6 * overlap < length AND u('houses of piece/' || piece) < 0.3 THEN 0 ELSE overlap END::BIGINT
        AS people_weight,
      round(people_weight * exp(0.05 * n('households of piece/' || piece)))::BIGINT AS households_weight,
      round(overlap * exp(0.5 * n('land of piece/' || piece)))::BIGINT AS land_weight
    FROM cut
  ), divided AS (
    SELECT
      * EXCLUDE (people_weight, households_weight, land_weight, length, overlap, piece),
      ${part('population', 'people_weight')} AS people_of_piece,
      ${part('households', 'households_weight')} AS households_of_piece,
      ${part('land', 'land_weight')} AS land_of_piece
    FROM weighed
  )
  SELECT * FROM divided WHERE school_code IS NOT NULL AND (land_of_piece > 0 OR people_of_piece > 0)`;

function part(total: string, weight: string): string {
  return split({ total, weight, within: 'zone_level, redrawn, block_group_geoid', order: 'school_code' });
}

/** Each grade with its level; `redrawn` tells which of the level's zones it uses. */
const grades = `
  SELECT * FROM (VALUES
    ('k', 'elementary', false), ('01', 'elementary', false), ('02', 'elementary', false), ('03', 'elementary', false),
    ('04', 'elementary', false), ('05', 'elementary', true), ('06', 'middle', false), ('07', 'middle', false),
    ('08', 'middle', true), ('09', 'high', false), ('10', 'high', false), ('11', 'high', false), ('12', 'high', true)
  ) g(grade_level, zone_level, is_last)`;

/** The pieces of every grade's zones: `zonePieces` with grade_level. */
export const zonePiecesByGrade: string = `
  SELECT p.*, grade_level
  FROM (${zonePieces}) p JOIN (${grades}) g ON g.zone_level = p.zone_level AND p.redrawn = (p.differs AND g.is_last)`;
