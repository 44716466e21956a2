/** Plans a tree: its datasets, its dimensions and their domains, and what stays of the tree in place. Pure. */

import type { Dataset } from '../contract/dataset.ts';
import type { TreeExtract } from '../format/documents.ts';
import type { OpenedTree } from '../tree/diff-trees.ts';
import type { PreviousTree } from '../tree/previous-tree.ts';
import {
  type DatasetRecord,
  type DimensionRecord,
  dimensionKey,
  type WithdrawnRecord,
} from '../tree/published-records.ts';
import type { Compiled } from './compiled-input.ts';
import { type PiecesPlan, type PlacedDimension, planPieces } from './pieces.ts';

export interface KeptRest {
  /** Sorted by key. */
  readonly datasets: readonly DatasetRecord[];
  /** One entry for each domain of a dimension. */
  readonly dimensions: readonly DimensionRecord[];
  readonly withdrawn: readonly WithdrawnRecord[];
}

export const NOTHING_KEPT: KeptRest = { datasets: [], dimensions: [], withdrawn: [] };

export interface EarlierRelease extends OpenedTree, Pick<PreviousTree, 'datasets' | 'dimensions'> {
  /** Whether it is that of --previous, of which a damaged file stops the build. */
  readonly strict: boolean;
}

/** The trees before this one. */
export interface EarlierTrees {
  /** The tree at the output folder. */
  readonly previous: PreviousTree;
  /** The tree that --previous names. Unchanged files take their times from it. */
  readonly named: PreviousTree;
  /** The release before this one: that of --previous, else the tree at the output folder; a draft has only the former. */
  readonly before: EarlierRelease | null;
  /** The part of the tree at the output folder that --only leaves unchanged. */
  readonly rest: KeptRest;
  /** Which datasets the tree will have; null for all. */
  readonly extract: TreeExtract | null;
}

/** The datasets are those with rows in the lake, sorted by key. */
export interface TreePlan extends EarlierTrees, PiecesPlan {
  readonly withdrawn: readonly Dataset[];
}

export function planTree(compiled: Compiled, trees: EarlierTrees): TreePlan {
  const kept = trees.rest.dimensions.map(({ domain, schema }) => ({ key: dimensionKey(schema), domain }));
  const pieces = planPieces(compiled, kept);
  const { withdrawn } = compiled;
  return { ...trees, ...pieces, withdrawn, rest: withoutWritten(trees.rest, pieces.dimensions) };
}

/** The rest without the dimensions that the build writes, and without withdrawals of these. */
function withoutWritten(
  { datasets, dimensions, withdrawn }: KeptRest,
  written: readonly PlacedDimension[],
): KeptRest {
  const keys = new Set(written.map(one => one.dimension.key));
  const served = new Set(
    written.flatMap(({ dimension, domains }) =>
      domains.map(domain => `${domain}/_dimensions/${dimension.name}`),
    ),
  );
  return {
    datasets,
    dimensions: dimensions.filter(({ schema }) => !keys.has(dimensionKey(schema))),
    withdrawn: withdrawn.filter(({ entry }) => !served.has(entry.key)),
  };
}
