/** The College and Career Ready Performance Index of the Department of Education. */
import { GOSA_CODES, YEAR } from './gosa.ts';
import type { Importer, SourceFile } from './importer.ts';
import {
  type CodePlace,
  count,
  type Figures,
  flag,
  type Key,
  type Layout,
  needed,
  number,
  percent,
  type Rule,
  score,
} from './importer.ts';
import { importer } from './layouts.ts';

const CODES: CodePlace = {
  kind: 'codes',
  district: ['System ID', 'SYSTEM_ID', 'District ID', 'System Code', 'SCHOOL_DSTRCT_CD'],
  school: ['School ID', 'SCHOOL_ID', 'School Code', 'INSTN_NUMBER'],
};

const OFFICE = { place: CODES, year: YEAR };

const STUDENT_GROUP: Key = {
  headers: [
    'Reporting Label',
    'Reporting Category',
    'Reporting Category Code',
    'Subgroup',
    'Student Group',
    'LABEL_LVL_1_DESC',
    'SUBGROUP_NAME',
    'SUBGRP_DESC',
  ],
  studentGroup: true,
};

const GRADE_CLUSTER: Key = {
  headers: ['Grade Cluster', 'GRADE_CLUSTER'],
  what: 'grade cluster',
  codes: { elementary: 'e', middle: 'm', high: 'h' },
};

/** The files' other column, the CCRPI single score, belongs to another dataset. */
const climateStarRating = importer({
  path: 'education/ccrpi_climate_star_rating',
  reads: "GaDOE's School Climate Star Rating workbooks",
  about: { report: ['climate'] },
  layouts: [
    {
      name: 'school climate star ratings',
      years: '2014-2019, 2024',
      ...OFFICE,
      figures: {
        school_climate_star_rating: needed(
          number('School Climate Star Rating', 'Climate Star Rating', 'Star Rating'),
        ),
      },
      rules: [
        { drop: 'school_code IS NULL', why: 'not a school: only schools have ratings' },
        {
          leaveOut: 'school_climate_star_rating NOT IN (1, 2, 3, 4, 5)',
          column: 'school_climate_star_rating',
          why: 'the rating is not one to five whole stars and is left out',
          scale: true,
        },
      ],
    },
  ],
});

/** Four-year counts by student group are served only in this year. */
const GROUPS_COUNTED_IN = 2023;
const UNCOUNTED = `counts by student group are served in ${GROUPS_COUNTED_IN} only`;
const IS_UNCOUNTED = `rate_type = '4_year' AND demographic <> 'all' AND year <> ${GROUPS_COUNTED_IN}`;

/** Years for which the index had targets and flags. */
const IS_UNTIMELY = 'year NOT IN (2018, 2019, 2023, 2024, 2025)';
const UNTIMELY = 'a target or flag of a year without targets, as five-year rates bring them, is left out';

const RATE_TYPE: Key = {
  headers: ['Graduation Rate Type', 'Rate Type'],
  what: 'rate type',
  codes: { '4_year': '4 four', '5_year': '5 five' },
  beginnings: true,
};

const RATE = percent('Graduation Rate', 'Rate');

const TARGETS: Figures = {
  indicator_target: percent('Graduation Rate Target', 'Indicator Target', 'Target'),
  ccrpi_flag: flag('CCRPI Flag', 'Graduation Rate Flag', 'Flag'),
};

const COUNTS: Figures = {
  num_cohort: needed(count('Graduation Class Size', 'Class Size', 'Cohort Size')),
  num_graduates: needed(count('Total Graduated', 'Graduates')),
};

const OF_SCHOOLS: Rule = {
  drop: "rate_type = 'on_time' AND school_code IS NULL",
  why: 'an on-time rate of a district or the state',
};

const COUNT_REMARKS: readonly Rule[] = [
  { remark: 'num_graduates > num_cohort', why: 'more graduates than students in the cohort' },
  {
    remark: 'is_marker(c_num_cohort) <> is_marker(c_num_graduates)',
    why: 'only one of the two counts is published',
  },
];

