/** The cache keeps what checks found, and each build reports it again. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { RefusedError } from '../../build/failure.ts';
import { workspaceOf } from '../../build/tree/workspace.ts';
import { TIDE_CONTRACTS, TIDE_LAKE, TIDE_SLICES, tideFile, tideRows } from '../check/tides.ts';
import type { Built } from '../publishers/built-tree.ts';
import { newPublisher, type Publisher } from '../publishers/publisher-folder.ts';
import { randomRuns } from '../random-runs.ts';

let original: Publisher;
let publisher: Publisher;
beforeAll(async () => {
  original = await newPublisher(TIDE_CONTRACTS, TIDE_LAKE);
  await original.build();
});

beforeEach(async () => {
  publisher = await original.copyBuilt();
});

const rewrite = (year: number, level: string, change: string) =>
  publisher.writeRows({ [tideFile(year, level)]: tideRows(year, level, change) });

/** The messages of a build about the rows, whether or not it publishes them. */
async function saidOf(folder: Publisher) {
  try {
    const built = await folder.build();
    const { changed } = built.result;
    return { changed, failed: [], warned: noticesOf(built), tree: await folder.undated() };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return { failed: error.failures, diagnostics: error.diagnostics, warned: [], tree: null };
  }
}

function noticesOf({ events }: Built) {
  return events.flatMap(event => (event.kind === 'notices' ? event.outcomes : []));
}

const names = (outcomes: readonly { readonly outcome: { readonly check: { readonly name: string } } }[]) =>
  outcomes.map(({ outcome }) => outcome.check.name).sort();

/** The messages of a first build. */
async function saidAtFirst() {
  const out = path.join(publisher.root, 'first');
  const said = await saidOf(publisher.with({ out }));
  await rm(out, { recursive: true, force: true });
  await rm(workspaceOf(out).folder, { recursive: true, force: true });
  return said;
}

test('a stricter build, or one with other changes, repeats the warnings', async () => {
  await rewrite(2001, 'coast', '-2.5 - hour AS height');
  await publisher.build();
  const later = await publisher.build({ releaseDate: '2031-06-01' });
  expect(names(noticesOf(later))).toEqual(['low']);
  const strict = await publisher.refusal({ strict: true, releaseDate: '2031-06-01' });
  expect(strict.diagnostics).toEqual([]);
  expect(names(strict.failures)).toEqual(['low']);
});

/** States of a slice: sound, with a fault that warns, with one that stops a build, and missing. */
const CHANGES = [
  '',
  'height + 0.5 AS height',
  '-1.0 - hour AS height',
  '95.0 + hour AS height',
  '7.0 AS height',
  "'all' AS place",
  "CASE hour WHEN 1 THEN ' ' ELSE note END AS note",
  'NULL::DOUBLE AS height',
  'gone',
];

test('a build from another folder of the same contracts names its own', async () => {
  await rewrite(2001, 'coast', '-2.5 - hour AS height');
  await publisher.build();
  const other = await publisher.copyBuilt();
  const cache = { folder: path.join(publisher.root, '.dist.civic/cache') };
  const built = await other.build({ releaseDate: '2031-06-01', cache });
  const files = noticesOf(built).map(({ outcome }) => outcome.check.place?.file);
  expect(files).toEqual([path.join(other.contracts, 'tides.yaml')]);
});

test('later builds have the messages of first builds', async () => {
  const step = fc.array(
    fc.record({ slice: fc.nat(TIDE_SLICES.length - 1), change: fc.constantFrom(...CHANGES) }),
    { minLength: 1, maxLength: 3 },
  );
  const steps = fc.sample(step, { numRuns: randomRuns(8), seed: 20261121 });
  let refused = 0;
  for (const changes of steps) {
    for (const { slice, change } of changes) {
      const { year, level, file } = TIDE_SLICES[slice]!;
      if (change === 'gone') {
        await rm(path.join(publisher.data, file), { force: true });
        // A tree that has the rows would refuse to lose them.
        await rm(publisher.out, { recursive: true, force: true });
      } else await rewrite(year, level, change);
    }
    const said = await saidOf(publisher);
    const first = await saidAtFirst();
    // A build with nothing to do repeats no message.
    expect(said).toEqual(said.changed === false ? { ...first, changed: false, warned: [] } : first);
    refused += Number(said.tree === null);
  }
  expect(refused).toBeGreaterThan(1);
  expect(refused).toBeLessThan(steps.length - 2);
});
