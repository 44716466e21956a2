import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'education/ccrpi_graduation_rate',
  facts: {
    version: '1.2.0',
    years: [2012, 2025],
    gaps: [],
    summaryYears: [2012, 2017, 2021, 2024, 2025],
    levels: ['districts', 'schools', 'states'],
    defaultDetail: 'schools',
    grain: ['year', 'district_code', 'school_code', 'demographic', 'rate_type'],
    keyMetric: 'graduation_rate',
    updateFrequency: 'annual',
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
      rate_type: {
        type: 'string',
        nullable: false,
        role: 'categorical',
        values: ['4_year', '5_year', 'on_time'],
      },
      graduation_rate: { type: 'number', nullable: true, role: 'metric', unit: 'proportion', min: 0, max: 1 },
      num_cohort: {
        type: 'integer',
        nullable: true,
        role: 'metric',
        unit: 'count',
        component: 'denominator',
      },
      num_graduates: {
        type: 'integer',
        nullable: true,
        role: 'metric',
        unit: 'count',
        component: 'numerator',
      },
      indicator_target: {
        type: 'number',
        nullable: true,
        role: 'metric',
        unit: 'proportion',
        min: 0,
        max: 1,
      },
      ccrpi_flag: { type: 'string', nullable: true, role: 'categorical', values: ['green', 'red', 'yellow'] },
    },
  },
  sentences: [
    { says: 'Years 2012-2025.', rules: ['year_known', 'year_in_folder', 'year_not_null'] },
    { says: 'Detail districts, schools, states.', rules: ['level_keys'] },
    { says: 'Grain: year, district_code, school_code, demographic, rate_type.', rules: ['grain_unique'] },
    {
      says: '5_year rows are keyed to the cohort’s 4-year due year, so a year’s 4_year and 5_year rows describe the same cohort.',
      rules: [],
      why: 'A row does not say when its fifth year ended, and the two rates of a cohort may differ either way once students transfer.',
    },
    {
      says: 'district_code may also be RTC, data years 2015-2018.',
      rules: ['treatment_centers_2015_2018', 'district_code_known'],
    },
    { says: 'school_code: FK schools, composite with district_code.', rules: ['school_code_known'] },
    {
      says: 'demographic values (18).',
      rules: ['demographic_values', 'demographic_not_null', 'demographic_known'],
    },
    {
      says: 'all, asian_pacific_islander, … white: reported in every era.',
      rules: ['ten_groups_in_every_era'],
    },
    {
      says: 'active_duty, female, foster_care, homeless, male, migrant, not_economically_disadvantaged, students_without_disabilities: 2023 only.',
      rules: ['additional_groups_in_2023_only'],
    },
    {
      says: 'rate_type 4_year (2012-2025).',
      rules: ['rate_type_values', 'rate_type_not_null', 'year_known'],
    },
    { says: 'rate_type 5_year (2017-2024).', rules: ['five_year_rates_2017_2024'] },
    { says: 'rate_type on_time (2021-2024).', rules: ['on_time_rates_2021_2024'] },
    { says: 'on_time: school level only.', rules: ['on_time_rates_for_schools_only'] },
    { says: 'graduation_rate: proportion 0-1.', rules: ['graduation_rate_range'] },
    {
      says: 'For 4_year rows the count pair may differ from the rate by about 0.4 percentage points.',
      rules: ['four_year_rate_near_counts'],
    },
    {
      says: 'For on_time rows rate equals graduates over cohort to published rounding.',
      rules: ['on_time_rate_is_counts_ratio'],
    },
    { says: 'num_cohort, num_graduates: count.', rules: ['num_cohort_range', 'num_graduates_range'] },
    {
      says: '4_year counts are for demographic all only in 2015-2022 and 2024-2025.',
      rules: ['four_year_counts_by_group_in_2023_only'],
    },
    {
      says: '4_year counts: all demographics in 2023.',
      rules: [],
      why: 'Any count of 2023 may be withheld for too few students, so its absence is not an error.',
    },
    { says: 'on_time is total enrolled.', rules: [], why: 'Enrolment is in no dataset of the lake.' },
    {
      says: 'num_cohort never published for 5_year rows or 2012-2014.',
      rules: ['no_counts_for_five_years_or_before_2015'],
    },
    { says: 'num_graduates never exceeds num_cohort.', rules: ['graduates_within_cohort'] },
    { says: 'num_graduates: same coverage as num_cohort.', rules: ['counts_published_together'] },
    { says: 'indicator_target 0-1.', rules: ['indicator_target_range'] },
    { says: 'indicator_target observed 0.022 to 0.9.', rules: ['targets_in_observed_range'] },
    {
      says: 'indicator_target published in 2018, 2019, 2023, 2024, 2025.',
      rules: ['targets_in_published_years'],
    },
    { says: 'A colour flag ccrpi_flag also exists.', rules: ['ccrpi_flag_values'] },
  ],
  breaks: {
    five_year_rates_2017_2024: `
      UPDATE t SET rate_type = '5_year'
      WHERE rowid = (SELECT min(rowid) FROM t WHERE rate_type = '4_year' AND year < 2017 AND num_cohort IS NULL)`,
    on_time_rates_2021_2024: `
      UPDATE t SET rate_type = 'on_time'
      WHERE rowid = (SELECT min(rowid) FROM t WHERE rate_type = '4_year' AND year < 2021
        AND school_code IS NOT NULL AND num_cohort IS NULL)`,
    on_time_rates_for_schools_only: `
      UPDATE t SET rate_type = 'on_time'
      WHERE rowid = (SELECT min(rowid) FROM t WHERE rate_type = '5_year' AND year BETWEEN 2021 AND 2024
        AND school_code IS NULL)`,
    treatment_centers_2015_2018: `
      UPDATE t SET district_code = 'RTC'
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year NOT BETWEEN 2015 AND 2018
        AND district_code IS NOT NULL AND school_code IS NULL)`,
    additional_groups_in_2023_only: `
      UPDATE t SET demographic = 'female'
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year <> 2023 AND demographic = 'native_american')`,
    ten_groups_in_every_era: `
      DELETE FROM t WHERE demographic = 'multiracial'
        AND year = (SELECT min(year) FROM t WHERE demographic = 'multiracial')`,
    no_counts_for_five_years_or_before_2015: `
      UPDATE t SET num_cohort = 100, num_graduates = 90
      WHERE rowid = (SELECT min(rowid) FROM t WHERE rate_type = '5_year')`,
    four_year_counts_by_group_in_2023_only: `
      UPDATE t SET num_cohort = 1000, num_graduates = round(graduation_rate * 1000)
      WHERE rowid = (SELECT min(rowid) FROM t WHERE rate_type = '4_year' AND year BETWEEN 2015 AND 2022
        AND demographic <> 'all' AND graduation_rate IS NOT NULL)`,
    counts_published_together: `
      UPDATE t SET num_graduates = NULL
      WHERE rowid = (SELECT min(rowid) FROM t WHERE num_graduates IS NOT NULL)`,
    graduates_within_cohort: `
      UPDATE t SET num_graduates = num_cohort + 1, graduation_rate = NULL
      WHERE rowid = (SELECT min(rowid) FROM t WHERE num_cohort IS NOT NULL)`,
    four_year_rate_near_counts: `
      UPDATE t SET graduation_rate = CASE WHEN graduation_rate > 0.5 THEN graduation_rate - 0.05 ELSE graduation_rate + 0.05 END
      WHERE rowid = (SELECT min(rowid) FROM t WHERE rate_type = '4_year' AND num_cohort > 0
        AND graduation_rate IS NOT NULL)`,
    on_time_rate_is_counts_ratio: `
      UPDATE t SET graduation_rate = CASE WHEN graduation_rate > 0.5 THEN graduation_rate - 0.05 ELSE graduation_rate + 0.05 END
      WHERE rowid = (SELECT min(rowid) FROM t WHERE rate_type = 'on_time' AND num_cohort > 0
        AND graduation_rate IS NOT NULL)`,
    targets_in_published_years: `
      UPDATE t SET indicator_target = 0.5
      WHERE rowid = (SELECT min(rowid) FROM t WHERE year NOT IN (2018, 2019, 2023, 2024, 2025))`,
    targets_in_observed_range: `
      UPDATE t SET indicator_target = 0.95
      WHERE rowid = (SELECT min(rowid) FROM t WHERE indicator_target IS NOT NULL)`,
  },
};
