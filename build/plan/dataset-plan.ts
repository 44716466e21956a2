/** What a build makes of one dataset, and what each part of it is made from. Pure, but for the contents of files. */
import type { Contracts, Dataset } from '../contract/dataset.ts';
import { datasetFilters, keyColumns } from '../contract/filters.ts';
import { digestOf, type Recipe } from '../cache/cache.ts';
import type { ContentOf } from '../cache/file-contents.ts';
import { referencedDatasets, referencedDimensions } from '../check/dataset-checks.ts';
import type { Inventory, LakeSlice } from '../lake/inventory.ts';
import type { LakeFile } from '../lake/lake-files.ts';
import { filteredColumns } from '../slice/copy-choice.ts';
import type { CopyRun } from '../slice/copy-writer.ts';
import { copyRuns, runName } from './copy-runs.ts';

export interface DatasetPlan {
  readonly dataset: Dataset;
  readonly slices: readonly LakeSlice[];
  readonly runs: readonly CopyRun[];
  /** Columns by which readers find rows, in each file. */
  readonly keyColumns: readonly string[];
  /** Columns that requests compare with a list of values. */
  readonly filtered: readonly string[];
}

export function planDataset(dataset: Dataset, contracts: Contracts, inventory: Inventory): DatasetPlan {
  const slices = inventory.slices.get(dataset.key) ?? [];
  const present = new Set(slices.map(slice => slice.detail));
  const filters = datasetFilters(
    dataset,
    contracts,
    dataset.levels.filter(level => present.has(level)),
  );
  return {
    dataset,
    slices,
    runs: copyRuns(slices),
    keyColumns: keyColumns(dataset, filters),
    filtered: filteredColumns(dataset, filters),
  };
}

export interface RecipeInput {
  readonly contracts: Contracts;
  readonly inventory: Inventory;
  readonly contentOf: ContentOf;
}

export function sliceRecipe(plan: DatasetPlan, slice: LakeSlice, input: RecipeInput): Recipe {
  return { what: 'slice', inputs: [rowsInputs(plan, input), contentsOf([slice], input)] };
}

export function copiesRecipe(plan: DatasetPlan, run: CopyRun, input: RecipeInput): Recipe {
  const inputs = [rowsInputs(plan, input), plan.filtered, runName(run), contentsOf(run.slices, input)];
  return { what: 'copies', inputs };
}

/** Something that is read from all rows of a dataset as they are published. */
export function levelsRecipe(what: string, plan: DatasetPlan, input: RecipeInput, more: unknown): Recipe {
  return { what, inputs: [rowsInputs(plan, input), contentsOf(plan.slices, input), more] };
}

export interface CheckLimits {
  readonly ruleSeconds?: number | undefined;
  readonly maxRows?: number | undefined;
}

/** Rules may read other datasets and dimensions. Findings name the contract's file. */
export function checksRecipe(
  { dataset, slices }: DatasetPlan,
  input: RecipeInput,
  { ruleSeconds, maxRows }: CheckLimits,
): Recipe {
  const { contracts, inventory } = input;
  const others = referencedDatasets(dataset, contracts).map(other => [
    other.key,
    other.source.text,
    contentsOf(inventory.slices.get(other.key) ?? [], input),
  ]);
  const joined = dataset.foreignKeys.map(key => key.dimension);
  const read = [...joined, ...referencedDimensions(dataset, contracts).map(({ key }) => key)];
  return {
    what: 'checks',
    inputs: [
      [dataset.source.file, dataset.source.text],
      [dataset.years, dataset.levels, [...dataset.levelYears]],
      contentsOf(slices, input),
      dimensionInputs(read, input),
      others,
      [ruleSeconds ?? null, maxRows ?? null],
    ],
  };
}

export function dimensionChecksRecipe(input: RecipeInput, { ruleSeconds, maxRows }: CheckLimits): Recipe {
  const { dimensions } = input.contracts;
  const inputs = [
    [...dimensions.values()].map(({ source }) => source.file),
    dimensionInputs([...dimensions.keys()], input),
    [ruleSeconds ?? null, maxRows ?? null],
  ];
  return { what: 'dimension checks', inputs };
}

export function dimensionRecipe(
  key: string,
  boundaries: LakeFile | null,
  { contracts, inventory, contentOf }: RecipeInput,
): Recipe {
  const inputs = [
    dimensionInputs([key], { contracts, inventory, contentOf }),
    contracts.publisher,
    inventory.sample,
    boundaries && [boundaries.path, contentOf(boundaries)],
  ];
  return { what: 'dimension', inputs };
}

/** What the files of a dataset's rows depend on, apart from its own rows. */
function rowsInputs({ dataset, keyColumns: keys }: DatasetPlan, input: RecipeInput): unknown {
  const { contracts, inventory } = input;
  const joined = dataset.foreignKeys.map(key => key.dimension);
  const dimensions = dimensionInputs(joined, input);
  return digestOf([dataset.source.text, keys, contracts.publisher, inventory.sample, dimensions]);
}

function dimensionInputs(keys: readonly string[], { contracts, inventory, contentOf }: RecipeInput): unknown {
  return [...new Set(keys)].sort().map(key => {
    const file = inventory.dimensions.get(key);
    return [key, contracts.dimensions.get(key)?.source.text, file && [file.path, contentOf(file)]];
  });
}

/** Names and contents of the slices' files. */
function contentsOf(slices: readonly LakeSlice[], { contentOf }: Pick<RecipeInput, 'contentOf'>): unknown {
  return digestOf(
    slices.map(({ year, detail, files }) => [year, detail, files.map(file => [file.path, contentOf(file)])]),
  );
}
