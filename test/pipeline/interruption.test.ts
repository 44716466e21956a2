/** Killed at any moment, a build leaves a whole tree, and the next one builds and says what it found. */
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withinMemory } from '../../build/lake/memory-shortage.ts';
import { noteWork, noteWorkIn } from '../../build/lake/work-note.ts';
import { exists, removePrevious, workspaceOf } from '../../build/tree/workspace.ts';
import { startCivic } from '../cli/program.ts';
import { openPages } from '../explorer/explored-tree.ts';
import {
  buildArguments,
  buildPublisher,
  notesOf,
  readTreeJson,
  snapshot,
  undated,
  verify,
} from '../publishers/built-tree.ts';
import { type PublisherFolder, temporaryFolder, writePublisher } from '../publishers/publisher-folder.ts';
import { CLIMATE_CONTRACTS, CLIMATE_LAKE } from '../publishers/weather.ts';

const MOMENTS = 9;

let publisher: PublisherFolder;
/** The two trees between which the builds go back and forth. */
let trees: { old: Record<string, string>; new: Record<string, string> };
let seconds: number;

beforeAll(async () => {
  publisher = await writePublisher(await temporaryFolder('never'), CLIMATE_CONTRACTS, CLIMATE_LAKE);
  const other = { ...publisher, out: path.join(publisher.root, 'other') };
  await changeLicense('CC-BY-4.0');
  await build(other);
  const after = await undated(other.out);
  await changeLicense('CC0-1.0');
  await build(publisher);
  trees = { old: await undated(publisher.out), new: after };
  const { ended } = startCivic(argumentsFor(path.join(publisher.root, 'timed')));
  const started = performance.now();
  await ended;
  seconds = (performance.now() - started) / 1000;
});
afterAll(() => rm(publisher.root, { recursive: true, force: true }));

/** As the program does, which builds the same tree. */
const build = (folder: PublisherFolder) => buildPublisher(folder, { pages: openPages() });

/** Shows in every file of every dataset, so that everything is written anew. */
async function changeLicense(license: string): Promise<void> {
  const file = path.join(publisher.contracts, 'publisher.yaml');
  await writeFile(file, (await readFile(file, 'utf8')).replace(/^license: .*$/m, `license: ${license}`));
}

const argumentsFor = (out: string) =>
  buildArguments({ ...publisher, out }, '--jobs', '2', '--memory', '400MB');

test(`killed at ${MOMENTS} moments`, { timeout: 120_000 }, async () => {
  const { folder, lock, previous } = workspaceOf(publisher.out);
  const seen = { killed: 0, staged: 0 };
  await changeLicense('CC-BY-4.0');
  for (let run = 0; seen.killed < MOMENTS; run++) {
    expect(run, 'builds that were killed too late').toBeLessThan(3 * MOMENTS);
    const before = await snapshot(publisher.out);
    const { process, ended } = startCivic(argumentsFor(publisher.out));
    // A third of the moments is spread over all of a build, the others over its work in the folder.
    const moment = run % MOMENTS;
    const early = moment < MOMENTS / 3;
    if (!early)
      while (process.exitCode === null && !(await readdir(folder)).includes('staging')) await wait(2);
    const part = early ? moment / (MOMENTS / 3) : (moment - MOMENTS / 3) / (2 * MOMENTS);
    await wait(part * seconds * 1000);
    process.kill('SIGKILL');
    const { code } = await ended;
    if (code === null) seen.killed++;
    if ((await readdir(folder)).includes('staging')) seen.staged++;
    // Between the two steps of the switch the old tree stands in the workspace; the next build puts it back.
    const tree = (await exists(publisher.out)) ? publisher.out : previous;
    const [after, whole] = [await snapshot(tree), await undated(tree)];
    if (code === null && JSON.stringify(whole) !== JSON.stringify(trees.new)) expect(after).toEqual(before);
    else expect(whole).toEqual(trees.new);
    if (JSON.stringify(whole) === JSON.stringify(trees.new)) {
      // It was done, or all but: back to the old tree, for the next to have something to do.
      await changeLicense('CC0-1.0');
      await build(publisher);
      await changeLicense('CC-BY-4.0');
    }
  }
  expect(seen.staged).toBeGreaterThan(0);
  await verify(publisher.out);

  await writeFile(lock, '999999999');
  await build(publisher);
  expect(await undated(publisher.out)).toEqual(trees.new);
  expect(await readdir(folder)).toEqual(expect.arrayContaining(['state.json']));
  expect(await readdir(folder)).not.toEqual(
    expect.arrayContaining(['lock', 'staging', 'previous', 'temporary']),
  );
  expect(await readTreeJson<object>(publisher.out, 'index.json')).toMatchObject({ license: 'CC-BY-4.0' });
  await verify(publisher.out);
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
  expect(notesOf(await build(publisher))).toEqual([
    'A build was interrupted; its staged files are removed, and the published tree is whole. It ended at work on climate/rain 2020. If that happens again, a file there breaks the reader or needs more memory than there is: leave it out, or build the others with --only.',
  ]);
  expect(notesOf(await build(publisher))).toEqual([]);
});

test('a replaced tree is whole or gone, never a tree without some of its files', async () => {
  const workspace = workspaceOf(path.join(await temporaryFolder(), 'tree'));
  const names = Array.from({ length: 500 }, (_, i) => `${i}.json`);
  await mkdir(workspace.previous, { recursive: true });
  await Promise.all(names.map(name => writeFile(path.join(workspace.previous, name), '{}')));
  const removed = removePrevious(workspace);
  const seen = new Set<number>();
  const look = () => seen.add(existsSync(workspace.previous) ? readdirSync(workspace.previous).length : 0);
  for (let ended = false; !ended; ) {
    look();
    ended = await Promise.race([removed.then(() => true), setImmediate(false)]);
  }
  expect([...seen]).toEqual([500, 0]);
  expect(existsSync(path.join(workspace.temporary, 'previous'))).toBe(false);
});
