import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'census/median_household_income_by_nativity',
  facts: {
    version: '1.0.0',
    years: [2020, 2024],
    gaps: [],
    levels: ['counties', 'states'],
    defaultDetail: 'counties',
    grain: ['year', 'county_fips', 'district_code', 'tract_geoid', 'citizenship_status'],
    keyMetric: 'median_household_income',
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
      district_code: {
        type: 'string',
        nullable: true,
        role: 'fk_district',
      },
      tract_geoid: {
        type: 'string',
        nullable: true,
        role: 'fk_tract',
      },
      citizenship_status: {
        role: 'categorical',
        values: ['all', 'native', 'foreign_born', 'naturalized', 'noncitizen'],
      },
      median_household_income: {
        type: 'integer',
        nullable: true,
        role: 'metric',
        unit: 'currency',
      },
      median_household_income_moe: {
        type: 'integer',
        nullable: true,
        role: 'metric',
        unit: 'currency',
      },
    },
  },
  sentences: [
    {
      says: 'Years 2020-2024; detail counties, states (default counties)',
      rules: ['year_known', 'year_in_folder', 'level_keys'],
    },
    {
      says: 'Grain: year, county_fips, district_code, tract_geoid, citizenship_status',
      rules: ['grain_unique'],
    },
    {
      says: 'year is the vintage end year',
      rules: ['year_known', 'year_in_folder', 'year_not_null'],
    },
    {
      says: 'consecutive vintages overlap about 80 percent, so never difference them as annual change',
      rules: [],
      why: 'Advice to readers; any set of rows that follows it or not is the same rows.',
    },
    {
      says: 'Estimates are survey-based with 90 percent margins of error in *_moe columns',
      rules: [],
      why: 'How the publisher makes the figures; the confidence level leaves no trace in a row.',
    },
    {
      says: 'county_fips (string, nullable, 5-digit, FK counties)',
      rules: ['county_fips_known'],
    },
    {
      says: "Only the key of the row's own level is populated; the state row has all three NULL",
      rules: ['level_keys', 'district_and_tract_always_null'],
    },
    {
      says: 'district_code and tract_geoid are always NULL',
      rules: ['district_and_tract_always_null'],
    },
    {
      says: 'citizenship_status (categorical) has values all, native, foreign_born, naturalized, noncitizen',
      rules: ['citizenship_status_values'],
    },
    {
      says: 'only the counties the census publishes per vintage (22 in 2020, 20 in 2021, 23 in 2022, 24 in 2023, 24 in 2024)',
      rules: ['published_counties_per_vintage', 'no_more_counties_than_published'],
    },
    {
      says: 'absent counties are absent, not NULL',
      rules: ['level_keys', 'published_counties_per_vintage'],
    },
    {
      says: 'Citizenship is asked, not legal status',
      rules: [],
      why: 'A statement of how the records were made; it leaves no trace in a row.',
    },
    {
      says: 'a hierarchy (all = native + foreign_born; foreign_born = naturalized + noncitizen), never to be summed',
      rules: [],
      why: 'The metric is a median, which does not add.',
    },
    {
      says: "universe is households classified by the householder's status",
      rules: [],
      why: 'A statement of how the records were made; it leaves no trace in a row.',
    },
    {
      says: 'whole dollars inflation-adjusted to the vintage end year; not comparable across vintages; never summed or averaged across rows',
      rules: [],
      why: 'Advice to readers; any set of rows that follows it or not is the same rows.',
    },
    {
      says: 'Censoring: 250001 means $250,000 or more, 2499 means $2,500 or less',
      rules: ['median_household_income_range'],
    },
    {
      says: 'NULL when too few sampled households',
      rules: [],
      why: 'The number of sampled households is not in a row.',
    },
    {
      says: 'median_household_income_moe: NULL beside a NULL median, or beside a censored median',
      rules: ['no_margin_without_amount'],
    },
  ],
  breaks: {
    district_and_tract_always_null:
      "UPDATE t SET district_code = '601' WHERE rowid = (SELECT min(rowid) FROM t WHERE district_code IS NULL)",
    no_more_counties_than_published:
      'UPDATE t SET county_fips = (SELECT min(d.county_fips) FROM _dimensions.counties d WHERE d.county_fips NOT IN (SELECT county_fips FROM t WHERE county_fips IS NOT NULL)) WHERE rowid = (SELECT min(rowid) FROM t WHERE county_fips IS NOT NULL)',
    published_counties_per_vintage:
      'DELETE FROM t WHERE county_fips = (SELECT min(county_fips) FROM t) AND year = (SELECT min(year) FROM t WHERE county_fips = (SELECT min(county_fips) FROM t))',
    no_margin_without_amount:
      'UPDATE t SET median_household_income = 250001, median_household_income_moe = 100 WHERE rowid = (SELECT min(rowid) FROM t WHERE TRUE)',
  },
};
