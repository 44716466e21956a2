/** Decides which slices of a dataset to write, and which the published tree already has. Pure. */
import path from 'node:path';
import type { Contracts, Dataset, Dimension } from '../contract/dataset.ts';
import type {
  DatasetManifest,
  HistoryEntry,
  OrderEntry,
  PublishedFile,
  SliceEntry,
} from '../format/manifest.ts';
import { datasetFolder, historyPath } from '../format/paths.ts';
import { type Inventory, type LakeSlice, sliceName } from '../lake/inventory.ts';
import { type DatasetState, digestOf } from '../memory/build-state.ts';
import type { ContentOf } from '../memory/file-contents.ts';
import { storedTexts } from '../slice/slice-stage.ts';
import { hasMemoryOf, type PreviousTree } from '../tree/previous-tree.ts';
import { type OrderRun, orderRuns, runName } from './order-runs.ts';

export interface DatasetPlan {
  readonly dataset: Dataset;
  readonly slices: readonly LakeSlice[];
  readonly state: DatasetState;
  /** Slices and histories to write; both empty if the published tree has them all. */
  readonly changed: readonly LakeSlice[];
  readonly changedHistories: readonly string[];
  readonly changedRuns: readonly OrderRun[];
  /** Entries of the previous manifest to carry over. */
  readonly kept: readonly SliceEntry[];
  readonly keptHistories: readonly HistoryEntry[];
  readonly keptOrders: readonly OrderEntry[];
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
  /** Paths of the files that the tree leaves out: a slice's first page, its CSV, a level's history. */
  readonly leftOut: ReadonlySet<string>;
}

export function planDataset(dataset: Dataset, input: PlanInput): DatasetPlan {
  const { inventory, previous, leftOut } = input;
  const slices = inventory.slices.get(dataset.key) ?? [];
  const recipe = recipeOf(dataset, input);
  const runs = orderRuns(slices);
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
  const published = same ? manifest : { slices: [], history: [], orders: [] };
  const kept = published.slices.filter(entry => {
    const name = sliceName(entry);
    const fingerprint = state.slices[name];
    return (
      fingerprint !== undefined &&
      fingerprint === input.state?.slices[name] &&
      Object.values(entry.files).flat().every(has) &&
      // This build may store a format that an earlier one left out.
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
  const { orders = [] } = published;
  const ofRun = ({ detail, slices: [first] }: OrderRun) =>
    orders.filter(entry => entry.detail === detail && entry.years[0] === first?.year);
  const isKept = (run: OrderRun) =>
    input.state?.runs?.includes(runName(run)) === true &&
    !run.slices.some(slice => changed.includes(slice)) &&
    ofRun(run).every(entry => has(entry.file));
  const changedRuns = runs.filter(run => !isKept(run));
  const keptOrders = runs.filter(isKept).flatMap(ofRun);
  const whole =
    same &&
    hasMemoryOf(input.named, manifest, named => named.datasets.get(dataset.key)) &&
    input.state?.references === state.references &&
    input.state.noticed !== true &&
    changed.length === 0 &&
    changedHistories.every(detail => leftOut.has(historyOf(dataset, detail))) &&
    changedRuns.length === 0 &&
    kept.length === manifest.slices.length &&
    manifest.documents.every(has);
  const plan = {
    dataset,
    slices,
    state,
    changed,
    changedHistories,
    changedRuns,
    kept,
    keptHistories,
    keptOrders,
    unchanged: whole ? manifest : null,
  };
  return narrowPlan(plan, leftOut);
}

/** Leaves more files out of a plan. An unchanged dataset stays unchanged, except that its manifest lists fewer files. */
export function narrowPlan(plan: DatasetPlan, leftOut: ReadonlySet<string>): DatasetPlan {
  const { dataset, unchanged } = plan;
  const folder = datasetFolder(dataset.domain, dataset.topic);
  const stored = (detail: string) => !leftOut.has(historyOf(dataset, detail));
  const kept = plan.kept.map(entry => narrowEntry(dataset, entry, leftOut));
  const keptHistories = plan.keptHistories.filter(entry => stored(entry.detail));
  const keptOrders = plan.keptOrders.filter(({ file }) => !leftOut.has(`${folder}/${file.path}`));
  const same =
    keptHistories.length === unchanged?.history.length &&
    keptOrders.length === plan.keptOrders.length &&
    kept.every((entry, i) => entry === plan.kept[i] && entry === unchanged.slices[i]);
  return {
    ...plan,
    kept,
    keptHistories,
    keptOrders,
    changedHistories: plan.changedHistories.filter(stored),
    unchanged:
      unchanged === null || same
        ? unchanged
        : { ...unchanged, slices: kept, history: keptHistories, orders: keptOrders },
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

/** Levels with a history file: all levels of a dataset with more than one year. */
export function historyLevels(slices: readonly LakeSlice[]): string[] {
  const years = new Set(slices.map(slice => slice.year));
  return years.size > 1 ? [...new Set(slices.map(slice => slice.detail))].sort() : [];
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
