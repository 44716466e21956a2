import { changeFirst, type Specification } from '../facts.ts';
import { LARGE_COUNTIES } from './nativity.ts';
import { COUNTIES_AND_STATE, SURVEY_PLACES, SURVEY_VINTAGES } from './survey.ts';

export const specification: Specification = {
  key: 'census/labor_force_by_nativity',
  alike: [SURVEY_PLACES, SURVEY_VINTAGES, COUNTIES_AND_STATE, LARGE_COUNTIES],
  facts: {
    keyMetric: 'labor_force_participation_rate',
  },
  columns: {
    num_population_16_plus: { type: 'integer', role: 'metric', unit: 'count', component: 'denominator' },
    num_population_16_plus_moe: { type: 'integer', role: 'metric' },
    labor_force_participation_rate: { type: 'number', role: 'metric', unit: 'proportion' },
    labor_force_participation_rate_moe: {},
    pct_civilian_labor_force: { type: 'number', role: 'metric', unit: 'proportion' },
    pct_civilian_labor_force_moe: {},
    pct_employed: { type: 'number', role: 'metric', unit: 'proportion' },
    pct_unemployed: {},
    pct_unemployed_moe: {},
    pct_armed_forces: {},
    pct_armed_forces_moe: {},
    pct_not_in_labor_force: {},
    pct_not_in_labor_force_moe: {},
    unemployment_rate: {},
    unemployment_rate_moe: {},
  },
  sentences: {
    'a hierarchy (all = native + foreign_born; foreign_born = naturalized + noncitizen)': [
      'citizenship_hierarchy',
    ],
    'universe is the population 16 and over':
      'A statement of how the records were made; it leaves no trace in a row.',
    'num_population_16_plus (integer, count) with num_population_16_plus_moe': [
      'num_population_16_plus_range',
      'num_population_16_plus_moe_range',
    ],
    'shares are proportions': [
      'labor_force_participation_rate_range',
      'pct_civilian_labor_force_range',
      'pct_employed_range',
      'pct_unemployed_range',
      'unemployment_rate_range',
      'pct_armed_forces_range',
      'pct_not_in_labor_force_range',
    ],
    'labor_force_participation_rate equals pct_civilian_labor_force + pct_armed_forces': [
      'participation_is_civilian_and_armed_forces',
    ],
    'pct_civilian_labor_force: employed plus unemployed': ['civilian_is_employed_and_unemployed'],
    'unemployment_rate (share of civilian labor force)': ['unemployment_rate_of_civilian_labor_force'],
    'labor_force_participation_rate: share in the labor force; pct_not_in_labor_force': [
      'in_or_out_of_labor_force',
    ],
    'Shares are published to one decimal and served divided by 100': ['shares_to_one_decimal_of_percent'],
    'do not rebuild headcounts from them':
      'Advice to readers; any set of rows that follows it or not is the same rows.',
  },
  breaks: {
    citizenship_hierarchy: changeFirst(
      'num_population_16_plus = num_population_16_plus + 1',
      "citizenship_status = 'native' AND num_population_16_plus IS NOT NULL",
    ),
    participation_is_civilian_and_armed_forces:
      'UPDATE t SET labor_force_participation_rate = CASE WHEN labor_force_participation_rate > 0.5 THEN 0.01 ELSE 0.99 END WHERE rowid = (SELECT min(rowid) FROM t WHERE pct_civilian_labor_force + pct_armed_forces > 0.02)',
    civilian_is_employed_and_unemployed: changeFirst(
      'pct_employed = CASE WHEN pct_employed > 0.5 THEN 0.01 ELSE 0.99 END',
      'pct_civilian_labor_force + pct_unemployed + pct_employed IS NOT NULL',
    ),
    unemployment_rate_of_civilian_labor_force: changeFirst(
      'unemployment_rate = CASE WHEN unemployment_rate > 0.5 THEN 0 ELSE 1 END',
      'pct_civilian_labor_force > 0.1 AND pct_unemployed IS NOT NULL AND unemployment_rate IS NOT NULL',
    ),
    in_or_out_of_labor_force: changeFirst(
      'pct_not_in_labor_force = CASE WHEN pct_not_in_labor_force > 0.5 THEN 0.001 ELSE 0.999 END',
      'labor_force_participation_rate IS NOT NULL AND pct_not_in_labor_force IS NOT NULL',
    ),
    shares_to_one_decimal_of_percent: changeFirst(
      'pct_armed_forces = pct_armed_forces + 0.0001',
      'pct_armed_forces IS NOT NULL',
    ),
  },
};
