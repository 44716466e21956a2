/** Stages a dataset's slices and copies, and says what they are for its manifest. */
import type { Dataset } from '../contract/dataset.ts';
import type { CopyEntry, SliceEntry } from '../format/manifest.ts';
import { datasetFolder, slicePath } from '../format/paths.ts';
import { sliceName } from '../lake/inventory.ts';
import { runName } from '../plan/copy-runs.ts';
import type { DatasetPlan } from '../plan/dataset-plan.ts';
import type { WrittenRowsOf } from '../plan/pieces.ts';
import type { WrittenRows } from '../slice/rows-writer.ts';
import type { Staging } from '../tree/staging.ts';

export interface RowsInput {
  readonly staging: Staging;
  readonly written: WrittenRowsOf;
  /** Paths that the tree does not store: a slice's first page, its CSV, a copy. */
  readonly leftOut: ReadonlySet<string>;
}

export async function stageSlices(plan: DatasetPlan, input: RowsInput): Promise<SliceEntry[]> {
  const { dataset } = plan;
  const { written, leftOut } = input;
  const entries: SliceEntry[] = [];
  for (const { year, detail } of plan.slices) {
    const found = written.slices.get(dataset.key)?.get(sliceName({ year, detail }));
    if (found === undefined) throw new Error(`${dataset.key} ${year} ${detail} was not made.`);
    const staged = async <File extends WrittenRows>(
      format: 'json' | 'csv' | 'parquet',
      files: readonly File[],
    ) =>
      leftOut.has(slicePath(dataset.domain, dataset.topic, year, detail, format))
        ? []
        : Promise.all(files.map(file => stageFile(dataset, file, input)));
    entries.push({
      year,
      detail,
      rows: found.parquet.rows,
      release: found.release,
      files: {
        json: await staged('json', found.json),
        csv: await staged('csv', found.csv),
        parquet: await staged('parquet', [found.parquet]),
      },
    });
  }
  return entries.sort(byYearAndLevel);
}

export async function stageCopies({ dataset, runs }: DatasetPlan, input: RowsInput): Promise<CopyEntry[]> {
  const folder = datasetFolder(dataset.domain, dataset.topic);
  const entries: CopyEntry[] = [];
  for (const run of runs) {
    const found = input.written.copies.get(dataset.key)?.get(runName(run));
    if (found === undefined) throw new Error(`${dataset.key} copies of ${runName(run)} were not made.`);
    for (const copy of found.copies) {
      if (input.leftOut.has(`${folder}/${copy.file.path}`)) continue;
      entries.push({ ...copy, file: await stageFile(dataset, copy.file, input) });
    }
  }
  const key = ({ file }: CopyEntry) => file.path;
  return entries.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

async function stageFile<File extends WrittenRows>(
  { domain, topic }: Dataset,
  file: File,
  { staging, written }: RowsInput,
): Promise<File & { readonly modified: string }> {
  const name = `${datasetFolder(domain, topic)}/${file.path}`;
  return staging.take(name, file, `${written.folder}/${name}`);
}

export type SliceKey = Pick<SliceEntry, 'year' | 'detail'>;

export function byYearAndLevel(a: SliceKey, b: SliceKey): number {
  return a.year - b.year || (a.detail < b.detail ? -1 : 1);
}
