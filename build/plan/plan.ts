/** The plan of a build: its datasets, its dimensions and their domains, and the trees before it. Pure. */
import type { Contracts, Dataset, Dimension } from '../contract/dataset.ts';
import { datasetFilters, keyColumns } from '../contract/filters.ts';
import { type Holdings, holdingsOf } from '../contract/years-and-levels.ts';
import type { TreeExtract } from '../format/documents.ts';
import type { Inventory } from '../lake/inventory.ts';
import type { LakeFile, LakeSlice } from '../lake/lake-files.ts';
import { type CopyRun, filteredColumns } from '../slice/dataset-rows.ts';
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
}

export interface DatasetPlan {
  readonly dataset: Dataset;
  /** Sorted by year, then level. */
  readonly slices: readonly LakeSlice[];
  readonly holdings: Holdings;
  readonly runs: readonly CopyRun[];
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

/** What is made of rows. */
export interface RowsPlan extends Compiled {
  readonly dimensions: readonly PlacedDimension[];
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

export interface TreePlan extends RowsPlan, EarlierTrees {}

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
    keyColumns: keyColumns(dataset, filters),
    filtered: filteredColumns(dataset, filters),
  };
}

/** The runs of each level, from slices that are sorted by year. The one by place has all years, and describes them too. */
export function copyRuns(slices: readonly LakeSlice[]): CopyRun[] {
  return [...new Set(slices.map(slice => slice.detail))].sort().flatMap((detail): CopyRun[] => {
    const own = slices.filter(slice => slice.detail === detail);
    return [
      { by: 'place' as const, detail, slices: own },
      ...valueRuns(own).map(run => ({ by: 'values' as const, detail, slices: run })),
    ];
  });
}

/**
 * The most bytes of the lake in a run of several years. Longer runs answer questions over many years with fewer reads;
 * with shorter ones, a build has less to write when one slice changes.
 */
const RUN_BYTES = 1 << 20;

/** Runs begin at years that a power of two divides, so a new year changes only the last run. A small level is one run. */
function valueRuns(slices: readonly LakeSlice[]): LakeSlice[][] {
  const bytes = slices.flatMap(slice => slice.files).reduce((sum, file) => sum + file.bytes, 0);
  if (bytes <= RUN_BYTES) return [[...slices]];
  let years = 1;
  while ((2 * years * bytes) / slices.length <= RUN_BYTES) years *= 2;
  const runs = new Map<number, LakeSlice[]>();
  for (const slice of slices) {
    const start = Math.floor(slice.year / years);
    runs.set(start, [...(runs.get(start) ?? []), slice]);
  }
  return [...runs.values()];
}

/**
 * Decides under which domains each dimension is published: its own, those of the datasets that join it, and those where
 * the `kept` part of the tree has it. Leaves out a dimension that no dataset of this build joins if the kept part has it
 * or no domain owns it.
 */
export function planRows(compiled: Compiled, kept: readonly DimensionRecord[] = []): RowsPlan {
  const { contracts, inventory, withdrawn } = compiled;
  // A withdrawn dataset keeps its dimensions under its domain.
  const datasets = [...compiled.datasets.map(({ dataset }) => dataset), ...withdrawn];
  const dimensions = [...contracts.dimensions.values()].flatMap((dimension): PlacedDimension[] => {
    const { key, domain: owner } = dimension;
    const file = inventory.dimensions.get(key);
    const joining = datasets.filter(dataset => dataset.foreignKeys.some(one => one.dimension === key));
    const elsewhere = kept.filter(({ schema }) => dimensionKey(schema) === key);
    if (file === undefined || (elsewhere.length > 0 && joining.length === 0)) return [];
    const all = [owner, ...[...joining, ...elsewhere].map(({ domain }) => domain)];
    const domains = [...new Set(all)].filter(domain => domain !== '').sort();
    const home = owner === '' ? domains[0] : owner;
    const boundaries = inventory.boundaries.get(key) ?? null;
    return home === undefined ? [] : [{ dimension, file, boundaries, home, domains }];
  });
  return { ...compiled, dimensions };
}

/** The rest of the tree loses the dimensions that the build writes, and withdrawals of these. */
export function planTree(compiled: Compiled, trees: EarlierTrees): TreePlan {
  const { datasets, dimensions, withdrawn } = trees.rest;
  const plan = planRows(compiled, dimensions);
  const keys = new Set(plan.dimensions.map(one => one.dimension.key));
  const served = new Set(
    plan.dimensions.flatMap(({ dimension, domains }) =>
      domains.map(domain => `${domain}/_dimensions/${dimension.name}`),
    ),
  );
  const rest = {
    datasets,
    dimensions: dimensions.filter(({ schema }) => !keys.has(dimensionKey(schema))),
    withdrawn: withdrawn.filter(({ entry }) => !served.has(entry.key)),
  };
  return { ...trees, ...plan, rest };
}
