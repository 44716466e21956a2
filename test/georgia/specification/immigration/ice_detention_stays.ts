import { changeFirst, type Specification } from '../facts.ts';
import { DETENTIONS } from './detentions.ts';
import { ICE_RECORDS, PARTIAL_YEARS } from './ice-records.ts';

export const specification: Specification = {
  key: 'immigration/ice_detention_stays',
  alike: [ICE_RECORDS, DETENTIONS],
  columns: {
    num_stays: { type: 'integer', nullable: true, role: 'metric', unit: 'count', breaks: PARTIAL_YEARS },
    num_stays_ended: {
      type: 'integer',
      nullable: true,
      role: 'metric',
      component: 'denominator',
      breaks: PARTIAL_YEARS,
    },
    // The average leaves out what began in the last months and has not ended.
    avg_stay_length_days: { type: 'number', nullable: true, role: 'metric', unit: 'days', breaks: [2025] },
    avg_facilities_per_stay: { type: 'number', nullable: true, role: 'metric' },
  },
  sentences: {
    'Same grain as ice_detention_stints': ['grain_unique'],
    'A stay is one uninterrupted period in custody, located at the facility where the person spent the longest':
      'A statement of how the records were made; it leaves no trace in a row.',
    'Same county rules: NULL on state rows': ['level_keys'],
    'num_stays (integer, nullable, count): stays begun in the cell': ['num_stays_range'],
    'county counts below 5 NULL (same county rules: zero included, state counts complete)': [
      'county_counts_below_five_withheld',
      'state_counts_complete',
    ],
    'num_stays_ended (integer, nullable, denominator): stays with a book-out by 2026-08-06': [
      'num_stays_ended_range',
      'ended_at_most_begun',
      'still_detained_has_none_ended',
      'begun_minus_ended_is_still_detained',
    ],
    'avg_stay_length_days: NULL when none ended or withheld': ['length_null_without_ended'],
    'lengths below 0 or above 1405 days are dropped before averaging': ['avg_stay_length_days_range'],
    'recent months are biased short':
      'Advice to readers; any set of rows that follows it or not is the same rows.',
    'avg_facilities_per_stay: mean number of facility stints per stay over all stays in the cell': [
      'at_least_one_facility_per_stay',
      'facilities_null_without_stays',
    ],
  },
  breaks: {
    county_counts_below_five_withheld: changeFirst('num_stays = 4', 'county_fips IS NOT NULL'),
    state_counts_complete: changeFirst('num_stays = NULL', 'county_fips IS NULL'),
    months_sum_to_all: changeFirst('num_stays = num_stays + 1', "month <> 'all'"),
    female_and_male_at_most_all: changeFirst('num_stays = num_stays + 1000000', "demographic = 'female'"),
    agencies_at_most_all: changeFirst('num_stays = num_stays + 1000000', "arresting_agency_group = 'ice'"),
    release_reasons_sum_to_all: changeFirst('num_stays = num_stays + 1', "release_reason <> 'all'"),
    countries_sum_to_all: changeFirst('num_stays = num_stays + 1', "citizenship_country <> 'all'"),
    ended_at_most_begun: changeFirst('num_stays_ended = num_stays + 1', 'num_stays IS NOT NULL'),
    still_detained_has_none_ended: changeFirst('num_stays_ended = 1', "release_reason = 'still_detained'"),
    begun_minus_ended_is_still_detained: changeFirst(
      'num_stays = num_stays + 1',
      "release_reason = 'still_detained'",
    ),
    length_null_without_ended: changeFirst(
      'num_stays_ended = 0, avg_stay_length_days = 10',
      'county_fips IS NULL',
    ),
    facilities_null_without_stays: changeFirst(
      'num_stays = 0, avg_facilities_per_stay = 1',
      'county_fips IS NULL',
    ),
    at_least_one_facility_per_stay: changeFirst('avg_facilities_per_stay = 0.5', 'num_stays > 0'),
  },
};
