import { COUNT, DENOMINATOR } from '../columns.ts';
import type { Specification } from '../facts.ts';

export const specification: Specification = {
  key: 'immigration/quarterly_detainer_reports',
  facts: {
    version: '1.0.0',
    years: [2024, 2026],
    levels: ['counties'],
    grain: ['year', 'quarter', 'county_fips'],
    keyMetric: 'num_detainers',
    updateFrequency: 'quarterly',
  },
  columns: {
    year: { type: 'integer', role: 'year' },
    quarter: { type: 'string', role: 'categorical', values: ['q1', 'q2', 'q3', 'q4'] },
    county_fips: { type: 'string', nullable: false, role: 'fk_county' },
    num_inmates_booked: DENOMINATOR,
    num_lesc_inquiries: COUNT,
    num_lesc_responses: COUNT,
    num_responses_illegal_alien: COUNT,
    num_detainers: COUNT,
  },
  sentences: {
    'Years 2024-2026, quarterly; detail counties': ['year_known', 'year_in_folder', 'county_fips_not_null'],
    'Grain: year, quarter, county_fips': ['grain_unique'],
    'Jail filings under a state statute, collected by hand':
      'A statement of how the records were made; it leaves no trace in a row.',
    'from 91 of 159 counties': ['at_most_91_counties'],
    'a missing county-quarter means not collected, not zero':
      'A row that is absent cannot be held to anything.',
    'year: calendar year from the filing': ['year_not_null', 'year_known'],
    'quarter (categorical): q1, q2, q3, q4': ['quarter_values'],
    'filings for a single month or six months are excluded; a window off the boundary is placed by its midpoint':
      'A statement of how the records were made; it leaves no trace in a row.',
    'county_fips (string, not null, FK counties)': ['county_fips_not_null', 'county_fips_known'],
    'when a municipal facility filed alongside the county jail, the row sums both': ['grain_unique'],
    'All count metrics are integers, nullable (NULL when the filing has no such row or a non-numeric placeholder)':
      [
        'num_inmates_booked_range',
        'num_lesc_inquiries_range',
        'num_lesc_responses_range',
        'num_responses_illegal_alien_range',
        'num_detainers_range',
      ],
    'filings printing a broader or combined figure are withheld':
      'Which filings printed such a figure is not in a row.',
    'Counts are meant to narrow from bookings to detainers but about one county-quarter in nine publishes a chain that cannot be literally true; values are published as filed':
      'The text says that rows break the chain and are served all the same, so a rule would refuse right data.',
    'Detainer counts are not comparable across counties without the screening columns':
      'Advice to readers; any set of rows that follows it or not is the same rows.',
  },
  breaks: {
    at_most_91_counties:
      "INSERT INTO t SELECT s.* REPLACE (c.fips AS county_fips) FROM (SELECT * FROM t WHERE rowid = (SELECT min(rowid) FROM t)) s, (SELECT '13' || lpad((2 * i + 1)::VARCHAR, 3, '0') AS fips FROM range(159) r(i)) c WHERE c.fips NOT IN (SELECT county_fips FROM t)",
  },
};
