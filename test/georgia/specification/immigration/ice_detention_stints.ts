import { changeFirst, type Specification } from '../facts.ts';
import { DETENTIONS } from './detentions.ts';
import { ICE_RECORDS, PARTIAL_YEARS } from './ice-records.ts';

export const specification: Specification = {
  key: 'immigration/ice_detention_stints',
  alike: [ICE_RECORDS, DETENTIONS],
  columns: {
    num_stints: { type: 'integer', nullable: true, role: 'metric', unit: 'count', breaks: PARTIAL_YEARS },
    num_stints_ended: { type: 'integer', nullable: true, role: 'metric', breaks: PARTIAL_YEARS },
    // The average leaves out what began in the last months and has not ended.
    avg_stint_length_days: { type: 'number', nullable: true, role: 'metric', unit: 'days', breaks: [2025] },
  },
  sentences: {
    'Grain: year, month, county_fips, demographic, arresting_agency_group, release_reason, citizenship_country':
      ['grain_unique'],
    'A stint is one book-in to one facility':
      'A statement of how the records were made; it leaves no trace in a row.',
    'county_fips: county of the detention facility (not residence)':
      'A statement of how the records were made; it leaves no trace in a row.',
    'NULL on state rows': ['level_keys'],
    'num_stints (integer, nullable, count): stints begun in the cell': ['num_stints_range'],
    'num_stints_ended (integer, nullable): stints with a book-out by 2026-08-06': [
      'num_stints_ended_range',
      'ended_at_most_begun',
    ],
    'county counts below 5 (zero included) are NULL, state counts are complete': [
      'county_counts_below_five_withheld',
      'state_counts_complete',
    ],
    'num_stints minus num_stints_ended is the number still held': [
      'ended_at_most_begun',
      'begun_minus_ended_is_still_detained',
    ],
    'num_stints_ended is 0 on still_detained rows': ['still_detained_has_none_ended'],
    'avg_stint_length_days: NULL when num_stints_ended is 0 or withheld': ['length_null_without_ended'],
    'event lengths below 0 or above 1406 days are dropped before averaging': ['avg_stint_length_days_range'],
  },
  breaks: {
    county_counts_below_five_withheld: changeFirst('num_stints = 4', 'county_fips IS NOT NULL'),
    state_counts_complete: changeFirst('num_stints = NULL', 'county_fips IS NULL'),
    months_sum_to_all: changeFirst('num_stints = num_stints + 1', "month <> 'all'"),
    female_and_male_at_most_all: changeFirst('num_stints = num_stints + 1000000', "demographic = 'female'"),
    agencies_at_most_all: changeFirst('num_stints = num_stints + 1000000', "arresting_agency_group = 'ice'"),
    release_reasons_sum_to_all: changeFirst('num_stints = num_stints + 1', "release_reason <> 'all'"),
    countries_sum_to_all: changeFirst('num_stints = num_stints + 1', "citizenship_country <> 'all'"),
    ended_at_most_begun: changeFirst('num_stints_ended = num_stints + 1', 'num_stints IS NOT NULL'),
    still_detained_has_none_ended: changeFirst('num_stints_ended = 1', "release_reason = 'still_detained'"),
    begun_minus_ended_is_still_detained: changeFirst(
      'num_stints = num_stints + 1',
      "release_reason = 'still_detained'",
    ),
    length_null_without_ended: changeFirst(
      'num_stints_ended = 0, avg_stint_length_days = 10',
      'county_fips IS NULL',
    ),
  },
};
