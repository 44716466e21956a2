import { changeFirst, names, type Statements } from '../facts.ts';

/** Both datasets of arrests. */
export const ARRESTS: Statements = {
  facts: {
    grain: names(
      'year month county_fips demographic criminality apprehension_method_group citizenship_country',
    ),
  },
  columns: {
    apprehension_method_group: {
      type: 'string',
      role: 'categorical',
      values: ['all', '287g_program', 'at_large_arrest', 'custodial_arrest', 'other'],
    },
  },
  sentences: {
    'apprehension_method_group: all, 287g_program, at_large_arrest, custodial_arrest, other': [
      'apprehension_method_group_values',
    ],
    'apprehension_method_group parts sum to all': ['methods_sum_to_all'],
  },
  breaks: {
    months_sum_to_all: changeFirst('num_arrests = num_arrests + 1', "month <> 'all'"),
    female_and_male_at_most_all: changeFirst('num_arrests = num_arrests + 1000000', "demographic = 'female'"),
    criminality_sums_to_all: changeFirst('num_arrests = num_arrests + 1', "criminality <> 'all'"),
    methods_sum_to_all: changeFirst('num_arrests = num_arrests + 1', "apprehension_method_group <> 'all'"),
    countries_sum_to_all: changeFirst('num_arrests = num_arrests + 1', "citizenship_country <> 'all'"),
  },
};
