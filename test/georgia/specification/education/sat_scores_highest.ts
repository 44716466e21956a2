import { category } from '../columns.ts';
import { changeFirst, type Specification } from '../facts.ts';
import { SAT_SCORES } from './sat-scores.ts';
import { PADDED_CODES, PADDED_CODES_OR_NULL, SCHOOLS_AND_ABOVE } from './school-places.ts';

export const specification: Specification = {
  key: 'education/sat_scores_highest',
  alike: [SCHOOLS_AND_ABOVE, PADDED_CODES, PADDED_CODES_OR_NULL, SAT_SCORES],
  columns: {
    test_component: category(`
        combined combined_test_score essay_analysis_score essay_reading_score essay_total
        essay_writing_score evidence_based_reading_and_writing math_section_score mathematics reading
        reading_test_score verbal_math writing writlang_test_score`),
  },
  sentences: {
    "highest uses each student's highest section score":
      'How the publisher takes the scores; single students are not in the data.',
    'test_component: the same list without verbal_math_writing (14)': ['test_component_values'],
    'combined 600-2400': ['three_section_scores_on_scale'],
    'in highest, 2007-2010 subgroup rows carry counts only': ['no_group_scores_in_2007_to_2010'],
  },
  breaks: {
    three_section_scores_on_scale: changeFirst(
      'avg_score = 500',
      "test_component = 'combined' AND avg_score IS NOT NULL",
    ),
    no_group_scores_in_2007_to_2010: changeFirst(
      "avg_score = CASE WHEN test_component LIKE 'essay%' THEN 6 ELSE 600 END",
      "year BETWEEN 2007 AND 2010 AND demographic <> 'all'",
    ),
  },
};
