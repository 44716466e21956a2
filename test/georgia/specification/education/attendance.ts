import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'education/attendance',
  facts: {
    version: '1.2.0',
    years: [2004, 2024],
    gaps: [],
    summaryYears: [2004, 2018],
    levels: ['districts', 'schools', 'states'],
    defaultDetail: 'schools',
    grain: ['year', 'district_code', 'school_code', 'demographic'],
    keyMetric: 'chronically_absent_rate',
    // A withheld tier of 2023-2024 is 0.0.
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
          'all',
          'asian_pacific_islander',
          'black',
          'economically_disadvantaged',
          'english_learners',
          'female',
          'hispanic',
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
      num_students: {
        type: 'integer',
        nullable: true,
        role: 'metric',
        unit: 'count',
        component: 'denominator',
      },
      five_or_fewer_days_absent_rate: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      six_to_fifteen_days_absent_rate: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      over_15_days_absent_rate: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
      chronically_absent_rate: { type: 'number', nullable: true, role: 'metric', unit: 'proportion' },
    },
  },
  sentences: [
    { says: 'Years 2004-2024.', rules: ['year_known', 'year_in_folder', 'year_not_null'] },
    {
      says: 'Detail districts, schools, states: state rows have NULL district and school keys; district rows have NULL school_code.',
      rules: ['level_keys'],
    },
    { says: 'Grain: year, district_code, school_code, demographic.', rules: ['grain_unique'] },
    {
      says: 'district_code: FK districts; 3-digit for standard districts, 7-digit for operators.',
      rules: ['district_code_known'],
    },
    { says: 'school_code: FK schools, composite with district_code.', rules: ['school_code_known'] },
    {
      says: 'demographic (15 values), not null, FK demographics.',
      rules: ['demographic_values', 'demographic_not_null', 'demographic_known'],
    },
    {
      says: '`all` overlaps every other value; subgroups are exclusive only within their own category.',
      rules: [],
      why: 'Withheld groups and groups that the source does not report keep the parts of a category from adding up to the whole.',
    },
    {
      says: 'num_students: count; NULL means suppressed (fewer than 10 students).',
      rules: ['num_students_range', 'small_groups_withheld'],
    },
    {
      says: 'Real zeros exist only in 2004-2010 and 2023-2024.',
      rules: ['zero_students_only_in_documented_years'],
    },
    {
      says: 'Proportions are on a 0-1 scale.',
      rules: [
        'five_or_fewer_days_absent_rate_range',
        'six_to_fifteen_days_absent_rate_range',
        'over_15_days_absent_rate_range',
        'chronically_absent_rate_range',
      ],
    },
    { says: 'Three tiers partition the subgroup (sum about 1.0).', rules: ['tiers_partition_students'] },
    { says: 'In 2023-2024 a TFS tier cell is decoded to 0.0.', rules: ['tiers_partition_students'] },
    { says: 'chronically_absent_rate: published from 2018.', rules: ['chronic_absence_from_2018'] },
    {
      says: 'chronically_absent_rate: share absent 10 percent or more of enrolled days.',
      rules: [],
      why: 'Days of single students are not in the dataset.',
    },
  ],
  breaks: {
    tiers_partition_students: `
      UPDATE t SET over_15_days_absent_rate = 0.9, six_to_fifteen_days_absent_rate = 0.9
      WHERE rowid = (SELECT min(rowid) FROM t WHERE five_or_fewer_days_absent_rate IS NOT NULL
        AND six_to_fifteen_days_absent_rate IS NOT NULL AND over_15_days_absent_rate IS NOT NULL)`,
    zero_students_only_in_documented_years: `
      UPDATE t SET num_students = 0
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year BETWEEN 2011 AND 2022)`,
    small_groups_withheld: `
      UPDATE t SET num_students = 9
      WHERE rowid = (SELECT min(rowid) FROM t WHERE num_students IS NOT NULL)`,
    chronic_absence_from_2018: `
      UPDATE t SET chronically_absent_rate = 0.1
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year < 2018)`,
  },
};
