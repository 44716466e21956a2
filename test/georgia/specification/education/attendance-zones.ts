import { changeFirst, type Statements } from '../facts.ts';

/** Zones by census tract and by block group. */
export const ATTENDANCE_ZONES: Statements = {
  facts: {
    version: '1.0.0',
    years: [2027, 2027],
    updateFrequency: 'as zones change',
  },
  sentences: {
    'detail schools': ['district_code_not_null', 'school_code_not_null'],
  },
  breaks: {
    school_code_digits: changeFirst("school_code = '77'"),
    zone_level_follows_from_grade: changeFirst(
      "zone_level = CASE WHEN zone_level = 'high' THEN 'middle' ELSE 'high' END",
    ),
    zone_share_null_when_zone_empty: `UPDATE t SET num_population = 0
      WHERE concat_ws('/', year, district_code, school_code, grade_level) = (
        SELECT concat_ws('/', year, district_code, school_code, grade_level) AS zone FROM t
        WHERE pct_of_zone_population IS NOT NULL GROUP BY zone ORDER BY count(*), zone LIMIT 1)`,
    zone_shares_add_to_one: `UPDATE t SET pct_of_zone_population = 0
      WHERE rowid = (SELECT rowid FROM t WHERE pct_of_zone_population IS NOT NULL
        ORDER BY pct_of_zone_population DESC, rowid LIMIT 1)`,
  },
};
