/** Attendance zones of schools, and the income of their households. */
import { marginOfCount } from './census.ts';
import { type Samples, split } from './draws.ts';

/**
 * Attendance zones of standard districts, cut into pieces: one row per zone and block group that it covers, with the
 * people, households and land of the piece (whole numbers; pieces of a block group add up to it, except for ground that
 * no school serves). A district's block groups lie on a line, end to end, and each level's zones are sections of the
 * same line, in proportion to their schools' size: zones are contiguous and cut block groups at their ends.
 * `redrawn` is false for the zones of a level's first grades and true for those of its last grade, if the district
 * redraws those (`differs`). A piece without a school has no row.
 */
const zonePieces = `
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
    -- Some of the small pieces have land but no house.
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

const grades = `
  SELECT * FROM (VALUES
    ('k', 'elementary', false), ('01', 'elementary', false), ('02', 'elementary', false), ('03', 'elementary', false),
    ('04', 'elementary', false), ('05', 'elementary', true), ('06', 'middle', false), ('07', 'middle', false),
    ('08', 'middle', true), ('09', 'high', false), ('10', 'high', false), ('11', 'high', false), ('12', 'high', true)
  ) g(grade_level, zone_level, is_last)`;

const zonePiecesByGrade = `
  SELECT p.*, grade_level
  FROM (${zonePieces}) p JOIN (${grades}) g ON g.zone_level = p.zone_level AND p.redrawn = (p.differs AND g.is_last)`;

export const zones: Samples = {
  'education/school_attendance_zone_block_groups': `
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

  'education/school_attendance_zone_tracts': `
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

  /** A single school's zone is its district; if that is a whole county, some zones take the county's figure. */
  'education/school_zone_income': `
    WITH incomes AS (
      SELECT
        block_group_geoid,
        1.04 + 0.06 * n('household growth/' || block_group_geoid) AS growth,
        -- Incomes are skewed: the richest places are far above the rest.
        round(exp(11.01 + 0.37 * z + 0.11 * greatest(z, 0) ** 2 + 0.08 * n('income/' || block_group_geoid)))::BIGINT AS median,
        round(median * (1.28 + 0.06 * n('income inequality/' || block_group_geoid)))::BIGINT AS mean,
        u('aggregate income withheld/' || block_group_geoid) < 0.01 AS withheld
      FROM block_groups
    ), pieces AS (
      SELECT
        p.*, median, mean, withheld,
        round(households_of_piece * growth)::BIGINT AS surveyed
      FROM (${zonePieces}) p JOIN incomes USING (block_group_geoid)
      WHERE NOT redrawn
    ), summed AS (
      SELECT
        district_code, school_code, zone_level, differs, schools_of_level,
        concat_ws('/', district_code, school_code) AS place,
        sum(surveyed)::BIGINT AS households,
        coalesce(sum(surveyed) FILTER (withheld), 0) AS withheld_households,
        round(sum(surveyed * median) / nullif(sum(surveyed), 0)) AS median,
        round(sum(surveyed * mean) / nullif(sum(surveyed), 0)) AS mean
      FROM pieces GROUP BY ALL
    ), estimated AS (
      SELECT
        *,
        1.645 * sqrt(19 / greatest(households, 1)) AS relative_error,
        round(median * 1.05 * relative_error * exp(0.2 * n('median margin/' || place)))::BIGINT AS median_margin,
        round(mean * 0.85 * relative_error * exp(0.2 * n('mean margin/' || place)))::BIGINT AS mean_margin,
        CASE
          WHEN schools_of_level > 1 THEN 'block_groups'
          WHEN count(*) OVER (PARTITION BY county_fips, zone_level) = 1 AND u('county estimate/' || district_code) < 0.35
            THEN 'county'
          ELSE 'school_district'
        END AS estimate_source
      FROM summed JOIN (SELECT district_code, county_fips FROM districts) USING (district_code)
    ), judged AS (
      SELECT
        *,
        CASE WHEN households >= 50 AND median_margin <= median THEN least(median, 200001) END AS published_median,
        households >= 50 AND mean_margin <= mean
          AND (estimate_source <> 'block_groups' OR withheld_households <= 0.01 * households) AS mean_is_published
      FROM estimated
    )
    SELECT
      2027 AS year, district_code, school_code, zone_level,
      households AS num_households,
      ${marginOfCount('households', '2.6 * households')} AS num_households_moe,
      published_median AS median_household_income,
      CASE WHEN published_median < 200001 THEN median_margin END AS median_household_income_moe,
      CASE WHEN mean_is_published THEN mean END AS mean_household_income,
      CASE WHEN mean_is_published THEN mean_margin END AS mean_household_income_moe,
      estimate_source,
      differs AS zone_differs_by_grade,
      'schools' AS detail
    FROM judged`,
};
