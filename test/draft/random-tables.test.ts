/** Random tables of every format and type: a draft by `civic init` builds, and every value reads back unchanged. */
import { expect, test } from 'vitest';
import { fuzzDrafts } from '../../scripts/fuzz/drafts.ts';
import { randomRuns, randomSeed } from '../random-runs.ts';

test('every draft builds, and no value changes', async () => {
  const { drafted, asked, failure } = await fuzzDrafts(randomRuns(8), randomSeed(1));
  expect(failure).toBeNull();
  expect(drafted).toBeGreaterThan(0);
  expect(asked).toBeGreaterThan(0);
}, 1_800_000);
