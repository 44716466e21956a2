/** Power cuts: whatever a build had not brought to the disk, the old tree or the new one is found again, whole. */
import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { mendLists } from '../../build/tree/kept-lists.ts';
import { recoverWorkspace, workspaceOf } from '../../build/tree/workspace.ts';
import { CIVIC } from '../bench/process.ts';
import { RandomChoices } from '../random.ts';
import { DiskModel, type Fate, inodesOf } from './disk-model.ts';
import type { FaultKind } from './fault-kind.ts';
import { CONTRACTS, inScratch, writeSampleTree } from './sample-tree.ts';
import { type DiskStep, recordSteps } from './write-log.ts';

export const POWER: FaultKind = {
  name: 'power',
  about: 'cuts the power after every step of a build (--runs: at most so many steps apart); needs strace',
  runs: 1,
  run: ({ runs, seed }) =>
    inScratch(async scratch => {
      const disk = path.join(scratch, 'disk');
      const { lake } = await writeSampleTree(disk);
      await rm(path.join(disk, '.tree.civic/cache'), { recursive: true });
      await cp(disk, `${disk}.before`, { recursive: true, preserveTimestamps: true });
      const options = ['--contracts', CONTRACTS, '--data', lake, '--out', path.join(disk, 'tree')];
      const limits = ['--release-date', '2027-01-01', '--jobs', '2', '--memory', '800MB'];
      const steps = await recordSteps([process.execPath, CIVIC, 'build', ...options, ...limits], disk);
      return cutSteps(disk, steps, { every: runs, seed, say: text => console.log(text) });
    }),
};

interface CutOptions {
  /** Steps from one power cut to the next. Around the switch it is cut after each. */
  readonly every: number;
  readonly seed: number;
  readonly say: (text: string) => void;
}

const FATES: readonly Fate[] = ['lost', 'names-alone', 'kept', 'random', 'random'];

/** Steps before and after the switch between which no step is left out. */
const AROUND = 25;

/**
 * Cuts the power after steps of a build over the tree at `disk/tree`. `disk` has all of them behind it, and
 * `disk.before` none. Resolves to the number of cuts after which neither tree was found.
 */
export async function cutSteps(
  disk: string,
  steps: readonly DiskStep[],
  { every, seed, say }: CutOptions,
): Promise<number> {
  const before = `${disk}.before`;
  const out = `${disk}.cut`;
  const random = new RandomChoices(seed);
  const leave = async <Result>(model: DiskModel, fate: Fate, look: () => Result | Promise<Result>) => {
    model.write(out, fate, random);
    const seen = await look();
    await rm(out, { recursive: true, force: true });
    return seen;
  };
  // Contents are known once the build has ended, so the steps are taken twice.
  const first = new DiskModel(before);
  const files = () => inodesOf(path.join(out, 'tree'));
  const trees = [await leave(first, 'kept', files)];
  for (const step of steps) first.take(step, disk);
  const contents = first.contentsIn(disk);
  trees.push(await leave(first, 'kept', files));
  const model = new DiskModel(before, contents);
  const found = [0, 0, 0];
  const tree = path.join(disk, 'tree');
  const switching = steps.findIndex(step => step.kind === 'rename' && step.to === tree);
  for (const [i, step] of steps.entries()) {
    model.take(step, disk);
    if (i % every !== 0 && Math.abs(i - switching) > AROUND) continue;
    for (const fate of FATES) {
      const which = await leave(model, fate, () => findTree(path.join(out, 'tree'), trees));
      found[which] = (found[which] ?? 0) + 1;
      if (which < 2) continue;
      const what = step.kind === 'sync-all' ? '' : path.relative(disk, step.path);
      say(`step ${i} of ${steps.length} (${step.kind} ${what}), ${fate}: neither tree`);
    }
  }
  const [old, now, neither = 0] = found;
  say(
    `power cuts in ${steps.length} steps: ${old} times the old tree, ${now} times the new one, ${neither} times neither`,
  );
  return neither;
}

/** Recovers as the next build does. 0 is the old tree, 1 the new one, 2 neither. */
async function findTree(out: string, trees: readonly ReadonlyMap<string, number>[]): Promise<number> {
  const workspace = workspaceOf(out);
  await recoverWorkspace(workspace);
  await mendLists(workspace);
  if (!existsSync(out)) return 2;
  const now = inodesOf(out);
  const isNow = (tree: ReadonlyMap<string, number>) =>
    tree.size === now.size && [...tree].every(([name, inode]) => now.get(name) === inode);
  return [...trees.map(isNow), true].indexOf(true);
}
