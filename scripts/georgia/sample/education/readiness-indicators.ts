/**
 * The indicators of readiness with their years and, on the logit scale, how many reach them (`level`), how much that
 * follows z (`slope`) and a group's effect (`gap`). All figures are invented.
 */
export const readinessIndicators = `
  SELECT * FROM (VALUES
    ('elementary', 'literacy',                        2018, 2022,  0.4,  0.55, 1.0),
    ('elementary', 'at_or_above_grade_level_reading', 2023, 2025,  0.65, 0.55, 1.0),
    ('elementary', 'student_attendance',              2018, 2022,  2.0,  0.4,  0.8),
    ('elementary', 'attendance',                      2023, 2025,  1.4,  0.4,  0.8),
    ('elementary', 'beyond_the_core',                 2018, 2025,  1.6,  0.2,  0.1),
    ('middle',     'literacy',                        2018, 2022,  0.45, 0.55, 1.0),
    ('middle',     'at_or_above_grade_level_reading', 2023, 2025,  0.55, 0.55, 1.0),
    ('middle',     'student_attendance',              2018, 2022,  1.8,  0.4,  0.8),
    ('middle',     'attendance',                      2023, 2025,  1.2,  0.4,  0.8),
    ('middle',     'beyond_the_core',                 2018, 2025,  1.9,  0.2,  0.1),
    ('high',       'literacy',                        2018, 2022,  0.5,  0.55, 1.0),
    ('high',       'at_or_above_grade_level_reading', 2023, 2025,  0.6,  0.55, 1.0),
    ('high',       'student_attendance',              2018, 2022,  1.5,  0.4,  0.8),
    ('high',       'attendance',                      2023, 2025,  0.9,  0.4,  0.8),
    ('high',       'accelerated_enrollment',          2018, 2025, -0.7,  0.5,  1.1),
    ('high',       'pathway_completion',              2018, 2025,  0.3,  0.3,  0.6),
    ('high',       'college_and_career_readiness',    2018, 2025,  0.7,  0.4,  0.7)
  ) t(grade_cluster, indicator, first_year, last_year, level, slope, gap)`;

/** Share of a group that reaches an indicator: over the columns above, z, effect, place (with its cluster) and year. */
export const expectedReadiness = `logistic(level + slope * z - gap * effect
  + CASE year WHEN 2021 THEN -0.3 WHEN 2022 THEN -0.15 ELSE 0.02 * (year - 2018) END
  + 0.15 * drift(concat_ws('/', 'readiness', place, indicator), year))`;

/** The score of a share, 0 to 100: accelerated enrollment is measured against a benchmark of 42 percent. */
export function readinessScore(share: string): string {
  return `least(100, 100 * ${share} / CASE indicator WHEN 'accelerated_enrollment' THEN 0.42 ELSE 1 END)`;
}
