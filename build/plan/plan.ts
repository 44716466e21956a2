/** The plan of a build: its datasets, its dimensions and their domains, and the trees before it. Pure. */
import type { Contracts, Dataset, Dimension } from '../contract/dataset.ts';
import { datasetFilters, keyColumns } from '../contract/filters.ts';
import { type Holdings, holdingsOf } from '../contract/years-and-levels.ts';
import type { TreeExtract } from '../format/documents.ts';
import type { Inventory } from '../lake/inventory.ts';
import type { LakeFile, LakeSlice } from '../lake/lake-files.ts';
import { type CopyRun, copyRuns, filteredColumns } from '../slice/dataset-rows.ts';
import { type PublishedColumn, publishedColumns } from '../slice/row-columns.ts';
import type { OpenedTree } from '../tree/diff-trees.ts';
import type { PreviousTree } from '../tree/previous-tree.ts';
import {
  type DatasetRecord,
  type DimensionRecord,
  dimensionKey,
  type WithdrawnRecord,
} from '../tree/published-records.ts';

export interface Compiled {
  readonly contracts: Contracts;
  readonly inventory: Inventory;
  /** Those of --only, or all, that have rows in the lake; sorted by key. */
  readonly datasets: readonly DatasetPlan[];
  /** Those of --only, or all, that contracts withdraw. */
  readonly withdrawn: readonly Dataset[];
  readonly dimensions: readonly PlacedDimension[];
}

export interface DatasetPlan {
  readonly dataset: Dataset;
  /** Sorted by year, then level. */
  readonly slices: readonly LakeSlice[];
  readonly holdings: Holdings;
  readonly runs: readonly CopyRun[];
  /** The columns of its rows. */
  readonly columns: readonly PublishedColumn[];
  /** Columns by which readers find rows, in each file. */
  readonly keyColumns: readonly string[];
  /** Columns that requests compare with a list of values. */
  readonly filtered: readonly string[];
}

export interface PlacedDimension {
  readonly dimension: Dimension;
  readonly file: LakeFile;
  /** Null if it has none. */
  readonly boundaries: LakeFile | null;
  /** The domain that owns it, else the first domain, by name, whose datasets join it. */
  readonly home: string;
  /** The home and all other domains whose datasets join it, sorted. */
  readonly domains: readonly string[];
}

export interface KeptRest {
  /** Sorted by key. */
  readonly datasets: readonly DatasetRecord[];
  /** One entry for each domain of a dimension. */
  readonly dimensions: readonly DimensionRecord[];
  readonly withdrawn: readonly WithdrawnRecord[];
}

export interface EarlierRelease extends OpenedTree, Pick<PreviousTree, 'datasets' | 'dimensions'> {
  /** Whether it is that of --previous, of which a damaged file stops the build. */
  readonly strict: boolean;
}

/** The trees before this one. */
export interface EarlierTrees {
  /** Date of this release. */
  readonly date: string;
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

export interface TreePlan extends Compiled, EarlierTrees {}

export function planDataset(
  dataset: Dataset,
  contracts: Contracts,
  slices: readonly LakeSlice[],
): DatasetPlan {
  const holdings = holdingsOf(dataset, slices);
  const filters = datasetFilters(dataset, contracts, holdings.levels);
  return {
    dataset,
    slices,
    holdings,
    runs: copyRuns(slices),
    columns: publishedColumns(dataset, contracts),
    keyColumns: keyColumns(dataset, filters),
    filtered: filteredColumns(dataset, filters),
  };
}

/**
 * Decides under which domains each dimension is published: its own, those of the datasets that join it, and those where
 * the `kept` part of the tree has it. Leaves out a dimension that no dataset of this build joins if the kept part has it
 * or no domain owns it.
 */
export function placeDimensions(
  { contracts, inventory, datasets: planned, withdrawn }: Omit<Compiled, 'dimensions'>,
  kept: readonly DimensionRecord[] = [],
): PlacedDimension[] {
  // A withdrawn dataset keeps its dimensions under its domain.
  const datasets = [...planned.map(({ dataset }) => dataset), ...withdrawn];
  return [...contracts.dimensions.values()].flatMap((dimension): PlacedDimension[] => {
    const { key, domain: owner } = dimension;
    const file = inventory.dimensions.get(key);
    const joined = joining(dimension, datasets);
    const elsewhere = kept.filter(({ schema }) => dimensionKey(schema) === key);
    if (file === undefined || (elsewhere.length > 0 && joined.length === 0)) return [];
    const domains = domainsOf(dimension, [...joined, ...elsewhere]);
    const home = owner === '' ? domains[0] : owner;
    const boundaries = inventory.boundaries.get(key) ?? null;
    return home === undefined ? [] : [{ dimension, file, boundaries, home, domains }];
  });
}

export function joining({ key }: Dimension, datasets: readonly Dataset[]): readonly Dataset[] {
  return datasets.filter(dataset => dataset.foreignKeys.some(one => one.dimension === key));
}

/** The domain that owns a dimension and those of what joins it, sorted. */
export function domainsOf({ domain }: Dimension, joined: readonly Pick<Dataset, 'domain'>[]): string[] {
  const all = [domain, ...joined.map(one => one.domain)];
  return [...new Set(all)].filter(one => one !== '').sort();
}

export function publishedKeys({ dimension, domains }: PlacedDimension): string[] {
  return domains.map(domain => `${domain}/_dimensions/${dimension.name}`);
}

/** The rest of the tree loses the dimensions that the build writes, and withdrawals of these. */
export function planTree(compiled: Compiled, trees: EarlierTrees): TreePlan {
  const dimensions = placeDimensions(compiled, trees.rest.dimensions);
  const keys = new Set(dimensions.map(one => one.dimension.key));
  const served = new Set(dimensions.flatMap(publishedKeys));
  const rest = {
    ...trees.rest,
    dimensions: trees.rest.dimensions.filter(({ schema }) => !keys.has(dimensionKey(schema))),
    withdrawn: trees.rest.withdrawn.filter(({ entry }) => !served.has(entry.key)),
  };
  return { ...trees, ...compiled, dimensions, rest };
}
