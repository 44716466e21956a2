/**
 * Forty searches as a resident would type them, each with what it means: a dataset, a group (any dataset that opens at
 * it), a place by its level and name, or nothing, if no dataset here is about it.
 * They were written before anyone looked at what the search indexes; don't fit them to it.
 */
export const PLAIN_SEARCHES: readonly (readonly [text: string, ...means: readonly string[]])[] = [
  // A child
  ['childcare', 'nothing'],
  ['FRL', 'group economically_disadvantaged'],
  ['free lunch', 'group economically_disadvantaged'],
  ['ELL', 'group english_learners'],
  ['ESOL', 'group english_learners'],
  ['spanish', 'group english_learners', 'group hispanic'],
  ['special ed', 'group students_with_disabilities'],
  ['homeless students', 'group homeless'],
  ['foster kids', 'group foster_care'],
  ['kids missing school', 'education/attendance'],
  ['absent', 'education/attendance'],
  ['attendence', 'education/attendance'],
  ['3rd grade reading', 'education/georgia_milestones_end_of_grade'],
  ['math scores', 'education/georgia_milestones_end_of_grade'],
  ['dropout', 'education/graduation_rate_4_year_cohort', 'education/high_school_completers'],
  ['SAT', 'education/sat_scores_highest', 'education/sat_scores_recent'],
  // A school
  ['fulton county schools', 'districts Fulton County'],
  ['atlanta public schools', 'districts Atlanta Public Schools'],
  ['APS', 'districts Atlanta Public Schools'],
  ['gwinett schools', 'districts Gwinnett County'],
  ['north springs high', 'schools North Springs High School'],
  ['booker t washington', 'schools Booker T. Washington High School'],
  ['carver elementary', 'schools Dr. George Washington Carver Elementary School'],
  ['graduation rate dekalb', 'education/graduation_rate_4_year_cohort', 'education/ccrpi_graduation_rate'],
  ['school ratings', 'education/ccrpi_climate_star_rating', 'education/ccrpi_scoring_by_component'],
  ['school budget', 'education/per_pupil_expenditure'],
  ['teacher salary', 'education/salaries_and_benefits'],
  [
    'which school am i zoned for',
    'education/school_attendance_zone_tracts',
    'education/school_attendance_zone_block_groups',
    'education/school_zone_income',
  ],
  // A county
  ['fulton', 'counties Fulton County'],
  ['fulton county', 'counties Fulton County'],
  ['cobb co', 'counties Cobb County'],
  ['de kalb county', 'counties DeKalb County'],
  ['immigrants in gwinnett', 'census/foreign_born_population'],
  ['poor people', 'census/poverty_by_nativity'],
  ['ice arests', 'immigration/ice_arrests'],
  // Rent and a job
  ['rent', 'nothing'],
  ['income', 'census/median_household_income_by_nativity'],
  ['unemployment', 'census/employment'],
  ['unemployment cobb county', 'census/employment'],
  ['jobs near me', 'census/employment'],
];
