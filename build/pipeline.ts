/** A build, its stages in order. Only the last touches the published tree; what fails before leaves it as it was. */
import { type BuildInput, type BuildOptions, inputDigest, readBuildInput } from './build-input.ts';
import type { StagedForHost } from './host-stage.ts';
import { allEnded } from './lake/side-by-side.ts';
import { type BuildResult, publishTree, withWorkspace } from './publication.ts';
import { type BuildState, readState } from './publish/build-state.ts';
import { parseKept } from './publish/contract-cache.ts';
import { FileContents } from './publish/file-contents.ts';
import type { Workspace } from './publish/workspace.ts';
import type { Reporter } from './report.ts';
import type { Stopwatch } from './stopwatch.ts';

export type { BuildResult };

export async function build(options: BuildOptions, report: Reporter): Promise<BuildResult> {
  return withWorkspace(options.out, report, async workspace => {
    const before = await readState(workspace.state);
    const contents = new FileContents(before?.contents);
    const input = await readBuildInput(options, workspace.lake);
    const inputs = {
      digest: () => inputDigest(options, input, file => contents.recalled(file)),
      contents: () => contents.among(input.lake.files),
    };
    return publishTree(workspace, before, inputs, clock =>
      stageBuild(options, workspace, input, before, contents, clock, report),
    );
  });
}

async function stageBuild(
  options: BuildOptions,
  workspace: Workspace,
  input: BuildInput,
  before: BuildState | null,
  contents: FileContents,
  clock: Stopwatch,
  report: Reporter,
): Promise<StagedForHost> {
  // Loaded here, so that a build with nothing to do does not pay for DuckDB and the parsers.
  const { compileInput, databaseOptions, findingsOf, planTree, refuseReleaseBefore } = await import(
    './stages.ts'
  );
  const { carryTree } = await import('./carry-stage.ts');
  const { expectServable, planHost, stageForHost } = await import('./host-stage.ts');
  const { withSession } = await import('./lake/database.ts');
  const { usedFiles } = await import('./lake/inventory.ts');
  const { readRows } = await import('./rows-stage.ts');
  const { wholeWork } = await import('./work.ts');
  expectServable(options);
  const compiled = await compileInput(
    options,
    input,
    report,
    files => parseKept(workspace, files),
    file => contents.of(file),
  );
  await contents.read(usedFiles(compiled.inventory), (done, total, what) =>
    report({ kind: 'progress', stage: 'read', done, total, what }),
  );
  const leftOut = await planHost(options, workspace, input.lake, compiled, report);
  const plan = await planTree(options, workspace, compiled, leftOut, before);
  await refuseReleaseBefore(options, compiled, plan, input.contractFiles);
  const work = wholeWork(plan);
  return withSession(databaseOptions(options, workspace.temporary), async session => {
    const { lake } = input;
    const [{ checked, written }, carried] = await allEnded([
      readRows({ options, workspace, lake, compiled, plan, work, clock, session, remembers: true }, report),
      carryTree(options, workspace, compiled, plan),
    ]);
    const found = findingsOf(checked, plan);
    return stageForHost({ options, workspace, compiled, plan, session, carried, found, written }, report);
  });
}
