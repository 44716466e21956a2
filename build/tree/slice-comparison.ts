/** Compares the rows that a slice has in two releases, for changes.json, feeds and `civic diff`. */
import type { Cache } from '../cache/cache.ts';
import type { TableDescription } from '../format/changes.ts';
import type { DatasetManifest, ParquetFile, RowColumn, SliceEntry } from '../format/manifest.ts';
import { NO_YEAR } from '../format/paths.ts';
import { compareRows, type NamePair, type RowDifference } from '../lake/column-batches.ts';
import type { Session } from '../lake/database.ts';

export interface TableSlice extends Pick<SliceEntry, 'year' | 'detail' | 'rows' | 'release'> {
  readonly file: ParquetFile | undefined;
}

/** By a name that sorts them by year and level. A dimension's rows are one slice. */
export function slicesByName(manifest: TableDescription['manifest']): ReadonlyMap<string, TableSlice> {
  const slices = 'dimension' in manifest ? [{ ...manifest, year: NO_YEAR, detail: 'rows' }] : manifest.slices;
  return new Map(
    slices.map(({ year, detail, rows, release, files }) => [
      `${String(year).padStart(4, '0')}/${detail}`,
      { year, detail, rows, release, file: files.parquet[0] },
    ]),
  );
}

/** A file of rows on this machine. */
interface LocalFile extends Pick<ParquetFile, 'sha256'> {
  readonly local: string;
}

export type CompareFiles = (old: LocalFile, now: LocalFile, pairs: ColumnPairs) => Promise<RowDifference>;

/** A build compares each pair of files once. */
export function fileComparison(session: Session, cache: Cache | null): CompareFiles {
  return async (old, now, { keys, values }) => {
    const compare = () => compareRows(session, { old: old.local, now: now.local, keys, values });
    if (cache === null) return compare();
    const inputs = { old: old.sha256, now: now.sha256, keys, values };
    return cache.make({ what: 'comparison', inputs, files: [] }, async () => ({
      value: await compare(),
      files: [],
    }));
  };
}

type Shape = Pick<DatasetManifest, 'columns' | 'order'>;

export type ColumnPairs = ReturnType<typeof pairColumns>;

/** `renamedFrom`: earlier names of columns, by their new ones. */
export function pairColumns(
  before: Shape,
  after: Shape,
  renamedFrom: ReadonlyMap<string, string | null | undefined>,
) {
  const names = new Set(before.columns.map(column => column.name));
  const earlierName = ({ name }: RowColumn) => {
    const from = renamedFrom.get(name) ?? null;
    // A renaming of an earlier release has no effect any more.
    return from !== null && names.has(from) && !names.has(name) ? from : name;
  };
  const pairOf = (old: RowColumn): NamePair => {
    const [now, other] = after.columns.filter(column => earlierName(column) === old.name);
    // If two columns come from one, neither is its counterpart.
    const isSame = now !== undefined && other === undefined && sameType(old, now);
    return { old: old.name, now: isSame ? now.name : null };
  };
  const keys = before.order.flatMap(name => before.columns.filter(one => one.name === name)).map(pairOf);
  const values = before.columns.filter(({ name }) => !before.order.includes(name)).map(pairOf);
  const all = [...keys, ...values];
  return {
    /** Columns of the earlier grain. Each has a counterpart unless the grain changed. */
    keys,
    /** The other earlier columns. */
    values,
    /** Whether rows with equal keys are the same row. */
    comparable: keys.length === after.order.length && keys.every(({ now }, i) => now === after.order[i]),
    /** New names by old ones. */
    renamed: Object.fromEntries(
      all.flatMap(({ old, now }) => (now === null || now === old ? [] : [[old, now] as const])),
    ),
    dropped: all.flatMap(({ old, now }) => (now === null ? [old] : [])),
  };
}

function sameType(a: RowColumn, b: RowColumn): boolean {
  return a.type === b.type && a.parquet === b.parquet && a.utc === b.utc;
}
