/** What `npm run bench -- browser` asks of a tree. */
import { expect, test } from 'vitest';
import { chooseSteps } from '../../scripts/bench/browser.ts';
import { useSampleTree } from '../conformance/sample-tree.ts';

// The larger one is of the whole alone.
const sample = useSampleTree(['immigration/ice_removals', 'census/employment']);

test('the largest dataset that has places is looked at, not one that has none', async () => {
  const steps = await chooseSteps(sample.tree);
  expect(steps.map(({ what }) => what)).toEqual(['first paint', 'first rows', 'first chart']);
  for (const { path } of steps.slice(0, 3)) expect(path).toMatch(/^datasets\/census\/employment\//);
});
