/** `civic build`: does nothing if nothing has changed. A failed build leaves the tree in place unchanged. */
import { FileContents, readNote } from '../cache/build-note.ts';
import { readBuildInput } from '../plan/build-input.ts';
import type { Reporter } from '../report.ts';
import { type BuildOptions, expectOutputApart, inputDigest } from './build-options.ts';
import { type BuildResult, unchangedTree, withWorkspace } from './publication.ts';

export type { BuildResult };

export async function build(options: BuildOptions, report: Reporter): Promise<BuildResult> {
  expectOutputApart(options);
  return withWorkspace(options.out, report, async workspace => {
    const last = await readNote(workspace.note);
    const contents = new FileContents(last?.contents);
    const input = await readBuildInput(options, workspace.lake);
    // Differs after the build has read the lake, which adds hashes of files.
    const inputs = () => ({
      inputs: inputDigest(options, input, file => contents.recalled(file)),
      contents: contents.among(input.lake.files),
    });
    const unchanged = await unchangedTree(workspace, last, inputs());
    if (unchanged !== null) return unchanged;
    const { buildTree } = await import('./whole-build.ts');
    return buildTree({ options, workspace, last, contents, input, inputs }, report);
  });
}
