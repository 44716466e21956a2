/** What a build makes of one dataset, and what its rows are made from. Pure, but for the contents of files. */
import { digestOf, type Recipe } from '../cache/cache.ts';
import type { ContentOf } from '../cache/file-contents.ts';
import type { Contracts, Dataset } from '../contract/dataset.ts';
import { datasetFilters, keyColumns } from '../contract/filters.ts';
import type { Inventory, LakeSlice } from '../lake/inventory.ts';
import { type CopyRun, filteredColumns } from '../slice/dataset-rows.ts';

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

/** Something that is read from all rows of a dataset as they are published. */
export function levelsRecipe(what: string, plan: DatasetPlan, input: RecipeInput, more: unknown): Recipe {
  return { what, inputs: [rowsInputs(plan, input), contentsOf(plan.slices, input), more] };
}

/** What the files of a dataset's rows depend on, apart from its own rows. */
export function rowsInputs({ dataset, keyColumns: keys }: DatasetPlan, input: RecipeInput): unknown {
  const { contracts, inventory } = input;
  const joined = dataset.foreignKeys.map(key => key.dimension);
  const dimensions = dimensionInputs(joined, input);
  return digestOf([dataset.source.text, keys, contracts.publisher, inventory.sample, dimensions]);
}

export function dimensionInputs(
  keys: readonly string[],
  { contracts, inventory, contentOf }: RecipeInput,
): unknown {
  return [...new Set(keys)].sort().map(key => {
    const file = inventory.dimensions.get(key);
    return [key, contracts.dimensions.get(key)?.source.text, file && [file.path, contentOf(file)]];
  });
}

/** Names and contents of the slices' files. */
export function contentsOf(
  slices: readonly LakeSlice[],
  { contentOf }: Pick<RecipeInput, 'contentOf'>,
): unknown {
  return digestOf(
    slices.map(({ year, detail, files }) => [year, detail, files.map(file => [file.path, contentOf(file)])]),
  );
}

/** In a dataset with one year, the slices have the order of the copy by place. */
export function copyRuns(slices: readonly LakeSlice[]): CopyRun[] {
  const isOneYear = new Set(slices.map(slice => slice.year)).size < 2;
  return levelsOf(slices).flatMap(({ detail, own }) => [
    ...(isOneYear ? [] : [{ by: 'place' as const, detail, slices: own }]),
    ...valueRuns(own).map(run => ({ by: 'values' as const, detail, slices: run })),
  ]);
}

function levelsOf(slices: readonly LakeSlice[]) {
  return [...new Set(slices.map(slice => slice.detail))].sort().map(detail => ({
    detail,
    own: slices.filter(slice => slice.detail === detail).sort((a, b) => a.year - b.year),
  }));
}

/**
 * A run has at most so many bytes of the lake, or one year. Longer runs answer questions over many years with fewer
 * reads; shorter ones leave a build less to write when one slice changes.
 */
const RUN_BYTES = 1 << 20;

/**
 * Runs begin at years that a power of two divides, so that a new year changes the last run alone. A level that is small
 * enough is one run.
 */
function valueRuns(slices: readonly LakeSlice[]): LakeSlice[][] {
  const length = runLength(slices);
  const runs = new Map<number, LakeSlice[]>();
  for (const slice of slices) {
    const start = Math.floor(slice.year / length);
    runs.set(start, [...(runs.get(start) ?? []), slice]);
  }
  return [...runs.values()];
}

/** Years. */
function runLength(slices: readonly LakeSlice[]): number {
  const bytes = slices.flatMap(slice => slice.files).reduce((sum, file) => sum + file.bytes, 0);
  if (bytes <= RUN_BYTES) return Number.POSITIVE_INFINITY;
  let years = 1;
  while ((2 * years * bytes) / slices.length <= RUN_BYTES) years *= 2;
  return years;
}

/** The name of a run within a dataset. Runs of the same name have the same slices. */
export function runName({ by, detail, slices }: CopyRun): string {
  return `${detail} by ${by} ${slices.map(slice => slice.year).join(' ')}`;
}
