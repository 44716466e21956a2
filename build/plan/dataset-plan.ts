/** Which slices of a dataset have to be made, and which the published tree has already. Pure. */
import path from 'node:path';
import type { Contracts, Dataset, Dimension } from '../contract/dataset.ts';
import type { DatasetManifest, HistoryEntry, PublishedFile, SliceEntry } from '../format/manifest.ts';
import { datasetFolder, historyPath } from '../format/paths.ts';
import { type Inventory, type LakeSlice, sliceName } from '../lake/inventory.ts';
import { type DatasetState, digestOf } from '../memory/build-state.ts';
import type { ContentOf } from '../memory/file-contents.ts';
import { storedTexts } from '../slice/slice-stage.ts';
import type { PreviousTree } from '../tree/previous-tree.ts';

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
  readonly contentOf: ContentOf;
  /** Paths of what is not stored: a slice's first page, its CSV, a level's history. */
  readonly leftOut: ReadonlySet<string>;
}

export function planDataset(dataset: Dataset, input: PlanInput): DatasetPlan {
  const { inventory, previous, leftOut } = input;
  const slices = inventory.slices.get(dataset.key) ?? [];
  const recipe = recipeOf(dataset, input);
  const state: DatasetState = {
    recipe,
    references: referencesOf(input),
    slices: Object.fromEntries(
      slices.map(slice => [sliceName(slice), fingerprintOf(slice, input.contentOf)]),
    ),
  };
  const manifest = previous.datasets.get(dataset.key) ?? null;
  const same = manifest !== null && input.state?.recipe === recipe;
  const folder = datasetFolder(dataset.domain, dataset.topic);
  const has = (file: PublishedFile) => {
    const known = previous.files.get(path.posix.join(folder, file.path));
    return known?.sha256 === file.sha256 && known.bytes === file.bytes;
  };
  const published = same ? manifest : { slices: [], history: [] };
  const kept = published.slices.filter(entry => {
    const name = sliceName(entry);
    const fingerprint = state.slices[name];
    return (
      fingerprint !== undefined &&
      fingerprint === input.state?.slices[name] &&
      Object.values(entry.files).flat().every(has) &&
      // What an earlier build left out may be wanted now.
      storedTexts(dataset, entry, leftOut).every(format => entry.files[format].length > 0)
    );
  });
  const keptNames = new Set(kept.map(sliceName));
  const changed = slices.filter(slice => !keptNames.has(sliceName(slice)));
  const levels = historyLevels(slices);
  const keptHistories = published.history.filter(entry => {
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
    input.state.noticed !== true &&
    changed.length === 0 &&
    changedHistories.every(detail => leftOut.has(historyOf(dataset, detail))) &&
    kept.length === manifest.slices.length &&
    manifest.documents.every(has);
  const plan = {
    dataset,
    slices,
    state,
    changed,
    changedHistories,
    kept,
    keptHistories,
    unchanged: whole ? manifest : null,
  };
  return narrowPlan(plan, leftOut);
}

/** The plan of a tree that leaves more out. A dataset that is as it was stays so: only its manifest says less. */
export function narrowPlan(plan: DatasetPlan, leftOut: ReadonlySet<string>): DatasetPlan {
  const { dataset, unchanged } = plan;
  const stored = (detail: string) => !leftOut.has(historyOf(dataset, detail));
  const kept = plan.kept.map(entry => narrowEntry(dataset, entry, leftOut));
  const keptHistories = plan.keptHistories.filter(entry => stored(entry.detail));
  const same =
    keptHistories.length === unchanged?.history.length &&
    kept.every((entry, i) => entry === plan.kept[i] && entry === unchanged.slices[i]);
  return {
    ...plan,
    kept,
    keptHistories,
    changedHistories: plan.changedHistories.filter(stored),
    unchanged:
      unchanged === null || same ? unchanged : { ...unchanged, slices: kept, history: keptHistories },
  };
}

function narrowEntry(dataset: Dataset, entry: SliceEntry, leftOut: ReadonlySet<string>): SliceEntry {
  const texts = storedTexts(dataset, entry, leftOut);
  const { json, csv, parquet } = entry.files;
  const files = { json: texts.includes('json') ? json : [], csv: texts.includes('csv') ? csv : [], parquet };
  return files.json.length === json.length && files.csv.length === csv.length ? entry : { ...entry, files };
}

function historyOf({ domain, topic }: Dataset, detail: string): string {
  return historyPath(domain, topic, detail);
}

/** Levels with a history file: all, in a dataset of more than one year. */
export function historyLevels(slices: readonly LakeSlice[]): string[] {
  const years = new Set(slices.map(slice => slice.year));
  return years.size > 1 ? [...new Set(slices.map(slice => slice.detail))].sort() : [];
}

/** Of the bytes of a slice's files. */
export function fingerprintOf(slice: LakeSlice, contentOf: ContentOf): string {
  return digestOf(slice.files.map(file => [file.path, contentOf(file)]));
}

export type RecipeInput = Pick<PlanInput, 'contracts' | 'inventory' | 'program' | 'contentOf'>;

/** Of all that a dataset's slices depend on besides their own rows. */
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
