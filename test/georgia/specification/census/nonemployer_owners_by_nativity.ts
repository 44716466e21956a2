import { changeFirst, names, type Specification } from '../facts.ts';
import { COUNTIES_AND_STATE, SURVEY_PLACES } from './survey.ts';

export const specification: Specification = {
  key: 'census/nonemployer_owners_by_nativity',
  alike: [SURVEY_PLACES, COUNTIES_AND_STATE],
  facts: {
    version: '1.0.0',
    years: [2022, 2023],
    defaultDetail: 'counties',
    grain: ['year', 'county_fips', 'district_code', 'tract_geoid', 'sector'],
    keyMetric: 'pct_not_us_born',
  },
  columns: {
    sector: {
      role: 'categorical',
      values: names(`
        all naics_11 naics_21 naics_22 naics_23 naics_31_33 naics_42 naics_44_45 naics_48_49 naics_51
        naics_52 naics_53 naics_54 naics_56 naics_61 naics_62 naics_71 naics_72 naics_81`),
    },
    num_owners_reporting: {
      type: 'integer',
      nullable: false,
      role: 'metric',
      unit: 'count',
      component: 'denominator',
    },
    num_owners_us_born: { type: 'integer', nullable: true, role: 'metric' },
    num_owners_not_us_born: { type: 'integer', nullable: true, role: 'metric', component: 'numerator' },
    pct_not_us_born: { type: 'number', role: 'metric', unit: 'proportion' },
    num_owners_citizen: {},
    num_owners_not_citizen: {},
    pct_not_citizen: {},
  },
  sentences: {
    'Years 2022-2023; detail counties, states (default counties)': [
      'year_known',
      'year_in_folder',
      'level_keys',
    ],
    'Grain: year, county_fips, district_code, tract_geoid, sector': ['grain_unique'],
    'year: reference calendar year': ['year_known', 'year_in_folder', 'year_not_null'],
    'county_fips: FK counties': ['county_fips_known'],
    'district_code, tract_geoid always NULL': ['district_and_tract_always_null'],
    'sector (categorical): all and eighteen sectors': ['sector_values'],
    'County rows carry all only; sectors are published at state level only': [
      'counties_carry_all_sectors_only',
    ],
    'sector rows sum to all within rounding': ['sectors_sum_to_all_within_rounding'],
    'num_owners_reporting (integer, count, never NULL)': [
      'num_owners_reporting_not_null',
      'num_owners_reporting_range',
    ],
    'rounded on a banded scale': 'The text does not give the bands.',
    'num_owners_us_born, num_owners_not_us_born (integer, nullable)': [
      'num_owners_us_born_range',
      'num_owners_not_us_born_range',
    ],
    'NULL when withheld for small counts, not zero': 'The figure that was withheld is not in a row.',
    'pct_not_us_born (number, proportion)': ['pct_not_us_born_range'],
    'never below the not-citizen share': ['not_us_born_at_least_not_citizen'],
    'where the count is withheld it equals 1 minus the U.S.-born share': ['withheld_count_leaves_complement'],
    'A citizen count, a not-citizen count and a not-citizen share also exist; remaining fields: not shown':
      'A statement about the schema.',
  },
  breaks: {
    counties_carry_all_sectors_only: changeFirst("sector = 'naics_11'", 'county_fips IS NOT NULL'),
    sectors_sum_to_all_within_rounding: changeFirst(
      'num_owners_reporting = 1',
      "county_fips IS NULL AND sector = 'all'",
    ),
    not_us_born_at_least_not_citizen: changeFirst('pct_not_us_born = 0.1, pct_not_citizen = 0.2', 'TRUE'),
    withheld_count_leaves_complement:
      'UPDATE t SET num_owners_not_us_born = NULL, pct_not_us_born = CASE WHEN pct_not_us_born > 0.5 THEN pct_not_us_born - 0.4 ELSE pct_not_us_born + 0.4 END WHERE rowid = (SELECT rowid FROM t WHERE num_owners_us_born IS NOT NULL AND pct_not_us_born IS NOT NULL ORDER BY num_owners_reporting DESC, rowid LIMIT 1)',
  },
};
