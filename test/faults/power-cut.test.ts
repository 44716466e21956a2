/** A power cut after any step of a build leaves the old tree or the new one. `TEST_RUNS=200` tries every step. */
import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { mendLists } from '../../build/tree/kept-lists.ts';
import { recoverWorkspace, workspaceOf } from '../../build/tree/workspace.ts';
import { RandomChoices } from '../../scripts/random.ts';
import { PROGRAM } from '../cli/program.ts';
import { isInstalled } from '../installed.ts';
import { publisherAt, temporaryFolder, writePublisher } from '../publishers/publisher-folder.ts';
import { randomRuns, randomSeed } from '../random-runs.ts';
import { DiskModel, type DiskStep, type Fate, inodesOf, recordSteps } from './disk-model.ts';

const FATES: readonly Fate[] = ['lost', 'names-alone', 'kept', 'random', 'random'];

/** Every step is tried within this distance of the switch; elsewhere one in so many. */
const AROUND = 12;
const EVERY = Math.ceil(200 / randomRuns(1));

test.skipIf(!isInstalled('strace'))(
  'a power cut: the old tree or the new one, never neither',
  async context => {
    const root = await temporaryFolder();
    const disk = path.join(root, 'disk');
    const folder = publisherAt(disk).with({ out: path.join(disk, 'tree') });
    await writePublisher(disk);
    await folder.build();
    // The next build writes every row.
    await rm(path.join(disk, '.tree.civic/cache'), { recursive: true });
    await cp(disk, `${disk}.before`, { recursive: true, preserveTimestamps: true });
    const options = folder.arguments('--release-date', '2032-01-01', '--jobs', '2');
    const command = [process.execPath, PROGRAM, ...options];
    const steps = await recordSteps(command, disk).catch((error: Error) => {
      if (/ptrace|Operation not permitted/.test(error.message)) return null;
      throw error;
    });
    if (steps === null) return context.skip('this machine lets no program be traced');
    expect(steps.length).toBeGreaterThan(300);
    const { old, now, neither } = await cutSteps(disk, steps);
    expect(neither).toEqual([]);
    expect([old > 0, now > 0]).toEqual([true, true]);
    // Without calls that make anything durable, the same build loses both trees.
    const careless = steps.filter(({ kind }) => kind !== 'sync' && kind !== 'sync-all');
    expect((await cutSteps(disk, careless, 1)).neither).toHaveLength(1);
  },
);

/**
 * Cuts the power after steps of a build over the tree at `disk/tree`. `disk` is the state after all of them,
 * `disk.before` the one before. Counts the trees that are found, and names up to `most` cuts after which
 * there is neither.
 */
async function cutSteps(disk: string, steps: readonly DiskStep[], most = Number.POSITIVE_INFINITY) {
  const [before, out] = [`${disk}.before`, `${disk}.cut`];
  const random = new RandomChoices(randomSeed(26));
  const leave = async <Result>(model: DiskModel, fate: Fate, look: () => Result | Promise<Result>) => {
    model.write(out, fate, random);
    const seen = await look();
    await rm(out, { recursive: true, force: true });
    return seen;
  };
  // Contents are only known after the build, so the steps are applied twice.
  const first = new DiskModel(before);
  const files = () => inodesOf(path.join(out, 'tree'));
  const trees = [await leave(first, 'kept', files)];
  for (const step of steps) first.take(step, disk);
  const contents = first.contentsIn(disk);
  trees.push(await leave(first, 'kept', files));
  const model = new DiskModel(before, contents);
  const found = { old: 0, now: 0, neither: [] as string[] };
  const tree = path.join(disk, 'tree');
  const switching = steps.findIndex(step => step.kind === 'rename' && step.to === tree);
  for (const [i, step] of steps.entries()) {
    model.take(step, disk);
    if (i % EVERY !== 0 && Math.abs(i - switching) > AROUND) continue;
    for (const fate of FATES) {
      const which = await leave(model, fate, () => findTree(path.join(out, 'tree'), trees));
      if (which === 0) found.old++;
      else if (which === 1) found.now++;
      else found.neither.push(`step ${i}, ${fate}: ${JSON.stringify(step)}`);
      if (found.neither.length === most) return found;
    }
  }
  return found;
}

/** Recovers like the next build. 0 is the old tree, 1 the new one, -1 neither. */
async function findTree(out: string, trees: readonly ReadonlyMap<string, number>[]): Promise<number> {
  const workspace = workspaceOf(out);
  await recoverWorkspace(workspace);
  await mendLists(workspace);
  if (!existsSync(out)) return -1;
  const now = inodesOf(out);
  return trees.findIndex(
    tree => tree.size === now.size && [...tree].every(([name, inode]) => now.get(name) === inode),
  );
}
