/** The pieces of a build's work: each is made once, and any build with the same inputs finds it in the cache. Pure. */
import type { Recipe } from '../cache/cache.ts';
import { referencedDatasets } from '../check/dataset-checks.ts';
import type { Compiled } from '../input/compiled-input.ts';
import { type LakeSlice, sliceName } from '../lake/inventory.ts';
import type { LakeFile } from '../lake/lake-files.ts';
import type { CopyRun, WrittenCopies } from '../slice/copy-writer.ts';
import type { WrittenSlice } from '../slice/rows-writer.ts';
import type { WrittenDimension } from '../slice/slice-stage.ts';
import { runName } from './copy-runs.ts';
import {
  type CheckLimits,
  checksRecipe,
  copiesRecipe,
  type DatasetPlan,
  dimensionRecipe,
  sliceRecipe,
} from './dataset-plan.ts';
import type { PlacedDimension } from './placed-dimensions.ts';
import type { TreePlan } from './tree-plan.ts';

export type Piece =
  | { readonly kind: 'dimension'; readonly placed: PlacedDimension }
  | { readonly kind: 'checks'; readonly plan: DatasetPlan }
  | { readonly kind: 'slice'; readonly plan: DatasetPlan; readonly slice: LakeSlice }
  | { readonly kind: CopyRun['by']; readonly plan: DatasetPlan; readonly run: CopyRun };

/** What the pieces with files made. */
export interface WrittenRowsOf {
  /** Folder of the files; those of a dataset or a dimension are in its folder of the tree. */
  readonly folder: string;
  /** By dataset key, then `year/level`. */
  readonly slices: ReadonlyMap<string, ReadonlyMap<string, WrittenSlice>>;
  /** By dataset key, then name of a run. */
  readonly copies: ReadonlyMap<string, ReadonlyMap<string, WrittenCopies>>;
  /** By dimension key. */
  readonly dimensions: ReadonlyMap<string, WrittenDimension>;
}

/** In an order that keeps a dataset, whose pieces read the same files, together. */
export function piecesOf({ datasets, dimensions }: Pick<TreePlan, 'datasets' | 'dimensions'>): Piece[] {
  return [
    ...dimensions.map(placed => ({ kind: 'dimension' as const, placed })),
    ...datasets.flatMap((plan): Piece[] => [
      { kind: 'checks', plan },
      ...plan.runs.map(run => ({ kind: run.by, plan, run })),
      ...plan.slices.map(slice => ({ kind: 'slice' as const, plan, slice })),
    ]),
  ];
}

/** Names of pieces, different for each piece of a build. */
export const PIECE_NAME = {
  dimension: (key: string) => `dimension ${key}`,
  checks: (key: string) => `checks ${key}`,
  slice: (key: string, slice: LakeSlice) => `slice ${key} ${sliceName(slice)}`,
  copies: (key: string, run: CopyRun) => `copies ${key} ${runName(run)}`,
};

export function pieceName(piece: Piece): string {
  switch (piece.kind) {
    case 'dimension':
      return PIECE_NAME.dimension(piece.placed.dimension.key);
    case 'checks':
      return PIECE_NAME.checks(piece.plan.dataset.key);
    case 'slice':
      return PIECE_NAME.slice(piece.plan.dataset.key, piece.slice);
    case 'place':
    case 'values':
      return PIECE_NAME.copies(piece.plan.dataset.key, piece.run);
    default:
      return piece satisfies never;
  }
}

export function pieceRecipe(piece: Piece, compiled: Compiled, limits: CheckLimits): Recipe {
  switch (piece.kind) {
    case 'dimension':
      return dimensionRecipe(piece.placed.dimension.key, piece.placed.boundaries, compiled);
    case 'checks':
      return checksRecipe(piece.plan, compiled, limits);
    case 'slice':
      return sliceRecipe(piece.plan, piece.slice, compiled);
    case 'place':
    case 'values':
      return copiesRecipe(piece.plan, piece.run, compiled);
    default:
      return piece satisfies never;
  }
}

/** The slices of its own dataset that a piece reads. */
export function ownSlices(piece: Piece): readonly LakeSlice[] {
  switch (piece.kind) {
    case 'dimension':
      return [];
    case 'checks':
      return piece.plan.slices;
    case 'slice':
      return [piece.slice];
    case 'place':
    case 'values':
      return piece.run.slices;
    default:
      return piece satisfies never;
  }
}

/** All slices that a piece reads: rules may name other datasets. */
export function pieceSlices(piece: Piece, { contracts, inventory }: Compiled): readonly LakeSlice[] {
  if (piece.kind !== 'checks') return ownSlices(piece);
  const others = referencedDatasets(piece.plan.dataset, contracts);
  return [...ownSlices(piece), ...others.flatMap(({ key }) => inventory.slices.get(key) ?? [])];
}

/** Every file of the lake that the pieces read, once, sorted by path. */
export function neededFiles(pieces: readonly Piece[], compiled: Compiled): LakeFile[] {
  const { dimensions, boundaries } = compiled.inventory;
  const slices = pieces.flatMap(piece => pieceSlices(piece, compiled));
  const files = [
    ...(pieces.length === 0 ? [] : [...dimensions.values(), ...boundaries.values()]),
    ...slices.flatMap(slice => slice.files),
  ];
  const byPath = new Map(files.map(file => [file.path, file]));
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
