import { changeFirst, type Specification } from '../facts.ts';
import { LARGE_COUNTIES } from './nativity.ts';
import { COUNTIES_AND_STATE, SURVEY_PLACES, SURVEY_VINTAGES } from './survey.ts';

export const specification: Specification = {
  key: 'census/median_household_income_by_nativity',
  alike: [SURVEY_PLACES, SURVEY_VINTAGES, COUNTIES_AND_STATE, LARGE_COUNTIES],
  facts: {
    keyMetric: 'median_household_income',
  },
  columns: {
    median_household_income: { type: 'integer', nullable: true, role: 'metric', unit: 'currency' },
    median_household_income_moe: { type: 'integer', nullable: true, role: 'metric', unit: 'currency' },
  },
  sentences: {
    'a hierarchy (all = native + foreign_born; foreign_born = naturalized + noncitizen), never to be summed':
      'The metric is a median, which does not add.',
    "universe is households classified by the householder's status":
      'A statement of how the records were made; it leaves no trace in a row.',
    'whole dollars inflation-adjusted to the vintage end year; not comparable across vintages; never summed or averaged across rows':
      'Advice to readers; any set of rows that follows it or not is the same rows.',
    'Censoring: 250001 means $250,000 or more, 2499 means $2,500 or less': ['median_household_income_range'],
    'NULL when too few sampled households': 'The number of sampled households is not in a row.',
    'median_household_income_moe: NULL beside a NULL median, or beside a censored median': [
      'no_margin_without_amount',
    ],
  },
  breaks: {
    no_margin_without_amount: changeFirst(
      'median_household_income = 250001, median_household_income_moe = 100',
      'TRUE',
    ),
  },
};
