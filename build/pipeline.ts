/** A build, its stages in order. Only the last touches the published tree; what fails before leaves it as it was. */
import { type BuildInput, type BuildOptions, readBuildInput } from './build-input.ts';
import { type BuildResult, publishTree, withWorkspace } from './publication.ts';
import { parseKept } from './publish/contract-cache.ts';
import type { Workspace } from './publish/workspace.ts';
import type { Reporter } from './report.ts';
import type { StagedTree } from './stages.ts';
import type { Stopwatch } from './stopwatch.ts';

export type { BuildResult };

export async function build(options: BuildOptions, report: Reporter): Promise<BuildResult> {
  return withWorkspace(options.out, report, async workspace => {
    const input = await readBuildInput(options, workspace.lake);
    return publishTree(workspace, input.digest, clock =>
      stageBuild(options, workspace, input, clock, report),
    );
  });
}

async function stageBuild(
  options: BuildOptions,
  workspace: Workspace,
  input: BuildInput,
  clock: Stopwatch,
  report: Reporter,
): Promise<StagedTree> {
  // Loaded here, so that a build with nothing to do does not pay for DuckDB and the parsers.
  const { compileInput, findingsOf, planTree, refuseReleaseBefore, stageTree } = await import('./stages.ts');
  const { readRows } = await import('./rows-stage.ts');
  const { wholeWork } = await import('./work.ts');
  const compiled = await compileInput(options, input, report, files => parseKept(workspace, files));
  const plan = await planTree(options, workspace, compiled);
  await refuseReleaseBefore(options, compiled, plan, input.contractFiles);
  const work = wholeWork(plan);
  const { checked, written } = await readRows(
    { options, workspace, lake: input.lake, compiled, plan, work, clock },
    report,
  );
  return stageTree(options, workspace, compiled, plan, findingsOf(checked), written);
}
