import type { Extent } from '../scale.ts';
import { split } from '../split.ts';

/**
 * schools: standard districts have at least three schools (elementary, middle, high) and more the larger they are;
 * every other body that enrols students has one. elementary, middle and high are the shares of the school's students
 * at that level; they add up to 1. Enrollments add up to the district's.
 */
export function schoolsSql({ schools }: Extent): string {
  return `
    CREATE TABLE schools AS
    WITH standard AS (
      SELECT
        *,
        3 + ${split({ total: 'spare', weight: 'enrollment', within: 'district_type', order: 'district_code' })} AS amount
      FROM districts, LATERAL (
        SELECT ${schools} - sum(CASE WHEN district_type = 'standard' THEN 3 ELSE 1 END) AS spare
        FROM districts WHERE enrollment > 0
      )
      WHERE district_type = 'standard'
    ), numbered AS (
      SELECT district_code, z, district_type, enrollment, k, amount, (k - 0.5) / amount AS position
      FROM standard, LATERAL (SELECT unnest(range(1, amount + 1)) AS k)
      UNION ALL
      SELECT district_code, z, district_type, enrollment, 1, 1, u('operator levels/' || district_code)
      FROM districts WHERE enrollment > 0 AND district_type <> 'standard'
    ), levelled AS (
      SELECT
        *,
        CASE
          WHEN district_type = 'standard' THEN
            CASE
              WHEN position < 0.57 AND k < amount - 1 THEN 'Elementary'
              WHEN position < 0.79 AND k < amount THEN 'Middle'
              ELSE 'High'
            END
          WHEN district_type = 'state_agency' OR position > 0.8 THEN 'High'
          WHEN district_type <> 'state_school' AND position < 0.4 THEN 'Primary'
          ELSE 'Unified'
        END AS kind
      FROM numbered
    ), shared AS (
      SELECT
        *,
        printf('%04d', 100 + k) AS school_code,
        CASE kind WHEN 'Elementary' THEN 1 WHEN 'Primary' THEN 0.66 WHEN 'Unified' THEN 0.46 ELSE 0 END AS elementary,
        CASE kind WHEN 'Middle' THEN 1 WHEN 'Primary' THEN 0.34 WHEN 'Unified' THEN 0.24 ELSE 0 END AS middle,
        CASE kind WHEN 'High' THEN 1 WHEN 'Unified' THEN 0.3 ELSE 0 END AS high
      FROM levelled
    ), weighed AS (
      SELECT
        *,
        -- Middle schools are larger than elementary schools, and high schools larger still.
        round(1000 * (0.8 * elementary + 1.0 * middle + 1.5 * high)
          * exp(0.25 * n(concat_ws('/', 'school size', district_code, school_code))))::BIGINT AS weight
      FROM shared
    )
    SELECT
      district_code, school_code, 'Sample ' || kind || ' School ' || school_code AS school_name,
      elementary::DOUBLE AS elementary, middle::DOUBLE AS middle, high::DOUBLE AS high,
      ${split({ total: 'enrollment', weight: 'weight', within: 'district_code', order: 'school_code' })} AS enrollment,
      0.75 * z + 0.66 * n(concat_ws('/', 'school z', district_code, school_code)) AS z
    FROM weighed`;
}
