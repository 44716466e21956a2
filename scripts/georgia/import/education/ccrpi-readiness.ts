import type { Layout } from '../layout.ts';
import { datasetImporter, tableOf } from '../layout-shape.ts';
import { GADOE_CODES, GRADE_CLUSTER, STUDENT_GROUP, YEAR } from './place-layouts.ts';

const KEYS: Layout['keys'] = {
  demographic: STUDENT_GROUP,
  grade_cluster: GRADE_CLUSTER,
  indicator: {
    headers: ['Indicator'],
    what: 'indicator',
    codes: {
      acceleratedenrollment: 'accelerated_enrollment',
      atorabovegradelevelreading: 'at_or_above_grade_level_reading',
      attendance: 'attendance',
      beyondthecore: 'beyond_the_core',
      collegeandcareerreadiness: 'college_and_career_readiness',
      literacy: 'literacy',
      pathwaycompletion: 'pathway_completion',
      studentattendance: 'student_attendance',
    },
  },
};

/** The same parts under the names of 2021 and 2022 and those since. NA marks indicators without parts. */
const PARTS = {
  all: 'all',
  na: 'all',
  actsatapib: 'act_sat_ap_ib_cambridge',
  actsatapibcambridge: 'act_sat_ap_ib_cambridge',
  readinessscoreontheactsataporib: 'act_sat_ap_ib_cambridge',
  advancedacademic: 'advanced_academic',
  advancedplacement: 'advanced_placement',
  asvab: 'asvab',
  cambridge: 'cambridge',
  careerexploratory: 'career_exploratory',
  computerscience: 'computer_science',
  ctae: 'ctae',
  dualenrollment: 'dual_enrollment',
  eopa: 'eopa',
  endofpathwayassessmenteopa: 'eopa',
  finearts: 'fine_arts',
  internationalbaccalaureate: 'international_baccalaureate',
  physicaleducationhealth: 'physical_education_health',
  physicaleducationorhealth: 'physical_education_health',
  tcsgusg: 'tcsg_usg',
  enteringtcsgusgwithoutneedingremediation: 'tcsg_usg',
  workbasedlearning: 'work_based_learning',
  worldlanguage: 'world_language',
};

const SCORE = { headers: ['Indicator Score'], holds: 'score', required: true } as const;

/** Readiness indicators of the College and Career Ready Performance Index, Department of Education. */
export const ccrpiReadiness = datasetImporter(
  tableOf(
    'education/ccrpi_readiness',
    'year:i district_code:s school_code:s demographic:s grade_cluster:s indicator:s sub_indicator:s indicator_score:d unbenchmarked_rate:d',
    'year district_code school_code demographic grade_cluster indicator sub_indicator',
  ),
  "GaDOE's CCRPI readiness indicators by subgroup",
  [
    {
      name: 'readiness by part of the indicator',
      years: '2021-2025',
      place: GADOE_CODES,
      year: YEAR,
      keys: {
        ...KEYS,
        sub_indicator: {
          headers: ['Sub-Indicator', 'Subindicator'],
          what: 'part of an indicator',
          codes: PARTS,
        },
      },
      blocks: [
        {
          figures: {
            indicator_score: SCORE,
            unbenchmarked_rate: {
              headers: ['Unbenchmarked Rate (Accelerated Enrollment)', 'Unbenchmarked Rate'],
              holds: 'percent',
            },
          },
        },
      ],
    },
    {
      name: 'readiness by indicator',
      years: '2018-2019',
      place: GADOE_CODES,
      year: YEAR,
      keys: KEYS,
      blocks: [{ figures: { indicator_score: SCORE } }],
      rules: [
        {
          drop: 'year >= 2021',
          why: 'from 2021 on a row needs the part of its indicator, which the file lacks',
        },
      ],
    },
  ],
);