const UNCOUNTED_LEFT_OUT = ['num_cohort', 'num_graduates'].map(
  (column): Rule => ({
    leaveOut: `${IS_UNCOUNTED} AND NOT is_marker(c_${column})`,
    column,
    why: `${UNCOUNTED}, and left out`,
  }),
);

const UNTIMELY_LEFT_OUT = ['indicator_target', 'ccrpi_flag'].map(
  (column): Rule => ({ leaveOut: `${IS_UNTIMELY} AND NOT is_marker(c_${column})`, column, why: UNTIMELY }),
);

/**
 * A five-year rate is served under the year in which its cohort was due after four years. Files since 2022 give that year;
 * in those of 2018 to 2020 all rates have the year of publication, which is one later.
 */
const moved = (when: string): NonNullable<Layout['yearBefore']> => ({
  when,
  remark:
    "concat('a five-year rate published in ', year + 1, ', served as ', year, ': its cohort was due then')",
});

const MOVED = moved(`rate_type = '5_year' AND year >= max(year) FILTER (WHERE rate_type = '4_year') OVER ()`);

const FOUR_YEARS = { cohort: ['four years'] } as const;

/** The only year whose file has five-year rates without a name that says so. */
const FIVE_YEAR_RATES_IN = 2021;

function rateTypeOf({ name, year }: SourceFile): '4_year' | '5_year' | undefined {
  const four = /(?<!\d)4[-_ ]?ye?a?r|four[-_ ]?year/i.test(name);
  const five = /(?<!\d)5[-_ ]?ye?a?r|five[-_ ]?year/i.test(name);
  if (four && five) return undefined;
  if (five) return '5_year';
  if (four || /cohort/i.test(name)) return '4_year';
  return year === FIVE_YEAR_RATES_IN ? '5_year' : undefined;
}

/**
 * Several kinds of file feed the dataset, in any order: rates by student group and kind of rate, sizes of the four-year
 * cohort with its graduates, both in one, and rates of one kind that no column names. A file with both replaces both
 * of earlier files. The cohort files' own rates, which may differ by 0.4 points, serve rows that no file of rates has,
 * such as cohorts too small to publish, and replace rates that don't fit the counts.
 */
