/** Checks the dimensions, then the datasets that changed, and returns all problems together. */

import type { Contracts, Dataset } from '../contract/dataset.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { datasetFilters } from '../contract/filters.ts';
import { type DatabaseOptions, withDatabase } from '../lake/database.ts';
import type { Inventory } from '../lake/inventory.ts';
import { withinMemory } from '../lake/memory-shortage.ts';
import type { ParquetShape } from '../lake/parquet-shape.ts';
import type { CheckOutcome } from './check.ts';
import {
  type CheckedDataset,
  type CheckedDimension,
  checkDataset,
  checkDimensions,
  referencedDimensions,
} from './dataset-checks.ts';

export interface CheckStageInput {
  readonly contracts: Contracts;
  readonly inventory: Inventory;
  /**
   * Limits of each database. The dimensions and each dataset have a database of their own, because checking locks it.
   */
  readonly limits: DatabaseOptions;
  readonly ruleSeconds?: number | undefined;
  readonly maxRows?: number | undefined;
  readonly datasets: readonly Dataset[];
  readonly shapes?: ReadonlyMap<string, ParquetShape> | undefined;
  /** Runs a check, or returns what a build kept of the same. */
  readonly make?: MakeChecked | undefined;
  readonly onChecked: (done: number, total: number, what: string) => void;
}

/** `subject` is null for the dimensions. `isSound` says whether a result can be kept. */
export type MakeChecked = <Value>(
  subject: Dataset | null,
  check: () => Promise<Value>,
  isSound: (value: Value) => boolean,
) => Promise<Value>;

export interface CheckStageResult {
  readonly dimensions: readonly CheckedDimension[];
  /** By dataset key. */
  readonly datasets: ReadonlyMap<string, CheckedDataset>;
  /** Problems of files, and of rules that cannot run. */
  readonly diagnostics: readonly Diagnostic[];
  /** Rules that rows break. */
  readonly failures: readonly SubjectOutcome[];
  /** Rules that only warn, and rules that were skipped. */
  readonly notices: readonly SubjectOutcome[];
}

export interface SubjectOutcome {
  /** Key of the dataset or dimension. */
  readonly subject: string;
  readonly outcome: CheckOutcome;
}

export async function runCheckStage(input: CheckStageInput): Promise<CheckStageResult> {
  const { contracts, inventory, limits, datasets, onChecked } = input;
  const { make = (_, check) => check() } = input;
  const total = datasets.length + 1;
  const { diagnostics: unfit, checked } = await make(
    null,
    () =>
      withinMemory('the dimensions', () =>
        withDatabase(limits, database => checkDimensions(database, input)),
      ),
    found => found.diagnostics.length === 0 && found.checked.every(({ outcomes }) => isSound(outcomes)),
  );
  const diagnostics = [...unfit];
  onChecked(1, total, 'dimensions');
  const outcomes: SubjectOutcome[] = checked.flatMap(({ key, outcomes: list }) =>
    list.map(outcome => ({ subject: key, outcome })),
  );
  const found = new Map<string, CheckedDataset>();
  const passes = (key: string) =>
    checked.some(one => one.key === key && one.outcomes.every(({ result }) => result !== 'failed'));
  const broken = [...inventory.dimensions.keys()].filter(key => !passes(key));
  // Most failures of rows checked against a broken dimension would be the dimension's fault.
  const checkable = datasets.filter(
    dataset =>
      broken.length === 0 ||
      ![
        ...dataset.foreignKeys.map(key => key.dimension),
        ...referencedDimensions(dataset, contracts).map(({ key }) => key),
      ].some(key => broken.includes(key)),
  );
  for (const dataset of checkable) {
    const levels = dataset.levels.filter(level =>
      inventory.slices.get(dataset.key)?.some(slice => slice.detail === level),
    );
    const filters = datasetFilters(dataset, contracts, levels);
    const result = await make(
      dataset,
      () =>
        withinMemory(dataset.key, () =>
          withDatabase(limits, database => checkDataset(database, input, dataset, filters)),
        ),
      found => found.diagnostics.length === 0 && isSound(found.outcomes),
    );
    found.set(dataset.key, result);
    diagnostics.push(...result.diagnostics);
    outcomes.push(...result.outcomes.map(outcome => ({ subject: dataset.key, outcome })));
    onChecked(found.size + 1, total, dataset.key);
  }
  const problems = outcomes.flatMap(({ outcome }) => outcome.problem ?? []);
  return {
    dimensions: checked,
    datasets: found,
    diagnostics: [...diagnostics, ...problems],
    failures: outcomes.filter(({ outcome }) => outcome.result === 'failed' && outcome.problem === undefined),
    notices: outcomes.filter(one => one.outcome.result === 'warned' || one.outcome.result === 'skipped'),
  };
}

/** A rule that was skipped may run next time, and a failed one says more about its rows when it runs again. */
function isSound(outcomes: readonly CheckOutcome[]): boolean {
  return outcomes.every(({ result }) => result === 'passed' || result === 'warned');
}
