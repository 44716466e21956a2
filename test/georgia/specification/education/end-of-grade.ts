import { PROPORTION } from '../columns.ts';
import { changeFirst, type Statements } from '../facts.ts';

/** Both datasets of end-of-grade tests: Milestones and growth. */
export const END_OF_GRADE: Statements = {
  facts: {
    version: '1.1.0',
    levels: ['districts', 'schools', 'states'],
    defaultDetail: 'schools',
  },
  columns: {
    pct_developing_learner_or_above: PROPORTION,
    pct_proficient_learner_or_above: PROPORTION,
    pct_sgp_low_growth: PROPORTION,
    pct_sgp_typical_growth: PROPORTION,
    pct_sgp_high_growth: PROPORTION,
  },
  sentences: {
    'detail districts, schools, states; the level is read from the NULL keys': ['level_keys'],
    'year: integer, not null': ['year_not_null'],
    'district_code: FK districts': ['district_code_known'],
    'school_code: FK schools, composite with district_code': ['school_code_known'],
  },
  breaks: {
    growth_levels_partition_students: changeFirst(
      'pct_sgp_low_growth = CASE WHEN pct_sgp_low_growth > 0.5 THEN 0 ELSE 1 END',
      'pct_sgp_low_growth + pct_sgp_typical_growth + pct_sgp_high_growth IS NOT NULL',
    ),
  },
};
