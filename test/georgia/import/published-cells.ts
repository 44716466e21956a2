/** One figure as a government office published it, and as the lake and the API must serve it. */
export interface PublishedCell {
  /** `<domain>/<topic>` */
  readonly dataset: string;
  readonly year: number;
  readonly detail: string;
  /** The rest of the grain: with year and detail, exactly one row. */
  readonly keys: Readonly<Record<string, string | null>>;
  readonly column: string;
  /** On the published scale: proportions from 0 to 1, withheld figures null. */
  readonly value: number | null;
  /** The cell's text in the raw file, for whoever looks it up there. */
  readonly raw: string;
}

type Code = string | null;
type Figure = number | null;
type Published = [column: string, value: Figure, raw: string];

/**
 * Picked from the raw files, never through an importer: every level, kind of marker and dataset that has an importer,
 * and the groups that the sources name otherwise. In the attendance of 2024 TFS in a tier is 0 (the tiers printed beside
 * it add up to 100), elsewhere NULL.
 */
export const PUBLISHED_CELLS: readonly PublishedCell[] = [
  attendance(null, null, 'all', 'num_students', 1867876, '1867876'),
  attendance(null, null, 'all', 'five_or_fewer_days_absent_rate', 0.364, '36.4'),
  attendance(null, null, 'all', 'six_to_fifteen_days_absent_rate', 0.419, '41.9'),
  attendance(null, null, 'all', 'over_15_days_absent_rate', 0.217, '21.7'),
  attendance(null, null, 'all', 'chronically_absent_rate', 0.218, '21.8'),
  attendance(null, null, 'native_american', 'num_students', 4453, '4453'),
  attendance(null, null, 'native_american', 'chronically_absent_rate', 0.266, '26.6'),
  attendance(null, null, 'asian_pacific_islander', 'num_students', 92657, '92657'),
  attendance(null, null, 'asian_pacific_islander', 'five_or_fewer_days_absent_rate', 0.544, '54.4'),
  attendance(null, null, 'hispanic', 'num_students', 359331, '359331'),
  attendance(null, null, 'multiracial', 'chronically_absent_rate', 0.226, '22.6'),
  attendance(null, null, 'students_with_disabilities', 'over_15_days_absent_rate', 0.266, '26.6'),
  attendance(null, null, 'students_without_disabilities', 'num_students', 1598542, '1598542'),
  attendance(null, null, 'economically_disadvantaged', 'chronically_absent_rate', 0.258, '25.8'),
  attendance(null, null, 'not_economically_disadvantaged', 'num_students', 567471, '567471'),
  attendance(null, null, 'english_learners', 'num_students', 230104, '230104'),
  attendance(null, null, 'migrant', 'chronically_absent_rate', 0.202, '20.2'),
  attendance('601', null, 'all', 'num_students', 3480, '3480'),
  attendance('601', null, 'all', 'five_or_fewer_days_absent_rate', 0.327, '32.7'),
  attendance('601', null, 'all', 'six_to_fifteen_days_absent_rate', 0.453, '45.3'),
  attendance('601', null, 'all', 'over_15_days_absent_rate', 0.22, '22'),
  attendance('601', null, 'all', 'chronically_absent_rate', 0.217, '21.7'),
  attendance('601', null, 'not_economically_disadvantaged', 'num_students', null, ''),
  attendance('601', null, 'not_economically_disadvantaged', 'five_or_fewer_days_absent_rate', null, ''),
  attendance('667', null, 'female', 'num_students', 98417, '98417'),
  attendance('667', null, 'female', 'chronically_absent_rate', 0.197, '19.7'),
  attendance('644', null, 'english_learners', 'over_15_days_absent_rate', 0.229, '22.9'),
  attendance('761', null, 'black', 'chronically_absent_rate', 0.406, '40.6'),
  attendance('799', null, 'all', 'num_students', 291, '291'),
  attendance('891', null, 'male', 'five_or_fewer_days_absent_rate', 0.937, '93.7'),
  attendance('604', null, 'asian_pacific_islander', 'num_students', null, 'TFS'),
  attendance('604', null, 'asian_pacific_islander', 'over_15_days_absent_rate', 0.6, '60'),
  attendance('606', null, 'native_american', 'six_to_fifteen_days_absent_rate', 0.5, '50'),
  attendance('606', null, 'native_american', 'over_15_days_absent_rate', 0, 'TFS'),
  attendance('606', null, 'native_american', 'chronically_absent_rate', null, 'TFS'),
  attendance('7820108', null, 'native_american', 'five_or_fewer_days_absent_rate', 0, 'TFS'),
  attendance('7820108', null, 'native_american', 'over_15_days_absent_rate', 0.9, '90'),
  attendance('601', '0103', 'all', 'num_students', 1112, '1112'),
  attendance('601', '0103', 'all', 'five_or_fewer_days_absent_rate', 0.398, '39.8'),
  attendance('601', '0103', 'all', 'six_to_fifteen_days_absent_rate', 0.335, '33.5'),
  attendance('601', '0103', 'all', 'over_15_days_absent_rate', 0.266, '26.6'),
  attendance('601', '0103', 'all', 'chronically_absent_rate', 0.281, '28.1'),
  attendance('667', '0176', 'hispanic', 'num_students', 1043, '1043'),
  attendance('667', '0176', 'hispanic', 'chronically_absent_rate', 0.366, '36.6'),
  attendance('644', '0503', 'female', 'num_students', 0, '0'),
  attendance('644', '0503', 'female', 'six_to_fifteen_days_absent_rate', 0, 'TFS'),
  attendance('7820412', '0412', 'hispanic', 'num_students', 182, '182'),
  attendance('7820412', '0412', 'hispanic', 'six_to_fifteen_days_absent_rate', 0, 'TFS'),
  attendance('7820412', '0412', 'hispanic', 'chronically_absent_rate', 0.033, '3.3'),
  attendance('799', '1893', 'all', 'chronically_absent_rate', 0.381, '38.1'),
  attendance('710', '0194', 'native_american', 'five_or_fewer_days_absent_rate', 0, 'TFS'),
  ccrpiGraduation(2022, null, null, 'all', '4_year', 'graduation_rate', 0.8406, '84.06'),
  ccrpiGraduation(2022, null, null, 'native_american', '4_year', 'graduation_rate', 0.7676, '76.76'),
  ccrpiGraduation(2022, null, null, 'english_learners', '4_year', 'graduation_rate', 0.6624, '66.24'),
  ccrpiGraduation(2021, null, null, 'all', '5_year', 'graduation_rate', 0.8585, '85.85'),
  ccrpiGraduation(
    2021,
    null,
    null,
    'students_with_disabilities',
    '5_year',
    'graduation_rate',
    0.7431,
    '74.31',
  ),
  ccrpiGraduation(2021, null, null, 'multiracial', '5_year', 'graduation_rate', 0.8594, '85.94'),
  ccrpiGraduation(2022, '601', null, 'all', '4_year', 'graduation_rate', 0.9198, '91.98'),
  ccrpiGraduation(2022, '601', null, 'black', '4_year', 'graduation_rate', 0.9787, '97.87'),
  ccrpiGraduation(2021, '601', null, 'all', '5_year', 'graduation_rate', 0.879, '87.9'),
  ccrpiGraduation(2022, '761', null, 'all', '4_year', 'graduation_rate', 0.8401, '84.01'),
  ccrpiGraduation(2021, '667', null, 'hispanic', '5_year', 'graduation_rate', 0.76, '76'),
  ccrpiGraduation(2022, '601', '0103', 'all', '4_year', 'graduation_rate', 0.9198, '91.98'),
  ccrpiGraduation(2022, '601', '0103', 'native_american', '4_year', 'graduation_rate', null, 'TFS'),
  ccrpiGraduation(2021, '601', '0103', 'white', '5_year', 'graduation_rate', 0.8671, '86.71'),
  ccrpiGraduation(
    2022,
    '667',
    '0176',
    'economically_disadvantaged',
    '4_year',
    'graduation_rate',
    0.847,
    '84.7',
  ),
  ccrpiGraduation(2021, '601', '0103', 'native_american', '5_year', 'graduation_rate', null, 'No Data'),
  ccrpiGraduation(2022, '609', '0392', 'all', '4_year', 'graduation_rate', 0, '0'),
  ccrpiGraduation(2022, null, null, 'all', '4_year', 'num_cohort', 133280, '133280'),
  ccrpiGraduation(2022, null, null, 'all', '4_year', 'num_graduates', 112031, '112031'),
  ccrpiGraduation(2022, '601', null, 'all', '4_year', 'num_cohort', 237, '237'),
  ccrpiGraduation(2022, '601', null, 'all', '4_year', 'num_graduates', 218, '218'),
  ccrpiGraduation(2022, '667', '0176', 'all', '4_year', 'num_cohort', 807, '807'),
  ccrpiGraduation(2022, '667', '0176', 'all', '4_year', 'num_graduates', 701, '701'),
  ccrpiGraduation(2022, '644', '0503', 'all', '4_year', 'num_cohort', null, 'Too Few Students'),
  ccrpiGraduation(2022, '644', '0503', 'all', '4_year', 'num_graduates', null, 'Too Few Students'),
  ccrpiGraduation(2021, null, null, 'all', '4_year', 'num_cohort', 130940, '130940'),
  ccrpiGraduation(2021, null, null, 'all', '4_year', 'graduation_rate', 0.837, '83.7'),
  ccrpiGraduation(2021, '761', '0192', 'all', '4_year', 'num_cohort', 525, '525'),
  ccrpiGraduation(2021, '761', '0192', 'all', '4_year', 'num_graduates', 493, '493'),
  ccrpiGraduation(2021, '761', '0192', 'all', '4_year', 'graduation_rate', 0.939, '93.9'),
  ccrpiGraduation(2020, null, null, 'all', '5_year', 'graduation_rate', 0.8563, '85.63'),
  ccrpiGraduation(2020, '761', '0192', 'all', '5_year', 'graduation_rate', 0.93, '93'),
  ccrpiGraduation(2020, '609', '0392', 'all', '5_year', 'graduation_rate', null, 'Too Few Students'),
  ccrpiProgress(2021, null, null, 'elementary', 'indicator_score', 81.05, '81.05'),
  ccrpiProgress(2021, '601', '0195', 'middle', 'pct_moved_one_band', 0.2045, '20.45'),
  ccrpiProgress(2022, null, null, 'elementary', 'indicator_score', 96.95, '96.95'),
  ccrpiProgress(2022, null, null, 'high', 'pct_no_positive_movement', 0.4497, '44.97'),
  ccrpiProgress(2022, '601', '0103', 'high', 'pct_moved_more_than_one_band', 0.1034, '10.34'),
  ccrpiProgress(2022, '601', '0177', 'elementary', 'indicator_score', 100, '100.00+'),
  ccrpiProgress(2022, '601', '0195', 'middle', 'pct_moved_less_than_one_band', 0.1395, '13.95'),
  ccrpiProgress(2022, '603', null, 'high', 'indicator_score', null, 'TFS'),
  cohortGraduation('601', null, 'all', 'num_graduates', 220, '220'),
  cohortGraduation('601', null, 'all', 'num_cohort', 244, '244'),
  cohortGraduation('601', null, 'all', 'graduation_rate', 0.9016, '90.16'),
  cohortGraduation('601', null, 'active_duty', 'graduation_rate', null, ''),
  cohortGraduation('726', '0187', 'not_economically_disadvantaged', 'graduation_rate', 0.963, '96.3'),
  cohortGraduation('601', '0103', 'english_learners', 'num_cohort', null, ''),
  cohortGraduation('644', null, 'foster_care', 'num_graduates', null, ''),
  milestones(2021, null, null, '03', 'english_language_arts', 'num_tested', 96937, '96937'),
  milestones(2021, null, null, '03', 'english_language_arts', 'pct_beginning_learner', 0.377, '37.7'),
  milestones(2024, '667', null, '08', 'physical_science', 'num_tested', 13642, '13642'),
  milestones(2023, '644', null, '05', 'science', 'pct_distinguished_learner', 0.075, '7.5'),
  milestones(2021, '601', '0177', '03', 'english_language_arts', 'pct_developing_learner', 0.39, '39'),
  milestones(2021, '601', '0177', '04', 'english_language_arts', 'pct_proficient_learner', 0.238, '23.8'),
  milestones(2024, null, null, '08', 'mathematics', 'pct_proficient_learner', 0.232, '23.2'),
  employment('13001', 'num_civilian_labor_force', 7536, '7536'),
  employment('13001', 'num_unemployed', 273, '273'),
  employment('13053', 'num_civilian_labor_force', 1370, '1370'),
  employment('13121', 'num_unemployed', 32429, '32429'),
  employment('13321', 'num_civilian_labor_force', 9113, '9113'),
  employment('13001', 'unemployment_rate', 0.03622611464968153, '273 / 7536'),
];

