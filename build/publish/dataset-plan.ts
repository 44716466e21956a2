/** Which slices of a dataset have to be made, and which the published tree has already. Pure. */
import path from 'node:path';
import type { Contracts, Dataset, Dimension } from '../contract/dataset.ts';
import type { DatasetManifest, HistoryEntry, PublishedFile, SliceEntry } from '../format/manifest.ts';
import { datasetFolder } from '../format/paths.ts';
import type { Inventory, LakeSlice } from '../lake/inventory.ts';
import { type DatasetState, digestOf } from './build-state.ts';
import type { PreviousTree } from './previous-tree.ts';

export interface DatasetPlan {
  readonly dataset: Dataset;
  readonly slices: readonly LakeSlice[];
  readonly state: DatasetState;
  /** Slices and histories to write; both empty where the tree has the dataset as it must be. */
  readonly changed: readonly LakeSlice[];
  readonly changedHistories: readonly string[];
  /** What is carried over, as the previous manifest has it. */
  readonly kept: readonly SliceEntry[];
  readonly keptHistories: readonly HistoryEntry[];
  /** The previous manifest, where the whole dataset is as it was. */
  readonly unchanged: DatasetManifest | null;
}

export interface PlanInput {
  readonly contracts: Contracts;
  readonly inventory: Inventory;
  readonly previous: PreviousTree;
  readonly state: DatasetState | undefined;
  /** Other datasets and dimensions whose rows this one's rules read. */
  readonly references: readonly (Dataset | Dimension)[];
  readonly program: string;
}

export function planDataset(dataset: Dataset, input: PlanInput): DatasetPlan {
  const { inventory, previous } = input;
  const slices = inventory.slices.get(dataset.key) ?? [];
  const recipe = recipeOf(dataset, input);
  const state: DatasetState = {
    recipe,
    references: referencesOf(input),
    slices: Object.fromEntries(slices.map(slice => [sliceName(slice), fingerprintOf(slice)])),
  };
  const manifest = previous.datasets.get(dataset.key) ?? null;
  const same = manifest !== null && input.state?.recipe === recipe;
  const folder = datasetFolder(dataset.domain, dataset.topic);
  const has = (file: PublishedFile) => {
    const known = previous.files.get(path.posix.join(folder, file.path));
    return known?.sha256 === file.sha256 && known.bytes === file.bytes;
  };
  const kept = !same
    ? []
    : manifest.slices.filter(entry => {
        const name = `${entry.year}/${entry.detail}`;
        const fingerprint = state.slices[name];
        return (
          fingerprint !== undefined &&
          fingerprint === input.state?.slices[name] &&
          Object.values(entry.files).flat().every(has)
        );
      });
  const keptNames = new Set(kept.map(entry => `${entry.year}/${entry.detail}`));
  const changed = slices.filter(slice => !keptNames.has(sliceName(slice)));
  const levels = historyLevels(slices);
  const keptHistories = !same
    ? []
    : manifest.history.filter(entry => {
        if (!levels.includes(entry.detail)) return false;
        const years = slices.filter(slice => slice.detail === entry.detail).map(slice => slice.year);
        const untouched = !changed.some(slice => slice.detail === entry.detail);
        return untouched && String(years) === String(entry.years) && has(entry.file);
      });
  const keptLevels = new Set(keptHistories.map(entry => entry.detail));
  const changedHistories = levels.filter(level => !keptLevels.has(level));
  const whole =
    same &&
    input.state?.references === state.references &&
    changed.length === 0 &&
    changedHistories.length === 0 &&
    kept.length === manifest.slices.length &&
    keptHistories.length === manifest.history.length &&
    manifest.documents.every(has);
  return {
    dataset,
    slices,
    state,
    changed,
    changedHistories,
    kept,
    keptHistories,
    unchanged: whole ? manifest : null,
  };
}

/** Levels with a history file: all, in a dataset of more than one year. */
function historyLevels(slices: readonly LakeSlice[]): string[] {
  const years = new Set(slices.map(slice => slice.year));
  return years.size > 1 ? [...new Set(slices.map(slice => slice.detail))].sort() : [];
}

export function sliceName(slice: LakeSlice): string {
  return `${slice.year}/${slice.detail}`;
}

function fingerprintOf(slice: LakeSlice): string {
  return digestOf(slice.files.map(file => [file.path, file.fingerprint]));
}

function recipeOf(dataset: Dataset, { contracts, inventory, program }: PlanInput): string {
  const dimensions = [...new Set(dataset.foreignKeys.map(key => key.dimension))].map(key => [
    key,
    contracts.dimensions.get(key)?.source.text,
    inventory.dimensions.get(key)?.fingerprint,
  ]);
  return digestOf([program, dataset.source.text, contracts.publisher, inventory.sample, dimensions]);
}

function referencesOf({ inventory, references }: PlanInput): string {
  const rows = references.map(({ kind, key, source }) => [
    key,
    source.text,
    kind === 'dimension'
      ? inventory.dimensions.get(key)?.fingerprint
      : inventory.slices.get(key)?.map(slice => [sliceName(slice), fingerprintOf(slice)]),
  ]);
  return digestOf(rows);
}
