/** Attendance zones of schools, and the income of their households. */
import { marginOfCount } from './census.ts';
import { type Samples, sample, split, withColumns } from './draws.ts';

const OF_LEVEL = 'PARTITION BY district_code, zone_level, redrawn';

/**
 * Zones of the schools of standard districts. `redrawn` is false for the zones of a level's first grades and true for
 * those of its last grade, if the district redraws those (`differs`).
 */
const zoned = withColumns(
  `schools JOIN (SELECT district_code, county_fips FROM districts WHERE district_type = 'standard') USING (district_code),
  (VALUES (false), (true)) r(redrawn)`,
  {
    zone_level: "CASE WHEN elementary = 1 THEN 'elementary' WHEN middle = 1 THEN 'middle' ELSE 'high' END",
    schools_of_level: `count(*) OVER (${OF_LEVEL})`,
    // Some elementary schools of choice have a zone of a few streets only, with two to twelve children in it.
    turn: `row_number() OVER (PARTITION BY zone_level, schools_of_level > 1, redrawn ORDER BY u('zone of choice/' || place))`,
    children: `CASE WHEN zone_level = 'elementary' AND schools_of_level > 1 AND turn % 48 BETWEEN 1 AND 3
      THEN 5 * (turn % 48) - 3 ELSE enrollment END`,
    weight: `round(1000 * children
      * exp(0.2 * n('zone/' || place) + CASE WHEN redrawn THEN 0.4 * n('zone redrawn/' || place) ELSE 0 END))::BIGINT`,
    differs: "schools_of_level > 1 AND u(concat_ws('/', 'zones by grade', district_code, zone_level)) < 0.15",
  },
);

/** A district's block groups lie on a line, end to end. */
const ground = withColumns(
  'block_groups JOIN (SELECT tract_geoid, district_code FROM tracts) USING (tract_geoid)',
  {
    land: `round(1000000 * exp(0.9 * n('block group land/' || block_group_geoid))
    * CASE WHEN population < 50 THEN 4 ELSE 1 END)::BIGINT`,
    length: '100 * (population + 20)',
    ground_end:
      'sum(length) OVER (PARTITION BY district_code ORDER BY block_group_geoid ROWS UNBOUNDED PRECEDING)',
  },
);

const ofGround = (total: string, weight: string) =>
  split(total, weight, 'zone_level, redrawn, block_group_geoid', 'school_code');

/**
 * Pieces of the zones: one row per zone and block group that it covers, with the people, households and land of the piece
 * (whole numbers; pieces of a block group add up to it, except for ground that no school serves). Each level's zones are
 * sections of their district's line, in proportion to their schools' size: zones are contiguous and cut block groups at
 * their ends.
 */
const zonePieces = `
  WITH zoned AS (FROM (${zoned}) WHERE differs OR NOT redrawn), ground AS (${ground}), sections AS (
    SELECT *,
      line * (sum(weight) OVER along) // sum(weight) OVER (${OF_LEVEL}) AS section_end,
      line * (sum(weight) OVER along - weight) // sum(weight) OVER (${OF_LEVEL}) AS section_start
    FROM zoned JOIN (SELECT district_code, sum(length) AS line FROM ground GROUP BY ALL) USING (district_code)
    WINDOW along AS (${OF_LEVEL} ORDER BY school_code ROWS UNBOUNDED PRECEDING)
  ), cut AS (
    -- Real borders are not straight: a block group reaches half its length into its neighbours.
    SELECT *,
      least(section_end, ground_end + length // 2) - greatest(section_start, ground_end - length - length // 2) AS overlap
    FROM ground JOIN (SELECT * EXCLUDE (z, weight) FROM sections) USING (district_code)
    WHERE section_start < ground_end + length // 2 AND section_end > ground_end - length - length // 2
    UNION ALL BY NAME
    -- Barracks, lakes and forests: ground that no school serves, at any level.
    SELECT *,
      round(length * (0.2 + 2 * u('ground without school/' || block_group_geoid)))::BIGINT AS overlap
    FROM ground JOIN (SELECT DISTINCT district_code, zone_level, redrawn FROM zoned) USING (district_code)
    WHERE u('ground without school?/' || block_group_geoid) < 0.03
  )
  SELECT * FROM (${withColumns('cut', {
    piece: "concat_ws('/', zone_level, redrawn, place, block_group_geoid)",
    // Some of the small pieces have land but no house.
    people_weight: `CASE WHEN 6 * overlap < length AND u('houses of piece/' || piece) < 0.3 THEN 0 ELSE overlap END::BIGINT`,
    households_weight: "round(people_weight * exp(0.05 * n('households of piece/' || piece)))::BIGINT",
    land_weight: "round(overlap * exp(0.5 * n('land of piece/' || piece)))::BIGINT",
    people_of_piece: ofGround('population', 'people_weight'),
    households_of_piece: ofGround('households', 'households_weight'),
    land_of_piece: ofGround('land', 'land_weight'),
  })}) WHERE school_code IS NOT NULL AND (land_of_piece > 0 OR people_of_piece > 0)`;