function attendance(district: Code, school: Code, demographic: string, ...figure: Published): PublishedCell {
  return cell('attendance', 2024, [district, school], { demographic }, figure);
}

function ccrpiGraduation(
  year: number,
  district: Code,
  school: Code,
  demographic: string,
  rateType: string,
  ...figure: Published
): PublishedCell {
  return cell(
    'ccrpi_graduation_rate',
    year,
    [district, school],
    { demographic, rate_type: rateType },
    figure,
  );
}

function ccrpiProgress(
  year: number,
  district: Code,
  school: Code,
  cluster: string,
  ...figure: Published
): PublishedCell {
  const indicator = 'progress_towards_elp';
  const keys = { demographic: 'english_learners', grade_cluster: cluster, indicator };
  return cell('ccrpi_progress', year, [district, school], keys, figure);
}

function cohortGraduation(
  district: Code,
  school: Code,
  demographic: string,
  ...figure: Published
): PublishedCell {
  return cell('graduation_rate_4_year_cohort', 2019, [district, school], { demographic }, figure);
}

function milestones(
  year: number,
  district: Code,
  school: Code,
  grade: string,
  subject: string,
  ...figure: Published
): PublishedCell {
  const keys = { grade_level: grade, subject, assessment_type: 'eog' };
  return cell('georgia_milestones_end_of_grade', year, [district, school], keys, figure);
}

function employment(county: string, column: string, value: Figure, raw: string): PublishedCell {
  const keys = { county_fips: county, district_code: null, tract_geoid: null };
  return { dataset: 'census/employment', year: 2023, detail: 'counties', keys, column, value, raw };
}

/** A figure of a dataset of education. */
function cell(
  topic: string,
  year: number,
  [district, school]: readonly [Code, Code],
  keys: PublishedCell['keys'],
  [column, value, raw]: Published,
): PublishedCell {
  const detail = district === null ? 'states' : school === null ? 'districts' : 'schools';
  const place = { district_code: district, school_code: school };
  return { dataset: `education/${topic}`, year, detail, keys: { ...place, ...keys }, column, value, raw };
}
