import type { DatasetSpecification } from '../facts.ts';

export const specification: DatasetSpecification = {
  key: 'education/sat_scores_highest',
  facts: {
    version: '1.2.0',
    years: [2004, 2024],
    gaps: [],
    levels: ['districts', 'schools', 'states'],
    defaultDetail: 'schools',
    grain: ['year', 'district_code', 'school_code', 'demographic', 'test_component'],
    keyMetric: 'avg_score',
    columns: {
      year: { type: 'integer', nullable: false, role: 'year' },
      district_code: { type: 'string', nullable: true, role: 'fk_district' },
      school_code: { type: 'string', nullable: true, role: 'fk_school' },
      demographic: {
        type: 'string',
        nullable: false,
        role: 'fk_demographic',
        values: [
          'all',
          'asian_pacific_islander',
          'black',
          'female',
          'hispanic',
          'male',
          'native_american',
          'other',
          'race_unknown',
          'white',
        ],
      },
      test_component: {
        type: 'string',
        nullable: false,
        role: 'categorical',
        values: [
          'combined',
          'combined_test_score',
          'essay_analysis_score',
          'essay_reading_score',
          'essay_total',
          'essay_writing_score',
          'evidence_based_reading_and_writing',
          'math_section_score',
          'mathematics',
          'reading',
          'reading_test_score',
          'verbal_math',
          'writing',
          'writlang_test_score',
        ],
      },
      num_tested: { type: 'number', nullable: true, role: 'metric', unit: 'count', component: 'denominator' },
      avg_score: { type: 'number', nullable: true, role: 'metric', unit: 'score' },
    },
  },
  sentences: [
    { says: 'Years 2004-2024; detail districts, schools, states', rules: ['year_known', 'level_keys'] },
    { says: 'Grain: year, district_code, school_code, demographic, test_component', rules: ['grain_unique'] },
    {
      says: 'year (integer, not null): ending calendar year of the school year',
      rules: ['year_not_null', 'year_known', 'year_in_folder'],
    },
    {
      says: 'district_code: FK districts; 3-digit zero-padded for standard districts, 7-digit for state-charter or state-school operators',
      rules: ['district_code_format', 'district_code_known'],
    },
    { says: 'district_code is NULL on state rows', rules: ['level_keys'] },
    {
      says: 'school_code: FK schools, composite with district_code; 4-character zero-padded',
      rules: ['school_code_format', 'school_code_known'],
    },
    { says: 'school_code is NULL on district and state rows', rules: ['level_keys'] },
    {
      says: "highest uses each student's highest section score",
      rules: [],
      why: 'How the publisher takes the scores; single students are not in the data.',
    },
    {
      says: 'demographic (10): not null, FK demographics',
      rules: ['demographic_values', 'demographic_not_null', 'demographic_known'],
    },
    {
      says: '`all` is the total and overlaps every other value; subgroups are exclusive only within their own category',
      rules: ['groups_within_total'],
    },
    {
      says: 'The too-few-students marker and blank cells become NULL',
      rules: [],
      why: 'Once the marker is NULL nothing tells it from a blank cell.',
    },
    {
      says: 'Breakdowns exist for 2004-2010 only; every later row is all',
      rules: ['groups_only_until_2010'],
    },
    {
      says: 'test_component: the same list without verbal_math_writing (14)',
      rules: ['test_component_values'],
    },
    { says: 'Scales: sections 200-800', rules: ['section_scores_on_scale'] },
    { says: 'verbal_math and combined_test_score 400-1600', rules: ['two_section_scores_on_scale'] },
    { says: 'combined 600-2400', rules: ['three_section_scores_on_scale'] },
    { says: 'essay dimensions 2-8; essay_total 6-24', rules: ['essay_scores_on_scale'] },
    {
      says: 'reading_test_score and writlang_test_score are rescaled (observed about 180-340)',
      rules: ['rescaled_test_scores_near_observed_range'],
    },
    { says: 'Never compare or aggregate avg_score across components', rules: [], why: 'Advice on reading.' },
    { says: 'num_tested (count)', rules: ['num_tested_range'] },
    { says: 'num_tested is fractional on combined_test_score', rules: ['num_tested_whole_except_combined'] },
    { says: 'do not sum num_tested across components', rules: [], why: 'Advice on reading.' },
    {
      says: 'avg_score is NULL when suppressed',
      rules: [],
      why: 'Suppression is decided in the source; a NULL does not tell its reason.',
    },
    {
      says: 'avg_score is NULL for impossible source values',
      rules: [
        'section_scores_on_scale',
        'two_section_scores_on_scale',
        'three_section_scores_on_scale',
        'essay_scores_on_scale',
      ],
    },
    {
      says: 'in highest, 2007-2010 subgroup rows carry counts only',
      rules: ['no_group_scores_in_2007_to_2010'],
    },
  ],
  breaks: {
    district_code_format:
      'UPDATE t SET district_code = substr(district_code, 2) WHERE rowid = (SELECT min(rowid) FROM t WHERE length(district_code) = 3)',
    school_code_format:
      "UPDATE t SET school_code = school_code || '0' WHERE rowid = (SELECT min(rowid) FROM t WHERE school_code IS NOT NULL)",
    groups_only_until_2010:
      "UPDATE t SET demographic = 'female' WHERE rowid = (SELECT min(rowid) FROM t WHERE year > 2010 AND demographic = 'all')",
    section_scores_on_scale:
      "UPDATE t SET avg_score = 900 WHERE rowid = (SELECT min(rowid) FROM t WHERE test_component IN ('evidence_based_reading_and_writing', 'math_section_score', 'mathematics', 'reading', 'writing') AND avg_score IS NOT NULL)",
    two_section_scores_on_scale:
      "UPDATE t SET avg_score = 300 WHERE rowid = (SELECT min(rowid) FROM t WHERE test_component IN ('combined_test_score', 'verbal_math') AND avg_score IS NOT NULL)",
    three_section_scores_on_scale:
      "UPDATE t SET avg_score = 500 WHERE rowid = (SELECT min(rowid) FROM t WHERE test_component = 'combined' AND avg_score IS NOT NULL)",
    essay_scores_on_scale:
      "UPDATE t SET avg_score = 1 WHERE rowid = (SELECT min(rowid) FROM t WHERE test_component LIKE 'essay%' AND avg_score IS NOT NULL)",
    rescaled_test_scores_near_observed_range:
      "UPDATE t SET avg_score = 36 WHERE rowid = (SELECT min(rowid) FROM t WHERE test_component IN ('reading_test_score', 'writlang_test_score') AND avg_score IS NOT NULL)",
    num_tested_whole_except_combined:
      "UPDATE t SET num_tested = num_tested - 0.5 WHERE rowid = (SELECT min(rowid) FROM t WHERE test_component <> 'combined_test_score' AND num_tested >= 1 AND num_tested = round(num_tested) AND year > 2010)",
    no_group_scores_in_2007_to_2010:
      "UPDATE t SET avg_score = CASE WHEN test_component LIKE 'essay%' THEN 6 ELSE 600 END WHERE rowid = (SELECT min(rowid) FROM t WHERE year BETWEEN 2007 AND 2010 AND demographic <> 'all')",
    groups_within_total:
      "UPDATE t SET num_tested = num_tested + 10000000 WHERE rowid = (SELECT min(g.rowid) FROM t g JOIN t a ON a.year = g.year AND a.district_code IS NOT DISTINCT FROM g.district_code AND a.school_code IS NOT DISTINCT FROM g.school_code AND a.test_component = g.test_component WHERE a.demographic = 'all' AND a.num_tested IS NOT NULL AND g.demographic <> 'all' AND g.num_tested IS NOT NULL)",
  },
};
