/** `civic build`: does nothing if nothing has changed. A failed build leaves the tree in place unchanged. */
import { readNote } from '../cache/build-note.ts';
import { readBuildInput } from '../plan/build-input.ts';
import type { Reporter } from '../report.ts';
import { type BuildOptions, expectOutputApart, inputDigest } from './build-options.ts';
import { type BuildResult, publishTree, Stopwatch, unchangedTree, withWorkspace } from './publication.ts';

export type { BuildResult };

export async function build(options: BuildOptions, report: Reporter): Promise<BuildResult> {
  expectOutputApart(options);
  return withWorkspace(options.out, report, async workspace => {
    const last = await readNote(workspace.note);
    const input = await readBuildInput(options, workspace.lake, report);
    const inputs = inputDigest(options, input);
    const unchanged = unchangedTree(workspace, last, inputs);
    if (unchanged !== null) return unchanged;
    const clock = new Stopwatch();
    const { stageBuild } = await import('./whole-build.ts');
    const staged = await stageBuild(options, workspace, input, last?.log ?? null, clock, report);
    return publishTree(workspace, last, inputs, staged, clock);
  });
}
