import { groups, SCORE } from '../columns.ts';
import { changeFirst, type Statements } from '../facts.ts';

/** Both datasets of SAT scores: the highest and the most recent of each student. */
export const SAT_SCORES: Statements = {
  facts: {
    version: '1.2.0',
    years: [2004, 2024],
    levels: ['districts', 'schools', 'states'],
    defaultDetail: 'schools',
    grain: ['year', 'district_code', 'school_code', 'demographic', 'test_component'],
    keyMetric: 'avg_score',
  },
  columns: {
    demographic: groups(
      'all asian_pacific_islander black female hispanic male native_american other race_unknown white',
    ),
    num_tested: { type: 'number', nullable: true, role: 'metric', unit: 'count', component: 'denominator' },
    avg_score: SCORE,
  },
  sentences: {
    'Years 2004-2024; detail districts, schools, states': ['year_known', 'level_keys'],
    'Grain: year, district_code, school_code, demographic, test_component': ['grain_unique'],
    'demographic (10): not null, FK demographics': [
      'demographic_values',
      'demographic_not_null',
      'demographic_known',
    ],
    '`all` is the total and overlaps every other value; subgroups are exclusive only within their own category':
      ['groups_within_total'],
    'Breakdowns exist for 2004-2010 only; every later row is all': ['groups_only_until_2010'],
    'Scales: sections 200-800': ['section_scores_on_scale'],
    'verbal_math and combined_test_score 400-1600': ['two_section_scores_on_scale'],
    'essay dimensions 2-8; essay_total 6-24': ['essay_scores_on_scale'],
    'reading_test_score and writlang_test_score are rescaled (observed about 180-340)': [
      'rescaled_test_scores_near_observed_range',
    ],
    'Never compare or aggregate avg_score across components': 'Advice on reading.',
    'num_tested (count)': ['num_tested_range'],
    'num_tested is fractional on combined_test_score': ['num_tested_whole_except_combined'],
    'do not sum num_tested across components': 'Advice on reading.',
    'avg_score is NULL when suppressed':
      'Suppression is decided in the source; a NULL does not tell its reason.',
    'avg_score is NULL for impossible source values': [
      'section_scores_on_scale',
      'two_section_scores_on_scale',
      'three_section_scores_on_scale',
      'essay_scores_on_scale',
    ],
  },
  breaks: {
    groups_only_until_2010: changeFirst("demographic = 'female'", "year > 2010 AND demographic = 'all'"),
    section_scores_on_scale:
      "UPDATE t SET avg_score = 900 WHERE rowid = (SELECT min(rowid) FROM t WHERE test_component IN ('evidence_based_reading_and_writing', 'math_section_score', 'mathematics', 'reading', 'writing') AND avg_score IS NOT NULL)",
    two_section_scores_on_scale: changeFirst(
      'avg_score = 300',
      "test_component IN ('combined_test_score', 'verbal_math') AND avg_score IS NOT NULL",
    ),
    essay_scores_on_scale: changeFirst(
      'avg_score = 1',
      "test_component LIKE 'essay%' AND avg_score IS NOT NULL",
    ),
    rescaled_test_scores_near_observed_range: changeFirst(
      'avg_score = 36',
      "test_component IN ('reading_test_score', 'writlang_test_score') AND avg_score IS NOT NULL",
    ),
    num_tested_whole_except_combined:
      "UPDATE t SET num_tested = num_tested - 0.5 WHERE rowid = (SELECT min(rowid) FROM t WHERE test_component <> 'combined_test_score' AND num_tested >= 1 AND num_tested = round(num_tested) AND year > 2010)",
    groups_within_total:
      "UPDATE t SET num_tested = num_tested + 10000000 WHERE rowid = (SELECT min(g.rowid) FROM t g JOIN t a ON a.year = g.year AND a.district_code IS NOT DISTINCT FROM g.district_code AND a.school_code IS NOT DISTINCT FROM g.school_code AND a.test_component = g.test_component WHERE a.demographic = 'all' AND a.num_tested IS NOT NULL AND g.demographic <> 'all' AND g.num_tested IS NOT NULL)",
  },
};