/** Pieces of zones by grade, summed by block groups or tracts. */
function zoneAreas(area: 'block_group' | 'tract', households: Readonly<Record<string, string>> = {}): string {
  const code = `${area}_geoid`;
  const zone = 'district_code, school_code, zone_level, grade_level';
  return sample({
    from: `(
      SELECT ${zone}, ${code}, sum(people_of_piece)::BIGINT AS people, sum(households_of_piece)::BIGINT AS homes,
        sum(land_of_piece)::BIGINT AS ground
      FROM (SELECT *, unnest(CASE zone_level
          WHEN 'elementary' THEN ['k', '01', '02', '03', '04', '05'] WHEN 'middle' THEN ['06', '07', '08']
          ELSE ['09', '10', '11', '12'] END) AS grade_level FROM (${zonePieces}))
      WHERE redrawn = (differs AND grade_level IN ('05', '08', '12')) GROUP BY ALL
    ) JOIN (
      SELECT ${code}, sum(population) AS population, sum(households) AS households, sum(land) AS land
      FROM (${ground}) GROUP BY ALL
    ) USING (${code})`,
    drawn: { detail: "'schools'", area_share: 'round(ground / land, 4)' },
    keys: `2027 AS year, ${zone}, ${code}`,
    figures: {
      num_population: 'people',
      [`num_${area}_population`]: 'population',
      [`pct_of_${area}_population`]: 'round(people / nullif(population, 0), 4)',
      [`pct_of_${area}_area`]: 'area_share',
      pct_of_zone_population: `round(people / nullif(sum(people) OVER (PARTITION BY ${zone}), 0), 4)`,
      [`is_largest_zone_for_${area}`]: `row_number() OVER (PARTITION BY ${code}, grade_level
        ORDER BY people DESC, area_share DESC, district_code, school_code) = 1`,
      ...households,
    },
  });
}

export const zones: Samples = {
  'education/school_attendance_zone_block_groups': zoneAreas('block_group', {
    num_households: 'homes',
    num_block_group_households: 'households',
    pct_of_block_group_households: 'round(homes / nullif(households, 0), 4)',
  }),

  'education/school_attendance_zone_tracts': zoneAreas('tract'),

  /** A single school's zone is its district; if that is a whole county, some zones take the county's figure. */
  'education/school_zone_income': sample({
    from: `(${zonePieces}) WHERE NOT redrawn`,
    drawn: {
      // Incomes are skewed: the richest places are far above the rest.
      median: `round(exp(11.01 + 0.37 * z + 0.11 * greatest(z, 0) ** 2 + 0.08 * n('income/' || block_group_geoid)))::BIGINT`,
      mean: "round(median * (1.28 + 0.06 * n('income inequality/' || block_group_geoid)))::BIGINT",
      surveyed:
        "round(households_of_piece * (1.04 + 0.06 * n('household growth/' || block_group_geoid)))::BIGINT",
    },
    levels: rows => `
      SELECT district_code, school_code, zone_level, differs, schools_of_level, place, county_fips, 'schools' AS detail,
        sum(surveyed)::BIGINT AS homes,
        coalesce(sum(surveyed) FILTER (u('aggregate income withheld/' || block_group_geoid) < 0.01), 0) AS without_income,
        round(sum(surveyed * median) / nullif(sum(surveyed), 0)) AS median,
        round(sum(surveyed * mean) / nullif(sum(surveyed), 0)) AS mean
      FROM (${rows}) GROUP BY ALL`,
    judged: {
      relative_error: '1.645 * sqrt(19 / greatest(homes, 1))',
      median_margin:
        "round(median * 1.05 * relative_error * exp(0.2 * n('median margin/' || place)))::BIGINT",
      mean_margin: "round(mean * 0.85 * relative_error * exp(0.2 * n('mean margin/' || place)))::BIGINT",
      is_county: `count(*) OVER (PARTITION BY county_fips, zone_level) = 1
        AND u('county estimate/' || district_code) < 0.35`,
      source: `CASE WHEN schools_of_level > 1 THEN 'block_groups' WHEN is_county THEN 'county' ELSE 'school_district' END`,
      published_median: 'CASE WHEN homes >= 50 AND median_margin <= median THEN least(median, 200001) END',
      mean_is_published: `homes >= 50 AND mean_margin <= mean
        AND (source <> 'block_groups' OR without_income <= 0.01 * homes)`,
    },
    keys: '2027 AS year, district_code, school_code, zone_level',
    figures: {
      num_households: 'homes',
      num_households_moe: marginOfCount('homes', '2.6 * homes'),
      median_household_income: 'published_median',
      median_household_income_moe: 'CASE WHEN published_median < 200001 THEN median_margin END',
      mean_household_income: 'CASE WHEN mean_is_published THEN mean END',
      mean_household_income_moe: 'CASE WHEN mean_is_published THEN mean_margin END',
      estimate_source: 'source',
      zone_differs_by_grade: 'differs',
    },
  }),
};
