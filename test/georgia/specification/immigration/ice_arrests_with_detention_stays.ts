import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'immigration/ice_arrests_with_detention_stays',
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
    keyMetric: 'detention_rate_after_arrest',
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
        component: 'denominator',
        // 2022 holds October to December, and 2026 ends on 6 August.
        breaks: [2022, 2025],
      },
      num_arrests_detained: {
        type: 'integer',
        nullable: false,
        role: 'metric',
        unit: 'count',
        min: 0,
        component: 'numerator',
        // 2022 holds October to December, and 2026 ends on 6 August.
        breaks: [2022, 2025],
      },
      detention_rate_after_arrest: {
        type: 'number',
        nullable: true,
        role: 'metric',
        unit: 'proportion',
        min: 0,
        max: 1,
      },
    },
  },
  sentences: [
    {
      says: 'Years 2022-2026; detail states only',
      rules: ['year_known', 'year_in_folder', 'level_keys'],
    },
    {
      says: 'Same grain and categorical axes as ice_arrests',
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
      says: 'county_fips always NULL',
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
      says: 'num_arrests (integer, not null, count, denominator)',
      rules: ['num_arrests_not_null', 'num_arrests_range'],
    },
    {
      says: 'totals equal ice_arrests',
      rules: ['totals_equal_ice_arrests'],
    },
    {
      says: 'a gender cell may differ by up to about 100',
      rules: ['gender_cells_near_ice_arrests'],
    },
    {
      says: 'a citizenship cell by at most 3',
      rules: ['citizenship_cells_near_ice_arrests'],
    },
    {
      says: 'ice_arrests is the dataset of record for counts',
      rules: [],
      why: 'Advice to readers; any set of rows that follows it or not is the same rows.',
    },
    {
      says: 'num_arrests_detained (integer, not null, count, numerator)',
      rules: ['num_arrests_detained_not_null', 'num_arrests_detained_range'],
    },
    {
      says: 'arrests matched to a detention stay (book-in from 5 days before to 10 days after the arrest, closest match)',
      rules: [],
      why: 'A statement of how the records were made; it leaves no trace in a row.',
    },
    {
      says: 'num_arrests_detained never exceeds num_arrests',
      rules: ['detained_at_most_arrests'],
    },
    {
      says: 'detention_rate_after_arrest (number, nullable, proportion 0-1)',
      rules: ['detention_rate_after_arrest_range'],
    },
    {
      says: 'detention_rate_after_arrest = num_arrests_detained / num_arrests',
      rules: ['rate_is_detained_over_arrests'],
    },
    {
      says: 'NULL only where num_arrests is 0',
      rules: ['rate_null_only_without_arrests', 'no_rate_without_arrests'],
    },
    {
      says: 'approximate; small cells swing widely',
      rules: [],
      why: 'Advice to readers; any set of rows that follows it or not is the same rows.',
    },
  ],
  breaks: {
    county_always_null:
      "UPDATE t SET county_fips = '13121' WHERE rowid = (SELECT min(rowid) FROM t WHERE county_fips IS NULL)",
    months_within_coverage:
      "UPDATE t SET year = 2022, month = '01' WHERE rowid = (SELECT min(rowid) FROM t WHERE month <> 'all')",
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
    detained_at_most_arrests:
      'UPDATE t SET num_arrests_detained = num_arrests + 1 WHERE rowid = (SELECT min(rowid) FROM t WHERE TRUE)',
    rate_is_detained_over_arrests:
      'UPDATE t SET detention_rate_after_arrest = CASE WHEN detention_rate_after_arrest > 0.5 THEN 0 ELSE 1 END WHERE rowid = (SELECT min(rowid) FROM t WHERE num_arrests > 0)',
    rate_null_only_without_arrests:
      'UPDATE t SET detention_rate_after_arrest = NULL WHERE rowid = (SELECT min(rowid) FROM t WHERE num_arrests > 0)',
    no_rate_without_arrests:
      'UPDATE t SET detention_rate_after_arrest = 0 WHERE rowid = (SELECT min(rowid) FROM t WHERE num_arrests = 0)',
    totals_equal_ice_arrests:
      "UPDATE t SET num_arrests = num_arrests + 1 WHERE rowid = (SELECT min(rowid) FROM t WHERE demographic = 'all' AND citizenship_country = 'all')",
    gender_cells_near_ice_arrests:
      "UPDATE t SET num_arrests = num_arrests + 1000 WHERE rowid = (SELECT min(rowid) FROM t WHERE demographic <> 'all')",
    citizenship_cells_near_ice_arrests:
      "UPDATE t SET num_arrests = num_arrests + 100 WHERE rowid = (SELECT min(rowid) FROM t WHERE demographic = 'all' AND citizenship_country <> 'all')",
  },
};
