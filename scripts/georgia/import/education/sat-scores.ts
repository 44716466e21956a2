import type { Importer } from '../importer.ts';
import type { Block, Key, Layout, Rule } from '../layout.ts';
import { datasetImporter, tableOf } from '../layout-shape.ts';
import { GOSA_CODES, PAIR_OF_CODES, YEAR } from './place-layouts.ts';
import { studentGroup } from './student-groups.ts';

/**
 * SAT means, Governor's Office of Student Achievement: two reports of one kind. The wide files of 2004 to 2010 are the
 * same for both, and each takes its own columns of them.
 *
 * - Since 2011 each row is a school's, with the figures of its district and of the state beside its own.
 * - Verbal was renamed Reading in 2012, within the old test.
 * - A mean off the scale of its component is left out: writing means of 112 to 195 in 2011 to 2015, sums over the sum of
 *   the sections in 2010, and 0 for nobody in 2004 to 2007.
 * - Number tested may be fractional: in 2024 districts' are.
 */
type Report = 'highest' | 'recent';

const COMPONENT: Key = {
  headers: ['TEST_CMPNT_TYP_CD'],
  what: 'test component',
  codes: {
    combined: 'combined',
    reading: 'reading',
    verbal: 'reading',
    mathematics: 'mathematics',
    math: 'mathematics',
    writing: 'writing',
    combinedtestscore: 'combined_test_score',
    mathsectionscorenew: 'math_section_score',
    mathsectionscore: 'math_section_score',
    evidencebasedreadingandwritingnew: 'evidence_based_reading_and_writing',
    evidencebasedreadingandwriting: 'evidence_based_reading_and_writing',
    readingtestscorenew: 'reading_test_score',
    readingtestscore: 'reading_test_score',
    writlangtestscorenew: 'writlang_test_score',
    writlangtestscore: 'writlang_test_score',
    essaytotal: 'essay_total',
    essayreadingscorenew: 'essay_reading_score',
    essayanalysisscorenew: 'essay_analysis_score',
    essaywritingscorenew: 'essay_writing_score',
  },
};

const OFF_SCALE: Rule = {
  column: 'avg_score',
  leaveOut: `avg_score NOT BETWEEN CASE
      WHEN test_component IN ('verbal_math', 'combined_test_score') THEN 400
      WHEN test_component IN ('combined', 'verbal_math_writing') THEN 600
      WHEN test_component = 'essay_total' THEN 6
      WHEN starts_with(test_component, 'essay_') THEN 2
      WHEN test_component IN ('reading_test_score', 'writlang_test_score') THEN 100 ELSE 200 END
    AND CASE
      WHEN test_component IN ('verbal_math', 'combined_test_score') THEN 1600
      WHEN test_component IN ('combined', 'verbal_math_writing') THEN 2400
      WHEN test_component = 'essay_total' THEN 24
      WHEN starts_with(test_component, 'essay_') THEN 8 ELSE 800 END`,
  why: 'the mean is off the scale of its test component and is left out',
  scale: true,
};

const LEVELS = { schools: 'INSTN', districts: 'DSTRCT', states: 'STATE' } as const;

function longTable(report: Report): Layout {
  return {
    name: 'means by test component',
    years: '2011-2024',
    place: { ...GOSA_CODES, levels: false },
    year: YEAR,
    keys: { demographic: { value: 'all' }, test_component: COMPONENT },
    beside: { subgroup: ['SUBGRP_DESC'], attempt: ['HIGHEST_RECENT_IND'] },
    blocks: Object.entries(LEVELS).map(([level, prefix]) => ({
      level: level as keyof typeof LEVELS,
      figures: {
        num_tested: { headers: [`${prefix}_NUM_TESTED_CNT`], holds: 'number', required: level === 'schools' },
        avg_score: { headers: [`${prefix}_AVG_SCORE_VAL`], holds: 'number', required: level === 'schools' },
      },
    })),
    rules: [
      {
        drop: `subgroup IS NOT NULL AND ${studentGroup('subgroup')} IS DISTINCT FROM 'all'`,
        why: 'a student group: since 2011 means are of all students',
      },
      {
        drop: `attempt IS NOT NULL AND lower(attempt) <> '${report}'`,
        why: `not of the ${report} scores, as HIGHEST_RECENT_IND says`,
      },
      OFF_SCALE,
    ],
  };
}

