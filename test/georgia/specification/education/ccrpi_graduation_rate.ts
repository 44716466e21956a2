import { category } from '../columns.ts';
import { changeFirst, type Specification } from '../facts.ts';
import { GRADUATION_COHORTS } from './graduation-cohorts.ts';
import { SCHOOLS_AND_ABOVE } from './school-places.ts';

export const specification: Specification = {
  key: 'education/ccrpi_graduation_rate',
  alike: [SCHOOLS_AND_ABOVE, GRADUATION_COHORTS],
  facts: {
    version: '1.2.0',
    years: [2012, 2025],
    summaryYears: [2012, 2017, 2021, 2024, 2025],
    levels: ['districts', 'schools', 'states'],
    defaultDetail: 'schools',
    grain: ['year', 'district_code', 'school_code', 'demographic', 'rate_type'],
    keyMetric: 'graduation_rate',
    updateFrequency: 'annual',
  },
  columns: {
    rate_type: category('4_year 5_year on_time'),
    graduation_rate: { type: 'number', nullable: true, role: 'metric', unit: 'proportion', min: 0, max: 1 },
    indicator_target: { type: 'number', nullable: true, role: 'metric', unit: 'proportion', min: 0, max: 1 },
    ccrpi_flag: { type: 'string', nullable: true, role: 'categorical', values: ['green', 'red', 'yellow'] },
  },
  sentences: {
    'Years 2012-2025.': ['year_known', 'year_in_folder', 'year_not_null'],
    'Detail districts, schools, states.': ['level_keys'],
    'Grain: year, district_code, school_code, demographic, rate_type.': ['grain_unique'],
    '5_year rows are keyed to the cohort’s 4-year due year, so a year’s 4_year and 5_year rows describe the same cohort.':
      'A row does not say when its fifth year ended, and the two rates of a cohort may differ either way once students transfer.',
    'district_code may also be RTC, data years 2015-2018.': [
      'treatment_centers_2015_2018',
      'district_code_known',
    ],
    'school_code: FK schools, composite with district_code.': ['school_code_known'],
    'demographic values (18).': ['demographic_values', 'demographic_not_null', 'demographic_known'],
    'all, asian_pacific_islander, … white: reported in every era.': ['ten_groups_in_every_era'],
    'active_duty, female, foster_care, homeless, male, migrant, not_economically_disadvantaged, students_without_disabilities: 2023 only.':
      ['additional_groups_in_2023_only'],
    'rate_type 4_year (2012-2025).': ['rate_type_values', 'rate_type_not_null', 'year_known'],
    'rate_type 5_year (2017-2024).': ['five_year_rates_2017_2024'],
    'rate_type on_time (2021-2024).': ['on_time_rates_2021_2024'],
    'on_time: school level only.': ['on_time_rates_for_schools_only'],
    'graduation_rate: proportion 0-1.': ['graduation_rate_range'],
    'For 4_year rows the count pair may differ from the rate by about 0.4 percentage points.': [
      'four_year_rate_near_counts',
    ],
    'For on_time rows rate equals graduates over cohort to published rounding.': [
      'on_time_rate_is_counts_ratio',
    ],
    'num_cohort, num_graduates: count.': ['num_cohort_range', 'num_graduates_range'],
    '4_year counts are for demographic all only in 2015-2022 and 2024-2025.': [
      'four_year_counts_by_group_in_2023_only',
    ],
    '4_year counts: all demographics in 2023.':
      'Any count of 2023 may be withheld for too few students, so its absence is not an error.',
    'on_time is total enrolled.': 'Enrolment is in no dataset of the lake.',
    'num_cohort never published for 5_year rows or 2012-2014.': ['no_counts_for_five_years_or_before_2015'],
    'num_graduates never exceeds num_cohort.': ['graduates_within_cohort'],
    'num_graduates: same coverage as num_cohort.': ['counts_published_together'],
    'indicator_target 0-1.': ['indicator_target_range'],
    'indicator_target observed 0.022 to 0.9.': ['targets_in_observed_range'],
    'indicator_target published in 2018, 2019, 2023, 2024, 2025.': ['targets_in_published_years'],
    'A colour flag ccrpi_flag also exists.': ['ccrpi_flag_values'],
  },
  breaks: {
    five_year_rates_2017_2024: changeFirst(
      "rate_type = '5_year'",
      "rate_type = '4_year' AND year < 2017 AND num_cohort IS NULL",
    ),
    on_time_rates_2021_2024: changeFirst(
      "rate_type = 'on_time'",
      "rate_type = '4_year' AND year < 2021 AND school_code IS NOT NULL AND num_cohort IS NULL",
    ),
    on_time_rates_for_schools_only: changeFirst(
      "rate_type = 'on_time'",
      "rate_type = '5_year' AND year BETWEEN 2021 AND 2024 AND school_code IS NULL",
    ),
    treatment_centers_2015_2018: changeFirst(
      "district_code = 'RTC'",
      'year NOT BETWEEN 2015 AND 2018 AND district_code IS NOT NULL AND school_code IS NULL',
    ),
    additional_groups_in_2023_only: changeFirst(
      "demographic = 'female'",
      "year <> 2023 AND demographic = 'native_american'",
    ),
    ten_groups_in_every_era: `
      DELETE FROM t WHERE demographic = 'multiracial'
        AND year = (SELECT min(year) FROM t WHERE demographic = 'multiracial')`,
    no_counts_for_five_years_or_before_2015: changeFirst(
      'num_cohort = 100, num_graduates = 90',
      "rate_type = '5_year'",
    ),
    four_year_counts_by_group_in_2023_only: `
      UPDATE t SET num_cohort = 1000, num_graduates = round(graduation_rate * 1000)
      WHERE rowid = (SELECT min(rowid) FROM t WHERE rate_type = '4_year' AND year BETWEEN 2015 AND 2022
        AND demographic <> 'all' AND graduation_rate IS NOT NULL)`,
    counts_published_together: changeFirst('num_graduates = NULL', 'num_graduates IS NOT NULL'),
    graduates_within_cohort: changeFirst(
      'num_graduates = num_cohort + 1, graduation_rate = NULL',
      'num_cohort IS NOT NULL',
    ),
    four_year_rate_near_counts: `
      UPDATE t SET graduation_rate = CASE WHEN graduation_rate > 0.5 THEN graduation_rate - 0.05 ELSE graduation_rate + 0.05 END
      WHERE rowid = (SELECT min(rowid) FROM t WHERE rate_type = '4_year' AND num_cohort > 0
        AND graduation_rate IS NOT NULL)`,
    on_time_rate_is_counts_ratio: `
      UPDATE t SET graduation_rate = CASE WHEN graduation_rate > 0.5 THEN graduation_rate - 0.05 ELSE graduation_rate + 0.05 END
      WHERE rowid = (SELECT min(rowid) FROM t WHERE rate_type = 'on_time' AND num_cohort > 0
        AND graduation_rate IS NOT NULL)`,
    targets_in_published_years: changeFirst(
      'indicator_target = 0.5',
      'year NOT IN (2018, 2019, 2023, 2024, 2025)',
    ),
    targets_in_observed_range: changeFirst('indicator_target = 0.95', 'indicator_target IS NOT NULL'),
  },
};
