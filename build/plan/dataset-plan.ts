/** Decides which slices of a dataset to write, and which the published tree already has. Pure. */
import path from 'node:path';
import type { Contracts, Dataset, Dimension } from '../contract/dataset.ts';
import type { CopyEntry, DatasetManifest, PublishedFile, SliceEntry } from '../format/manifest.ts';
import { datasetFolder } from '../format/paths.ts';
import { type Inventory, type LakeSlice, sliceName } from '../lake/inventory.ts';
import { type DatasetState, digestOf } from '../memory/build-state.ts';
import type { ContentOf } from '../memory/file-contents.ts';
import type { CopyRun } from '../slice/copy-writer.ts';
import { hasMemoryOf, type PreviousTree } from '../tree/previous-tree.ts';
import { copyRuns, runName } from './copy-runs.ts';

export interface DatasetPlan {
  readonly dataset: Dataset;
  readonly slices: readonly LakeSlice[];
  readonly state: DatasetState;
  /** Slices and copies to write; both empty if the published tree has them all. */
  readonly changed: readonly LakeSlice[];
  readonly changedRuns: readonly CopyRun[];
  /** Entries of the previous manifest to carry over. */
  readonly kept: readonly SliceEntry[];
  readonly keptCopies: readonly CopyEntry[];
  /** The previous manifest of a dataset that is unchanged as a whole; else null. */
  readonly unchanged: DatasetManifest | null;
}

export interface PlanInput {
  readonly contracts: Contracts;
  readonly inventory: Inventory;
  readonly previous: PreviousTree;
  /** The tree of --previous, whose memory goes on. */
  readonly named: PreviousTree;
  readonly state: DatasetState | undefined;
  /** Other datasets and dimensions that this dataset's rules read. */
  readonly references: readonly (Dataset | Dimension)[];
  readonly program: string;
  readonly contentOf: ContentOf;
}

export function planDataset(dataset: Dataset, input: PlanInput): DatasetPlan {
  const { inventory, previous } = input;
  const slices = inventory.slices.get(dataset.key) ?? [];
  const recipe = recipeOf(dataset, input);
  const runs = copyRuns(slices);
  const state: DatasetState = {
    recipe,
    references: referencesOf(input),
    slices: Object.fromEntries(
      slices.map(slice => [sliceName(slice), fingerprintOf(slice, input.contentOf)]),
    ),
    runs: runs.map(runName),
  };
  const manifest = previous.datasets.get(dataset.key) ?? null;
  const same = manifest !== null && input.state?.recipe === recipe;
  const folder = datasetFolder(dataset.domain, dataset.topic);
  const has = (file: PublishedFile) => {
    const known = previous.files.get(path.posix.join(folder, file.path));
    return known?.sha256 === file.sha256 && known.bytes === file.bytes;
  };
  const published = same ? manifest : { slices: [], copies: [] };
  const kept = published.slices.filter(entry => {
    const name = sliceName(entry);
    const fingerprint = state.slices[name];
    return (
      fingerprint !== undefined &&
      fingerprint === input.state?.slices[name] &&
      Object.values(entry.files).flat().every(has) &&
      // A host may take a format that an earlier build left out.
      Object.values(entry.files).every(files => files.length > 0)
    );
  });
  const keptNames = new Set(kept.map(sliceName));
  const changed = slices.filter(slice => !keptNames.has(sliceName(slice)));
  const copiesOf = (run: CopyRun) => published.copies.filter(entry => isOf(run, entry));
  const isKept = (run: CopyRun) =>
    input.state?.runs?.includes(runName(run)) === true &&
    !run.slices.some(slice => changed.includes(slice)) &&
    copiesOf(run).every(entry => has(entry.file)) &&
    // No column may be worth a copy, but the copy by place may have been left out by an earlier build.
    (run.by === 'values' || copiesOf(run).length > 0);
  const changedRuns = runs.filter(run => !isKept(run));
  const keptCopies = runs.filter(isKept).flatMap(copiesOf);
  const whole =
    same &&
    hasMemoryOf(input.named, manifest, named => named.datasets.get(dataset.key)) &&
    input.state?.references === state.references &&
    input.state.noticed !== true &&
    changed.length === 0 &&
    changedRuns.length === 0 &&
    kept.length === manifest.slices.length &&
    manifest.documents.every(has);
  return {
    dataset,
    slices,
    state,
    changed,
    changedRuns,
    kept,
    keptCopies,
    unchanged: whole ? manifest : null,
  };
}

function isOf({ by, detail, slices }: CopyRun, entry: CopyEntry): boolean {
  return (
    entry.detail === detail &&
    (entry.counted === undefined) === (by === 'place') &&
    String(entry.years) === String(slices.map(slice => slice.year))
  );
}

/** Digest of the names and contents of a slice's files. */
export function fingerprintOf(slice: LakeSlice, contentOf: ContentOf): string {
  return digestOf(slice.files.map(file => [file.path, contentOf(file)]));
}

export type RecipeInput = Pick<PlanInput, 'contracts' | 'inventory' | 'program' | 'contentOf'>;

/** Digest of everything that a dataset's slices depend on, except their own rows. */
export function recipeOf(
  dataset: Dataset,
  { contracts, inventory, program, contentOf }: RecipeInput,
): string {
  const dimensions = [...new Set(dataset.foreignKeys.map(key => key.dimension))].map(key => {
    const file = inventory.dimensions.get(key);
    return [key, contracts.dimensions.get(key)?.source.text, file && contentOf(file)];
  });
  return digestOf([program, dataset.source.text, contracts.publisher, inventory.sample, dimensions]);
}

function referencesOf({ inventory, references, contentOf }: PlanInput): string {
  const rows = references.map(({ kind, key, source }) => {
    if (kind === 'dimension') {
      const file = inventory.dimensions.get(key);
      return [key, source.text, file && contentOf(file)];
    }
    const slices = inventory.slices.get(key) ?? [];
    return [key, source.text, slices.map(slice => [sliceName(slice), fingerprintOf(slice, contentOf)])];
  });
  return digestOf(rows);
}
