import { category, PROPORTION } from '../columns.ts';
import { changeFirst, names, type Specification } from '../facts.ts';
import { CCRPI_CLUSTERS, CCRPI_INDICATORS } from './ccrpi.ts';
import { SCHOOLS_AND_ABOVE } from './school-places.ts';

export const specification: Specification = {
  key: 'education/ccrpi_readiness',
  alike: [SCHOOLS_AND_ABOVE, CCRPI_CLUSTERS, CCRPI_INDICATORS],
  facts: {
    gaps: [2020],
    summaryYears: [2018, 2019, 2021],
    grain: names('year district_code school_code demographic grade_cluster indicator sub_indicator'),
  },
  columns: {
    indicator: category(`
        accelerated_enrollment at_or_above_grade_level_reading attendance beyond_the_core
        college_and_career_readiness literacy pathway_completion student_attendance`),
    sub_indicator: {
      type: 'string',
      nullable: true,
      role: 'categorical',
      values: names(`
        act_sat_ap_ib_cambridge advanced_academic advanced_placement all asvab cambridge
        career_exploratory computer_science ctae dual_enrollment eopa fine_arts
        international_baccalaureate physical_education_health tcsg_usg work_based_learning
        world_language`),
    },
    unbenchmarked_rate: PROPORTION,
  },
  sentences: {
    'Years 2018-2025, year_gap 2020.': ['year_known', 'year_in_folder', 'year_not_null'],
    'Grain: year, district_code, school_code, demographic, grade_cluster, indicator, sub_indicator.': [
      'grain_unique',
    ],
    'demographic (10).': ['demographic_values', 'demographic_not_null', 'demographic_known'],
    'grade_cluster: elementary, middle, high.': ['grade_cluster_values', 'grade_cluster_not_null'],
    'indicator (8).': ['indicator_values', 'indicator_not_null'],
    'Accelerated enrollment, pathway completion and college and career readiness exist at high only.': [
      'high_school_indicators',
    ],
    'beyond_the_core at elementary and middle only.': ['beyond_the_core_below_high_school'],
    'literacy and student_attendance (2018-2022).': ['literacy_and_student_attendance_to_2022'],
    'They are distinct series from their 2023+ successors.': ['reading_and_attendance_from_2023'],
    'sub_indicator (17 values).': ['sub_indicator_values'],
    'sub_indicator NULL in 2018-2019.': ['no_sub_indicators_2018_2019', 'sub_indicator_from_2021'],
    '`all` is the rolled-up indicator score.':
      'How parts are weighted into the whole is not stated, and a part or the whole may be withheld.',
    'indicator_score: score 0-100.': ['indicator_score_range'],
    'unbenchmarked_rate: proportion.': ['unbenchmarked_rate_range'],
    'Only accelerated_enrollment rows carry independent information in unbenchmarked_rate.':
      'What other rows hold (NULL or a figure that follows from the score) is not stated.',
  },
  breaks: {
    high_school_indicators: changeFirst("grade_cluster = 'middle'", "indicator = 'pathway_completion'"),
    beyond_the_core_below_high_school: changeFirst("grade_cluster = 'high'", "indicator = 'beyond_the_core'"),
    literacy_and_student_attendance_to_2022: changeFirst(
      "indicator = 'student_attendance'",
      "indicator = 'attendance'",
    ),
    reading_and_attendance_from_2023: changeFirst(
      "indicator = 'attendance'",
      "indicator = 'student_attendance'",
    ),
    no_sub_indicators_2018_2019: changeFirst("sub_indicator = 'all'", 'year IN (2018, 2019)'),
    sub_indicator_from_2021: changeFirst('sub_indicator = NULL', 'year = 2021'),
  },
};
