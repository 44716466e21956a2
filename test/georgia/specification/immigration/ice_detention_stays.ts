import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'immigration/ice_detention_stays',
  facts: {
    version: '1.0.0',
    years: [2022, 2026],
    gaps: [],
    summaryYears: [2022, 2026],
    levels: ['counties', 'states'],
    defaultDetail: 'states',
    updateFrequency: 'irregular',
    grain: [
      'year',
      'month',
      'county_fips',
      'demographic',
      'arresting_agency_group',
      'release_reason',
      'citizenship_country',
    ],
    columns: {
      year: {
        type: 'integer',
        role: 'year',
      },
      month: {
        type: 'string',
        nullable: false,
        role: 'categorical',
        values: ['all', '01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12'],
      },
      county_fips: {
        type: 'string',
        nullable: true,
        role: 'fk_county',
      },
      demographic: {
        type: 'string',
        nullable: false,
        role: 'fk_demographic',
        values: ['all', 'female', 'male'],
      },
      arresting_agency_group: {
        type: 'string',
        role: 'categorical',
        values: ['all', 'cbp', 'ice', 'unknown'],
      },
      release_reason: {
        type: 'string',
        role: 'categorical',
        values: [
          'all',
          'other',
          'paroled',
          'released_on_bond',
          'released_on_order',
          'removed',
          'still_detained',
          'transferred',
        ],
      },
      citizenship_country: {
        type: 'string',
        nullable: false,
        role: 'categorical',
        values: [
          'all',
          'brazil',
          'china',
          'colombia',
          'cuba',
          'dominican_republic',
          'ecuador',
          'el_salvador',
          'guatemala',
          'haiti',
          'honduras',
          'india',
          'jamaica',
          'mauritania',
          'mexico',
          'nicaragua',
          'nigeria',
          'peru',
          'russia',
          'senegal',
          'south_korea',
          'venezuela',
          'vietnam',
          'other',
          'unknown',
        ],
      },
      num_stays: {
        type: 'integer',
        nullable: true,
        role: 'metric',
        unit: 'count',
        // 2022 holds October to December, and 2026 ends on 6 August.
        breaks: [2022, 2025],
      },
      num_stays_ended: {
        type: 'integer',
        nullable: true,
        role: 'metric',
        component: 'denominator',
        // 2022 holds October to December, and 2026 ends on 6 August.
        breaks: [2022, 2025],
      },
      avg_stay_length_days: {
        type: 'number',
        nullable: true,
        role: 'metric',
        unit: 'days',
        // Those begun in the last months and still going on are not averaged.
        breaks: [2025],
      },
      avg_facilities_per_stay: {
        type: 'number',
        nullable: true,
        role: 'metric',
      },
    },
  },
  sentences: [
    {
      says: 'Years 2022-2026; detail counties, states (default states)',
      rules: ['year_known', 'year_in_folder', 'level_keys'],
    },
    {
      says: 'Same grain as ice_detention_stints',
      rules: ['grain_unique'],
    },
    {
      says: 'data covers 2022-10-01 through 2026-08-06; 2022 holds October to December and 2026 ends 6 August',
      rules: ['months_within_coverage', 'year_known'],
    },
    {
      says: 'year is a calendar year (not a federal fiscal year)',
      rules: ['year_known', 'year_in_folder', 'year_not_null'],
    },
    {
      says: 'month (string, not null): all or 01 to 12',
      rules: ['month_values', 'month_not_null'],
    },
    {
      says: 'monthly rows sum to the all row',
      rules: ['months_sum_to_all'],
    },
    {
      says: 'county_fips (string, nullable, FK counties)',
      rules: ['county_fips_known'],
    },
    {
      says: 'demographic (string, not null, FK demographics): all, female, male',
      rules: ['demographic_values', 'demographic_not_null', 'demographic_known'],
    },
    {
      says: "the agency's own gender determination",
      rules: [],
      why: 'A statement of how the records were made; it leaves no trace in a row.',
    },
    {
      says: 'records with unknown gender count toward all only, so female + male is at most all',
      rules: ['female_and_male_at_most_all'],
    },
    {
      says: 'citizenship_country (string, not null): all, 22 countries, other, unknown',
      rules: ['citizenship_country_values', 'citizenship_country_not_null'],
    },
    {
      says: 'citizenship_country is not a demographic, no FK',
      rules: [],
      why: 'A statement about the schema: the contract has no foreign key on the column.',
    },
    {
      says: 'Every other country is other; unrecorded is unknown',
      rules: [],
      why: 'Which country an individual record had is not in a row of counts.',
    },
    {
      says: 'citizenship parts sum to all',
      rules: ['countries_sum_to_all'],
    },
    {
      says: 'Update frequency: irregular',
      rules: [],
      why: 'A statement about releases, not rows.',
    },
    {
      says: 'A stay is one uninterrupted period in custody, located at the facility where the person spent the longest',
      rules: [],
      why: 'A statement of how the records were made; it leaves no trace in a row.',
    },
    {
      says: 'Same county rules: NULL on state rows',
      rules: ['level_keys'],
    },
    {
      says: 'county rows carry month, demographic, arresting_agency_group, release_reason and citizenship_country all = all',
      rules: ['county_rows_carry_totals_only'],
    },
    {
      says: 'arresting_agency_group: all, cbp, ice, unknown',
      rules: ['arresting_agency_group_values'],
    },
    {
      says: 'Categorical axes carry an all total value (conventions, 2.5)',
      rules: ['agencies_at_most_all'],
    },
    {
      says: 'release_reason: all and seven reasons',
      rules: ['release_reason_values'],
    },
    {
      says: 'the seven parts sum to all',
      rules: ['release_reasons_sum_to_all'],
    },
    {
      says: 'num_stays (integer, nullable, count): stays begun in the cell',
      rules: ['num_stays_range'],
    },
    {
      says: 'county counts below 5 NULL (same county rules: zero included, state counts complete)',
      rules: ['county_counts_below_five_withheld', 'state_counts_complete'],
    },
    {
      says: 'num_stays_ended (integer, nullable, denominator): stays with a book-out by 2026-08-06',
      rules: [
        'num_stays_ended_range',
        'ended_at_most_begun',
        'still_detained_has_none_ended',
        'begun_minus_ended_is_still_detained',
      ],
    },
    {
      says: 'avg_stay_length_days: NULL when none ended or withheld',
      rules: ['length_null_without_ended'],
    },
    {
      says: 'lengths below 0 or above 1405 days are dropped before averaging',
      rules: ['avg_stay_length_days_range'],
    },
    {
      says: 'recent months are biased short',
      rules: [],
      why: 'Advice to readers; any set of rows that follows it or not is the same rows.',
    },
    {
      says: 'avg_facilities_per_stay: mean number of facility stints per stay over all stays in the cell',
      rules: ['at_least_one_facility_per_stay', 'facilities_null_without_stays'],
    },
    {
      says: 'Remaining fields: not shown',
      rules: [],
      why: 'Nothing is stated.',
    },
  ],
  breaks: {
    months_within_coverage:
      "UPDATE t SET year = 2022, month = '01' WHERE rowid = (SELECT min(rowid) FROM t WHERE month <> 'all')",
    county_rows_carry_totals_only:
      "UPDATE t SET county_fips = '13259' WHERE rowid = (SELECT min(rowid) FROM t WHERE county_fips IS NULL AND month <> 'all')",
    county_counts_below_five_withheld:
      'UPDATE t SET num_stays = 4 WHERE rowid = (SELECT min(rowid) FROM t WHERE county_fips IS NOT NULL)',
    state_counts_complete:
      'UPDATE t SET num_stays = NULL WHERE rowid = (SELECT min(rowid) FROM t WHERE county_fips IS NULL)',
    months_sum_to_all:
      "UPDATE t SET num_stays = num_stays + 1 WHERE rowid = (SELECT min(rowid) FROM t WHERE month <> 'all')",
    female_and_male_at_most_all:
      "UPDATE t SET num_stays = num_stays + 1000000 WHERE rowid = (SELECT min(rowid) FROM t WHERE demographic = 'female')",
    agencies_at_most_all:
      "UPDATE t SET num_stays = num_stays + 1000000 WHERE rowid = (SELECT min(rowid) FROM t WHERE arresting_agency_group = 'ice')",
    release_reasons_sum_to_all:
      "UPDATE t SET num_stays = num_stays + 1 WHERE rowid = (SELECT min(rowid) FROM t WHERE release_reason <> 'all')",
    countries_sum_to_all:
      "UPDATE t SET num_stays = num_stays + 1 WHERE rowid = (SELECT min(rowid) FROM t WHERE citizenship_country <> 'all')",
    ended_at_most_begun:
      'UPDATE t SET num_stays_ended = num_stays + 1 WHERE rowid = (SELECT min(rowid) FROM t WHERE num_stays IS NOT NULL)',
    still_detained_has_none_ended:
      "UPDATE t SET num_stays_ended = 1 WHERE rowid = (SELECT min(rowid) FROM t WHERE release_reason = 'still_detained')",
    begun_minus_ended_is_still_detained:
      "UPDATE t SET num_stays = num_stays + 1 WHERE rowid = (SELECT min(rowid) FROM t WHERE release_reason = 'still_detained')",
    length_null_without_ended:
      'UPDATE t SET num_stays_ended = 0, avg_stay_length_days = 10 WHERE rowid = (SELECT min(rowid) FROM t WHERE county_fips IS NULL)',
    facilities_null_without_stays:
      'UPDATE t SET num_stays = 0, avg_facilities_per_stay = 1 WHERE rowid = (SELECT min(rowid) FROM t WHERE county_fips IS NULL)',
    at_least_one_facility_per_stay:
      'UPDATE t SET avg_facilities_per_stay = 0.5 WHERE rowid = (SELECT min(rowid) FROM t WHERE num_stays > 0)',
  },
};
