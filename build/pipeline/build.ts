/**
 * `civic build`: the beginning and the end, and nothing between if nothing has changed. A failed build leaves the tree
 * in place unchanged.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { outputsDigest, readNote, type StoredSummary, writeNote } from '../cache/build-note.ts';
import { contentOf, digestOf } from '../cache/cache.ts';
import { PROGRAM } from '../cache/program.ts';
import { hostFolderOf, prepareHostFolder, writeHostFolder } from '../hosts/host-folder.ts';
import { allEnded, noteWorkIn } from '../lake/database.ts';
import { formatPublicKey, publicKeyOf } from '../log/signed-note.ts';
import { readWork, releaseDate, type Work } from '../plan/build-input.ts';
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
import { type BuildOptions, cacheOf, expectOutputApart } from './build-options.ts';
import { Stopwatch } from './stopwatch.ts';

export interface BuildResult extends StoredSummary {
  readonly out: string;
  /** False if the build had nothing to do. */
  readonly changed: boolean;
  /** Files that are new or have changed. */
  readonly written: number;
  /** Seconds by stage. */
  readonly seconds: Readonly<Record<string, number>>;
}

export async function build(options: BuildOptions, report: Reporter): Promise<BuildResult> {
  expectOutputApart(options);
  return withWorkspace(options.out, report, async (workspace, claim) => {
    const { out, staging, note, temporary } = workspace;
    const folder = hostFolderOf(out);
    const last = await readNote(note);
    const cache = cacheOf(options, workspace.cache);
    const work = await readWork(options, cache, temporary, report, workspace.lake);
    const inputs = inputDigest(work);
    if (last?.inputs === inputs && last.outputs === digestOf([out, folder].map(outputsDigest)))
      return { ...last.summary, out, changed: false, written: 0, seconds: {} };

    const clock = new Stopwatch();
    // With this file, the parsers and renderers are loaded.
    const { stageBuild } = await import('./whole-build.ts');
    const staged = await stageBuild(work, workspace, last?.log ?? null, clock);
    const { summary, log, written, hostFiles } = staged;
    const isFirst = last === null && !existsSync(out);
    await prepareHostFolder(folder, hostFiles, last?.hostFiles ?? (isFirst ? [] : null));
    const tree = outputsDigest(staging);
    await swapTrees(workspace, claim);
    await keepLists(workspace);
    await allEnded([writeHostFolder(folder, hostFiles, last?.hostFiles ?? []), removePrevious(workspace)]);
    const outputs = digestOf([tree, outputsDigest(folder)]);
    await writeNote(note, { inputs, outputs, summary, log, hostFiles: hostFiles.map(file => file.path) });
    clock.lap('publish');
    return { ...summary, out, changed: true, written, seconds: clock.seconds };
  });
}

/** Locks the output folder while `act` runs, after it has recovered it from an interrupted build. */
export async function withWorkspace<Result>(
  out: string,
  report: Reporter,
  act: (workspace: Workspace, claim: Claim) => Promise<Result>,
): Promise<Result> {
  const whole = workspaceOf(out);
  await expectReplaceable(whole);
  const claim = await lockWorkspace(whole);
  const workspace = ownWorkspace(whole, claim);
  noteWorkIn(workspace.temporary);
  try {
    for (const text of [await recoverWorkspace(whole), await mendLists(whole)])
      if (text !== null) report({ kind: 'note', text });
    return await act(workspace, claim);
  } finally {
    noteWorkIn(null);
    await clearWorkspace(workspace);
    await claim.release();
  }
}

/** Two builds with the same digest write the same tree. */
function inputDigest({ options, contractFiles, lake }: Work<BuildOptions>): string {
  const newest = lake.files.reduce((last, file) => Math.max(last, file.modified), 0);
  return digestOf([
    PROGRAM,
    contractFiles.map(({ file, text }) => [path.relative(options.contracts, file), text]),
    lake.files.map(file => [file.path, contentOf(file)]),
    [...lake.ignored],
    [
      options.only,
      options.extract === true,
      options.strict,
      releaseDate(options.releaseDate, newest),
      options.previous,
      options.signingKey ? formatPublicKey(publicKeyOf(options.signingKey, 'signer')) : null,
      options.baseUrl,
      options.pages?.version ?? null,
      options.host?.profile ?? null,
      options.host?.basePath ?? null,
    ],
  ]);
}
