import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'education/graduation_rate_4_year_cohort',
  facts: {
    version: '1.0.0',
    years: [2004, 2024],
    gaps: [],
    summaryYears: [2004, 2012, 2016, 2024],
    levels: ['districts', 'schools', 'states'],
    defaultDetail: 'schools',
    grain: ['year', 'district_code', 'school_code', 'demographic'],
    keyMetric: 'graduation_rate',
    // Zeros of 2004-2009 cannot be told from withheld figures.
    zeroIsReal: false,
    columns: {
      year: { type: 'integer', nullable: false, role: 'year' },
      district_code: { type: 'string', nullable: true, role: 'fk_district' },
      school_code: { type: 'string', nullable: true, role: 'fk_school' },
      demographic: {
        type: 'string',
        nullable: false,
        role: 'fk_demographic',
        values: [
          'active_duty',
          'all',
          'asian_pacific_islander',
          'black',
          'economically_disadvantaged',
          'english_learners',
          'female',
          'foster_care',
          'hispanic',
          'homeless',
          'male',
          'migrant',
          'multiracial',
          'native_american',
          'not_economically_disadvantaged',
          'students_with_disabilities',
          'students_without_disabilities',
          'white',
        ],
      },
      num_graduates: {
        type: 'integer',
        nullable: true,
        role: 'metric',
        unit: 'count',
        component: 'numerator',
      },
      num_cohort: {
        type: 'integer',
        nullable: true,
        role: 'metric',
        unit: 'count',
        component: 'denominator',
      },
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
  },
  sentences: [
    { says: 'Years 2004-2024; detail districts, schools, states', rules: ['year_known', 'level_keys'] },
    { says: 'Grain: year, district_code, school_code, demographic', rules: ['grain_unique'] },
    {
      says: 'year (integer, not null): ending calendar year of the school year',
      rules: ['year_not_null', 'year_known', 'year_in_folder'],
    },
    {
      says: 'district_code: FK districts; 3-digit zero-padded for standard districts, 7-digit for state-charter or state-school operators',
      rules: ['district_code_format', 'district_code_known'],
    },
    { says: 'district_code is NULL on state rows', rules: ['level_keys'] },
    {
      says: 'school_code: FK schools, composite with district_code; 4-character zero-padded',
      rules: ['school_code_format', 'school_code_known'],
    },
    { says: 'school_code is NULL on district and state rows', rules: ['level_keys'] },
    {
      says: 'demographic (18): not null, FK demographics',
      rules: ['demographic_values', 'demographic_not_null', 'demographic_known'],
    },
    {
      says: '`all` is the total and overlaps every other value; subgroups are exclusive only within their own category',
      rules: ['groups_within_total', 'cohort_groups_within_total'],
    },
    {
      says: 'The too-few-students marker and blank cells become NULL',
      rules: [],
      why: 'Once the marker is NULL nothing tells it from a blank cell.',
    },
    { says: 'active_duty, foster_care, homeless appear from 2018', rules: ['newer_groups_from_2018'] },
    { says: 'english_learners is absent in 2021', rules: ['no_english_learners_in_2021'] },
    {
      says: 'num_graduates (numerator), num_cohort (denominator) of graduation_rate',
      rules: ['graduation_rate_is_graduates_over_cohort', 'num_graduates_range', 'num_cohort_range'],
    },
    { says: 'num_cohort is NULL for every row in 2012-2016', rules: ['no_cohort_in_2012_to_2016'] },
    { says: 'graduation_rate (proportion 0-1)', rules: ['graduation_rate_range'] },
    {
      says: '2011 onward is the federal adjusted cohort rate; 2004-2010 use an earlier method and are not trend-comparable',
      rules: [],
      why: 'The method behind a figure is not in the row.',
    },
    {
      says: 'In 2004-2009 zeros stand for suppressed cells and cannot be told from real zeros',
      rules: [],
      why: 'The sentence itself says that rows cannot show it.',
    },
  ],
  breaks: {
    district_code_format:
      'UPDATE t SET district_code = substr(district_code, 2) WHERE rowid = (SELECT min(rowid) FROM t WHERE length(district_code) = 3)',
    school_code_format:
      "UPDATE t SET school_code = school_code || '0' WHERE rowid = (SELECT min(rowid) FROM t WHERE school_code IS NOT NULL)",
    newer_groups_from_2018:
      "UPDATE t SET demographic = 'homeless' WHERE rowid = (SELECT min(rowid) FROM t WHERE year < 2018 AND demographic <> 'all')",
    no_english_learners_in_2021:
      "UPDATE t SET year = 2021 WHERE rowid = (SELECT min(rowid) FROM t WHERE demographic = 'english_learners')",
    no_cohort_in_2012_to_2016:
      'UPDATE t SET num_cohort = num_graduates WHERE rowid = (SELECT min(rowid) FROM t WHERE year BETWEEN 2012 AND 2016 AND num_graduates IS NOT NULL)',
    graduation_rate_is_graduates_over_cohort:
      'UPDATE t SET graduation_rate = CASE WHEN graduation_rate > 0.5 THEN graduation_rate - 0.1 ELSE graduation_rate + 0.1 END WHERE rowid = (SELECT min(rowid) FROM t WHERE year >= 2011 AND graduation_rate IS NOT NULL AND num_graduates IS NOT NULL AND num_cohort > 0)',
    groups_within_total:
      "UPDATE t SET num_graduates = num_graduates + 10000000 WHERE rowid = (SELECT min(g.rowid) FROM t g JOIN t a ON a.year = g.year AND a.district_code IS NOT DISTINCT FROM g.district_code AND a.school_code IS NOT DISTINCT FROM g.school_code WHERE a.demographic = 'all' AND a.num_graduates IS NOT NULL AND g.demographic <> 'all' AND g.num_graduates IS NOT NULL AND a.year >= 2010)",
    cohort_groups_within_total:
      "UPDATE t SET num_cohort = num_cohort + 10000000 WHERE rowid = (SELECT min(g.rowid) FROM t g JOIN t a ON a.year = g.year AND a.district_code IS NOT DISTINCT FROM g.district_code AND a.school_code IS NOT DISTINCT FROM g.school_code WHERE a.demographic = 'all' AND a.num_cohort IS NOT NULL AND g.demographic <> 'all' AND g.num_cohort IS NOT NULL AND a.year >= 2010)",
  },
};
