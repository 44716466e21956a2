/** A build, which does nothing where nothing changed. What fails before the trees are switched leaves the old one as it was. */
import { type BuildOptions, inputDigest, readBuildInput } from './build-input.ts';
import { expectOutputApart } from './output-place.ts';
import { type BuildResult, publishTree, withWorkspace } from './publication.ts';
import { readState } from './publish/build-state.ts';
import { FileContents } from './publish/file-contents.ts';
import type { Reporter } from './report.ts';

export type { BuildResult };

export async function build(options: BuildOptions, report: Reporter): Promise<BuildResult> {
  expectOutputApart(options);
  return withWorkspace(options.out, report, async workspace => {
    const before = await readState(workspace.state);
    const contents = new FileContents(before?.contents);
    const input = await readBuildInput(options, workspace.lake);
    const inputs = {
      digest: () => inputDigest(options, input, file => contents.recalled(file)),
      contents: () => contents.among(input.lake.files),
    };
    return publishTree(workspace, before, inputs, async clock => {
      const { stageBuild } = await import('./whole-build.ts');
      return stageBuild(options, workspace, input, before, contents, clock, report);
    });
  });
}
