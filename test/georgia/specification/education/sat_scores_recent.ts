import { category } from '../columns.ts';
import { changeFirst, type Specification } from '../facts.ts';
import { SAT_SCORES } from './sat-scores.ts';
import { PADDED_CODES, PADDED_CODES_OR_NULL, SCHOOLS_AND_ABOVE } from './school-places.ts';

export const specification: Specification = {
  key: 'education/sat_scores_recent',
  alike: [SCHOOLS_AND_ABOVE, PADDED_CODES, PADDED_CODES_OR_NULL, SAT_SCORES],
  columns: {
    test_component: category(`
        combined combined_test_score essay_analysis_score essay_reading_score essay_total
        essay_writing_score evidence_based_reading_and_writing math_section_score mathematics reading
        reading_test_score verbal_math verbal_math_writing writing writlang_test_score`),
  },
  sentences: {
    "recent uses each student's most recent test date":
      'How the publisher takes the scores; single students are not in the data.',
    'test_component values (15)': ['test_component_values'],
    'combined and verbal_math_writing 600-2400': ['three_section_scores_on_scale'],
  },
  breaks: {
    three_section_scores_on_scale: changeFirst(
      'avg_score = 500',
      "test_component IN ('combined', 'verbal_math_writing') AND avg_score IS NOT NULL",
    ),
  },
};
