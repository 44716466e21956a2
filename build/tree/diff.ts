/** `civic diff`: opens two trees, each in a folder or on a host, and lists what changed between them. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TreeDifference } from '../catalog/tree-difference.ts';
import { withSession } from '../lake/database.ts';
import { diffTrees, openTree } from './diff-trees.ts';
import { sourceOf } from './tree-source.ts';

export interface DiffOptions {
  readonly jobs: number;
  readonly memory: string;
}

export async function diff(old: string, now: string, { jobs, memory }: DiffOptions): Promise<TreeDifference> {
  const temporaryFolder = await mkdtemp(path.join(os.tmpdir(), 'civic-'));
  try {
    const [before, after] = await Promise.all(
      [old, now].map(one => openTree(sourceOf(one, temporaryFolder))),
    );
    if (before === undefined || after === undefined) throw new Error('A comparison needs two trees.');
    return await withSession({ threads: jobs, memoryLimit: memory, temporaryFolder }, session =>
      diffTrees(before, after, async () => session),
    );
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
  }
}
