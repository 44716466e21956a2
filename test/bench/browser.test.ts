/** What `npm run bench -- browser` asks of a tree. */
import { expect, test } from 'vitest';
import { chooseSteps } from '../../scripts/bench/browser.ts';
import { useSampleTree } from '../conformance/sample-tree.ts';

const sample = useSampleTree(['immigration/ice_removals', 'census/employment']);

test('the largest dataset is looked at', async () => {
  const steps = await chooseSteps(sample.tree);
  expect(steps.map(({ what }) => what)).toEqual(['first paint', 'first rows', 'first chart']);
  for (const { path } of steps.slice(0, 3)) expect(path).toMatch(/^datasets\/immigration\/ice_removals\//);
});
