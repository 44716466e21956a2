import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'immigration/quarterly_detainer_reports',
  facts: {
    version: '1.0.0',
    years: [2024, 2026],
    gaps: [],
    levels: ['counties'],
    grain: ['year', 'quarter', 'county_fips'],
    keyMetric: 'num_detainers',
    updateFrequency: 'quarterly',
    columns: {
      year: {
        type: 'integer',
        role: 'year',
      },
      quarter: {
        type: 'string',
        role: 'categorical',
        values: ['q1', 'q2', 'q3', 'q4'],
      },
      county_fips: {
        type: 'string',
        nullable: false,
        role: 'fk_county',
      },
      num_inmates_booked: {
        type: 'integer',
        nullable: true,
        role: 'metric',
        unit: 'count',
        component: 'denominator',
      },
      num_lesc_inquiries: {
        type: 'integer',
        nullable: true,
        role: 'metric',
        unit: 'count',
      },
      num_lesc_responses: {
        type: 'integer',
        nullable: true,
        role: 'metric',
        unit: 'count',
      },
      num_responses_illegal_alien: {
        type: 'integer',
        nullable: true,
        role: 'metric',
        unit: 'count',
      },
      num_detainers: {
        type: 'integer',
        nullable: true,
        role: 'metric',
        unit: 'count',
      },
    },
  },
  sentences: [
    {
      says: 'Years 2024-2026, quarterly; detail counties',
      rules: ['year_known', 'year_in_folder', 'county_fips_not_null'],
    },
    {
      says: 'Grain: year, quarter, county_fips',
      rules: ['grain_unique'],
    },
    {
      says: 'Jail filings under a state statute, collected by hand',
      rules: [],
      why: 'A statement of how the records were made; it leaves no trace in a row.',
    },
    {
      says: 'from 91 of 159 counties',
      rules: ['at_most_91_counties'],
    },
    {
      says: 'a missing county-quarter means not collected, not zero',
      rules: [],
      why: 'A row that is absent cannot be held to anything.',
    },
    {
      says: 'year: calendar year from the filing',
      rules: ['year_not_null', 'year_known'],
    },
    {
      says: 'quarter (categorical): q1, q2, q3, q4',
      rules: ['quarter_values'],
    },
    {
      says: 'filings for a single month or six months are excluded; a window off the boundary is placed by its midpoint',
      rules: [],
      why: 'A statement of how the records were made; it leaves no trace in a row.',
    },
    {
      says: 'county_fips (string, not null, FK counties)',
      rules: ['county_fips_not_null', 'county_fips_known'],
    },
    {
      says: 'when a municipal facility filed alongside the county jail, the row sums both',
      rules: ['grain_unique'],
    },
    {
      says: 'All count metrics are integers, nullable (NULL when the filing has no such row or a non-numeric placeholder)',
      rules: [
        'num_inmates_booked_range',
        'num_lesc_inquiries_range',
        'num_lesc_responses_range',
        'num_responses_illegal_alien_range',
        'num_detainers_range',
      ],
    },
    {
      says: 'filings printing a broader or combined figure are withheld',
      rules: [],
      why: 'Which filings printed such a figure is not in a row.',
    },
    {
      says: 'Counts are meant to narrow from bookings to detainers but about one county-quarter in nine publishes a chain that cannot be literally true; values are published as filed',
      rules: [],
      why: 'The text says that rows break the chain and are served all the same, so a rule would refuse right data.',
    },
    {
      says: 'Detainer counts are not comparable across counties without the screening columns',
      rules: [],
      why: 'Advice to readers; any set of rows that follows it or not is the same rows.',
    },
  ],
  breaks: {
    at_most_91_counties:
      "INSERT INTO t SELECT s.* REPLACE (c.fips AS county_fips) FROM (SELECT * FROM t WHERE rowid = (SELECT min(rowid) FROM t)) s, (SELECT '13' || lpad((2 * i + 1)::VARCHAR, 3, '0') AS fips FROM range(159) r(i)) c WHERE c.fips NOT IN (SELECT county_fips FROM t)",
  },
};
