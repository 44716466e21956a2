import { changeFirst, type Specification } from '../facts.ts';
import { ATTENDANCE_ZONES } from './attendance-zones.ts';
import { SCHOOLS_ALONE } from './school-places.ts';

export const specification: Specification = {
  key: 'education/school_attendance_zone_tracts',
  alike: [SCHOOLS_ALONE, ATTENDANCE_ZONES],
  facts: {
    grain: ['year', 'district_code', 'school_code', 'grade_level', 'tract_geoid'],
    keyMetric: 'pct_of_tract_population',
  },
  columns: {
    zone_level: { values: ['elementary', 'high', 'middle'] },
    grade_level: { values: ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12', 'k'] },
    tract_geoid: { type: 'string', role: 'fk_tract' },
    num_population: { type: 'integer', component: 'numerator' },
    num_tract_population: { type: 'integer', component: 'denominator' },
    pct_of_tract_population: { nullable: true, unit: 'proportion' },
    pct_of_tract_area: { nullable: true, unit: 'proportion' },
    pct_of_zone_population: { nullable: true, unit: 'proportion' },
    is_largest_zone_for_tract: { type: 'boolean' },
  },
  sentences: {
    'Year 2027 only': ['year_known', 'year_in_folder', 'year_not_null'],
    'Grain: year, district_code, school_code, grade_level, tract_geoid': ['grain_unique'],
    'district_code, school_code as in the block-group dataset (not null, 4-digit school code)': [
      'district_code_not_null',
      'school_code_not_null',
      'school_code_digits',
      'district_code_known',
      'school_code_known',
    ],
    'zone_level (elementary, middle, high)': ['zone_level_values', 'zone_level_not_null'],
    'grade_level (01 to 12, k)': ['grade_level_values', 'grade_level_not_null'],
    'tract_geoid (string, 11-digit, 2020 boundaries, FK tracts)': [
      'tract_geoid_digits',
      'tract_geoid_known',
      'tract_geoid_not_null',
    ],
    'num_population (integer numerator)': ['num_population_range', 'population_share_is_ratio'],
    'num_tract_population (integer denominator, repeated per row)': [
      'num_tract_population_range',
      'tract_population_repeats',
      'population_share_is_ratio',
    ],
    'never add across rows': 'Advice to the reader; it says nothing of any row.',
    "pct_of_tract_population adds to 1 across a tract's zones at one grade when fully zoned": [
      'fully_zoned_tract_adds_to_one',
      'tract_shares_at_most_one',
    ],
    'Shares are proportions': [
      'pct_of_tract_population_range',
      'pct_of_tract_area_range',
      'pct_of_zone_population_range',
    ],
    'Shares are NULL when the base is empty': [
      'population_share_null_when_tract_empty',
      'zone_share_null_when_zone_empty',
    ],
    "pct_of_zone_population is a share of the zone's population (said to add to 1 in the block-group dataset)":
      ['zone_shares_add_to_one'],
    'is_largest_zone_for_tract (boolean): exactly one row per tract and grade': [
      'one_largest_zone_per_tract',
      'largest_zone_has_most_people',
      'is_largest_zone_for_tract_not_null',
    ],
    'Pin one grade_level': 'Advice to the reader; it says nothing of any row.',
    'zone_level follows from the grade': ['zone_level_follows_from_grade'],
  },
  breaks: {
    tract_geoid_digits: changeFirst("tract_geoid = '13001'"),
    tract_population_repeats: changeFirst(
      'num_tract_population = num_tract_population + 1',
      'tract_geoid IN ( SELECT tract_geoid FROM t GROUP BY year, tract_geoid HAVING count(*) > 1)',
    ),
    population_share_is_ratio: changeFirst(
      'pct_of_tract_population = CASE WHEN pct_of_tract_population > 0.5 THEN 0 ELSE 1 END',
      'pct_of_tract_population IS NOT NULL AND num_tract_population >= 10',
    ),
    population_share_null_when_tract_empty: changeFirst(
      'num_population = 0, num_tract_population = 0',
      'pct_of_tract_population IS NOT NULL',
    ),
    one_largest_zone_per_tract: changeFirst('is_largest_zone_for_tract = NOT is_largest_zone_for_tract'),
    largest_zone_has_most_people: changeFirst(
      'num_population = (SELECT max(num_population) + 1 FROM t)',
      'NOT is_largest_zone_for_tract',
    ),
    fully_zoned_tract_adds_to_one: `UPDATE t SET pct_of_tract_population = 0.4, pct_of_tract_area = CASE WHEN
        rowid = (SELECT min(rowid) FROM t) THEN 1 ELSE 0 END
      WHERE concat_ws('/', year, tract_geoid, grade_level) = (
        SELECT concat_ws('/', year, tract_geoid, grade_level) FROM t WHERE rowid = (SELECT min(rowid) FROM t))`,
    tract_shares_at_most_one: `UPDATE t SET pct_of_tract_population = 1
      WHERE concat_ws('/', year, tract_geoid, grade_level) = (
        SELECT min(concat_ws('/', year, tract_geoid, grade_level)) FROM t WHERE NOT is_largest_zone_for_tract)`,
  },
};
