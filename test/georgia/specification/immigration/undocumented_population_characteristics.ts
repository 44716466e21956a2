import { COUNT } from '../columns.ts';
import { changeFirst, names, type Specification } from '../facts.ts';

export const specification: Specification = {
  key: 'immigration/undocumented_population_characteristics',
  facts: {
    version: '1.0.0',
    years: [2024, 2024],
    levels: ['states'],
    grain: names(
      'year county_fips demographic estimator region_of_birth country_of_birth years_in_us age_bracket',
    ),
    keyMetric: 'estimated_population',
  },
  columns: {
    year: { type: 'integer', role: 'year' },
    county_fips: { type: 'string', nullable: true, role: 'fk_county' },
    demographic: { type: 'string', role: 'fk_demographic', values: ['all', 'female', 'male'] },
    estimator: { values: ['cms'] },
    region_of_birth: {
      values: names('all africa asia caribbean central_america europe north_america oceania south_america'),
    },
    country_of_birth: {
      values: names(`
        all afghanistan argentina bangladesh brazil canada chile china colombia dominican_republic
        ecuador el_salvador ethiopia ghana guatemala haiti honduras india jamaica korea mexico nepal
        nicaragua nigeria pakistan peru philippines poland russia ukraine venezuela vietnam`),
    },
    years_in_us: { values: ['all', 'under_5', '5_9', '10_14', '15_19', '20_plus'] },
    age_bracket: {
      values: ['all', 'under_5', '5_17', '18_20', '21_24', '25_34', '35_44', '45_64', '65_plus'],
    },
    estimated_population: COUNT,
  },
  sentences: {
    'Year 2024 only; detail states': ['year_known', 'year_in_folder', 'level_keys'],
    'Grain: year, county_fips, demographic, estimator, region_of_birth, country_of_birth, years_in_us, age_bracket':
      ['grain_unique'],
    'Modeled estimate from a migration-studies research center, no margin of error':
      'A statement of how the records were made; it leaves no trace in a row.',
    'county_fips always NULL': ['county_always_null'],
    'estimator values: cms only': ['estimator_values'],
    'Breakdowns are never crossed: a row sets at most one of demographic, age_bracket, region_of_birth, country_of_birth and years_in_us and holds all in the others':
      ['breakdowns_never_crossed'],
    'demographic: all, female, male': ['demographic_values', 'demographic_known'],
    'region_of_birth: all and eight regions': ['region_of_birth_values'],
    'country_of_birth (31 listed plus all)': ['country_of_birth_values'],
    'Not exhaustive; no other row': ['country_of_birth_values'],
    'years_in_us: all, under_5, 5_9, 10_14, 15_19, 20_plus': ['years_in_us_values'],
    'age_bracket: all and eight brackets': ['age_bracket_values'],
    'estimated_population (integer, nullable, count)': ['estimated_population_range'],
    'rounded to the nearest 1,000': ['rounded_to_thousands'],
    'parts need not add to the total': 'It says that a relation does not hold.',
    'NULL when the source withholds a birthplace value under 1,000': ['only_birthplaces_withheld'],
  },
  breaks: {
    county_always_null: changeFirst("county_fips = '13121'", 'county_fips IS NULL'),
    breakdowns_never_crossed: changeFirst("years_in_us = 'under_5'", "demographic <> 'all'"),
    rounded_to_thousands: changeFirst(
      'estimated_population = estimated_population + 1',
      'estimated_population IS NOT NULL',
    ),
    only_birthplaces_withheld: changeFirst(
      'estimated_population = NULL',
      "region_of_birth = 'all' AND country_of_birth = 'all'",
    ),
  },
};
