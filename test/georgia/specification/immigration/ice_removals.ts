import { changeFirst, names, type Specification } from '../facts.ts';
import { ICE_RECORDS, PARTIAL_YEARS, RECORDS_OF_STATE } from './ice-records.ts';

export const specification: Specification = {
  key: 'immigration/ice_removals',
  alike: [ICE_RECORDS, RECORDS_OF_STATE],
  facts: {
    grain: names('year month county_fips demographic criminality ice_program citizenship_country'),
    keyMetric: 'num_removals',
  },
  columns: {
    ice_program: {
      type: 'string',
      role: 'categorical',
      values: names(`
        all 287g_program 287g_task_force alternatives_to_detention border_patrol criminal_alien_program
        docket_control fugitive_operations other`),
    },
    num_removals: {
      type: 'integer',
      nullable: false,
      role: 'metric',
      unit: 'count',
      min: 0,
      breaks: PARTIAL_YEARS,
    },
  },
  sentences: {
    'Grain: year, month, county_fips, demographic, criminality, ice_program, citizenship_country': [
      'grain_unique',
    ],
    'year is the departure calendar year':
      'The date of departure of a single removal is not in a row of counts; the range of years is checked by year_known.',
    'county_fips always NULL': ['county_always_null'],
    'ice_program: all and eight programs': ['ice_program_values'],
    '287g_task_force (from 2025)': ['task_force_from_2025'],
    'ice_program parts sum to all': ['programs_sum_to_all'],
    'num_removals (integer, not null, count); 0 is real': ['num_removals_not_null', 'num_removals_range'],
    'removals whose originating arrest was recorded in Georgia; counts removals not people':
      'A statement of how the records were made; it leaves no trace in a row.',
    "Removals with no recorded arrest state are in no state's count, so the figure is a floor":
      'Removals without a state are not in the rows.',
    'the publisher questions the reliability of the removals data':
      'Advice to readers; any set of rows that follows it or not is the same rows.',
  },
  breaks: {
    task_force_from_2025: changeFirst(
      "ice_program = '287g_task_force', year = 2024",
      "ice_program <> '287g_task_force' AND month BETWEEN '01' AND '12' AND ice_program <> 'all'",
    ),
    months_sum_to_all: changeFirst('num_removals = num_removals + 1', "month <> 'all'"),
    female_and_male_at_most_all: changeFirst(
      'num_removals = num_removals + 1000000',
      "demographic = 'female'",
    ),
    criminality_sums_to_all: changeFirst('num_removals = num_removals + 1', "criminality <> 'all'"),
    programs_sum_to_all: changeFirst('num_removals = num_removals + 1', "ice_program <> 'all'"),
    countries_sum_to_all: changeFirst('num_removals = num_removals + 1', "citizenship_country <> 'all'"),
  },
};
