import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'education/school_attendance_zone_tracts',
  facts: {
    version: '1.0.0',
    years: [2027, 2027],
    gaps: [],
    levels: ['schools'],
    defaultDetail: 'schools',
    grain: ['year', 'district_code', 'school_code', 'grade_level', 'tract_geoid'],
    keyMetric: 'pct_of_tract_population',
    updateFrequency: 'as zones change',
    columns: {
      year: { type: 'integer', nullable: false, role: 'year' },
      district_code: { type: 'string', nullable: false, role: 'fk_district' },
      school_code: { type: 'string', nullable: false, role: 'fk_school' },
      zone_level: { values: ['elementary', 'high', 'middle'] },
      grade_level: {
        values: ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12', 'k'],
      },
      tract_geoid: { type: 'string', role: 'fk_tract' },
      num_population: { type: 'integer', component: 'numerator' },
      num_tract_population: { type: 'integer', component: 'denominator' },
      pct_of_tract_population: { nullable: true, unit: 'proportion' },
      pct_of_tract_area: { nullable: true, unit: 'proportion' },
      pct_of_zone_population: { nullable: true, unit: 'proportion' },
      is_largest_zone_for_tract: { type: 'boolean' },
    },
  },
  sentences: [
    { says: 'Year 2027 only', rules: ['year_known', 'year_in_folder', 'year_not_null'] },
    { says: 'detail schools', rules: ['district_code_not_null', 'school_code_not_null'] },
    { says: 'Grain: year, district_code, school_code, grade_level, tract_geoid', rules: ['grain_unique'] },
    {
      says: 'district_code, school_code as in the block-group dataset (not null, 4-digit school code)',
      rules: [
        'district_code_not_null',
        'school_code_not_null',
        'school_code_digits',
        'district_code_known',
        'school_code_known',
      ],
    },
    { says: 'zone_level (elementary, middle, high)', rules: ['zone_level_values', 'zone_level_not_null'] },
    { says: 'grade_level (01 to 12, k)', rules: ['grade_level_values', 'grade_level_not_null'] },
    {
      says: 'tract_geoid (string, 11-digit, 2020 boundaries, FK tracts)',
      rules: ['tract_geoid_digits', 'tract_geoid_known', 'tract_geoid_not_null'],
    },
    {
      says: 'num_population (integer numerator)',
      rules: ['num_population_range', 'population_share_is_ratio'],
    },
    {
      says: 'num_tract_population (integer denominator, repeated per row)',
      rules: ['num_tract_population_range', 'tract_population_repeats', 'population_share_is_ratio'],
    },
    {
      says: 'never add across rows',
      rules: [],
      why: 'Advice to the reader; it says nothing of any row.',
    },
    {
      says: "pct_of_tract_population adds to 1 across a tract's zones at one grade when fully zoned",
      rules: ['fully_zoned_tract_adds_to_one', 'tract_shares_at_most_one'],
    },
    {
      says: 'Shares are proportions',
      rules: ['pct_of_tract_population_range', 'pct_of_tract_area_range', 'pct_of_zone_population_range'],
    },
    {
      says: 'Shares are NULL when the base is empty',
      rules: ['population_share_null_when_tract_empty', 'zone_share_null_when_zone_empty'],
    },
    {
      says: "pct_of_zone_population is a share of the zone's population (said to add to 1 in the block-group dataset)",
      rules: ['zone_shares_add_to_one'],
    },
    {
      says: 'is_largest_zone_for_tract (boolean): exactly one row per tract and grade',
      rules: [
        'one_largest_zone_per_tract',
        'largest_zone_has_most_people',
        'is_largest_zone_for_tract_not_null',
      ],
    },
    {
      says: 'Pin one grade_level',
      rules: [],
      why: 'Advice to the reader; it says nothing of any row.',
    },
    { says: 'zone_level follows from the grade', rules: ['zone_level_follows_from_grade'] },
  ],
  breaks: {
    tract_geoid_digits: "UPDATE t SET tract_geoid = '13001' WHERE rowid = (SELECT min(rowid) FROM t)",
    school_code_digits: "UPDATE t SET school_code = '77' WHERE rowid = (SELECT min(rowid) FROM t)",
    tract_population_repeats: `UPDATE t SET num_tract_population = num_tract_population + 1
      WHERE rowid = (SELECT min(rowid) FROM t WHERE tract_geoid IN (
        SELECT tract_geoid FROM t GROUP BY year, tract_geoid HAVING count(*) > 1))`,
    population_share_is_ratio: `UPDATE t
      SET pct_of_tract_population = CASE WHEN pct_of_tract_population > 0.5 THEN 0 ELSE 1 END
      WHERE rowid = (SELECT min(rowid) FROM t
        WHERE pct_of_tract_population IS NOT NULL AND num_tract_population >= 10)`,
    population_share_null_when_tract_empty: `UPDATE t SET num_population = 0, num_tract_population = 0
      WHERE rowid = (SELECT min(rowid) FROM t WHERE pct_of_tract_population IS NOT NULL)`,
    zone_share_null_when_zone_empty: `UPDATE t SET num_population = 0
      WHERE concat_ws('/', year, district_code, school_code, grade_level) = (
        SELECT concat_ws('/', year, district_code, school_code, grade_level) AS zone FROM t
        WHERE pct_of_zone_population IS NOT NULL GROUP BY zone ORDER BY count(*), zone LIMIT 1)`,
    zone_shares_add_to_one: `UPDATE t SET pct_of_zone_population = 0
      WHERE rowid = (SELECT rowid FROM t WHERE pct_of_zone_population IS NOT NULL
        ORDER BY pct_of_zone_population DESC, rowid LIMIT 1)`,
    one_largest_zone_per_tract: `UPDATE t SET is_largest_zone_for_tract = NOT is_largest_zone_for_tract
      WHERE rowid = (SELECT min(rowid) FROM t)`,
    largest_zone_has_most_people: `UPDATE t SET num_population = (SELECT max(num_population) + 1 FROM t)
      WHERE rowid = (SELECT min(rowid) FROM t WHERE NOT is_largest_zone_for_tract)`,
    zone_level_follows_from_grade: `UPDATE t
      SET zone_level = CASE WHEN zone_level = 'high' THEN 'middle' ELSE 'high' END
      WHERE rowid = (SELECT min(rowid) FROM t)`,
    fully_zoned_tract_adds_to_one: `UPDATE t SET pct_of_tract_population = 0.4, pct_of_tract_area = CASE WHEN
        rowid = (SELECT min(rowid) FROM t) THEN 1 ELSE 0 END
      WHERE concat_ws('/', year, tract_geoid, grade_level) = (
        SELECT concat_ws('/', year, tract_geoid, grade_level) FROM t WHERE rowid = (SELECT min(rowid) FROM t))`,
    tract_shares_at_most_one: `UPDATE t SET pct_of_tract_population = 1
      WHERE concat_ws('/', year, tract_geoid, grade_level) = (
        SELECT min(concat_ws('/', year, tract_geoid, grade_level)) FROM t WHERE NOT is_largest_zone_for_tract)`,
  },
};
