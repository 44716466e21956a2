/** The stage that plans a tree. It reads no rows. */
import type { BuildInput } from '../input/build-input.ts';
import type { Compiled } from '../input/compiled-input.ts';
import type { BuildState } from '../memory/build-state.ts';
import { planTree, readEarlierTrees, refuseReleaseBefore, type TreePlan } from '../plan/tree-plan.ts';
import type { Workspace } from '../tree/workspace.ts';
import type { BuildOptions } from './build-options.ts';

export interface PlanStageInput {
  readonly options: BuildOptions;
  /** Its `out` is the tree that the plan starts from. */
  readonly workspace: Workspace;
  readonly input: BuildInput;
  readonly compiled: Compiled;
  /** What the last build noted. */
  readonly last: BuildState | null;
}

/** Decides what changes and what stays; refuses what would break the release before. */
export async function readPlan({
  options,
  workspace,
  input,
  compiled,
  last,
}: PlanStageInput): Promise<TreePlan> {
  const trees = await readEarlierTrees(options, workspace, compiled);
  const plan = await planTree(compiled, trees, last);
  await refuseReleaseBefore(options, compiled, plan, input.contractFiles);
  return plan;
}
