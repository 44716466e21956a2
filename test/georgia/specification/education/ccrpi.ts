import { category, groups, SCORE_TO_100 } from '../columns.ts';
import type { Statements } from '../facts.ts';

/** CCRPI figures of each cluster of grades. */
export const CCRPI_CLUSTERS: Statements = {
  columns: {
    grade_cluster: category('elementary middle high'),
  },
  sentences: {
    'Detail districts, schools, states.': ['level_keys'],
    'district_code: FK districts; school_code: FK schools, composite with district_code.': [
      'district_code_known',
      'school_code_known',
    ],
  },
};

/** CCRPI indicators of ten groups of students. */
export const CCRPI_INDICATORS: Statements = {
  facts: {
    version: '1.1.0',
    years: [2018, 2025],
    levels: ['districts', 'schools', 'states'],
    defaultDetail: 'schools',
    keyMetric: 'indicator_score',
  },
  columns: {
    demographic: groups(`
        all asian_pacific_islander black economically_disadvantaged english_learners hispanic
        multiracial native_american students_with_disabilities white`),
    indicator_score: SCORE_TO_100,
  },
};
