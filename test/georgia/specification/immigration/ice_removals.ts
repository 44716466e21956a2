import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'immigration/ice_removals',
  facts: {
    version: '1.0.0',
    years: [2022, 2026],
    gaps: [],
    summaryYears: [2022, 2026],
    levels: ['states'],
    defaultDetail: 'states',
    updateFrequency: 'irregular',
    grain: [
      'year',
      'month',
      'county_fips',
      'demographic',
      'criminality',
      'ice_program',
      'citizenship_country',
    ],
    keyMetric: 'num_removals',
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
      criminality: {
        type: 'string',
        nullable: false,
        role: 'categorical',
        values: ['all', 'convicted_criminal', 'other_immigration_violator', 'pending_criminal_charges'],
      },
      ice_program: {
        type: 'string',
        role: 'categorical',
        values: [
          'all',
          '287g_program',
          '287g_task_force',
          'alternatives_to_detention',
          'border_patrol',
          'criminal_alien_program',
          'docket_control',
          'fugitive_operations',
          'other',
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
      num_removals: {
        type: 'integer',
        nullable: false,
        role: 'metric',
        unit: 'count',
        min: 0,
        // 2022 holds October to December, and 2026 ends on 6 August.
        breaks: [2022, 2025],
      },
    },
  },
  sentences: [
    {
      says: 'Years 2022-2026; detail states only',
      rules: ['year_known', 'year_in_folder', 'level_keys'],
    },
    {
      says: 'Grain: year, month, county_fips, demographic, criminality, ice_program, citizenship_country',
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
      says: 'criminality (string, not null): all, convicted_criminal, other_immigration_violator, pending_criminal_charges',
      rules: ['criminality_values', 'criminality_not_null'],
    },
    {
      says: 'criminality parts sum to all',
      rules: ['criminality_sums_to_all'],
    },
    {
      says: 'year is the departure calendar year',
      rules: [],
      why: 'The date of departure of a single removal is not in a row of counts; the range of years is checked by year_known.',
    },
    {
      says: 'county_fips always NULL',
      rules: ['county_always_null'],
    },
    {
      says: 'ice_program: all and eight programs',
      rules: ['ice_program_values'],
    },
    {
      says: '287g_task_force (from 2025)',
      rules: ['task_force_from_2025'],
    },
    {
      says: 'ice_program parts sum to all',
      rules: ['programs_sum_to_all'],
    },
    {
      says: 'num_removals (integer, not null, count); 0 is real',
      rules: ['num_removals_not_null', 'num_removals_range'],
    },
    {
      says: 'removals whose originating arrest was recorded in Georgia; counts removals not people',
      rules: [],
      why: 'A statement of how the records were made; it leaves no trace in a row.',
    },
    {
      says: "Removals with no recorded arrest state are in no state's count, so the figure is a floor",
      rules: [],
      why: 'Removals without a state are not in the rows.',
    },
    {
      says: 'the publisher questions the reliability of the removals data',
      rules: [],
      why: 'Advice to readers; any set of rows that follows it or not is the same rows.',
    },
  ],
  breaks: {
    county_always_null:
      "UPDATE t SET county_fips = '13121' WHERE rowid = (SELECT min(rowid) FROM t WHERE county_fips IS NULL)",
    months_within_coverage:
      "UPDATE t SET year = 2022, month = '01' WHERE rowid = (SELECT min(rowid) FROM t WHERE month <> 'all')",
    task_force_from_2025:
      "UPDATE t SET ice_program = '287g_task_force', year = 2024 WHERE rowid = (SELECT min(rowid) FROM t WHERE ice_program <> '287g_task_force' AND month BETWEEN '01' AND '12' AND ice_program <> 'all')",
    months_sum_to_all:
      "UPDATE t SET num_removals = num_removals + 1 WHERE rowid = (SELECT min(rowid) FROM t WHERE month <> 'all')",
    female_and_male_at_most_all:
      "UPDATE t SET num_removals = num_removals + 1000000 WHERE rowid = (SELECT min(rowid) FROM t WHERE demographic = 'female')",
    criminality_sums_to_all:
      "UPDATE t SET num_removals = num_removals + 1 WHERE rowid = (SELECT min(rowid) FROM t WHERE criminality <> 'all')",
    programs_sum_to_all:
      "UPDATE t SET num_removals = num_removals + 1 WHERE rowid = (SELECT min(rowid) FROM t WHERE ice_program <> 'all')",
    countries_sum_to_all:
      "UPDATE t SET num_removals = num_removals + 1 WHERE rowid = (SELECT min(rowid) FROM t WHERE citizenship_country <> 'all')",
  },
};
