import { category, groups } from '../columns.ts';
import { changeFirst, type Statements } from '../facts.ts';

/** Breaks after the first year and before the last: 2022 starts in October, and 2026 ends on 6 August. */
export const PARTIAL_YEARS = [2022, 2025];

/** Records of one agency, counted by month, sex and citizenship. */
export const ICE_RECORDS: Statements = {
  facts: {
    version: '1.0.0',
    years: [2022, 2026],
    summaryYears: [2022, 2026],
    defaultDetail: 'states',
    updateFrequency: 'irregular',
  },
  columns: {
    year: { type: 'integer', role: 'year' },
    month: category('all 01 02 03 04 05 06 07 08 09 10 11 12'),
    county_fips: { type: 'string', nullable: true, role: 'fk_county' },
    demographic: groups('all female male'),
    citizenship_country: category(`
        all brazil china colombia cuba dominican_republic ecuador el_salvador guatemala haiti honduras
        india jamaica mauritania mexico nicaragua nigeria peru russia senegal south_korea venezuela
        vietnam other unknown`),
  },
  sentences: {
    'data covers 2022-10-01 through 2026-08-06; 2022 holds October to December and 2026 ends 6 August': [
      'months_within_coverage',
      'year_known',
    ],
    'year is a calendar year (not a federal fiscal year)': ['year_known', 'year_in_folder', 'year_not_null'],
    'month (string, not null): all or 01 to 12': ['month_values', 'month_not_null'],
    'monthly rows sum to the all row': ['months_sum_to_all'],
    'county_fips (string, nullable, FK counties)': ['county_fips_known'],
    'demographic (string, not null, FK demographics): all, female, male': [
      'demographic_values',
      'demographic_not_null',
      'demographic_known',
    ],
    "the agency's own gender determination":
      'A statement of how the records were made; it leaves no trace in a row.',
    'records with unknown gender count toward all only, so female + male is at most all': [
      'female_and_male_at_most_all',
    ],
    'citizenship_country (string, not null): all, 22 countries, other, unknown': [
      'citizenship_country_values',
      'citizenship_country_not_null',
    ],
    'citizenship_country is not a demographic, no FK':
      'A statement about the schema: the contract has no foreign key on the column.',
    'Every other country is other; unrecorded is unknown':
      'Which country an individual record had is not in a row of counts.',
    'citizenship parts sum to all': ['countries_sum_to_all'],
    'Update frequency: irregular': 'A statement about releases, not rows.',
  },
  breaks: {
    months_within_coverage: changeFirst("year = 2022, month = '01'", "month <> 'all'"),
  },
};

/** Records of the whole state, counted by criminality too. */
export const RECORDS_OF_STATE: Statements = {
  facts: {
    levels: ['states'],
  },
  columns: {
    criminality: category('all convicted_criminal other_immigration_violator pending_criminal_charges'),
  },
  sentences: {
    'Years 2022-2026; detail states only': ['year_known', 'year_in_folder', 'level_keys'],
    'criminality (string, not null): all, convicted_criminal, other_immigration_violator, pending_criminal_charges':
      ['criminality_values', 'criminality_not_null'],
    'criminality parts sum to all': ['criminality_sums_to_all'],
  },
  breaks: {
    county_always_null: changeFirst("county_fips = '13121'", 'county_fips IS NULL'),
  },
};
