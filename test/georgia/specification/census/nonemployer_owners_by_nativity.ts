import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'census/nonemployer_owners_by_nativity',
  facts: {
    version: '1.0.0',
    years: [2022, 2023],
    gaps: [],
    levels: ['counties', 'states'],
    defaultDetail: 'counties',
    grain: ['year', 'county_fips', 'district_code', 'tract_geoid', 'sector'],
    keyMetric: 'pct_not_us_born',
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
      sector: {
        role: 'categorical',
        values: [
          'all',
          'naics_11',
          'naics_21',
          'naics_22',
          'naics_23',
          'naics_31_33',
          'naics_42',
          'naics_44_45',
          'naics_48_49',
          'naics_51',
          'naics_52',
          'naics_53',
          'naics_54',
          'naics_56',
          'naics_61',
          'naics_62',
          'naics_71',
          'naics_72',
          'naics_81',
        ],
      },
      num_owners_reporting: {
        type: 'integer',
        nullable: false,
        role: 'metric',
        unit: 'count',
        component: 'denominator',
      },
      num_owners_us_born: {
        type: 'integer',
        nullable: true,
        role: 'metric',
      },
      num_owners_not_us_born: {
        type: 'integer',
        nullable: true,
        role: 'metric',
        component: 'numerator',
      },
      pct_not_us_born: {
        type: 'number',
        role: 'metric',
        unit: 'proportion',
      },
      num_owners_citizen: {},
      num_owners_not_citizen: {},
      pct_not_citizen: {},
    },
  },
  sentences: [
    {
      says: 'Years 2022-2023; detail counties, states (default counties)',
      rules: ['year_known', 'year_in_folder', 'level_keys'],
    },
    {
      says: 'Grain: year, county_fips, district_code, tract_geoid, sector',
      rules: ['grain_unique'],
    },
    {
      says: 'year: reference calendar year',
      rules: ['year_known', 'year_in_folder', 'year_not_null'],
    },
    {
      says: 'county_fips: FK counties',
      rules: ['county_fips_known'],
    },
    {
      says: 'district_code, tract_geoid always NULL',
      rules: ['district_and_tract_always_null'],
    },
    {
      says: 'sector (categorical): all and eighteen sectors',
      rules: ['sector_values'],
    },
    {
      says: 'County rows carry all only; sectors are published at state level only',
      rules: ['counties_carry_all_sectors_only'],
    },
    {
      says: 'sector rows sum to all within rounding',
      rules: ['sectors_sum_to_all_within_rounding'],
    },
    {
      says: 'num_owners_reporting (integer, count, never NULL)',
      rules: ['num_owners_reporting_not_null', 'num_owners_reporting_range'],
    },
    {
      says: 'rounded on a banded scale',
      rules: [],
      why: 'The text does not give the bands.',
    },
    {
      says: 'num_owners_us_born, num_owners_not_us_born (integer, nullable)',
      rules: ['num_owners_us_born_range', 'num_owners_not_us_born_range'],
    },
    {
      says: 'NULL when withheld for small counts, not zero',
      rules: [],
      why: 'The figure that was withheld is not in a row.',
    },
    {
      says: 'pct_not_us_born (number, proportion)',
      rules: ['pct_not_us_born_range'],
    },
    {
      says: 'never below the not-citizen share',
      rules: ['not_us_born_at_least_not_citizen'],
    },
    {
      says: 'where the count is withheld it equals 1 minus the U.S.-born share',
      rules: ['withheld_count_leaves_complement'],
    },
    {
      says: 'A citizen count, a not-citizen count and a not-citizen share also exist; remaining fields: not shown',
      rules: [],
      why: 'A statement about the schema.',
    },
  ],
  breaks: {
    district_and_tract_always_null:
      "UPDATE t SET district_code = '601' WHERE rowid = (SELECT min(rowid) FROM t WHERE district_code IS NULL)",
    counties_carry_all_sectors_only:
      "UPDATE t SET sector = 'naics_11' WHERE rowid = (SELECT min(rowid) FROM t WHERE county_fips IS NOT NULL)",
    sectors_sum_to_all_within_rounding:
      "UPDATE t SET num_owners_reporting = 1 WHERE rowid = (SELECT min(rowid) FROM t WHERE county_fips IS NULL AND sector = 'all')",
    not_us_born_at_least_not_citizen:
      'UPDATE t SET pct_not_us_born = 0.1, pct_not_citizen = 0.2 WHERE rowid = (SELECT min(rowid) FROM t WHERE TRUE)',
    withheld_count_leaves_complement:
      'UPDATE t SET num_owners_not_us_born = NULL, pct_not_us_born = CASE WHEN pct_not_us_born > 0.5 THEN pct_not_us_born - 0.4 ELSE pct_not_us_born + 0.4 END WHERE rowid = (SELECT rowid FROM t WHERE num_owners_us_born IS NOT NULL AND pct_not_us_born IS NOT NULL ORDER BY num_owners_reporting DESC, rowid LIMIT 1)',
  },
};
