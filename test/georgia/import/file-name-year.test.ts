import { expect, test } from 'vitest';
import { yearOfFileName } from '../../../scripts/georgia/import/file-name-year.ts';

const NONE = undefined;

test.each([
  ['2022_cohort.csv', 2022, 2022],
  ['2022_4-Year_Cohort_10_11_22.csv', 2022, 2022],
  ['2022_4-5-Year_Cohort.csv', 2022, 2022],
  ['acs5_2023_georgia_counties.json', 2023, 2023],
  ['2022_601_cohort.csv', 2022, 2022],
  ['cohort.csv', NONE, NONE],
  ['20221005.csv', NONE, NONE],
  // One school year.
  ['Attendance_2023-24.csv', 2024, 2024],
  ['2022-2023_cohort.csv', 2023, 2023],
  ['2022_2023_cohort.csv', 2023, 2023],
  ['2022_23_cohort.csv', 2023, 2023],
  ['cohort_2022_23.csv', 2023, 2023],
  ['cohort 2022–23.csv', 2023, 2023],
  ['1999-00.csv', 2000, 2000],
  // Several years.
  ['2018-2022_acs5.json', NONE, 2022],
  ['acs5_2018_22.json', NONE, 2022],
  ['eog_2021_2024.csv', NONE, 2024],
  ['from_2021_to_2024.csv', NONE, NONE],
  ['2022_rates_2023.csv', NONE, NONE],
  ['2022-23_or_2023-24.csv', NONE, NONE],
  ['2022_10_cohort.csv', NONE, NONE],
  ['2023-2022_cohort.csv', NONE, NONE],
  ['Graduation_Rate_2019_Dec2nd_2019.csv', 2019, 2019],
  // Dates.
  ['2011-12-05_cohort.csv', NONE, NONE],
  ['2011_12_05_cohort.csv', NONE, NONE],
  ['cohort_12-05-2011.csv', NONE, NONE],
  ['Attendance_2023-24_2025-06-17_15_16_08.csv', 2024, 2024],
])('the name %s says %s, or %s of a survey', (name, year, surveyed) => {
  expect(yearOfFileName(name, 'none')).toBe(year);
  expect(yearOfFileName(name, 'last')).toBe(surveyed);
});
