/**
 * Students of every school and group by part of the school, as the accountability index divides it: `students` are
 * those of the grade cluster. Groups are the ten that the index reports. `place` names school and cluster in keys.
 */
export const gradeClusters = `
  SELECT
    year, district_code, school_code, grade_cluster, demographic, z,
    CASE demographic WHEN 'all' THEN 0 ELSE effect END AS effect,
    concat_ws('/', district_code, school_code) AS school,
    concat_ws('/', district_code, school_code, grade_cluster) AS place,
    round(students * part)::BIGINT AS students
  FROM enrollment
  JOIN (
    SELECT district_code, school_code, grade_cluster, part
    FROM schools UNPIVOT (part FOR grade_cluster IN (elementary, middle, high))
    WHERE part > 0
  ) USING (district_code, school_code)
  WHERE demographic IN (
    'all', 'asian_pacific_islander', 'black', 'economically_disadvantaged', 'english_learners', 'hispanic',
    'multiracial', 'native_american', 'students_with_disabilities', 'white')`;
