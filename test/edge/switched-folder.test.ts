import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { RandomChoices } from '../../scripts/random.ts';
import { openTree, runQuery } from '../../site/edge/adapters/command.ts';
import { createFetchHandler, startServer } from '../../site/edge/adapters/node.ts';
import { ColumnCache } from '../../site/edge/rows/column-cache.ts';
import { threeReleases } from '../deploy/three-releases.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { randomRuns, randomSeed } from '../random-runs.ts';
import { served as serve } from '../served.ts';

const FACTS = '/api/v1/climate/rainfall';
const SLICE = `${FACTS}/year=2021/regions`;
const PATHS = [
  `${FACTS}?year=2021&detail=regions&limit=1`,
  `${FACTS}?year=2021&detail=regions&limit=2&format=csv`,
  `${FACTS}?year=2021&detail=regions&season=wet`,
  `${FACTS}?detail=regions&season=wet&format=csv`,
  `${FACTS}?year=2021&detail=regions`,
  `${SLICE}.csv`,
  '/SHA256SUMS',
  '/manifest.json',
  '/',
];

/** Two releases, and all answers of each. */
const trees = (await threeReleases()).slice(0, 2).map(({ folder }) => folder);
const answers = await Promise.all(trees.map(allAnswers));
let root: string;
let served: string;

test('the answers differ, most at the same length', () => {
  const lengths = PATHS.map(target => {
    const [before = '', after = ''] = answers.map(one => one.get(target));
    expect([target, before.slice(0, 3), before === after]).toEqual([target, '200', false]);
    return before.length - after.length;
  });
  expect(lengths.filter(one => one === 0).length).toBeGreaterThan(PATHS.length / 2);
});

beforeEach(async () => {
  root = await temporaryFolder();
  served = path.join(root, 'served');
  await cp(trees[0]!, served, { recursive: true, preserveTimestamps: true });
  await cp(trees[1]!, path.join(root, 'next'), { recursive: true, preserveTimestamps: true });
});

/** Like a build: the old folder moves away, and the new one takes its name. */
function switchTrees(): void {
  renameSync(served, path.join(root, 'previous'));
  renameSync(path.join(root, 'next'), served);
}

async function ask(url: string, target: string, headers: Record<string, string> = {}): Promise<string> {
  return textOf(await fetch(url + target, { headers }));
}

async function textOf(response: Response): Promise<string> {
  return `${response.status} ${response.headers.get('etag')} ${await response.text()}`;
}

async function allAnswers(folder: string): Promise<ReadonlyMap<string, string>> {
  const { url, close } = await startServer({ folder, port: 0 });
  const found = new Map<string, string>();
  for (const target of PATHS) found.set(target, await ask(url, target));
  await close();
  return found;
}

async function expectRelease(url: string, release: 0 | 1): Promise<void> {
  for (const target of PATHS) expect(await ask(url, target)).toBe(answers[release]!.get(target));
}

type Answering = (target: string) => Promise<string>;

test.each<[string, () => Promise<Answering>]>([
  [
    'civic serve',
    async () => {
      const url = await serve(served);
      return target => ask(url, target);
    },
  ],
  [
    'a handler of fetch',
    async () => {
      const handle = createFetchHandler({ folder: served });
      return async target => textOf(await handle(new Request(`http://127.0.0.1${target}`)));
    },
  ],
])('by %s: in the midst of many readers, and at once after', async (_, make) => {
  const answer = await make();
  const random = new RandomChoices(randomSeed(26));
  for (let switches = 0; switches < randomRuns(1); switches++) {
    const [before, after] = switches % 2 === 0 ? [0, 1] : [1, 0];
    for (const target of PATHS) expect(await answer(target)).toBe(answers[before!]!.get(target));
    const at = random.below(40);
    const asked = Array.from({ length: 40 }, (_, i) => PATHS[i % PATHS.length]!).map(async (target, i) => {
      if (i === at) switchTrees();
      return [target, await answer(target)] as const;
    });
    for (const [target, found] of await Promise.all(asked))
      expect(answers.map(one => one.get(target))).toContain(found);
    for (const target of PATHS) expect(await answer(target)).toBe(answers[after!]!.get(target));
    await rm(path.join(root, 'previous'), { recursive: true });
    await cp(trees[before!]!, path.join(root, 'next'), { recursive: true, preserveTimestamps: true });
  }
});

test('between the two steps of a switch', async () => {
  const url = await serve(served);
  await ask(url, '/');
  mkdirSync(path.join(root, '.served.civic'));
  renameSync(served, path.join(root, '.served.civic/previous'));
  await expectRelease(url, 0);
  expect((await runQuery(await openTree(served), '/index.json')).kind).toBe('answer');
  renameSync(path.join(root, 'next'), served);
  rmSync(path.join(root, '.served.civic'), { recursive: true });
  await expectRelease(url, 1);
});

test('a range, of a file that is opened', async () => {
  const url = await serve(served);
  const range = { Range: 'bytes=0-' };
  for (const release of answers) {
    const found = await ask(url, `${SLICE}.csv`, range);
    expect(found).toBe(release.get(`${SLICE}.csv`)?.replace('200', '206'));
    if (release === answers[0]) switchTrees();
  }
});

test('while rows are read: the answer is computed again', async () => {
  const url = await serve(served);
  const looked = vi.spyOn(ColumnCache.prototype, 'group');
  onTestFinished(() => looked.mockRestore());
  looked.mockImplementationOnce(function (this: ColumnCache, ...group) {
    switchTrees();
    return this.group(...group);
  });
  const target = PATHS[2]!;
  expect(await ask(url, target)).toBe(answers[1]!.get(target));
});
