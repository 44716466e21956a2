import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'census/labor_force_by_nativity',
  facts: {
    version: '1.0.0',
    years: [2020, 2024],
    gaps: [],
    levels: ['counties', 'states'],
    defaultDetail: 'counties',
    grain: ['year', 'county_fips', 'district_code', 'tract_geoid', 'citizenship_status'],
    keyMetric: 'labor_force_participation_rate',
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
      num_population_16_plus: {
        type: 'integer',
        role: 'metric',
        unit: 'count',
        component: 'denominator',
      },
      num_population_16_plus_moe: {
        type: 'integer',
        role: 'metric',
      },
      labor_force_participation_rate: {
        type: 'number',
        role: 'metric',
        unit: 'proportion',
      },
      labor_force_participation_rate_moe: {},
      pct_civilian_labor_force: {
        type: 'number',
        role: 'metric',
        unit: 'proportion',
      },
      pct_civilian_labor_force_moe: {},
      pct_employed: {
        type: 'number',
        role: 'metric',
        unit: 'proportion',
      },
      pct_unemployed: {},
      pct_unemployed_moe: {},
      pct_armed_forces: {},
      pct_armed_forces_moe: {},
      pct_not_in_labor_force: {},
      pct_not_in_labor_force_moe: {},
      unemployment_rate: {},
      unemployment_rate_moe: {},
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
      says: 'a hierarchy (all = native + foreign_born; foreign_born = naturalized + noncitizen)',
      rules: ['citizenship_hierarchy'],
    },
    {
      says: 'universe is the population 16 and over',
      rules: [],
      why: 'A statement of how the records were made; it leaves no trace in a row.',
    },
    {
      says: 'num_population_16_plus (integer, count) with num_population_16_plus_moe',
      rules: ['num_population_16_plus_range', 'num_population_16_plus_moe_range'],
    },
    {
      says: 'shares are proportions',
      rules: [
        'labor_force_participation_rate_range',
        'pct_civilian_labor_force_range',
        'pct_employed_range',
        'pct_unemployed_range',
        'unemployment_rate_range',
        'pct_armed_forces_range',
        'pct_not_in_labor_force_range',
      ],
    },
    {
      says: 'labor_force_participation_rate equals pct_civilian_labor_force + pct_armed_forces',
      rules: ['participation_is_civilian_and_armed_forces'],
    },
    {
      says: 'pct_civilian_labor_force: employed plus unemployed',
      rules: ['civilian_is_employed_and_unemployed'],
    },
    {
      says: 'unemployment_rate (share of civilian labor force)',
      rules: ['unemployment_rate_of_civilian_labor_force'],
    },
    {
      says: 'labor_force_participation_rate: share in the labor force; pct_not_in_labor_force',
      rules: ['in_or_out_of_labor_force'],
    },
    {
      says: 'Shares are published to one decimal and served divided by 100',
      rules: ['shares_to_one_decimal_of_percent'],
    },
    {
      says: 'do not rebuild headcounts from them',
      rules: [],
      why: 'Advice to readers; any set of rows that follows it or not is the same rows.',
    },
  ],
  breaks: {
    district_and_tract_always_null:
      "UPDATE t SET district_code = '601' WHERE rowid = (SELECT min(rowid) FROM t WHERE district_code IS NULL)",
    no_more_counties_than_published:
      'UPDATE t SET county_fips = (SELECT min(d.county_fips) FROM _dimensions.counties d WHERE d.county_fips NOT IN (SELECT county_fips FROM t WHERE county_fips IS NOT NULL)) WHERE rowid = (SELECT min(rowid) FROM t WHERE county_fips IS NOT NULL)',
    published_counties_per_vintage:
      'DELETE FROM t WHERE county_fips = (SELECT min(county_fips) FROM t) AND year = (SELECT min(year) FROM t WHERE county_fips = (SELECT min(county_fips) FROM t))',
    citizenship_hierarchy:
      "UPDATE t SET num_population_16_plus = num_population_16_plus + 1 WHERE rowid = (SELECT min(rowid) FROM t WHERE citizenship_status = 'native' AND num_population_16_plus IS NOT NULL)",
    participation_is_civilian_and_armed_forces:
      'UPDATE t SET labor_force_participation_rate = CASE WHEN labor_force_participation_rate > 0.5 THEN 0.01 ELSE 0.99 END WHERE rowid = (SELECT min(rowid) FROM t WHERE pct_civilian_labor_force + pct_armed_forces > 0.02)',
    civilian_is_employed_and_unemployed:
      'UPDATE t SET pct_employed = CASE WHEN pct_employed > 0.5 THEN 0.01 ELSE 0.99 END WHERE rowid = (SELECT min(rowid) FROM t WHERE pct_civilian_labor_force + pct_unemployed + pct_employed IS NOT NULL)',
    unemployment_rate_of_civilian_labor_force:
      'UPDATE t SET unemployment_rate = CASE WHEN unemployment_rate > 0.5 THEN 0 ELSE 1 END WHERE rowid = (SELECT min(rowid) FROM t WHERE pct_civilian_labor_force > 0.1 AND pct_unemployed IS NOT NULL AND unemployment_rate IS NOT NULL)',
    in_or_out_of_labor_force:
      'UPDATE t SET pct_not_in_labor_force = CASE WHEN pct_not_in_labor_force > 0.5 THEN 0.001 ELSE 0.999 END WHERE rowid = (SELECT min(rowid) FROM t WHERE labor_force_participation_rate IS NOT NULL AND pct_not_in_labor_force IS NOT NULL)',
    shares_to_one_decimal_of_percent:
      'UPDATE t SET pct_armed_forces = pct_armed_forces + 0.0001 WHERE rowid = (SELECT min(rowid) FROM t WHERE pct_armed_forces IS NOT NULL)',
  },
};
