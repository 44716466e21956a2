import { DENOMINATOR, groups, NUMERATOR } from '../columns.ts';
import type { Statements } from '../facts.ts';

/** Graduates of a cohort, by eighteen groups of students. */
export const GRADUATION_COHORTS: Statements = {
  columns: {
    demographic: groups(`
        active_duty all asian_pacific_islander black economically_disadvantaged english_learners female
        foster_care hispanic homeless male migrant multiracial native_american
        not_economically_disadvantaged students_with_disabilities students_without_disabilities white`),
    num_cohort: DENOMINATOR,
    num_graduates: NUMERATOR,
  },
};
