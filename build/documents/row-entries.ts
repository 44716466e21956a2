/** What a manifest says of a dataset's slices, histories and orders; those that no change touched are carried over. */
import type { HistoryEntry, OrderEntry, SliceEntry } from '../format/manifest.ts';
import { datasetFolder } from '../format/paths.ts';
import { sliceName } from '../lake/inventory.ts';
import type { DatasetPlan } from '../plan/dataset-plan.ts';
import { runName } from '../plan/order-runs.ts';
import type { WrittenRows } from '../slice/rows-writer.ts';
import { storedTexts, type WrittenRowsOf } from '../slice/slice-stage.ts';
import type { PreviousTree } from '../tree/previous-tree.ts';
import type { Staging } from '../tree/staging.ts';

export interface RowsInput {
  readonly staging: Staging;
  readonly written: WrittenRowsOf;
  /** Paths that the tree does not store, whether or not the build wrote them. */
  readonly leftOut: ReadonlySet<string>;
}

/** Carries over the unchanged slices, histories and orders of a dataset. */
export async function carryRows(
  { dataset, kept, keptHistories, keptOrders }: DatasetPlan,
  staging: Staging,
  previous: PreviousTree,
): Promise<void> {
  const folder = datasetFolder(dataset.domain, dataset.topic);
  const files = [
    ...kept.flatMap(slice => Object.values(slice.files).flat()),
    ...[...keptHistories, ...keptOrders].map(entry => entry.file),
  ];
  await staging.carryAll(
    files.map(file => `${folder}/${file.path}`),
    previous,
  );
}

/** A dataset's slices, the written ones staged. */
export function datedSlices(plan: DatasetPlan, { staging, written, leftOut }: RowsInput): SliceEntry[] {
  const { dataset } = plan;
  const folder = datasetFolder(dataset.domain, dataset.topic);
  const dated = <File extends WrittenRows>(file: File) => staging.add(`${folder}/${file.path}`, file);
  const entries = plan.changed.map((slice): SliceEntry => {
    const found = written.slices.get(dataset.key)?.get(sliceName(slice));
    if (found === undefined) throw new Error(`${dataset.key} ${slice.year} ${slice.detail} was not written.`);
    const texts = storedTexts(dataset, slice, leftOut);
    return {
      year: slice.year,
      detail: slice.detail,
      rows: found.parquet.rows,
      release: found.release,
      files: {
        json: texts.includes('json') ? found.json.map(dated) : [],
        csv: texts.includes('csv') ? found.csv.map(dated) : [],
        parquet: [dated(found.parquet)],
      },
    };
  });
  return [...plan.kept, ...entries].sort(byYearAndLevel);
}

export type SliceKey = Pick<SliceEntry, 'year' | 'detail'>;

export function byYearAndLevel(a: SliceKey, b: SliceKey): number {
  return a.year - b.year || (a.detail < b.detail ? -1 : 1);
}

export function datedHistories(plan: DatasetPlan, { staging, written }: RowsInput): HistoryEntry[] {
  const { dataset } = plan;
  const folder = datasetFolder(dataset.domain, dataset.topic);
  const entries = plan.changedHistories.map((detail): HistoryEntry => {
    const found = written.histories.get(dataset.key)?.get(detail);
    if (found === undefined) throw new Error(`${dataset.key} history ${detail} was not written.`);
    const years = plan.slices.filter(slice => slice.detail === detail).map(slice => slice.year);
    const { file } = found;
    return { detail, years, rows: file.rows, file: staging.add(`${folder}/${file.path}`, file) };
  });
  return [...plan.keptHistories, ...entries].sort((a, b) => (a.detail < b.detail ? -1 : 1));
}

export function datedOrders(plan: DatasetPlan, { staging, written, leftOut }: RowsInput): OrderEntry[] {
  const { dataset, keptOrders, changedRuns } = plan;
  const folder = datasetFolder(dataset.domain, dataset.topic);
  const entries = changedRuns.flatMap((run): OrderEntry[] => {
    const found = written.orders.get(dataset.key)?.get(runName(run));
    if (found === undefined) throw new Error(`${dataset.key} orders of ${runName(run)} were not written.`);
    return found
      .map(one => ({ ...one, path: `${folder}/${one.file.path}` }))
      .filter(one => !leftOut.has(one.path))
      .map(({ path, ...one }) => ({ ...one, file: staging.add(path, one.file) }));
  });
  const key = ({ detail, column }: OrderEntry) => JSON.stringify([detail, column]);
  return [...keptOrders, ...entries].sort(
    (a, b) => (a.years[0] ?? 0) - (b.years[0] ?? 0) || (key(a) < key(b) ? -1 : 1),
  );
}
