import { changeFirst, type Specification } from '../facts.ts';
import { ATTENDANCE_ZONES } from './attendance-zones.ts';
import { SCHOOLS_ALONE } from './school-places.ts';

export const specification: Specification = {
  key: 'education/school_attendance_zone_block_groups',
  alike: [SCHOOLS_ALONE, ATTENDANCE_ZONES],
  facts: {
    grain: ['year', 'district_code', 'school_code', 'grade_level', 'block_group_geoid'],
    keyMetric: 'pct_of_block_group_population',
  },
  columns: {
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
  sentences: {
    'Year 2027 only (school year 2026-27)': ['year_known', 'year_in_folder', 'year_not_null'],
    'Grain: year, district_code, school_code, grade_level, block_group_geoid; one row per school, grade and block group':
      ['grain_unique'],
    'district_code (string, not null), school_code (string, not null, 4-digit)': [
      'district_code_not_null',
      'school_code_not_null',
      'school_code_digits',
      'district_code_known',
      'school_code_known',
    ],
    'zone_level: elementary, middle, high': ['zone_level_values', 'zone_level_not_null'],
    'grade_level: k, 01 to 12': ['grade_level_values', 'grade_level_not_null'],
    'zone_level follows from the grade (said of the tract dataset)': ['zone_level_follows_from_grade'],
    'block_group_geoid (string, 12-digit, FK block_groups)': [
      'block_group_geoid_digits',
      'block_group_geoid_known',
      'block_group_geoid_not_null',
    ],
    'num_population (integer, count, numerator)': ['num_population_range', 'population_share_is_ratio'],
    'num_block_group_population (denominator, repeated on every row of the block group)': [
      'num_block_group_population_range',
      'block_group_population_repeats',
      'population_share_is_ratio',
    ],
    'never add it across rows': 'Advice to the reader; it says nothing of any row.',
    'Shares are proportions': [
      'pct_of_block_group_population_range',
      'pct_of_block_group_area_range',
      'pct_of_zone_population_range',
      'pct_of_block_group_households_range',
    ],
    'Shares are NULL when the base is empty': [
      'population_share_null_when_block_group_empty',
      'zone_share_null_when_zone_empty',
    ],
    "pct_of_zone_population adds to 1 over the zone's block groups": ['zone_shares_add_to_one'],
    'num_households (integer, count)': ['num_households_range', 'household_share_is_ratio'],
    'num_block_group_households (repeated per row)': [
      'num_block_group_households_range',
      'block_group_households_repeat',
    ],
    "is_largest_zone_for_block_group: true for the zone holding most of the block group's population at that grade":
      ['largest_zone_has_most_people', 'is_largest_zone_for_block_group_not_null'],
    'ties: more land, then lower district code and school code': [
      'largest_zone_tie_by_land',
      'largest_zone_tie_by_code',
    ],
    'one row per block group and grade': ['one_largest_zone_per_block_group'],
    'Pin one grade_level; multiply by the matching share and add over the rows of the zone':
      'Advice to the reader; it says nothing of any row.',
  },
  breaks: {
    block_group_geoid_digits: changeFirst("block_group_geoid = '13001'"),
    block_group_population_repeats: `UPDATE t SET num_block_group_population = num_block_group_population + 1
      WHERE rowid = (SELECT min(rowid) FROM t WHERE block_group_geoid IN (
        SELECT block_group_geoid FROM t GROUP BY year, block_group_geoid HAVING count(*) > 1))`,
    population_share_is_ratio: changeFirst(
      'pct_of_block_group_population = CASE WHEN pct_of_block_group_population > 0.5 THEN 0 ELSE 1 END',
      'pct_of_block_group_population IS NOT NULL AND num_block_group_population >= 10',
    ),
    population_share_null_when_block_group_empty: changeFirst(
      'num_population = 0, num_block_group_population = 0',
      'pct_of_block_group_population IS NOT NULL',
    ),
    one_largest_zone_per_block_group: changeFirst(
      'is_largest_zone_for_block_group = NOT is_largest_zone_for_block_group',
    ),
    largest_zone_has_most_people: changeFirst(
      'num_population = (SELECT max(num_population) + 1 FROM t)',
      'NOT is_largest_zone_for_block_group',
    ),
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
    household_share_is_ratio: changeFirst(
      'pct_of_block_group_households = CASE WHEN pct_of_block_group_households > 0.5 THEN 0 ELSE 1 END',
      'pct_of_block_group_households IS NOT NULL AND num_block_group_households >= 10',
    ),
  },
};