const graduationRate = importer({
  path: 'education/ccrpi_graduation_rate',
  reads: "GaDOE's CCRPI graduation rates by subgroup and its cohort counts, either or both",
  about: { report: ['graduation'] },
  merges: true,
  layouts: [
    {
      name: 'graduation rates with cohort counts',
      years: '2019-2020, 2023-2025',
      ...OFFICE,
      yearOptional: true,
      keys: { demographic: STUDENT_GROUP, rate_type: RATE_TYPE },
      figures: { ...COUNTS, graduation_rate: needed(RATE), ...TARGETS },
      rules: [OF_SCHOOLS, ...UNCOUNTED_LEFT_OUT, ...UNTIMELY_LEFT_OUT, ...COUNT_REMARKS],
      yearBefore: MOVED,
    },
    {
      name: 'cohort counts',
      years: '2015-2022',
      about: present => (present.has('k_rate_type') ? {} : FOUR_YEARS),
      yearOfDate: true,
      ...OFFICE,
      yearOptional: true,
      keys: { demographic: STUDENT_GROUP, rate_type: { ...RATE_TYPE, otherwise: '4_year' } },
      figures: { ...COUNTS, graduation_rate: RATE },
      rules: [OF_SCHOOLS, { drop: IS_UNCOUNTED, why: UNCOUNTED }, ...COUNT_REMARKS],
      yearBefore: MOVED,
      // The contract refuses a rate so far from its counts.
      stale: {
        graduation_rate:
          'f.graduation_rate IS NOT NULL AND abs(m.graduation_rate - f.num_graduates / f.num_cohort) > 0.005',
      },
    },
    {
      name: 'graduation rates by subgroup',
      years: '2018-2022',
      ...OFFICE,
      keys: { demographic: STUDENT_GROUP, rate_type: RATE_TYPE },
      figures: { graduation_rate: needed(RATE), ...TARGETS },
      rules: [OF_SCHOOLS, ...UNTIMELY_LEFT_OUT],
      yearBefore: MOVED,
    },
    {
      name: 'graduation rates of a cohort',
      years: '2012-2014',
      about: () => FOUR_YEARS,
      place: CODES,
      year: ['Cohort Year'],
      keys: { demographic: STUDENT_GROUP, rate_type: { value: '4_year' } },
      figures: { graduation_rate: needed(percent('Graduation Rate')) },
    },
    {
      // Under the Act of 2020: rates of students who attended without a break, to the regular date.
      name: 'on-time graduation rates',
      years: '2021-2024',
      place: CODES,
      year: ['Year', 'School Year'],
      keys: { demographic: STUDENT_GROUP, rate_type: { value: 'on_time' } },
      figures: {
        graduation_rate: needed(percent('On-Time Graduation Rate')),
        num_cohort: needed(count('Total Enrolled')),
        num_graduates: needed(count('Total Graduated')),
      },
      rules: [OF_SCHOOLS],
    },
    {
      // GOSA's counts, because the department published those of 2023 only as a PDF.
      name: 'cohort counts by label',
      years: '2023',
      about: () => FOUR_YEARS,
      place: GOSA_CODES,
      year: ['LONG_SCHOOL_YEAR'],
      keys: { demographic: STUDENT_GROUP, rate_type: { value: '4_year' } },
      figures: {
        num_cohort: needed(count('TOTAL_COUNT')),
        num_graduates: needed(count('PROGRAM_TOTAL')),
      },
      rules: [
        {
          drop: `year <> ${GROUPS_COUNTED_IN}`,
          why: `another office's counts serve for ${GROUPS_COUNTED_IN} only`,
        },
      ],
    },
    {
      name: 'graduation rates of one kind',
      years: '2015-2021',
      yearOfDate: true,
      place: CODES,
      keys: {
        demographic: STUDENT_GROUP,
        rate_type: {
          ofFile: rateTypeOf,
          missing:
            'holds rates of one kind, and no column and not its name says which: put 4-year or 5-year in the name',
        },
      },
      figures: { graduation_rate: needed(RATE) },
      ignored: ['id', 'Grade Configuration', 'Grade Cluster'],
      yearBefore: moved("rate_type = '5_year'"),
    },
  ],
});

const BANDS = {
  pct_no_positive_movement: percent('No Positive Movement'),
  pct_moved_less_than_one_band: percent('Moved Less Than One Band'),
  pct_moved_one_band: percent('Moved One Band'),
  pct_moved_more_than_one_band: percent('Moved More Than One Band'),
};

const PROGRESS_TARGETS: Figures = {
  indicator_target: score('Progress Towards ELP Target', 'Indicator Target', 'Target'),
  ccrpi_flag: flag('CCRPI Flag', 'Flag'),
};

const OUTSIDE: Rule = {
  remark: 'indicator_score NOT BETWEEN 0 AND 100',
  why: 'the score is outside 0 to 100',
};

const ELP = 'progress_towards_elp';

/**
 * The files of 2021 and 2022 have only progress towards English proficiency, with the shares of learners by bands moved;
 * those of other years have targets and flags, but no shares. The score isn't a proportion; `100.00+` is exactly 100.
 */
const progress = importer({
  path: 'education/ccrpi_progress',
  reads: "GaDOE's CCRPI progress by subgroup, and its progress towards English language proficiency",
  about: { report: ['progress'] },
  merges: true,
  layouts: [
    {
      name: 'progress by indicator',
      years: '2018-2019, 2023-2025',
      ...OFFICE,
      keys: {
        demographic: STUDENT_GROUP,
        grade_cluster: GRADE_CLUSTER,
        indicator: {
          headers: ['Indicator'],
          what: 'indicator',
          codes: {
            english_language_arts_growth: 'elagrowth englishlanguagearts',
            mathematics_growth: 'mathematics',
            [ELP]: 'elpprogress progresstowardslanguageproficiency progresstowardsenglishlanguageproficiency',
          },
        },
      },
      figures: { indicator_score: needed(score('Indicator Score')), ...PROGRESS_TARGETS },
      rules: [OUTSIDE],
    },
    {
      name: 'progress towards English language proficiency',
      years: '2020-2022',
      ...OFFICE,
      keys: { demographic: STUDENT_GROUP, grade_cluster: GRADE_CLUSTER, indicator: { value: ELP } },
      figures: {
        indicator_score: needed(
          score(
            'Progress Towards ELP Rate',
            'Progress Toward ELP Rate',
            'Progress Towards English Language Proficiency Rate',
            'ELP Progress Rate',
          ),
        ),
        ...PROGRESS_TARGETS,
        ...BANDS,
      },
      rules: [
        {
          remark: `abs(${Object.keys(BANDS).join(' + ')} - 1) > 0.0005`,
          why: 'the four bands do not add up to 100',
        },
        OUTSIDE,
      ],
    },
  ],
});

