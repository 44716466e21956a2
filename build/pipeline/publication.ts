/** The beginning and the end of every command that publishes: it locks and recovers the output folder, and switches trees. */
import { existsSync } from 'node:fs';
import { type BuildNote, outputsDigest, type StoredSummary, writeNote } from '../cache/build-note.ts';
import { digestOf } from '../cache/cache.ts';
import { hostFolderOf, prepareHostFolder, writeHostFolder } from '../hosts/host-folder.ts';
import { allEnded, noteWorkIn } from '../lake/database.ts';
import type { Reporter } from '../report.ts';
import type { Claim } from '../tree/claim.ts';
import { keepLists, mendLists } from '../tree/kept-lists.ts';
import {
  clearWorkspace,
  expectReplaceable,
  lockWorkspace,
  ownWorkspace,
  recoverWorkspace,
  removePrevious,
  swapTrees,
  type Workspace,
  workspaceOf,
} from '../tree/workspace.ts';
import type { StagedRelease } from './assembly-stage.ts';

export interface BuildResult extends StoredSummary {
  readonly out: string;
  /** False if the build had nothing to do. */
  readonly changed: boolean;
  /** Files that are new or have changed. */
  readonly written: number;
  /** Seconds by stage. `check` and `slice` run at the same time, within `rows`. */
  readonly seconds: Readonly<Record<string, number>>;
}

export interface ClaimedWorkspace extends Workspace {
  readonly claim: Claim;
}

/** Locks the output folder while `act` runs, after it has recovered it from an interrupted build. */
export async function withWorkspace<Result>(
  out: string,
  report: Reporter,
  act: (workspace: ClaimedWorkspace) => Promise<Result>,
): Promise<Result> {
  const whole = workspaceOf(out);
  await expectReplaceable(whole);
  const claim = await lockWorkspace(whole);
  const workspace = { ...ownWorkspace(whole, claim), claim };
  noteWorkIn(workspace.temporary);
  try {
    for (const text of [await recoverWorkspace(whole), await mendLists(whole)])
      if (text !== null) report({ kind: 'note', text });
    return await act(workspace);
  } finally {
    noteWorkIn(null);
    await clearWorkspace(workspace);
    await claim.release();
  }
}

/** The result of a build with nothing to do; null if its inputs or the tree in place have changed. */
export function unchangedTree(
  { out }: Workspace,
  last: BuildNote | null,
  inputs: string,
): BuildResult | null {
  if (last?.inputs !== inputs) return null;
  const isSame = digestOf(last.outputs) === digestOf([out, hostFolderOf(out)].map(outputsDigest));
  return isSame ? { ...last.summary, out, changed: false, written: 0, seconds: {} } : null;
}

/** The last stage: replaces the tree in place with the staged one, in one step, and writes the build's note. */
export async function publishTree(
  workspace: ClaimedWorkspace,
  last: BuildNote | null,
  inputs: string,
  { summary, log, written, hostFiles }: StagedRelease,
  clock: Stopwatch,
): Promise<BuildResult> {
  const { out, staging } = workspace;
  const folder = hostFolderOf(out);
  const isFirst = last === null && !existsSync(out);
  await prepareHostFolder(folder, hostFiles, last?.hostFiles ?? (isFirst ? [] : null));
  const tree = outputsDigest(staging);
  await swapTrees(workspace, workspace.claim);
  await keepLists(workspace);
  await allEnded([writeHostFolder(folder, hostFiles, last?.hostFiles ?? []), removePrevious(workspace)]);
  const outputs = [tree, outputsDigest(folder)];
  await writeNote(workspace.note, {
    inputs,
    outputs,
    summary,
    log,
    hostFiles: hostFiles.map(file => file.path),
  });
  clock.lap('publish');
  return { ...summary, out, changed: true, written, seconds: clock.seconds };
}

/** Times the stages of a build. */
export class Stopwatch {
  /** By stage, to the millisecond. */
  readonly seconds: Record<string, number> = {};
  #last = performance.now();

  /** Records the time of a stage and starts the next one. */
  lap(stage: string): void {
    this.split(stage);
    this.#last = performance.now();
  }

  /** Records a time within the current stage. */
  split(name: string): void {
    this.seconds[name] = Math.round(performance.now() - this.#last) / 1000;
  }
}
