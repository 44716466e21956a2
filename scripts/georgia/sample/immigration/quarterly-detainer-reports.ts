import type { SampleDataset } from '../dataset.ts';

/**
 * Filings of the jails of 91 counties, from the third quarter of 2024 to the second of 2026; some quarters were not
 * collected. How many inmates a jail inquires about is its own policy. Some rows of some filings are missing, and about
 * one filing in nine has a figure that cannot be true.
 */
export const quarterlyDetainerReports: SampleDataset = {
  key: 'immigration/quarterly_detainer_reports',
  sql: `
    WITH collected AS (
      SELECT county_fips, row_number() OVER (ORDER BY u('filings collected/' || county_fips), county_fips) AS turn
      FROM state_counties
    ), filings AS (
      SELECT
        2024 + (elapsed + 2) // 4 AS year,
        'q' || ((elapsed + 2) % 4 + 1) AS quarter,
        county_fips, population, foreign_born, elapsed,
        concat_ws('/', county_fips, elapsed) AS filing
      FROM counties JOIN collected USING (county_fips), range(8) t(elapsed)
      WHERE turn <= 91 AND (elapsed = 3 OR u('filing collected/' || filing) < 0.88)
    ), booked AS (
      SELECT
        *,
        greatest(12, round(population * 0.011 * exp(0.35 * n('bookings/' || county_fips)
          + 0.05 * sin(2 * pi() * elapsed / 4) + 0.05 * n('bookings/' || filing))))::BIGINT AS bookings,
        -- Some jails inquire about all who were born abroad, some about few of them.
        least(0.6, foreign_born * exp(0.1 + 0.7 * n('inquiry policy/' || county_fips))) AS inquiry_share
      FROM filings
    ), inquired AS (
      SELECT *, count_of(bookings, inquiry_share, 'inquiries/' || filing) AS inquiries
      FROM booked
    ), answered AS (
      SELECT *, count_of(inquiries, 0.9, 'responses/' || filing) AS responses
      FROM inquired
    ), judged AS (
      SELECT
        *,
        count_of(responses, logistic(0.2 + 0.4 * n('unlawful presence/' || county_fips)), 'unlawful presence/' || filing)
          AS illegal
      FROM answered
    ), drawn AS (
      SELECT
        *,
        count_of(illegal, logistic(0.3 + 0.03 * elapsed + 0.5 * n('detainers/' || county_fips)), 'detainers/' || filing)
          AS detainers,
        u('slip/' || filing) AS slip
      FROM judged
    )
    SELECT
      year, quarter, county_fips,
      CASE WHEN u('filed bookings/' || filing) > 0.04 THEN bookings END AS num_inmates_booked,
      CASE WHEN u('filed inquiries/' || filing) > 0.05 THEN inquiries END AS num_lesc_inquiries,
      -- Slips: responses to the inquiries of another quarter, detainers that other agencies asked for.
      CASE WHEN u('filed responses/' || filing) > 0.08 THEN
        CASE WHEN slip < 0.06 THEN inquiries + 1 + round(inquiries * slip * 5)::BIGINT ELSE responses END
      END AS num_lesc_responses,
      CASE WHEN u('combined figure/' || county_fips) > 0.15 AND u('filed unlawful presence/' || filing) > 0.06
        THEN illegal END AS num_responses_illegal_alien,
      CASE WHEN u('filed detainers/' || filing) > 0.04 THEN
        CASE WHEN slip BETWEEN 0.06 AND 0.125 THEN illegal + 1 + round(illegal * slip * 3)::BIGINT ELSE detainers END
      END AS num_detainers,
      'counties' AS detail
    FROM drawn`,
};
