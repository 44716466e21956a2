/** A build, which does nothing where nothing changed. What fails before the trees are switched leaves the old one as it was. */

import { readBuildInput } from '../input/build-input.ts';
import { BuildMemory } from '../memory/build-memory.ts';
import type { Reporter } from '../report.ts';
import { type BuildOptions, inputDigest } from './build-options.ts';
import { expectOutputApart } from './output-place.ts';
import { type BuildResult, publishTree, withWorkspace } from './publication.ts';

export type { BuildResult };

export async function build(options: BuildOptions, report: Reporter): Promise<BuildResult> {
  expectOutputApart(options);
  return withWorkspace(options.out, report, async workspace => {
    const memory = await BuildMemory.open(workspace);
    const { contents } = memory;
    const input = await readBuildInput(options, workspace.lake);
    const inputs = {
      digest: () => inputDigest(options, input, file => contents.recalled(file)),
      contents: () => contents.among(input.lake.files),
    };
    return publishTree(workspace, memory, inputs, async clock => {
      const { stageBuild } = await import('./whole-build.ts');
      return stageBuild(options, workspace, input, memory, clock, report);
    });
  });
}
