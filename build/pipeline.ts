/** A build, its stages in order. Only the last touches the published tree; what fails before leaves it as it was. */
import { mkdir, rm } from 'node:fs/promises';
import { type BuildInput, type BuildOptions, readBuildInput } from './build-input.ts';
import { sortDiagnostics } from './contract/diagnostic.ts';
import { outputsDigest, readState, type StoredSummary, writeState } from './publish/build-state.ts';
import { parseKept } from './publish/contract-cache.ts';
import { RefusedError } from './publish/failure.ts';
import { hostFolderOf, prepareHostFolder, writeHostFolder } from './publish/host-folder.ts';
import {
  lockWorkspace,
  recoverWorkspace,
  swapTrees,
  type Workspace,
  workspaceOf,
} from './publish/workspace.ts';
import type { Reporter } from './report.ts';
import type { Compiled, TreePlan } from './stages.ts';

export interface BuildResult extends StoredSummary {
  readonly out: string;
  /** Whether anything had to be done. */
  readonly changed: boolean;
  readonly written: number;
  /** Seconds of each stage; `rows` is `check` and `slice`, side by side. */
  readonly seconds: Readonly<Record<string, number>>;
}

export async function build(options: BuildOptions, report: Reporter): Promise<BuildResult> {
  const workspace = workspaceOf(options.out);
  const unlock = await lockWorkspace(workspace);
  try {
    const recovered = await recoverWorkspace(workspace);
    if (recovered !== null) report({ kind: 'note', text: recovered });
    const input = await readBuildInput(options);
    return (await unchanged(workspace, input)) ?? (await buildTree(workspace, options, input, report));
  } finally {
    await rm(workspace.staging, { recursive: true, force: true });
    await rm(workspace.temporary, { recursive: true, force: true });
    await unlock();
  }
}

/** The last build's summary where its inputs and its tree are as it left them. */
async function unchanged(workspace: Workspace, input: BuildInput): Promise<BuildResult | null> {
  const state = await readState(workspace.state);
  if (state === null || state.inputs !== input.digest) return null;
  if ((await allOutputs(workspace)) !== state.outputs) return null;
  return { ...state.summary, out: workspace.out, changed: false, written: 0, seconds: {} };
}

/** Of the tree, and of what stands beside it for its host; null where there is no tree. */
async function allOutputs({ out }: Workspace): Promise<string | null> {
  const [tree, host] = await Promise.all([outputsDigest(out), outputsDigest(hostFolderOf(out))]);
  return tree === null || host === null ? tree : `${tree} ${host}`;
}

async function buildTree(
  workspace: Workspace,
  options: BuildOptions,
  input: BuildInput,
  report: Reporter,
): Promise<BuildResult> {
  // Loaded here, so that a build with nothing to do does not pay for DuckDB and the parsers.
  const [stages, hosts, { readPlanShapes }] = await Promise.all([
    import('./stages.ts'),
    import('./host-stage.ts'),
    import('./plan-shapes.ts'),
  ]);
  hosts.expectServable(options);
  const clock = stopwatch();
  await mkdir(workspace.staging, { recursive: true });
  await mkdir(workspace.temporary, { recursive: true });
  const compiled = await stages.compileInput(options, input, report, files => parseKept(workspace, files));
  const leftOut = await hosts.planHost(options, workspace, compiled, report);
  const plan = await stages.planTree(options, workspace, compiled, leftOut);
  await checkVersions(compiled, plan, input);
  const shapes = await readPlanShapes(options, workspace, plan);
  clock.lap('read');
  // Rows are written while they are checked: nothing is published before both are done.
  const stop = new AbortController();
  const writing =
    shapes === null
      ? null
      : stages.writeRows(options, workspace, compiled, plan, shapes, stop.signal, report);
  writing?.then(() => clock.split('slice')).catch(() => undefined);
  const checked = await stages.checkRows(options, workspace, compiled, plan, report).catch(async error => {
    stop.abort();
    await writing?.catch(() => undefined);
    throw error;
  });
  clock.split('check');
  if (writing === null) throw new Error('Files that do not fit their contracts passed the checks.');
  const written = await writing;
  clock.lap('rows');
  const staged = await hosts.stageForHost(options, workspace, compiled, plan, checked, written, report);
  const { hostFiles } = staged;
  const folder = hostFolderOf(workspace.out);
  const earlier = (await readState(workspace.state))?.hostFiles ?? [];
  await prepareHostFolder(folder, hostFiles);
  clock.lap('documents');
  await swapTrees(workspace);
  await writeHostFolder(folder, hostFiles, earlier);
  const outputs = (await allOutputs(workspace)) ?? '';
  const names = hostFiles.map(file => file.path);
  const state = { inputs: input.digest, outputs, summary: staged.summary, hostFiles: names, ...staged.state };
  // The tree is published by now. Without the state the next build only does more than it had to.
  await writeState(workspace.state, state).catch(() => rm(workspace.state, { force: true }));
  clock.lap('publish');
  return {
    ...staged.summary,
    out: workspace.out,
    changed: true,
    written: staged.written,
    seconds: clock.seconds,
  };
}

/** Refuses a contract whose schema is not what was published under its version. */
async function checkVersions(compiled: Compiled, { before }: TreePlan, input: BuildInput): Promise<void> {
  if (before === null) return;
  const { versionDiagnostics } = await import('./contract-versions.ts');
  const found = await versionDiagnostics(compiled.contracts, compiled.asked, input.contractFiles, before);
  if (found.length > 0) throw new RefusedError(sortDiagnostics(found));
}

interface Stopwatch {
  /** Ends a stage and starts the next. */
  readonly lap: (stage: string) => void;
  /** Takes a time within a stage. */
  readonly split: (part: string) => void;
  readonly seconds: Record<string, number>;
}

function stopwatch(): Stopwatch {
  const seconds: Record<string, number> = {};
  let last = performance.now();
  const split = (part: string) => {
    seconds[part] = Math.round(performance.now() - last) / 1000;
  };
  const lap = (stage: string) => {
    split(stage);
    last = performance.now();
  };
  return { lap, split, seconds };
}
