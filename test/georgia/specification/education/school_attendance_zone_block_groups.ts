import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'education/school_attendance_zone_block_groups',
  facts: {
    version: '1.0.0',
    years: [2027, 2027],
    gaps: [],
    levels: ['schools'],
    defaultDetail: 'schools',
    grain: ['year', 'district_code', 'school_code', 'grade_level', 'block_group_geoid'],
    keyMetric: 'pct_of_block_group_population',
    updateFrequency: 'as zones change',
    columns: {
      year: { type: 'integer', nullable: false, role: 'year' },
      district_code: { type: 'string', nullable: false, role: 'fk_district' },
      school_code: { type: 'string', nullable: false, role: 'fk_school' },
      zone_level: { role: 'categorical', values: ['elementary', 'middle', 'high'] },
      grade_level: {
        role: 'categorical',
        values: ['k', '01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12'],
      },
      block_group_geoid: { type: 'string', role: 'fk_block_group' },
      num_population: { type: 'integer', unit: 'count', component: 'numerator' },
      num_block_group_population: { type: 'integer', unit: 'count', component: 'denominator' },
      pct_of_block_group_population: { type: 'number', nullable: true, unit: 'proportion' },
      pct_of_block_group_area: { type: 'number', nullable: true, unit: 'proportion' },
      pct_of_zone_population: { type: 'number', nullable: true, unit: 'proportion' },
      num_households: { type: 'integer', unit: 'count' },
      num_block_group_households: { type: 'integer', unit: 'count' },
      pct_of_block_group_households: { unit: 'proportion' },
      is_largest_zone_for_block_group: { type: 'boolean' },
    },
  },
  sentences: [
    {
      says: 'Year 2027 only (school year 2026-27)',
      rules: ['year_known', 'year_in_folder', 'year_not_null'],
    },
    { says: 'detail schools', rules: ['district_code_not_null', 'school_code_not_null'] },
    {
      says: 'Grain: year, district_code, school_code, grade_level, block_group_geoid; one row per school, grade and block group',
      rules: ['grain_unique'],
    },
    {
      says: 'district_code (string, not null), school_code (string, not null, 4-digit)',
      rules: [
        'district_code_not_null',
        'school_code_not_null',
        'school_code_digits',
        'district_code_known',
        'school_code_known',
      ],
    },
    { says: 'zone_level: elementary, middle, high', rules: ['zone_level_values', 'zone_level_not_null'] },
    { says: 'grade_level: k, 01 to 12', rules: ['grade_level_values', 'grade_level_not_null'] },
    {
      says: 'zone_level follows from the grade (said of the tract dataset)',
      rules: ['zone_level_follows_from_grade'],
    },
    {
      says: 'block_group_geoid (string, 12-digit, FK block_groups)',
      rules: ['block_group_geoid_digits', 'block_group_geoid_known', 'block_group_geoid_not_null'],
    },
    {
      says: 'num_population (integer, count, numerator)',
      rules: ['num_population_range', 'population_share_is_ratio'],
    },
    {
      says: 'num_block_group_population (denominator, repeated on every row of the block group)',
      rules: [
        'num_block_group_population_range',
        'block_group_population_repeats',
        'population_share_is_ratio',
      ],
    },
    {
      says: 'never add it across rows',
      rules: [],
      why: 'Advice to the reader; it says nothing of any row.',
    },
    {
      says: 'Shares are proportions',
      rules: [
        'pct_of_block_group_population_range',
        'pct_of_block_group_area_range',
        'pct_of_zone_population_range',
        'pct_of_block_group_households_range',
      ],
    },
    {
      says: 'Shares are NULL when the base is empty',
      rules: ['population_share_null_when_block_group_empty', 'zone_share_null_when_zone_empty'],
    },
    {
      says: "pct_of_zone_population adds to 1 over the zone's block groups",
      rules: ['zone_shares_add_to_one'],
    },
    { says: 'num_households (integer, count)', rules: ['num_households_range', 'household_share_is_ratio'] },
    {
      says: 'num_block_group_households (repeated per row)',
      rules: ['num_block_group_households_range', 'block_group_households_repeat'],
    },
    {
      says: "is_largest_zone_for_block_group: true for the zone holding most of the block group's population at that grade",
      rules: ['largest_zone_has_most_people', 'is_largest_zone_for_block_group_not_null'],
    },
    {
      says: 'ties: more land, then lower district code and school code',
      rules: ['largest_zone_tie_by_land', 'largest_zone_tie_by_code'],
    },
    { says: 'one row per block group and grade', rules: ['one_largest_zone_per_block_group'] },
    {
      says: 'Pin one grade_level; multiply by the matching share and add over the rows of the zone',
      rules: [],
      why: 'Advice to the reader; it says nothing of any row.',
    },
  ],
  breaks: {
    block_group_geoid_digits: `UPDATE t SET block_group_geoid = '13001'
      WHERE rowid = (SELECT min(rowid) FROM t)`,
    school_code_digits: "UPDATE t SET school_code = '77' WHERE rowid = (SELECT min(rowid) FROM t)",
    zone_level_follows_from_grade: `UPDATE t
      SET zone_level = CASE WHEN zone_level = 'high' THEN 'middle' ELSE 'high' END
      WHERE rowid = (SELECT min(rowid) FROM t)`,
    block_group_population_repeats: `UPDATE t SET num_block_group_population = num_block_group_population + 1
      WHERE rowid = (SELECT min(rowid) FROM t WHERE block_group_geoid IN (
        SELECT block_group_geoid FROM t GROUP BY year, block_group_geoid HAVING count(*) > 1))`,
    population_share_is_ratio: `UPDATE t
      SET pct_of_block_group_population = CASE WHEN pct_of_block_group_population > 0.5 THEN 0 ELSE 1 END
      WHERE rowid = (SELECT min(rowid) FROM t
        WHERE pct_of_block_group_population IS NOT NULL AND num_block_group_population >= 10)`,
    population_share_null_when_block_group_empty: `UPDATE t
      SET num_population = 0, num_block_group_population = 0
      WHERE rowid = (SELECT min(rowid) FROM t WHERE pct_of_block_group_population IS NOT NULL)`,
    zone_share_null_when_zone_empty: `UPDATE t SET num_population = 0
      WHERE concat_ws('/', year, district_code, school_code, grade_level) = (
        SELECT concat_ws('/', year, district_code, school_code, grade_level) AS zone FROM t
        WHERE pct_of_zone_population IS NOT NULL GROUP BY zone ORDER BY count(*), zone LIMIT 1)`,
    zone_shares_add_to_one: `UPDATE t SET pct_of_zone_population = 0
      WHERE rowid = (SELECT rowid FROM t WHERE pct_of_zone_population IS NOT NULL
        ORDER BY pct_of_zone_population DESC, rowid LIMIT 1)`,
    one_largest_zone_per_block_group: `UPDATE t
      SET is_largest_zone_for_block_group = NOT is_largest_zone_for_block_group
      WHERE rowid = (SELECT min(rowid) FROM t)`,
    largest_zone_has_most_people: `UPDATE t SET num_population = (SELECT max(num_population) + 1 FROM t)
      WHERE rowid = (SELECT min(rowid) FROM t WHERE NOT is_largest_zone_for_block_group)`,
    largest_zone_tie_by_land: `UPDATE t SET num_population = 1, pct_of_block_group_population = 0.5,
        pct_of_block_group_area = CASE WHEN is_largest_zone_for_block_group THEN 0.4 ELSE 0.6 END
      WHERE concat_ws('/', year, block_group_geoid, grade_level) = (
        SELECT min(concat_ws('/', year, block_group_geoid, grade_level)) FROM t
        WHERE NOT is_largest_zone_for_block_group)`,
    largest_zone_tie_by_code: `UPDATE t SET num_population = 1, pct_of_block_group_population = 0.5,
        pct_of_block_group_area = 0.5,
        is_largest_zone_for_block_group = rowid = (
          SELECT rowid FROM t WHERE concat_ws('/', year, block_group_geoid, grade_level) = (
            SELECT min(concat_ws('/', year, block_group_geoid, grade_level)) FROM t
            WHERE NOT is_largest_zone_for_block_group)
          ORDER BY district_code DESC, school_code DESC LIMIT 1)
      WHERE concat_ws('/', year, block_group_geoid, grade_level) = (
        SELECT min(concat_ws('/', year, block_group_geoid, grade_level)) FROM t
        WHERE NOT is_largest_zone_for_block_group)`,
    block_group_households_repeat: `UPDATE t SET num_block_group_households = num_block_group_households + 1
      WHERE rowid = (SELECT min(rowid) FROM t WHERE block_group_geoid IN (
        SELECT block_group_geoid FROM t GROUP BY year, block_group_geoid HAVING count(*) > 1))`,
    household_share_is_ratio: `UPDATE t
      SET pct_of_block_group_households = CASE WHEN pct_of_block_group_households > 0.5 THEN 0 ELSE 1 END
      WHERE rowid = (SELECT min(rowid) FROM t
        WHERE pct_of_block_group_households IS NOT NULL AND num_block_group_households >= 10)`,
  },
};
