/** What every command that publishes has in common: the lock, the recovery, and the one step that switches trees. */
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { hostFolderOf, prepareHostFolder, writeHostFolder } from '../hosts/host-folder.ts';
import { allEnded } from '../lake/side-by-side.ts';
import type { BuildMemory } from '../memory/build-memory.ts';
import { digestOf, outputsDigest, type StoredSummary } from '../memory/build-state.ts';
import type { KnownContents } from '../memory/file-contents.ts';
import type { Reporter } from '../report.ts';
import {
  lockWorkspace,
  recoverWorkspace,
  removePrevious,
  swapTrees,
  type Workspace,
  workspaceOf,
} from '../tree/workspace.ts';
import type { StagedForHost } from './host-stage.ts';
import { type Stopwatch, startStopwatch } from './stopwatch.ts';

export interface BuildResult extends StoredSummary {
  readonly out: string;
  /** Whether anything had to be done. */
  readonly changed: boolean;
  readonly written: number;
  /** Seconds of each stage; `rows` is `check` and `slice`, side by side. */
  readonly seconds: Readonly<Record<string, number>>;
}

/** Runs with the output folder for itself, after whatever was interrupted there is put right. */
export async function withWorkspace<Result>(
  out: string,
  report: Reporter,
  act: (workspace: Workspace) => Promise<Result>,
): Promise<Result> {
  const workspace = workspaceOf(out);
  const unlock = await lockWorkspace(workspace);
  try {
    const recovered = await recoverWorkspace(workspace);
    if (recovered !== null) report({ kind: 'note', text: recovered });
    return await act(workspace);
  } finally {
    await rm(workspace.staging, { recursive: true, force: true });
    await rm(workspace.temporary, { recursive: true, force: true });
    await unlock();
  }
}

/** What a tree is made from, as far as it is known so far: more of the lake is known once it was read. */
export interface BuildInputs {
  /** The same digest, the same tree. */
  readonly digest: () => string;
  readonly contents: () => KnownContents;
}

/** Stages a tree and switches it in, unless the tree that is there was made from the same inputs. */
export async function publishTree(
  workspace: Workspace,
  memory: BuildMemory,
  inputs: BuildInputs,
  stage: (clock: Stopwatch) => Promise<StagedForHost>,
): Promise<BuildResult> {
  const { out } = workspace;
  const before = memory.last;
  if (before?.inputs === inputs.digest() && (await allOutputs(workspace)) === before.outputs) {
    const contents = inputs.contents();
    // Files that were written again are not read again next time.
    if (digestOf(contents) !== digestOf(before.contents ?? {})) await memory.note({ ...before, contents });
    return { ...before.summary, out, changed: false, written: 0, seconds: {} };
  }
  const clock = startStopwatch();
  await mkdir(workspace.staging, { recursive: true });
  await mkdir(workspace.temporary, { recursive: true });
  const { summary, state, outputs, written, hostFiles } = await stage(clock);
  const folder = hostFolderOf(out);
  const isFirst = before === null && !existsSync(out);
  await prepareHostFolder(folder, hostFiles, before?.hostFiles ?? (isFirst ? [] : null));
  clock.lap('documents');
  await swapTrees(workspace);
  await allEnded([writeHostFolder(folder, hostFiles, before?.hostFiles ?? []), removePrevious(workspace)]);
  const names = hostFiles.map(file => file.path);
  await memory.note({
    inputs: inputs.digest(),
    contents: inputs.contents(),
    outputs: withHost(outputs, await outputsDigest(folder)),
    summary,
    hostFiles: names,
    ...state,
  });
  clock.lap('publish');
  return { ...summary, out, changed: true, written, seconds: clock.seconds };
}

/** Of the tree, and of what stands beside it for its host; null where there is no tree. */
async function allOutputs({ out }: Workspace): Promise<string | null> {
  const tree = await outputsDigest(out);
  return tree === null ? null : withHost(tree, await outputsDigest(hostFolderOf(out)));
}

function withHost(tree: string, host: string | null): string {
  return host === null ? tree : `${tree} ${host}`;
}
