import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One import, and what it writes: path below the lake, rows. */
export type PublishedImport = readonly [
  name: string,
  files: readonly string[],
  written: Readonly<Record<string, number>>,
];

/** Published files from which the lake is made whose cells `PUBLISHED_CELLS` holds. */
export interface PublishedFiles {
  readonly name: string;
  /** Whole files show what extracts cannot: how many rows there are, and that every rule holds for all of them. */
  readonly whole: boolean;
  readonly absent: boolean;
  /** In order. */
  readonly imports: readonly PublishedImport[];
  /** Places with attendance in 2024. */
  readonly places: readonly (readonly [detail: string, places: number])[];
}

const EXTRACTS = fileURLToPath(new URL('extracts', import.meta.url));
/** The whole files stand beside the project, not in it. */
const DATA = fileURLToPath(new URL('../../../../shared/data', import.meta.url));
const WHOLE_ABSENT = !existsSync(DATA);

const COHORT_2021 = '2021_cohortGraduationRateStateDistrictSchoolbySubgroup.csv';
const COHORT_2022 = '2022_cohortGraduationRateStateDistrictSchoolbySubgroup.csv';
const RATES_2021 = '2021_graduationRatesbySubgroup.csv';
const RATES_2022 = '2022_graduationRatesbySubgroup.csv';
const PROGRESS_2021 = '2021_progressTowardsEngLangProfibySubgr.csv';
const PROGRESS_2022 = '2022_progressTowardsEngLangProfibySubgr.csv';

/** Rows of the slices of one year, levels in the order states, districts, schools. */
function slices(
  dataset: string,
  year: number,
  ...rows: readonly (number | undefined)[]
): Record<string, number> {
  return Object.fromEntries(
    ['states', 'districts', 'schools'].flatMap((detail, index) => {
      const count = rows[index];
      return count === undefined ? [] : [[`education/${dataset}/year=${year}/${detail}`, count]];
    }),
  );
}

/** A header and a few rows of each file, as published: they stand in the project, and every test run reads them. */
const extract = (name: string) => join(EXTRACTS, name);
const EXTRACTED: PublishedFiles = {
  name: 'extracts',
  whole: false,
  absent: false,
  imports: [
    ['demographics', [], { 'education/_dimensions/demographics': 20 }],
    [
      'districts',
      [extract('districts.csv'), extract('schools.csv'), extract(PROGRESS_2022)],
      { 'education/_dimensions/districts': 15 },
    ],
    [
      'schools',
      [extract('schools.csv'), extract('districts.csv'), extract('Graduation_Rate_2019.csv')],
      { 'education/_dimensions/schools': 12 },
    ],
    ['counties', [extract('counties.csv')], { '_dimensions/counties': 4 }],
    ['tracts', [extract('tract_geoids_2020.csv')], { '_dimensions/tracts': 7 }],
    ['block_groups', [extract('block_group_geoids_2020.csv')], { '_dimensions/block_groups': 3 }],
    ['attendance', [extract('Attendance_2023-24.csv')], slices('attendance', 2024, 15, 9 * 15, 6 * 15)],
    ['ccrpi_graduation_rate', [extract(COHORT_2021)], slices('ccrpi_graduation_rate', 2021, 1, 4, 5)],
    ['ccrpi_graduation_rate', [extract(RATES_2021)], slices('ccrpi_graduation_rate', 2020, 1, 4, 5)],
    [
      'ccrpi_graduation_rate',
      [extract(RATES_2022), extract(COHORT_2022)],
      {
        ...slices('ccrpi_graduation_rate', 2021, 11, 9, 12),
        ...slices('ccrpi_graduation_rate', 2022, 10, 6, 8),
      },
    ],
    [
      'ccrpi_progress',
      [extract(PROGRESS_2021), extract(PROGRESS_2022)],
      { ...slices('ccrpi_progress', 2021, 3, 6, 3), ...slices('ccrpi_progress', 2022, 3, 6, 3) },
    ],
    [
      'graduation_rate_4_year_cohort',
      [extract('Graduation_Rate_2019.csv')],
      slices('graduation_rate_4_year_cohort', 2019, undefined, 20, 4),
    ],
    [
      'georgia_milestones_end_of_grade',
      [extract('eog_by_grade_all_students_2021_2024.csv')],
      {
        ...slices('georgia_milestones_end_of_grade', 2021, 4, 2, 3),
        ...slices('georgia_milestones_end_of_grade', 2022, 4, 3, 1),
        ...slices('georgia_milestones_end_of_grade', 2023, 4, 3, 1),
        ...slices('georgia_milestones_end_of_grade', 2024, 4, 3, 1),
      },
    ],
    [
      'employment',
      [extract('acs5_2023_georgia_counties.json')],
      { 'census/employment/year=2023/counties': 4 },
    ],
  ],
  places: [
    ['states', 1],
    ['districts', 9],
    ['schools', 6],
  ],
};

