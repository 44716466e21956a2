import { changeFirst, names, type Statements } from '../facts.ts';

/** Both datasets of detentions: stays, and the stints within them. */
export const DETENTIONS: Statements = {
  facts: {
    levels: ['counties', 'states'],
    grain: names(
      'year month county_fips demographic arresting_agency_group release_reason citizenship_country',
    ),
  },
  columns: {
    arresting_agency_group: { type: 'string', role: 'categorical', values: ['all', 'cbp', 'ice', 'unknown'] },
    release_reason: {
      type: 'string',
      role: 'categorical',
      values: names(
        'all other paroled released_on_bond released_on_order removed still_detained transferred',
      ),
    },
  },
  sentences: {
    'Years 2022-2026; detail counties, states (default states)': [
      'year_known',
      'year_in_folder',
      'level_keys',
    ],
    'county rows carry month, demographic, arresting_agency_group, release_reason and citizenship_country all = all':
      ['county_rows_carry_totals_only'],
    'arresting_agency_group: all, cbp, ice, unknown': ['arresting_agency_group_values'],
    'Categorical axes carry an all total value (conventions, 2.5)': ['agencies_at_most_all'],
    'release_reason: all and seven reasons': ['release_reason_values'],
    'the seven parts sum to all': ['release_reasons_sum_to_all'],
    'Remaining fields: not shown': 'Nothing is stated.',
  },
  breaks: {
    county_rows_carry_totals_only: changeFirst(
      "county_fips = '13259'",
      "county_fips IS NULL AND month <> 'all'",
    ),
  },
};
