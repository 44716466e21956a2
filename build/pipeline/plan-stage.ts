/** The stage that plans a tree. It reads no rows. */
import type { BuildInput } from '../input/build-input.ts';
import type { Compiled } from '../input/compiled-input.ts';
import type { BuildState } from '../memory/build-state.ts';
import { planTree, readEarlierTrees, refuseReleaseBefore, type TreePlan } from '../plan/tree-plan.ts';
import type { Reporter } from '../report.ts';
import type { Workspace } from '../tree/workspace.ts';
import type { BuildOptions } from './build-options.ts';
import { planHost } from './host-stage.ts';

export interface PlanStageInput {
  readonly options: BuildOptions;
  /** Its `out` is the tree that the plan starts from. */
  readonly workspace: Workspace;
  readonly input: BuildInput;
  readonly compiled: Compiled;
  /** What the last build noted. */
  readonly last: BuildState | null;
  /** File of the sizes that were estimated for a host. */
  readonly estimates: string;
}

/** Decides what changes, what stays and what the host leaves out; refuses what would break the release before. */
export async function readPlan(
  { options, workspace, input, compiled, last, estimates }: PlanStageInput,
  report: Reporter,
): Promise<TreePlan> {
  const trees = await readEarlierTrees(options, workspace, compiled);
  const leftOut = await planHost(options, workspace, input.lake, compiled, trees, estimates, report);
  const plan = await planTree(compiled, trees, leftOut, last);
  await refuseReleaseBefore(options, compiled, plan, input.contractFiles);
  return plan;
}
