import { changeFirst, type Specification } from '../facts.ts';
import { GRADUATION_COHORTS } from './graduation-cohorts.ts';
import { PADDED_CODES, PADDED_CODES_OR_NULL, SCHOOLS_AND_ABOVE } from './school-places.ts';

export const specification: Specification = {
  key: 'education/graduation_rate_4_year_cohort',
  alike: [SCHOOLS_AND_ABOVE, PADDED_CODES, PADDED_CODES_OR_NULL, GRADUATION_COHORTS],
  facts: {
    version: '1.0.0',
    years: [2004, 2024],
    summaryYears: [2004, 2012, 2016, 2024],
    levels: ['districts', 'schools', 'states'],
    defaultDetail: 'schools',
    grain: ['year', 'district_code', 'school_code', 'demographic'],
    keyMetric: 'graduation_rate',
    // Zeros of 2004-2009 cannot be told from withheld figures.
    zeroIsReal: false,
  },
  columns: {
    graduation_rate: {
      type: 'number',
      nullable: true,
      role: 'metric',
      unit: 'proportion',
      min: 0,
      max: 1,
      breaks: [2010],
    },
  },
  sentences: {
    'Years 2004-2024; detail districts, schools, states': ['year_known', 'level_keys'],
    'Grain: year, district_code, school_code, demographic': ['grain_unique'],
    'demographic (18): not null, FK demographics': [
      'demographic_values',
      'demographic_not_null',
      'demographic_known',
    ],
    '`all` is the total and overlaps every other value; subgroups are exclusive only within their own category':
      ['groups_within_total', 'cohort_groups_within_total'],
    'active_duty, foster_care, homeless appear from 2018': ['newer_groups_from_2018'],
    'english_learners is absent in 2021': ['no_english_learners_in_2021'],
    'num_graduates (numerator), num_cohort (denominator) of graduation_rate': [
      'graduation_rate_is_graduates_over_cohort',
      'num_graduates_range',
      'num_cohort_range',
    ],
    'num_cohort is NULL for every row in 2012-2016': ['no_cohort_in_2012_to_2016'],
    'graduation_rate (proportion 0-1)': ['graduation_rate_range'],
    '2011 onward is the federal adjusted cohort rate; 2004-2010 use an earlier method and are not trend-comparable':
      'The method behind a figure is not in the row.',
    'In 2004-2009 zeros stand for suppressed cells and cannot be told from real zeros':
      'The sentence itself says that rows cannot show it.',
  },
  breaks: {
    newer_groups_from_2018: changeFirst("demographic = 'homeless'", "year < 2018 AND demographic <> 'all'"),
    no_english_learners_in_2021: changeFirst('year = 2021', "demographic = 'english_learners'"),
    no_cohort_in_2012_to_2016: changeFirst(
      'num_cohort = num_graduates',
      'year BETWEEN 2012 AND 2016 AND num_graduates IS NOT NULL',
    ),
    graduation_rate_is_graduates_over_cohort:
      'UPDATE t SET graduation_rate = CASE WHEN graduation_rate > 0.5 THEN graduation_rate - 0.1 ELSE graduation_rate + 0.1 END WHERE rowid = (SELECT min(rowid) FROM t WHERE year >= 2011 AND graduation_rate IS NOT NULL AND num_graduates IS NOT NULL AND num_cohort > 0)',
    groups_within_total:
      "UPDATE t SET num_graduates = num_graduates + 10000000 WHERE rowid = (SELECT min(g.rowid) FROM t g JOIN t a ON a.year = g.year AND a.district_code IS NOT DISTINCT FROM g.district_code AND a.school_code IS NOT DISTINCT FROM g.school_code WHERE a.demographic = 'all' AND a.num_graduates IS NOT NULL AND g.demographic <> 'all' AND g.num_graduates IS NOT NULL AND a.year >= 2010)",
    cohort_groups_within_total:
      "UPDATE t SET num_cohort = num_cohort + 10000000 WHERE rowid = (SELECT min(g.rowid) FROM t g JOIN t a ON a.year = g.year AND a.district_code IS NOT DISTINCT FROM g.district_code AND a.school_code IS NOT DISTINCT FROM g.school_code WHERE a.demographic = 'all' AND a.num_cohort IS NOT NULL AND g.demographic <> 'all' AND g.num_cohort IS NOT NULL AND a.year >= 2010)",
  },
};
