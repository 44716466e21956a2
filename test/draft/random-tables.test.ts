/** Random tables of every format and type: what `civic init` drafts builds, and every value reads back unchanged. */
import { expect, test } from 'vitest';
import { fuzzDrafts } from '../../scripts/fuzz/drafts.ts';
import { randomRuns } from '../random-runs.ts';

const SEED = 11;

test('everything that is drafted builds, and no value changes', async () => {
  const { drafted, asked, failures } = await fuzzDrafts({ tables: randomRuns(100), seed: SEED });
  expect(failures).toEqual([]);
  expect(drafted).toBeGreaterThan(0);
  expect(asked).toBeGreaterThan(0);
}, 1_800_000);
