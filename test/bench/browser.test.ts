/** What `npm run bench -- browser` asks of a tree. */
import { expect, test } from 'vitest';
import type { TreeManifest } from '../../build/format/manifest.ts';
import { chooseSteps } from '../../scripts/bench/browser.ts';
import { useSampleTree } from '../conformance/sample-tree.ts';
import { readTreeJson } from '../publishers/built-tree.ts';

const sample = useSampleTree();

test('the largest dataset is looked at', async () => {
  const steps = await chooseSteps(sample.tree);
  const { datasets } = await readTreeJson<TreeManifest>(sample.tree, 'manifest.json');
  const [largest] = [...datasets].sort((a, b) => b.rows - a.rows);
  expect(steps.slice(0, 3).map(({ what, path }) => `${what} of ${path.split('?')[0]}`)).toEqual(
    ['first paint', 'first rows', 'first chart'].map(what => `${what} of datasets/${largest!.key}/`),
  );
});
