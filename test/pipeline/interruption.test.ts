/** Killed at any moment, a build leaves a whole tree, and the next one builds and reports what it found. */
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { noteWork, noteWorkIn, withinMemory } from '../../build/lake/database.ts';
import { exists, removePrevious, workspaceOf } from '../../build/tree/workspace.ts';
import { RandomChoices } from '../../scripts/random.ts';
import { startCivic } from '../cli/program.ts';
import { snapshot, undated } from '../publishers/built-tree.ts';
import { openPages } from '../publishers/kept-trees.ts';
import { newPublisher, type Publisher, temporaryFolder } from '../publishers/publisher-folder.ts';
import { CLIMATE_CONTRACTS, CLIMATE_LAKE } from '../publishers/weather.ts';
import { randomRuns, randomSeed } from '../random-runs.ts';

/** The share of a tree's files in the workspace when the build is killed. */
const MOMENTS = [0, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 1];
const MORE = new RandomChoices(randomSeed(26));
while (MOMENTS.length < randomRuns(9)) MOMENTS.push(MORE.next());

let publisher: Publisher;
/** The builds go back and forth between these two trees. */
let trees: { old: Record<string, string>; new: Record<string, string> };

beforeAll(async () => {
  publisher = await newPublisher(CLIMATE_CONTRACTS, CLIMATE_LAKE);
  const other = publisher.with({ out: path.join(publisher.root, 'other') });
  await changeLicense('CC-BY-4.0');
  await build(other);
  const after = await other.undated();
  await changeLicense('CC0-1.0');
  await build(publisher);
  trees = { old: await publisher.undated(), new: after };
});

/** The program's build, with the same tree. */
const build = (folder: Publisher) => folder.build({ pages: openPages() });

/** It's in every file of every dataset, so everything is written again. */
async function changeLicense(license: string): Promise<void> {
  const file = path.join(publisher.contracts, 'publisher.yaml');
  await writeFile(file, (await readFile(file, 'utf8')).replace(/^license: .*$/m, `license: ${license}`));
}

function countFiles(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true }).length;
  } catch {
    // The folder disappeared while it was read.
    return 0;
  }
}

const argumentsFor = (out: string) => publisher.with({ out }).arguments('--jobs', '2', '--memory', '400MB');

test('killed at any moment', async () => {
  const { folder, previous } = workspaceOf(publisher.out);
  const seen = { killed: 0, staged: 0 };
  await changeLicense('CC-BY-4.0');
  for (const share of MOMENTS) {
    const before = await publisher.snapshot();
    const { process, ended } = startCivic(argumentsFor(publisher.out));
    const files = share * Object.keys(trees.new).length;
    while (process.exitCode === null && countFiles(folder) < files) await setImmediate();
    process.kill('SIGKILL');
    const { code } = await ended;
    if (code === null) seen.killed++;
    if ((await readdir(folder)).includes('staging')) seen.staged++;
    // Between the two steps of the switch the old tree is in the workspace; the next build puts it back.
    const tree = (await exists(publisher.out)) ? publisher.out : previous;
    const [after, whole] = [await snapshot(tree), await undated(tree)];
    const isNew = JSON.stringify(whole) === JSON.stringify(trees.new);
    if (code === null && !isNew) expect(after).toEqual(before);
    else expect(whole).toEqual(trees.new);
    if (!isNew) continue;
    // It was done or nearly done: go back to the old tree, so that the next build has something to do.
    await changeLicense('CC0-1.0');
    await build(publisher);
    await changeLicense('CC-BY-4.0');
  }
  expect(seen.killed).toBeGreaterThan(MOMENTS.length / 2);
  expect(seen.staged).toBeGreaterThan(0);
  await publisher.verify();

  await build(publisher);
  expect(await publisher.undated()).toEqual(trees.new);
  const left = await readdir(folder);
  expect(left).toContain('note.json');
  expect(left.filter(name => /^(lock|staging|previous|temporary)/.test(name))).toEqual([]);
  expect(await publisher.json<object>('index.json')).toMatchObject({ license: 'CC-BY-4.0' });
  await publisher.verify();
});

test('the next build names what the last one was at work on', async () => {
  const { temporary } = workspaceOf(publisher.out);
  const [ended, work] = [path.join(temporary, 'ended'), path.join(temporary, 'other')];
  await Promise.all([ended, work].map(name => mkdir(name, { recursive: true })));
  noteWorkIn(ended);
  const stuck = noteWork('climate/rain 2020', () => new Promise<void>(() => undefined));
  await noteWork('climate/rain 2021', async () => undefined);
  noteWorkIn(work);
  await expect(withinMemory('climate/wind', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  noteWorkIn(null);
  expect(stuck).toBeInstanceOf(Promise);
  expect((await build(publisher)).notes).toEqual([
    'A build was interrupted; its staged files are removed, and the published tree is whole. It was working on climate/rain 2020. If that happens again, a file there breaks the reader or needs more memory than there is: leave it out, or build the others with --only.',
  ]);
  expect((await build(publisher)).notes).toEqual([]);
});

test('a replaced tree is whole or gone, never incomplete', async () => {
  const workspace = workspaceOf(path.join(await temporaryFolder(), 'tree'));
  const names = Array.from({ length: 500 }, (_, i) => `${i}.json`);
  await mkdir(workspace.previous, { recursive: true });
  await Promise.all(names.map(name => writeFile(path.join(workspace.previous, name), '{}')));
  const removed = removePrevious(workspace);
  const seen = new Set<number>();
  const look = () => {
    let listed = 0;
    try {
      listed = readdirSync(workspace.previous).length;
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOENT' });
    }
    // A listing that began before the rename may end after it, in the folder's new place.
    seen.add(existsSync(workspace.previous) ? listed : 0);
  };
  for (let ended = false; !ended; ) {
    look();
    ended = await Promise.race([removed.then(() => true), setImmediate(false)]);
  }
  expect([...seen]).toEqual([500, 0]);
  expect(existsSync(path.join(workspace.temporary, 'previous'))).toBe(false);
});
