/** Power cuts: whatever a build had not brought to the disk, the old tree or the new one is found again, whole. */
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { mendLists } from '../../build/tree/kept-lists.ts';
import { recoverWorkspace, workspaceOf } from '../../build/tree/workspace.ts';
import { DiskModel, type Fate, inodesOf } from './disk-model.ts';
import type { FaultKind } from './fault-kind.ts';
import { RandomChoices } from '../random.ts';
import { CONTRACTS, writeSampleTree } from './sample-tree.ts';
import { type DiskStep, recordSteps } from './write-log.ts';

export const POWER: FaultKind = {
  name: 'power',
  about: 'cuts the power after every step of a build (--runs: at most so many steps apart); needs strace',
  runs: 1,
  async run({ runs, seed }) {
    const scratch = await mkdtemp(path.join(os.tmpdir(), 'civic-faults-'));
    try {
      const disk = path.join(scratch, 'disk');
      const { lake } = await writeSampleTree(disk);
      await rm(path.join(disk, '.tree.civic/cache'), { recursive: true });
      const command = [
        ...[process.execPath, path.resolve(import.meta.dirname, '../../bin/civic.js'), 'build'],
        ...['--contracts', CONTRACTS, '--data', lake, '--out', path.join(disk, 'tree')],
        ...['--release-date', '2027-01-01', '--jobs', '2', '--memory', '800MB'],
      ];
      return await cutPower(disk, command, { every: runs, seed, say: text => console.log(text) });
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  },
};

interface CutOptions {
  /** Steps from one power cut to the next. Around the switch it is cut after each. */
  readonly every: number;
  readonly seed: number;
  readonly say: (text: string) => void;
}

const FATES: readonly Fate[] = ['lost', 'names-alone', 'kept', 'random', 'random'];

/**
 * Runs a build over the tree at `disk/tree`, and cuts the power after its steps. Resolves to the number of cuts after
 * which neither tree was found.
 */
export async function cutPower(
  disk: string,
  command: readonly string[],
  { every, seed, say }: CutOptions,
): Promise<number> {
  const before = `${disk}.before`;
  await cp(disk, before, { recursive: true, preserveTimestamps: true });
  const steps = await recordSteps(command, disk);
  const failed = await cutSteps(disk, steps, { every, seed, say });
  await rm(before, { recursive: true, force: true });
  return failed;
}

/** `disk` has all steps behind it, and `disk.before` none. */
export async function cutSteps(
  disk: string,
  steps: readonly DiskStep[],
  { every, seed, say }: CutOptions,
): Promise<number> {
  const before = `${disk}.before`;
  const random = new RandomChoices(seed);
  // Contents are known once the build has ended, so the steps are taken twice.
  const first = new DiskModel(before);
  const trees = [await treeOf(first, disk, random)];
  for (const step of steps) first.take(step, disk);
  const contents = first.contentsIn(disk);
  trees.push(await treeOf(first, disk, random));
  const model = new DiskModel(before, contents);
  let cuts = 0;
  const found = [0, 0];
  let failed = 0;
  const tree = path.join(disk, 'tree');
  const switching = steps.findIndex(step => step.kind === 'rename' && step.to === tree);
  for (const [i, step] of steps.entries()) {
    model.take(step, disk);
    if (i % every !== 0 && Math.abs(i - switching) > AROUND) continue;
    for (const fate of FATES) {
      const out = `${disk}.cut`;
      model.write(out, fate, random);
      const which = await findTree(path.join(out, 'tree'), trees);
      cuts++;
      if (which < 0) {
        failed++;
        if (failed <= 5) say(`step ${i} of ${steps.length} (${describe(step, disk)}), ${fate}: neither tree`);
      } else found[which] = (found[which] ?? 0) + 1;
      await rm(out, { recursive: true, force: true });
    }
  }
  say(
    `${cuts} power cuts in ${steps.length} steps: ${found[0]} times the old tree, ${found[1]} times the new one, ${failed} times neither`,
  );
  return failed;
}

/** The files of the tree without a power cut. */
async function treeOf(model: DiskModel, disk: string, random: RandomChoices): Promise<Map<string, number>> {
  const out = `${disk}.whole`;
  model.write(out, 'kept', random);
  const files = inodesOf(path.join(out, 'tree'));
  await rm(out, { recursive: true, force: true });
  return files;
}

/** Steps before and after the switch between which no step is left out. */
const AROUND = 25;

/** Recovers as the next build does. 0 is the old tree, 1 the new one, -1 neither. */
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

function describe(step: DiskStep, disk: string): string {
  return step.kind === 'sync-all' ? step.kind : `${step.kind} ${path.relative(disk, step.path)}`;
}
