/** What `npm run bench -- browser` asks of a tree. */
import { expect, test } from 'vitest';
import { chooseQuestions } from '../../scripts/bench/browser/questions.ts';
import { useSampleTree } from '../conformance/sample-tree.ts';

// The larger one is of the whole alone.
const sample = useSampleTree(['immigration/ice_removals', 'census/employment']);

test('the largest dataset that has places is asked about, not one that has none', async () => {
  const { key, place, measure } = await chooseQuestions(sample.tree);
  expect(key).toBe('census/employment');
  expect(place.column).not.toBe('');
  expect(measure).toBe('unemployment_rate');
});
