import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The published files stand beside the project, not in it. */
const DATA = fileURLToPath(new URL('../../../shared/data', import.meta.url));
export const PUBLISHED_FILES_ABSENT = !existsSync(DATA);
const source = (path: string) => join(DATA, 'sources', path);
const dimension = (path: string) => join(DATA, 'dimensions', path);

const ATTENDANCE = source('gosa/Attendance_2023-24_2025-06-17_15_16_08.csv');
const COHORT_2019 = source('gosa/Graduation_Rate_2019_Dec2nd_2019.csv');

/** Every import in order, and what each one writes: path below the lake, rows. */
export const IMPORTS: readonly (readonly [
  name: string,
  files: readonly string[],
  written: Readonly<Record<string, number>>,
])[] = [
  ['demographics', [], { 'education/_dimensions/demographics': 20 }],
  [
    'districts',
    [dimension('districts.csv'), dimension('schools.csv')],
    { 'education/_dimensions/districts': 255 },
  ],
  [
    'schools',
    [dimension('schools.csv'), dimension('districts.csv'), COHORT_2019],
    { 'education/_dimensions/schools': 2454 },
  ],
  ['counties', [dimension('counties.csv')], { '_dimensions/counties': 159 }],
  ['tracts', [dimension('tract_geoids_2020.csv')], { '_dimensions/tracts': 2796 }],
  ['block_groups', [dimension('block_group_geoids_2020.csv')], { '_dimensions/block_groups': 7446 }],
  [
    'attendance',
    [ATTENDANCE],
    {
      'education/attendance/year=2024/states': 15,
      'education/attendance/year=2024/districts': 234 * 15,
      'education/attendance/year=2024/schools': 2300 * 15,
    },
  ],
  [
    'ccrpi_graduation_rate',
    [source('ccrpi/2022_graduationRatesbySubgroup.csv')],
    {
      'education/ccrpi_graduation_rate/year=2021/states': 10,
      'education/ccrpi_graduation_rate/year=2021/districts': 1900,
      'education/ccrpi_graduation_rate/year=2021/schools': 4510,
      'education/ccrpi_graduation_rate/year=2022/states': 10,
      'education/ccrpi_graduation_rate/year=2022/districts': 1910,
      'education/ccrpi_graduation_rate/year=2022/schools': 4620,
    },
  ],
  [
    'ccrpi_graduation_rate',
    [source('ccrpi/2022_cohortGraduationRateStateDistrictSchoolbySubgroup.csv')],
    // 26 cohorts too small to publish have no row among the rates: 3 of districts, 23 of schools.
    {
      'education/ccrpi_graduation_rate/year=2022/states': 10,
      'education/ccrpi_graduation_rate/year=2022/districts': 1913,
      'education/ccrpi_graduation_rate/year=2022/schools': 4643,
    },
  ],
  [
    'ccrpi_progress',
    [source('ccrpi/2022_progressTowardsEngLangProfibySubgr.csv')],
    {
      'education/ccrpi_progress/year=2022/states': 3,
      'education/ccrpi_progress/year=2022/districts': 530,
      'education/ccrpi_progress/year=2022/schools': 2188,
    },
  ],
  [
    'graduation_rate_4_year_cohort',
    [COHORT_2019],
    {
      'education/graduation_rate_4_year_cohort/year=2019/districts': 3258,
      'education/graduation_rate_4_year_cohort/year=2019/schools': 8999,
    },
  ],
  [
    'georgia_milestones_end_of_grade',
    [source('gosa/eog_by_grade_all_students_2021_2024.csv')],
    Object.fromEntries(
      [
        [2021, 15, 3037, 12826],
        [2022, 16, 3222, 13590],
        [2023, 16, 3267, 13648],
        [2024, 16, 3322, 13685],
      ].flatMap(([year, states, districts, schools]) => [
        [`education/georgia_milestones_end_of_grade/year=${year}/states`, states!],
        [`education/georgia_milestones_end_of_grade/year=${year}/districts`, districts!],
        [`education/georgia_milestones_end_of_grade/year=${year}/schools`, schools!],
      ]),
    ),
  ],
  [
    'employment',
    [source('census/acs5_2023_georgia_counties.json')],
    { 'census/employment/year=2023/counties': 159 },
  ],
];
