/** `civic build`: does nothing if nothing has changed. A build that fails leaves the tree in place unchanged. */
import { readNote } from '../cache/build-note.ts';
import { FileContents } from '../cache/file-contents.ts';
import { readBuildInput } from '../input/build-input.ts';
import type { Reporter } from '../report.ts';
import { type BuildOptions, inputDigest } from './build-options.ts';
import { expectOutputApart } from './output-place.ts';
import { type BuildResult, unchangedTree, withWorkspace } from './publication.ts';

export type { BuildResult };

export async function build(options: BuildOptions, report: Reporter): Promise<BuildResult> {
  expectOutputApart(options);
  return withWorkspace(options.out, report, async workspace => {
    const last = await readNote(workspace.note);
    const contents = new FileContents(last?.contents);
    const input = await readBuildInput(options, workspace.lake);
    const inputs = {
      digest: () => inputDigest(options, input, file => contents.recalled(file)),
      contents: () => contents.among(input.lake.files),
    };
    const unchanged = await unchangedTree(workspace, last, inputs);
    if (unchanged !== null) return unchanged;
    const { buildTree } = await import('./whole-build.ts');
    return buildTree({ options, workspace, last, contents, input, inputs }, report);
  });
}