const READINESS_KEYS: Readonly<Record<string, Key>> = {
  demographic: STUDENT_GROUP,
  grade_cluster: GRADE_CLUSTER,
  indicator: {
    headers: ['Indicator'],
    what: 'indicator',
  },
};

const readiness = importer({
  path: 'education/ccrpi_readiness',
  reads: "GaDOE's CCRPI readiness indicators by subgroup",
  about: { report: ['readiness', 'act', 'advanced placement', 'attendance', 'enrollment', 'sat'] },
  layouts: [
    {
      name: 'readiness by part of the indicator',
      years: '2021-2025',
      ...OFFICE,
      keys: {
        ...READINESS_KEYS,
        sub_indicator: {
          headers: ['Sub-Indicator', 'Subindicator'],
          what: 'part of an indicator',
          // NA marks indicators without parts. Names of 2021 and 2022 differ from those since.
          codes: {
            all: 'na',
            act_sat_ap_ib_cambridge: 'actsatapib actsatapibcambridge readinessscoreontheactsataporib',
            eopa: 'endofpathwayassessmenteopa',
            physical_education_health: 'physicaleducationorhealth',
            tcsg_usg: 'enteringtcsgusgwithoutneedingremediation',
          },
        },
      },
      figures: {
        indicator_score: needed(score('Indicator Score')),
        unbenchmarked_rate: percent('Unbenchmarked Rate (Accelerated Enrollment)', 'Unbenchmarked Rate'),
      },
    },
    {
      name: 'readiness by indicator',
      years: '2018-2019',
      ...OFFICE,
      keys: READINESS_KEYS,
      figures: { indicator_score: needed(score('Indicator Score')) },
      rules: [
        {
          drop: 'year >= 2021',
          why: 'from 2021 on a row needs the part of its indicator, which the file lacks',
        },
      ],
    },
  ],
});

const OVERALL = { ccrpi_score: number('CCRPI Score'), ccrpi_single_score: number('Single Score') };

/** Points until 2017, scores from 0 to 100 since 2018. Overall scores of 2012 to 2017 may exceed 100. */
const scoringByComponent = importer({
  path: 'education/ccrpi_scoring_by_component',
  reads: "GaDOE's CCRPI scoring by component, points and scores",
  about: {
    report: ['scoring', 'closing gaps', 'content mastery', 'graduation', 'progress', 'readiness'],
  },
  layouts: [
    {
      name: 'points by component',
      years: '2012-2017',
      ...OFFICE,
      keys: { grade_cluster: GRADE_CLUSTER },
      figures: {
        achievement_points: needed(number('Achievement Points')),
        progress_points: needed(number('Progress Points')),
        achievement_gap_points: number('Achievement Gap Points'),
        ed_el_swd_performance: number('ED/EL/SWD Performance'),
        etb_points: number('ETB Points'),
        challenge_points: number('Challenge Points'),
        ...OVERALL,
      },
    },
    {
      name: 'scores by component',
      years: '2018-2019, 2022-2025',
      ...OFFICE,
      keys: { grade_cluster: GRADE_CLUSTER },
      figures: {
        content_mastery: needed(score('Content Mastery')),
        progress: needed(score('Progress')),
        closing_gaps: score('Closing Gaps'),
        readiness: needed(score('Readiness')),
        graduation_rate: score('Graduation Rate'),
        ...OVERALL,
      },
    },
  ],
});

export const ccrpi: readonly Importer[] = [
  graduationRate,
  progress,
  scoringByComponent,
  readiness,
  climateStarRating,
];