const source = (path: string) => join(DATA, 'sources', path);
const dimension = (path: string) => join(DATA, 'dimensions', path);
const COHORT_2019 = source('gosa/Graduation_Rate_2019_Dec2nd_2019.csv');

const WHOLE: PublishedFiles = {
  name: `whole files${WHOLE_ABSENT ? ' (skipped: no ../shared)' : ''}`,
  whole: true,
  absent: WHOLE_ABSENT,
  imports: [
    ['demographics', [], { 'education/_dimensions/demographics': 20 }],
    [
      'districts',
      [dimension('districts.csv'), dimension('schools.csv')],
      { 'education/_dimensions/districts': 255 },
    ],
    [
      'schools',
      [dimension('schools.csv'), dimension('districts.csv'), COHORT_2019, source(`ccrpi/${COHORT_2021}`)],
      { 'education/_dimensions/schools': 2455 },
    ],
    ['counties', [dimension('counties.csv')], { '_dimensions/counties': 159 }],
    ['tracts', [dimension('tract_geoids_2020.csv')], { '_dimensions/tracts': 2796 }],
    ['block_groups', [dimension('block_group_geoids_2020.csv')], { '_dimensions/block_groups': 7446 }],
    [
      'attendance',
      [source('gosa/Attendance_2023-24_2025-06-17_15_16_08.csv')],
      slices('attendance', 2024, 15, 234 * 15, 2300 * 15),
    ],
    [
      'ccrpi_graduation_rate',
      [source(`ccrpi/${COHORT_2021}`)],
      slices('ccrpi_graduation_rate', 2021, 1, 193, 483),
    ],
    [
      'ccrpi_graduation_rate',
      [source(`ccrpi/${RATES_2021}`)],
      slices('ccrpi_graduation_rate', 2020, 1, 191, 477),
    ],
    [
      'ccrpi_graduation_rate',
      [source(`ccrpi/${RATES_2022}`), source(`ccrpi/${COHORT_2022}`)],
      // 26 cohorts too small to publish have no row among the rates: 3 of districts, 23 of schools.
      {
        ...slices('ccrpi_graduation_rate', 2021, 11, 2093, 4993),
        ...slices('ccrpi_graduation_rate', 2022, 10, 1913, 4643),
      },
    ],
    [
      'ccrpi_progress',
      [source(`ccrpi/${PROGRESS_2021}`), source(`ccrpi/${PROGRESS_2022}`)],
      { ...slices('ccrpi_progress', 2021, 3, 525, 2146), ...slices('ccrpi_progress', 2022, 3, 530, 2188) },
    ],
    [
      'graduation_rate_4_year_cohort',
      [COHORT_2019],
      slices('graduation_rate_4_year_cohort', 2019, undefined, 3258, 8999),
    ],
    [
      'georgia_milestones_end_of_grade',
      [source('gosa/eog_by_grade_all_students_2021_2024.csv')],
      {
        ...slices('georgia_milestones_end_of_grade', 2021, 15, 3037, 12826),
        ...slices('georgia_milestones_end_of_grade', 2022, 16, 3222, 13590),
        ...slices('georgia_milestones_end_of_grade', 2023, 16, 3267, 13648),
        ...slices('georgia_milestones_end_of_grade', 2024, 16, 3322, 13685),
      },
    ],
    [
      'employment',
      [source('census/acs5_2023_georgia_counties.json')],
      { 'census/employment/year=2023/counties': 159 },
    ],
  ],
  places: [
    ['states', 1],
    ['districts', 234],
    ['schools', 2300],
  ],
};

export const PUBLISHED_FILES: readonly PublishedFiles[] = [EXTRACTED, WHOLE];
