import type { Specification } from '../facts.ts';
import { ARRESTS } from './arrests.ts';
import { ICE_RECORDS, PARTIAL_YEARS, RECORDS_OF_STATE } from './ice-records.ts';

export const specification: Specification = {
  key: 'immigration/ice_arrests',
  alike: [ICE_RECORDS, RECORDS_OF_STATE, ARRESTS],
  facts: {
    keyMetric: 'num_arrests',
  },
  columns: {
    num_arrests: {
      type: 'integer',
      nullable: false,
      role: 'metric',
      unit: 'count',
      min: 0,
      breaks: PARTIAL_YEARS,
    },
  },
  sentences: {
    'Grain: year, month, county_fips, demographic, criminality, apprehension_method_group, citizenship_country':
      ['grain_unique'],
    'county_fips is always NULL (state grain only)': ['county_always_null'],
    'num_arrests (integer, not null, count)': ['num_arrests_not_null', 'num_arrests_range'],
    'deduplicated administrative arrests in Georgia, counts arrests not people':
      'A statement of how the records were made; it leaves no trace in a row.',
    '0 is real (complete grid, no suppression)': ['complete_grid', 'num_arrests_not_null'],
    "Georgia totals are a floor because arrests with no state are in no state's count":
      'Arrests without a state are not in the rows.',
    'pin every categorical to all except the one broken out':
      'Advice to readers; any set of rows that follows it or not is the same rows.',
  },
  breaks: {
    complete_grid: 'DELETE FROM t WHERE rowid = (SELECT min(rowid) FROM t)',
  },
};
