import { changeFirst, type Specification } from '../facts.ts';
import { ARRESTS } from './arrests.ts';
import { ICE_RECORDS, PARTIAL_YEARS, RECORDS_OF_STATE } from './ice-records.ts';

export const specification: Specification = {
  key: 'immigration/ice_arrests_with_detention_stays',
  alike: [ICE_RECORDS, RECORDS_OF_STATE, ARRESTS],
  facts: {
    keyMetric: 'detention_rate_after_arrest',
  },
  columns: {
    num_arrests: {
      type: 'integer',
      nullable: false,
      role: 'metric',
      unit: 'count',
      min: 0,
      component: 'denominator',
      breaks: PARTIAL_YEARS,
    },
    num_arrests_detained: {
      type: 'integer',
      nullable: false,
      role: 'metric',
      unit: 'count',
      min: 0,
      component: 'numerator',
      breaks: PARTIAL_YEARS,
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
  sentences: {
    'Same grain and categorical axes as ice_arrests': ['grain_unique'],
    'county_fips always NULL': ['county_always_null'],
    'num_arrests (integer, not null, count, denominator)': ['num_arrests_not_null', 'num_arrests_range'],
    'totals equal ice_arrests': ['totals_equal_ice_arrests'],
    'a gender cell may differ by up to about 100': ['gender_cells_near_ice_arrests'],
    'a citizenship cell by at most 3': ['citizenship_cells_near_ice_arrests'],
    'ice_arrests is the dataset of record for counts':
      'Advice to readers; any set of rows that follows it or not is the same rows.',
    'num_arrests_detained (integer, not null, count, numerator)': [
      'num_arrests_detained_not_null',
      'num_arrests_detained_range',
    ],
    'arrests matched to a detention stay (book-in from 5 days before to 10 days after the arrest, closest match)':
      'A statement of how the records were made; it leaves no trace in a row.',
    'num_arrests_detained never exceeds num_arrests': ['detained_at_most_arrests'],
    'detention_rate_after_arrest (number, nullable, proportion 0-1)': ['detention_rate_after_arrest_range'],
    'detention_rate_after_arrest = num_arrests_detained / num_arrests': ['rate_is_detained_over_arrests'],
    'NULL only where num_arrests is 0': ['rate_null_only_without_arrests', 'no_rate_without_arrests'],
    'approximate; small cells swing widely':
      'Advice to readers; any set of rows that follows it or not is the same rows.',
  },
  breaks: {
    detained_at_most_arrests: changeFirst('num_arrests_detained = num_arrests + 1', 'TRUE'),
    rate_is_detained_over_arrests: changeFirst(
      'detention_rate_after_arrest = CASE WHEN detention_rate_after_arrest > 0.5 THEN 0 ELSE 1 END',
      'num_arrests > 0',
    ),
    rate_null_only_without_arrests: changeFirst('detention_rate_after_arrest = NULL', 'num_arrests > 0'),
    no_rate_without_arrests: changeFirst('detention_rate_after_arrest = 0', 'num_arrests = 0'),
    totals_equal_ice_arrests: changeFirst(
      'num_arrests = num_arrests + 1',
      "demographic = 'all' AND citizenship_country = 'all'",
    ),
    gender_cells_near_ice_arrests: changeFirst('num_arrests = num_arrests + 1000', "demographic <> 'all'"),
    citizenship_cells_near_ice_arrests: changeFirst(
      'num_arrests = num_arrests + 100',
      "demographic = 'all' AND citizenship_country <> 'all'",
    ),
  },
};
