/** The work that a build does: every changed slice, or one shard of them. Pure. */
import { referencedDatasets } from '../check/dataset-checks.ts';
import type { Dataset } from '../contract/dataset.ts';
import type { Compiled } from '../input/compiled-input.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import type { LakeFile } from '../lake/lake-files.ts';
import type { CopyRun } from '../slice/copy-writer.ts';
import type { DatasetPlan } from './dataset-plan.ts';
import type { PlacedDimension } from './dimension-plan.ts';
import type { TreePlan } from './tree-plan.ts';

export interface Work {
  /** Datasets whose rules run, over all their years. */
  readonly checks: readonly Dataset[];
  /** Whether the rules on dimensions run. */
  readonly checksDimensions: boolean;
  readonly rows: readonly RowsWork[];
  /** Dimensions to write. */
  readonly dimensions: readonly PlacedDimension[];
}

/** The files of rows to write for one dataset. */
export interface RowsWork {
  readonly plan: DatasetPlan;
  readonly slices: readonly LakeSlice[];
  /** Runs whose copies to write. */
  readonly runs: readonly CopyRun[];
}

export function wholeWork({ datasets, dimensions }: TreePlan): Work {
  const changed = datasets.filter(one => one.unchanged === null);
  return {
    checks: changed.map(one => one.dataset),
    checksDimensions: dimensions.passed === null,
    rows: changed.map(plan => ({ plan, slices: plan.changed, runs: plan.changedRuns })),
    dimensions: dimensions.unchanged ? [] : dimensions.placed,
  };
}

/** The slices whose rows the work reads, some of them several times. */
export function writtenSlices({ slices, runs }: RowsWork): LakeSlice[] {
  return [...slices, ...runs.flatMap(run => run.slices)];
}

/** Every file of the lake that the work reads, once, sorted by path. */
export function neededFiles(
  { contracts, inventory }: Compiled,
  work: Pick<Work, 'checks' | 'rows'>,
): LakeFile[] {
  const filesOf = (slices: readonly LakeSlice[]) => slices.flatMap(slice => slice.files);
  const checked = work.checks.flatMap(dataset => [dataset, ...referencedDatasets(dataset, contracts)]);
  const files = [
    ...inventory.dimensions.values(),
    ...inventory.boundaries.values(),
    ...checked.flatMap(dataset => filesOf(inventory.slices.get(dataset.key) ?? [])),
    ...work.rows.flatMap(one => filesOf(writtenSlices(one))),
  ];
  const byPath = new Map(files.map(file => [file.path, file]));
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
