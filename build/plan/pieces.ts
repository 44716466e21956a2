/** The pieces of a build's work: each is made once, and any build with the same inputs finds it in the cache. Pure. */
import type { Recipe } from '../cache/cache.ts';
import { referencedDatasets, referencedDimensions } from '../check/check-stage.ts';
import { NO_YEAR } from '../format/paths.ts';
import type { Compiled } from '../input/compiled-input.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import type { LakeFile } from '../lake/lake-files.ts';
import type { CopyRun, WrittenCopies } from '../slice/dataset-rows.ts';
import type { WrittenDimension } from '../slice/dimension-rows.ts';
import type { WrittenSlice } from '../slice/rows-writer.ts';
import {
  contentsOf,
  type DatasetPlan,
  dimensionInputs,
  type RecipeInput,
  rowsInputs,
  runName,
} from './dataset-plan.ts';
import type { PlacedDimension } from './placed-dimensions.ts';
import type { TreePlan } from './tree-plan.ts';

interface Work {
  /** In words. */
  readonly what: string;
  readonly recipe: Recipe;
  /** The slices of its own dataset that it reads. */
  readonly slices: readonly LakeSlice[];
  /** Every file that it reads, apart from dimensions that its rows join. */
  readonly files: readonly LakeFile[];
}

export type Piece = Work &
  (
    | { readonly kind: 'dimension'; readonly placed: PlacedDimension }
    | { readonly kind: 'checks'; readonly plan: DatasetPlan }
    | { readonly kind: 'slice'; readonly plan: DatasetPlan; readonly slice: LakeSlice }
    | { readonly kind: CopyRun['by']; readonly plan: DatasetPlan; readonly run: CopyRun }
  );

/** What the pieces with files made. Each function throws if there is no such piece. */
export interface WrittenRowsOf {
  /** Folder of the files; those of a dataset or a dimension are in its folder of the tree. */
  readonly folder: string;
  readonly slice: (dataset: string, slice: Pick<LakeSlice, 'year' | 'detail'>) => WrittenSlice;
  readonly copies: (dataset: string, run: CopyRun) => WrittenCopies;
  readonly dimension: (key: string) => WrittenDimension;
}

export interface CheckLimits {
  readonly ruleSeconds?: number | undefined;
  readonly maxRows?: number | undefined;
}

/** In an order that keeps a dataset, whose pieces read the same files, together. */
export function piecesOf(
  { datasets, dimensions }: Pick<TreePlan, 'datasets' | 'dimensions'>,
  compiled: Compiled,
  limits: CheckLimits,
): Piece[] {
  return [
    ...dimensions.map(placed => dimensionPiece(placed, compiled)),
    ...datasets.flatMap(plan => [
      checksPiece(plan, compiled, limits),
      ...plan.runs.map(run => copiesPiece(plan, run, compiled)),
      ...plan.slices.map(slice => slicePiece(plan, slice, compiled)),
    ]),
  ];
}

function slicePiece(plan: DatasetPlan, slice: LakeSlice, input: RecipeInput): Piece {
  const { year, detail } = slice;
  return {
    kind: 'slice',
    plan,
    slice,
    what: [plan.dataset.key, ...(year === NO_YEAR ? [] : [year]), detail].join(' '),
    recipe: { what: 'slice', inputs: [rowsInputs(plan, input), contentsOf([slice], input)] },
    slices: [slice],
    files: slice.files,
  };
}

function copiesPiece(plan: DatasetPlan, run: CopyRun, input: RecipeInput): Piece {
  const inputs = [rowsInputs(plan, input), plan.filtered, runName(run), contentsOf(run.slices, input)];
  return {
    kind: run.by,
    plan,
    run,
    what: `${plan.dataset.key} copies of ${run.detail} by ${run.by}`,
    recipe: { what: 'copies', inputs },
    slices: run.slices,
    files: filesIn(run.slices),
  };
}

/** Rules may read other datasets and dimensions. Findings name the contract's file. */
export function checksPiece(plan: DatasetPlan, input: RecipeInput, limits: CheckLimits): Piece {
  const { dataset, slices } = plan;
  const { contracts, inventory } = input;
  const others = referencedDatasets(dataset, contracts).map(other => ({
    other,
    slices: inventory.slices.get(other.key) ?? [],
  }));
  const joined = dataset.foreignKeys.map(key => key.dimension);
  const read = [...joined, ...referencedDimensions(dataset, contracts).map(({ key }) => key)];
  const inputs = [
    [dataset.source.file, dataset.source.text],
    [dataset.years, dataset.levels, [...dataset.levelYears]],
    contentsOf(slices, input),
    dimensionInputs(read, input),
    others.map(one => [one.other.key, one.other.source.text, contentsOf(one.slices, input)]),
    limitInputs(limits),
  ];
  return {
    kind: 'checks',
    plan,
    what: dataset.key,
    recipe: { what: 'checks', inputs },
    slices,
    files: filesIn([...slices, ...others.flatMap(one => one.slices)]),
  };
}

function dimensionPiece(placed: PlacedDimension, input: RecipeInput): Piece {
  const { dimension, file, boundaries } = placed;
  const { contracts, inventory, contentOf } = input;
  const inputs = [
    dimensionInputs([dimension.key], input),
    contracts.publisher,
    inventory.sample,
    boundaries && [boundaries.path, contentOf(boundaries)],
  ];
  const recipe = { what: 'dimension', inputs };
  return { kind: 'dimension', placed, what: dimension.key, recipe, slices: [], files: [file] };
}

/** The rules of all dimensions, which each build and each shard looks up. */
export function dimensionChecks(input: RecipeInput, limits: CheckLimits): Pick<Piece, 'recipe' | 'files'> {
  const { dimensions } = input.contracts;
  const inputs = [
    [...dimensions.values()].map(({ source }) => source.file),
    dimensionInputs([...dimensions.keys()], input),
    limitInputs(limits),
  ];
  return { recipe: { what: 'dimension checks', inputs }, files: [...input.inventory.dimensions.values()] };
}

function limitInputs({ ruleSeconds, maxRows }: CheckLimits): unknown {
  return [ruleSeconds ?? null, maxRows ?? null];
}

function filesIn(slices: readonly LakeSlice[]): LakeFile[] {
  return slices.flatMap(slice => slice.files);
}

/** Every file of the lake that the pieces read, once, sorted by path. */
export function neededFiles(pieces: readonly Piece[], { inventory }: Compiled): LakeFile[] {
  const { dimensions, boundaries } = inventory;
  const files = [
    ...(pieces.length === 0 ? [] : [...dimensions.values(), ...boundaries.values()]),
    ...pieces.flatMap(piece => piece.files),
  ];
  const byPath = new Map(files.map(file => [file.path, file]));
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
