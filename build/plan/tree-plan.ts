/** Plans a tree: compares what is published with the contracts and the lake. */
import path from 'node:path';
import type { Dataset } from '../contract/dataset.ts';
import { matchesGlob } from '../contract/dataset-name.ts';
import { sortDiagnostics } from '../contract/diagnostic.ts';
import type { ContractFile } from '../contract/parse-contracts.ts';
import { RefusedError, UnableError } from '../failure.ts';
import type { TreeExtract } from '../format/document-schemas.ts';
import { type ReleaseOptions, releaseDate } from '../input/build-input.ts';
import type { Compiled } from '../input/compiled-input.ts';
import type { OpenedTree } from '../tree/diff-trees.ts';
import { NO_TREE, type PreviousTree, readOutputTree, readPreviousManifest } from '../tree/previous-tree.ts';
import { dimensionKey } from '../tree/published-records.ts';
import { checkedSource, sourceOf } from '../tree/tree-source.ts';
import type { Workspace } from '../tree/workspace.ts';
import { versionDiagnostics } from './contract-versions.ts';
import { type DatasetPlan, planDataset } from './dataset-plan.ts';
import { type KeptRest, NOTHING_KEPT, readRest, withoutMade } from './kept-rest.ts';
import { type PlacedDimension, placeDimensions } from './placed-dimensions.ts';
import { silentWithdrawals } from './silent-withdrawals.ts';

/** The trees that a build follows. */
export interface EarlierTrees {
  /** The tree at the output folder. */
  readonly previous: PreviousTree;
  /** The tree that --previous names, which gives files their times but no bytes. */
  readonly named: PreviousTree;
  /** The release before this one: that of --previous, else the tree at the output folder, unless it is a draft. */
  readonly before: OpenedTree | null;
  /** The part of the tree at the output folder that --only leaves unchanged. */
  readonly rest: KeptRest;
  /** Which datasets the tree will hold; null for all. */
  readonly extract: TreeExtract | null;
}

export interface TreePlan extends EarlierTrees {
  /** Datasets with rows in the lake, sorted by key. */
  readonly datasets: readonly DatasetPlan[];
  readonly withdrawn: readonly Dataset[];
  readonly dimensions: readonly PlacedDimension[];
}

/** Reads the tree in place and that of --previous, and decides what --only leaves unchanged. */
export async function readEarlierTrees(
  options: ReleaseOptions,
  workspace: Workspace,
  { contracts, asked, inventory }: Compiled,
): Promise<EarlierTrees> {
  const { only } = options;
  const previous = await readOutputTree(workspace.out);
  const named = options.previous === null ? NO_TREE : await readPreviousManifest(options.previous);
  // Nobody has read the tree of `civic dev`, so nothing that it held is promised.
  const manifest = named.manifest ?? (options.draft === true ? null : previous.manifest);
  const source = sourceOf(options.previous ?? workspace.out, path.join(workspace.temporary, 'previous'));
  // A build writes damaged files of the tree in place again; it refuses a damaged tree of --previous.
  const before = manifest && {
    manifest,
    source: named.manifest ? checkedSource(source, manifest, named.files) : source,
  };
  const trees = { previous, named, before };
  const served = [...contracts.datasets.filter(({ key }) => inventory.slices.has(key))];
  const keys = [...served, ...contracts.withdrawn.datasets].map(({ key }) => key);
  const standing = previous.manifest;
  if (only === null) return { ...trees, rest: NOTHING_KEPT, extract: null };
  if (standing === null || options.extract === true) {
    if (asked.length === 0) throw nothingAsked(only);
    return { ...trees, rest: NOTHING_KEPT, extract: extractOf(only, keys) };
  }
  if ((standing.sample === true) !== inventory.sample) {
    const is = (sample: boolean) => (sample ? 'a sample' : 'no sample');
    throw new UnableError(
      'sample-mixture',
      `The tree at ${options.out} is ${is(standing.sample === true)}, and the lake is ${is(inventory.sample)}: --only would mix the two. Build without --only, or to another folder.`,
    );
  }
  const rest = await readRest({ ...previous, manifest: standing }, key => matchesGlob(only, key));
  if (asked.length === 0 && rest.datasets.length === 0) throw nothingAsked(only);
  const patterns = standing.extract === undefined ? [] : standing.extract.only.split(',');
  const held = [...new Set([...patterns, ...only.split(',')])].join(',');
  const extract = standing.extract === undefined ? null : extractOf(held, keys);
  return { ...trees, rest, extract };
}

/** Null if the patterns leave no dataset out. */
function extractOf(only: string, keys: readonly string[]): TreeExtract | null {
  return keys.every(key => matchesGlob(only, key)) ? null : { only };
}

function nothingAsked(only: string): UnableError {
  return new UnableError(
    'nothing-to-build',
    `Every dataset that --only ${only} names is withdrawn, and the tree would have no other. Name one that is served.`,
  );
}

export function planTree(
  { contracts, asked, withdrawn, inventory }: Compiled,
  trees: EarlierTrees,
): TreePlan {
  const standing = trees.rest.dimensions.map(({ domain, schema }) => ({ key: dimensionKey(schema), domain }));
  // A withdrawn dataset keeps its dimensions under its domain.
  const dimensions = placeDimensions(contracts, inventory, [...asked, ...withdrawn], standing);
  const made = dimensions.map(({ dimension: { key, name }, domains }) => ({ key, name, domains }));
  return {
    ...trees,
    rest: withoutMade(trees.rest, made),
    datasets: asked.map(dataset => planDataset(dataset, contracts, inventory)),
    withdrawn,
    dimensions,
  };
}

/** `as_of` looks for the newest release of a day or before it, so dates of releases never go back. */
function refuseEarlierDate(date: string, { release, date: last }: OpenedTree['manifest']): void {
  if (date >= last) return;
  throw new UnableError(
    'release-date',
    `This release would be of ${date}, and the one before, ${release}, is of ${last}: a question about the past would get the wrong one of the two. Give --release-date ${last} or a later day. Without it, the date is that of the newest file of the lake.`,
  );
}

/** Refuses a date before the last release's, a changed schema without a raised version, and published slices that would vanish without a word. */
export async function refuseReleaseBefore(
  options: ReleaseOptions,
  { contracts, asked, inventory }: Compiled,
  plan: TreePlan,
  files: readonly ContractFile[],
): Promise<void> {
  const { before, named, previous } = plan;
  if (before === null) return;
  const date = releaseDate(options.releaseDate, inventory.newest);
  if (options.draft !== true) refuseEarlierDate(date, before.manifest);
  const { unraised, diagnostics } = await versionDiagnostics(contracts, asked, files, before);
  const found = new Map(diagnostics.map(one => [one.message, one]));
  // The tree in place may have been published too, even if --previous names another release.
  for (const { manifest, datasets } of options.draft === true ? [named] : [named, previous]) {
    if (manifest === null) continue;
    const input = { ...options, date, unraised };
    for (const one of silentWithdrawals(input, contracts, plan, { manifest, datasets })) {
      // Reports a cause that holds for both releases once, for that of --previous.
      const cause = one.message.replaceAll(manifest.release, '');
      if (!found.has(cause)) found.set(cause, one);
    }
  }
  if (found.size > 0) throw new RefusedError(sortDiagnostics([...found.values()]));
}
