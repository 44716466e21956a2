import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'immigration/ice_arrests',
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
      'apprehension_method_group',
      'citizenship_country',
    ],
    keyMetric: 'num_arrests',
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
      apprehension_method_group: {
        type: 'string',
        role: 'categorical',
        values: ['all', '287g_program', 'at_large_arrest', 'custodial_arrest', 'other'],
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
      num_arrests: {
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
      says: 'Grain: year, month, county_fips, demographic, criminality, apprehension_method_group, citizenship_country',
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
      says: 'county_fips is always NULL (state grain only)',
      rules: ['county_always_null'],
    },
    {
      says: 'apprehension_method_group: all, 287g_program, at_large_arrest, custodial_arrest, other',
      rules: ['apprehension_method_group_values'],
    },
    {
      says: 'apprehension_method_group parts sum to all',
      rules: ['methods_sum_to_all'],
    },
    {
      says: 'num_arrests (integer, not null, count)',
      rules: ['num_arrests_not_null', 'num_arrests_range'],
    },
    {
      says: 'deduplicated administrative arrests in Georgia, counts arrests not people',
      rules: [],
      why: 'A statement of how the records were made; it leaves no trace in a row.',
    },
    {
      says: '0 is real (complete grid, no suppression)',
      rules: ['complete_grid', 'num_arrests_not_null'],
    },
    {
      says: "Georgia totals are a floor because arrests with no state are in no state's count",
      rules: [],
      why: 'Arrests without a state are not in the rows.',
    },
    {
      says: 'pin every categorical to all except the one broken out',
      rules: [],
      why: 'Advice to readers; any set of rows that follows it or not is the same rows.',
    },
  ],
  breaks: {
    county_always_null:
      "UPDATE t SET county_fips = '13121' WHERE rowid = (SELECT min(rowid) FROM t WHERE county_fips IS NULL)",
    months_within_coverage:
      "UPDATE t SET year = 2022, month = '01' WHERE rowid = (SELECT min(rowid) FROM t WHERE month <> 'all')",
    complete_grid: 'DELETE FROM t WHERE rowid = (SELECT min(rowid) FROM t)',
    months_sum_to_all:
      "UPDATE t SET num_arrests = num_arrests + 1 WHERE rowid = (SELECT min(rowid) FROM t WHERE month <> 'all')",
    female_and_male_at_most_all:
      "UPDATE t SET num_arrests = num_arrests + 1000000 WHERE rowid = (SELECT min(rowid) FROM t WHERE demographic = 'female')",
    criminality_sums_to_all:
      "UPDATE t SET num_arrests = num_arrests + 1 WHERE rowid = (SELECT min(rowid) FROM t WHERE criminality <> 'all')",
    methods_sum_to_all:
      "UPDATE t SET num_arrests = num_arrests + 1 WHERE rowid = (SELECT min(rowid) FROM t WHERE apprehension_method_group <> 'all')",
    countries_sum_to_all:
      "UPDATE t SET num_arrests = num_arrests + 1 WHERE rowid = (SELECT min(rowid) FROM t WHERE citizenship_country <> 'all')",
  },
};
