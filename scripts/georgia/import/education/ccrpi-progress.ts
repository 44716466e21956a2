import type { Figure, Layout, Rule } from '../layout.ts';
import { datasetImporter, tableOf } from '../layout-shape.ts';
import { GADOE_CODES, GRADE_CLUSTER, STUDENT_GROUP, YEAR } from './place-layouts.ts';

/**
 * Progress of the College and Career Ready Performance Index: growth in English language arts and mathematics, and
 * progress towards English language proficiency.
 *
 * - The files of 2021 and 2022 have only progress towards English proficiency, with the shares of learners by bands
 *   moved. Those of all other years have a row for each indicator, with its target and flag (G, Y or R), but no shares.
 *   Columns that one file lacks keep the values of an earlier one.
 * - Grade cluster E, M, H is elementary, middle, high.
 * - The rate is a score from 0 to 100 and is not turned into a proportion; `100.00+` is exactly 100. The four shares
 *   by bands moved are percentages and become proportions; in 2022 they add up to between 99.99 and 100.02.
 * - TFS in all five cells (a place with too few English learners) becomes NULL; the row stays.
 */
const COMMON = {
  years: '2018-2025',
  place: GADOE_CODES,
  year: YEAR,
} as const;

const KEYS = { demographic: STUDENT_GROUP, grade_cluster: GRADE_CLUSTER } as const;

const TARGET_AND_FLAG: Readonly<Record<string, Figure>> = {
  indicator_target: {
    headers: ['Progress Towards ELP Target', 'Indicator Target', 'Target'],
    holds: 'score',
  },
  ccrpi_flag: { headers: ['CCRPI Flag', 'Flag'], holds: 'flag' },
};

const OUTSIDE: Rule = {
  remark: 'indicator_score NOT BETWEEN 0 AND 100',
  why: 'the score is outside 0 to 100',
};

const BY_INDICATOR: Layout = {
  ...COMMON,
  name: 'progress by indicator',
  keys: {
    ...KEYS,
    indicator: {
      headers: ['Indicator'],
      what: 'indicator',
      codes: {
        elagrowth: 'english_language_arts_growth',
        englishlanguagearts: 'english_language_arts_growth',
        mathematicsgrowth: 'mathematics_growth',
        mathematics: 'mathematics_growth',
        elpprogress: 'progress_towards_elp',
        progresstowardslanguageproficiency: 'progress_towards_elp',
        progresstowardsenglishlanguageproficiency: 'progress_towards_elp',
      },
    },
  },
  blocks: [
    {
      figures: {
        indicator_score: { headers: ['Indicator Score'], holds: 'score', required: true },
        ...TARGET_AND_FLAG,
      },
    },
  ],
  rules: [OUTSIDE],
};

const BANDS = {
  pct_no_positive_movement: 'No Positive Movement',
  pct_moved_less_than_one_band: 'Moved Less Than One Band',
  pct_moved_one_band: 'Moved One Band',
  pct_moved_more_than_one_band: 'Moved More Than One Band',
} as const;

const BY_BAND: Layout = {
  ...COMMON,
  name: 'progress towards English language proficiency',
  keys: { ...KEYS, indicator: { value: 'progress_towards_elp' } },
  blocks: [
    {
      figures: {
        indicator_score: {
          headers: [
            'Progress Towards ELP Rate',
            'Progress Toward ELP Rate',
            'Progress Towards English Language Proficiency Rate',
            'ELP Progress Rate',
          ],
          holds: 'score',
          required: true,
        },
        ...TARGET_AND_FLAG,
        ...Object.fromEntries(
          Object.entries(BANDS).map(([name, header]): [string, Figure] => [
            name,
            { headers: [header], holds: 'percent' },
          ]),
        ),
      },
    },
  ],
  rules: [
    {
      remark: `abs(${Object.keys(BANDS).join(' + ')} - 1) > 0.0005`,
      why: 'the four bands do not add up to 100',
    },
    OUTSIDE,
  ],
};

export const ccrpiProgress = datasetImporter(
  tableOf(
    'education/ccrpi_progress',
    'year:i district_code:s school_code:s demographic:s grade_cluster:s indicator:s ccrpi_flag:s indicator_score:d indicator_target:d pct_no_positive_movement:d pct_moved_less_than_one_band:d pct_moved_one_band:d pct_moved_more_than_one_band:d',
    'year district_code school_code demographic grade_cluster indicator',
  ),
  "GaDOE's CCRPI progress by subgroup, and its progress towards English language proficiency",
  [BY_INDICATOR, BY_BAND],
  true,
);