const GROUPS = {
  all: ['All Students', '0'],
  asian_pacific_islander: ['Asian', 'A'],
  black: ['Black', 'B'],
  female: ['Female', 'F'],
  hispanic: ['Hispanic', 'H'],
  male: ['Male', 'M'],
  native_american: ['American Indian', 'N'],
  other: ['O'],
  race_unknown: ['R'],
  white: ['White', 'W'],
} as const;

/** The wide files' name of each component, of which the column Total may be the sum of two sections or of three. */
const SECTIONS = {
  verbal_math: 'Total',
  reading: 'Verbal',
  mathematics: 'Math',
  writing: 'Writing',
} as const;

function wideTable(report: Report): Layout {
  const attempt = report === 'highest' ? 'High' : 'Recent';
  const blocks: Block[] = [];
  for (const [test_component, section] of Object.entries(SECTIONS)) {
    const all = blocks.length;
    for (const [demographic, names] of Object.entries(GROUPS))
      blocks.push({
        keys: { test_component, demographic },
        // Files without a section have no counts of it either.
        needs: { block: all, column: 'avg_score' },
        figures: {
          num_tested: { headers: names.map(name => `Number Taken ${name}`), holds: 'number' },
          avg_score: {
            headers: names.map(name => `${attempt} ${section} ${name}`),
            holds: 'number',
            required: demographic === 'all' && section !== 'Writing',
          },
        },
      });
  }
  const number = { headers: ['Number Taken All Students', 'Number Taken 0'], holds: 'number' } as const;
  const total = report === 'highest' ? ['High Total All Students', 'High Total 0'] : ['Recent Total'];
  const test_component = report === 'highest' ? 'combined' : 'verbal_math_writing';
  blocks.push({
    keys: { test_component, demographic: 'all' },
    needs: { block: blocks.length, column: 'avg_score' },
    figures: { num_tested: number, avg_score: { headers: total, holds: 'number' } },
  });
  const beside = Object.fromEntries(
    ['Verbal', 'Math', 'Writing'].map(section => [
      `of_${section.toLowerCase()}`,
      [`${attempt} ${section} All Students`, `${attempt} ${section} 0`],
    ]),
  );
  const two = 'abs(avg_score - number_of(of_verbal) - number_of(of_math))';
  const three = 'abs(avg_score - number_of(of_verbal) - number_of(of_math) - number_of(of_writing))';
  // The highest total of 2008 to 2010 does not say how many sections it adds up.
  const highestTotal: readonly Rule[] = [
    {
      drop: `test_component = 'verbal_math' AND demographic = 'all' AND coalesce(${three} < ${two}, false)`,
      why: 'the total is of three sections, and served as such',
    },
    {
      drop: `test_component = 'combined' AND NOT coalesce(${three} < ${two}, false)`,
      why: 'the total is of two sections, and served as such',
    },
  ];
  return {
    name: 'means in columns by student group',
    years: '2004-2010',
    place: PAIR_OF_CODES,
    keys: { demographic: { value: '' }, test_component: { value: '' } },
    blocks,
    beside,
    blankIsNoRow: true,
    shared: true,
    rules: [...(report === 'highest' ? highestTotal : []), OFF_SCALE],
  };
}

function satImporter(report: Report, reads: string): Importer {
  return datasetImporter(
    tableOf(
      `education/sat_scores_${report}`,
      'year:i district_code:s school_code:s demographic:s test_component:s num_tested:d avg_score:d',
      'year district_code school_code demographic test_component',
    ),
    reads,
    [longTable(report), wideTable(report)],
    true,
  );
}

export const satScoresHighest = satImporter('highest', "GOSA's SAT Scores (Highest) downloads");
export const satScoresRecent = satImporter('recent', "GOSA's SAT Scores (Recent) downloads");
