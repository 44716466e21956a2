import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'immigration/undocumented_population_characteristics',
  facts: {
    version: '1.0.0',
    years: [2024, 2024],
    gaps: [],
    levels: ['states'],
    grain: [
      'year',
      'county_fips',
      'demographic',
      'estimator',
      'region_of_birth',
      'country_of_birth',
      'years_in_us',
      'age_bracket',
    ],
    keyMetric: 'estimated_population',
    columns: {
      year: {
        type: 'integer',
        role: 'year',
      },
      county_fips: {
        type: 'string',
        nullable: true,
        role: 'fk_county',
      },
      demographic: {
        type: 'string',
        role: 'fk_demographic',
        values: ['all', 'female', 'male'],
      },
      estimator: {
        values: ['cms'],
      },
      region_of_birth: {
        values: [
          'all',
          'africa',
          'asia',
          'caribbean',
          'central_america',
          'europe',
          'north_america',
          'oceania',
          'south_america',
        ],
      },
      country_of_birth: {
        values: [
          'all',
          'afghanistan',
          'argentina',
          'bangladesh',
          'brazil',
          'canada',
          'chile',
          'china',
          'colombia',
          'dominican_republic',
          'ecuador',
          'el_salvador',
          'ethiopia',
          'ghana',
          'guatemala',
          'haiti',
          'honduras',
          'india',
          'jamaica',
          'korea',
          'mexico',
          'nepal',
          'nicaragua',
          'nigeria',
          'pakistan',
          'peru',
          'philippines',
          'poland',
          'russia',
          'ukraine',
          'venezuela',
          'vietnam',
        ],
      },
      years_in_us: {
        values: ['all', 'under_5', '5_9', '10_14', '15_19', '20_plus'],
      },
      age_bracket: {
        values: ['all', 'under_5', '5_17', '18_20', '21_24', '25_34', '35_44', '45_64', '65_plus'],
      },
      estimated_population: {
        type: 'integer',
        nullable: true,
        role: 'metric',
        unit: 'count',
      },
    },
  },
  sentences: [
    {
      says: 'Year 2024 only; detail states',
      rules: ['year_known', 'year_in_folder', 'level_keys'],
    },
    {
      says: 'Grain: year, county_fips, demographic, estimator, region_of_birth, country_of_birth, years_in_us, age_bracket',
      rules: ['grain_unique'],
    },
    {
      says: 'Modeled estimate from a migration-studies research center, no margin of error',
      rules: [],
      why: 'A statement of how the records were made; it leaves no trace in a row.',
    },
    {
      says: 'county_fips always NULL',
      rules: ['county_always_null'],
    },
    {
      says: 'estimator values: cms only',
      rules: ['estimator_values'],
    },
    {
      says: 'Breakdowns are never crossed: a row sets at most one of demographic, age_bracket, region_of_birth, country_of_birth and years_in_us and holds all in the others',
      rules: ['breakdowns_never_crossed'],
    },
    {
      says: 'demographic: all, female, male',
      rules: ['demographic_values', 'demographic_known'],
    },
    {
      says: 'region_of_birth: all and eight regions',
      rules: ['region_of_birth_values'],
    },
    {
      says: 'country_of_birth (31 listed plus all)',
      rules: ['country_of_birth_values'],
    },
    {
      says: 'Not exhaustive; no other row',
      rules: ['country_of_birth_values'],
    },
    {
      says: 'years_in_us: all, under_5, 5_9, 10_14, 15_19, 20_plus',
      rules: ['years_in_us_values'],
    },
    {
      says: 'age_bracket: all and eight brackets',
      rules: ['age_bracket_values'],
    },
    {
      says: 'estimated_population (integer, nullable, count)',
      rules: ['estimated_population_range'],
    },
    {
      says: 'rounded to the nearest 1,000',
      rules: ['rounded_to_thousands'],
    },
    {
      says: 'parts need not add to the total',
      rules: [],
      why: 'It says that a relation does not hold.',
    },
    {
      says: 'NULL when the source withholds a birthplace value under 1,000',
      rules: ['only_birthplaces_withheld'],
    },
  ],
  breaks: {
    county_always_null:
      "UPDATE t SET county_fips = '13121' WHERE rowid = (SELECT min(rowid) FROM t WHERE county_fips IS NULL)",
    breakdowns_never_crossed:
      "UPDATE t SET years_in_us = 'under_5' WHERE rowid = (SELECT min(rowid) FROM t WHERE demographic <> 'all')",
    rounded_to_thousands:
      'UPDATE t SET estimated_population = estimated_population + 1 WHERE rowid = (SELECT min(rowid) FROM t WHERE estimated_population IS NOT NULL)',
    only_birthplaces_withheld:
      "UPDATE t SET estimated_population = NULL WHERE rowid = (SELECT min(rowid) FROM t WHERE region_of_birth = 'all' AND country_of_birth = 'all')",
  },
};
