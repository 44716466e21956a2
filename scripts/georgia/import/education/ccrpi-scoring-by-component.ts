import type { Figure } from '../layout.ts';
import { datasetImporter, tableOf } from '../layout-shape.ts';
import { GADOE_CODES, GRADE_CLUSTER, YEAR } from './place-layouts.ts';

const points = (header: string, required = false): Figure => ({
  headers: [header],
  holds: 'number',
  required,
});
const score = (header: string, required = false): Figure => ({ headers: [header], holds: 'score', required });

const OVERALL = { ccrpi_score: points('CCRPI Score'), ccrpi_single_score: points('Single Score') };

/**
 * Components of the College and Career Ready Performance Index, Department of Education: points until 2017, scores from
 * 0 to 100 since 2018. Overall scores of 2012 to 2017 may exceed 100.
 */
export const ccrpiScoringByComponent = datasetImporter(
  tableOf(
    'education/ccrpi_scoring_by_component',
    'year:i district_code:s school_code:s grade_cluster:s achievement_points:d progress_points:d achievement_gap_points:d ed_el_swd_performance:d etb_points:d challenge_points:d content_mastery:d progress:d closing_gaps:d readiness:d graduation_rate:d ccrpi_score:d ccrpi_single_score:d',
    'year district_code school_code grade_cluster',
  ),
  "GaDOE's CCRPI scoring by component, points and scores",
  [
    {
      name: 'points by component',
      years: '2012-2017',
      place: GADOE_CODES,
      year: YEAR,
      keys: { grade_cluster: GRADE_CLUSTER },
      blocks: [
        {
          figures: {
            achievement_points: points('Achievement Points', true),
            progress_points: points('Progress Points', true),
            achievement_gap_points: points('Achievement Gap Points'),
            ed_el_swd_performance: points('ED/EL/SWD Performance'),
            etb_points: points('ETB Points'),
            challenge_points: points('Challenge Points'),
            ...OVERALL,
          },
        },
      ],
    },
    {
      name: 'scores by component',
      years: '2018-2019, 2022-2025',
      place: GADOE_CODES,
      year: YEAR,
      keys: { grade_cluster: GRADE_CLUSTER },
      blocks: [
        {
          figures: {
            content_mastery: score('Content Mastery', true),
            progress: score('Progress', true),
            closing_gaps: score('Closing Gaps'),
            readiness: score('Readiness', true),
            graduation_rate: score('Graduation Rate'),
            ...OVERALL,
          },
        },
      ],
    },
  ],
);
