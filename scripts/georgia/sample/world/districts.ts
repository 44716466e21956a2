import type { Extent } from '../scale.ts';

/**
 * districts: every body that runs schools or receives school money, of all seven types. Each detailed county has a
 * district of its own and the 21 largest also a city district, which takes three tenths of the county. Only these
 * standard districts have a county_fips and a census id; only bodies that run schools have an enrollment.
 */
export function districtsSql(extent: Extent): readonly string[] {
  const { serviceAgencies, stateCharters, commissionCharters, stateSchools } = extent;
  return [
    `CREATE TABLE districts AS
     WITH standard AS (
       SELECT (600 + ordinal)::VARCHAR AS district_code, county_fips, CASE WHEN rank <= 21 THEN 0.7 ELSE 1 END AS share
       FROM state_counties
       UNION ALL
       SELECT (759 + rank)::VARCHAR, county_fips, 0.3 FROM state_counties WHERE rank <= 21
     ), operators(first_code, amount, district_type, district_name, least_enrollment, most_enrollment) AS (
       VALUES
         (7820101, ${stateCharters}, 'state_charter', 'Sample State Charter', 180, 1400),
         (7830101, ${commissionCharters}, 'commission_charter', 'Sample Commission Charter', 180, 1400),
         (7990101, ${stateSchools}, 'state_school', 'Sample State School', 120, 260),
         (850, ${serviceAgencies}, 'resa', 'Sample Service Agency', 0, 0),
         (891, 1, 'state_agency', 'Sample State Agency', 500, 900)
     ), bodies AS (
       SELECT
         district_code, 'Sample District ' || district_code AS district_name, '90' || district_code AS district_census_id,
         'standard' AS district_type, county_fips, round(population * share * 0.155)::BIGINT AS enrollment, z AS county_z
       FROM standard JOIN counties USING (county_fips)
       WHERE detailed
       UNION ALL
       SELECT
         code, district_name || ' ' || code, NULL, district_type, NULL,
         round(least_enrollment + u('operator enrollment/' || code) * (most_enrollment - least_enrollment))::BIGINT,
         n('operator area/' || code)
       FROM operators, LATERAL (SELECT (first_code + k)::VARCHAR AS code FROM range(amount) t(k))
       UNION ALL
       SELECT 'RTC', 'Sample Residential Treatment Centers', NULL, 'state_special', NULL, 0, 0
     )
     SELECT
       * EXCLUDE (county_z),
       0.8 * county_z + 0.6 * n('district z/' || district_code) AS z
     FROM bodies`,
  ];
}
