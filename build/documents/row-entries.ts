/** What a manifest says of a dataset's slices and copies; those that no change touched are carried over. */
import type { CopyEntry, SliceEntry } from '../format/manifest.ts';
import { datasetFolder, slicePath } from '../format/paths.ts';
import { sliceName } from '../lake/inventory.ts';
import { runName } from '../plan/copy-runs.ts';
import type { DatasetPlan } from '../plan/dataset-plan.ts';
import type { WrittenRows } from '../slice/rows-writer.ts';
import type { WrittenRowsOf } from '../slice/slice-stage.ts';
import type { PreviousTree } from '../tree/previous-tree.ts';
import type { Staging } from '../tree/staging.ts';

export interface RowsInput {
  readonly staging: Staging;
  readonly written: WrittenRowsOf;
  /** Paths that the tree does not store, though the build wrote them: of JSON a slice's first page. */
  readonly leftOut: ReadonlySet<string>;
}

/** Carries over the unchanged slices and copies of a dataset. */
export async function carryRows(
  { dataset, kept, keptCopies }: DatasetPlan,
  staging: Staging,
  previous: PreviousTree,
): Promise<void> {
  const folder = datasetFolder(dataset.domain, dataset.topic);
  const files = [
    ...kept.flatMap(slice => Object.values(slice.files).flat()),
    ...keptCopies.map(entry => entry.file),
  ];
  await staging.carryAll(
    files.map(file => `${folder}/${file.path}`),
    previous,
  );
}

/** Leaves more files out of a plan. An unchanged dataset stays unchanged, except that its manifest lists fewer files. */
export function narrowPlan(plan: DatasetPlan, leftOut: ReadonlySet<string>): DatasetPlan {
  const { dataset, unchanged } = plan;
  const folder = datasetFolder(dataset.domain, dataset.topic);
  const kept = plan.kept.map((entry): SliceEntry => {
    const isStored = storedIn(plan, entry, leftOut);
    const { json, csv, parquet } = entry.files;
    const files = { json: isStored('json') ? json : [], csv: isStored('csv') ? csv : [], parquet };
    return files.json === json && files.csv === csv ? entry : { ...entry, files };
  });
  const keptCopies = plan.keptCopies.filter(({ file }) => !leftOut.has(`${folder}/${file.path}`));
  const same =
    keptCopies.length === unchanged?.copies.length &&
    kept.every((entry, i) => entry === plan.kept[i] && entry === unchanged.slices[i]);
  const narrowed =
    unchanged === null || same ? unchanged : { ...unchanged, slices: kept, copies: keptCopies };
  return { ...plan, kept, keptCopies, unchanged: narrowed };
}

function storedIn(
  { dataset: { domain, topic } }: DatasetPlan,
  { year, detail }: SliceKey,
  leftOut: ReadonlySet<string>,
): (format: 'json' | 'csv') => boolean {
  return format => !leftOut.has(slicePath(domain, topic, year, detail, format));
}

/** A dataset's slices, the written ones staged. */
export function datedSlices(plan: DatasetPlan, { staging, written, leftOut }: RowsInput): SliceEntry[] {
  const { dataset } = plan;
  const folder = datasetFolder(dataset.domain, dataset.topic);
  const dated = <File extends WrittenRows>(file: File) => staging.add(`${folder}/${file.path}`, file);
  const entries = plan.changed.map((slice): SliceEntry => {
    const found = written.slices.get(dataset.key)?.get(sliceName(slice));
    if (found === undefined) throw new Error(`${dataset.key} ${slice.year} ${slice.detail} was not written.`);
    const isStored = storedIn(plan, slice, leftOut);
    return {
      year: slice.year,
      detail: slice.detail,
      rows: found.parquet.rows,
      release: found.release,
      files: {
        json: isStored('json') ? found.json.map(dated) : [],
        csv: isStored('csv') ? found.csv.map(dated) : [],
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

/** A dataset's copies, the written ones staged. */
export function datedCopies(plan: DatasetPlan, { staging, written, leftOut }: RowsInput): CopyEntry[] {
  const { dataset, keptCopies, changedRuns } = plan;
  const folder = datasetFolder(dataset.domain, dataset.topic);
  const entries = changedRuns.flatMap((run): CopyEntry[] => {
    const found = written.copies.get(dataset.key)?.get(runName(run));
    if (found === undefined) throw new Error(`${dataset.key} copies of ${runName(run)} were not written.`);
    return found.copies
      .map(one => ({ ...one, path: `${folder}/${one.file.path}` }))
      .filter(one => !leftOut.has(one.path))
      .map(({ path, ...one }) => ({ ...one, file: staging.add(path, one.file) }));
  });
  const key = ({ file }: CopyEntry) => file.path;
  return [...keptCopies, ...entries].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
