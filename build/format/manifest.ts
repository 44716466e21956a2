/** The shapes of manifests. Readers plan with them: they list a tree's files with hashes and row groups. */
import type { ColumnType, Scalar, Stamp, TreeStamp, Withdrawal } from './documents.ts';

/** A file in a manifest. `path` is relative to the manifest. */
export interface PublishedFile {
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** When these bytes were first released, YYYY-MM-DDThh:mm:ssZ; the file's modification time. */
  readonly modified: string;
  /**
   * The SHA-256 of each block of BLOCK_BYTES bytes, 32 bytes each, one after the other, in base64. Present if the file
   * is longer than one block. Trees of older programs have none.
   */
  readonly blocks?: string;
}

/** Length of the blocks that are hashed by themselves, so that a part of a file can be checked. The last is shorter. */
export const BLOCK_BYTES = 65_536;

export interface RowsFile extends PublishedFile {
  readonly rows: number;
}

/**
 * A Parquet file with the places of its parts. A row group's first column chunk begins at byte `start`. Column chunk j
 * has `sizes[j]` bytes and follows chunk j-1 without a gap, in the order of `columns`.
 */
export interface ParquetFile extends RowsFile {
  readonly row_groups: readonly RowGroup[];
}

export interface RowGroup {
  readonly rows: number;
  /** Offset in the file of the first column chunk. */
  readonly start: number;
  /** Compressed bytes of each column chunk, in the order of the manifest's `columns`. */
  readonly sizes: readonly number[];
  /** For each of the manifest's `key_columns`, the least value other than NULL; null if all are NULL, or it isn't known. */
  readonly min: readonly (Scalar | null)[];
  readonly max: readonly (Scalar | null)[];
  /** How many values of each key column are NULL. */
  readonly nulls: readonly number[];
  /** Of the row group's bytes, lower-case hexadecimal. Trees of older programs have none. */
  readonly sha256?: string;
}

/** A column of the published rows. */
export interface RowColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Physical type in Parquet. */
  readonly parquet: 'INT32' | 'INT64' | 'DOUBLE' | 'BYTE_ARRAY' | 'BOOLEAN';
  /** Present, and true, if timestamps are in UTC: Parquet says so, and their texts end in Z. */
  readonly utc?: true;
  /** The dimension whose join adds it; null for the contract's own columns. */
  readonly from: string | null;
}

/** `api/v1/{domain}/{topic}/manifest.json` */
export interface DatasetManifest extends Stamp {
  readonly dataset: string;
  readonly version: string;
  readonly schema_hash: string;
  readonly license: string | null;
  readonly attribution: string | null;
  readonly rows: number;
  readonly columns: readonly RowColumn[];
  /** Columns that order the rows, NULLs first: the grain. */
  readonly order: readonly string[];
  /** Columns that identify a place: the grain's foreign keys other than the demographic. */
  readonly place: readonly string[];
  /** Columns for which each row group states bounds. */
  readonly key_columns: readonly string[];
  readonly slices: readonly SliceEntry[];
  readonly copies: readonly CopyEntry[];
  readonly documents: readonly PublishedFile[];
}

export interface SliceEntry {
  /** 0 in a dataset without time. */
  readonly year: number;
  readonly detail: string;
  readonly rows: number;
  /** First 12 digits of the Parquet file's sha256. */
  readonly release: string;
  readonly files: SliceFiles;
}

/** An empty list means that the format is not stored for this slice; an edge computes it from Parquet. */
export interface SliceFiles {
  /** Pages in order, each with PAGE_ROWS rows except the last. */
  readonly json: readonly RowsFile[];
  readonly csv: readonly RowsFile[];
  readonly parquet: readonly ParquetFile[];
}

/**
 * All rows of some years of one level once more, sorted by the columns of `by`, NULLs first, and then as the slices are.
 * A level of several years has a copy of all of them by place. The others are by one column, and count its values.
 */
export interface CopyEntry extends CopyRows {
  readonly file: ParquetFile;
}

/** The copies with all years of a level, in the order of their levels. */
export function copiesByPlace({ copies }: Pick<DatasetManifest, 'copies'>): readonly CopyEntry[] {
  return copies.filter(({ counted }) => counted === undefined);
}

/** What a manifest says of a copy apart from its file. */
export interface CopyRows {
  readonly detail: string;
  readonly by: readonly string[];
  /** Ascending; 0 alone in a dataset without time. */
  readonly years: readonly number[];
  readonly rows: number;
  /** Absent in the copy by place. */
  readonly counted?: ValueCounts;
}

/** The rows of each value of the column by which a copy is sorted. */
export interface ValueCounts {
  /** In the order of the rows; NULL stands first if a row has it. */
  readonly values: readonly (Scalar | null)[];
  /** For each value its rows of each year. */
  readonly rows: readonly (readonly number[])[];
  /** Filterable columns that the column's dimension adds: for each value of `values` theirs, which follow from it. */
  readonly attributes?: Readonly<Record<string, readonly (Scalar | null)[]>>;
}

/** `api/v1/{domain}/_dimensions/{name}/manifest.json` */
export interface DimensionManifest extends Stamp {
  readonly dimension: string;
  readonly version: string;
  readonly schema_hash: string;
  readonly license: string | null;
  readonly attribution: string | null;
  readonly rows: number;
  readonly columns: readonly RowColumn[];
  readonly order: readonly string[];
  readonly key_columns: readonly string[];
  readonly files: SliceFiles;
  readonly documents: readonly PublishedFile[];
}

/** `manifest.json`, at the root */
export interface TreeManifest extends TreeStamp {
  readonly date: string;
  readonly datasets: readonly ManifestEntry[];
  readonly dimensions: readonly ManifestEntry[];
  readonly documents: readonly PublishedFile[];
  /** Withdrawn datasets and dimensions; present if there are any. */
  readonly withdrawn?: readonly WithdrawnEntry[];
  /**
   * The sha256 of all bytes of the file before the line of this member, which is the last. A reader of one file alone
   * sees by it whether the file is whole. Trees of older programs have none.
   */
  readonly seal?: string;
}

export interface WithdrawnEntry extends Withdrawal {
  /**
   * The path beneath `api/v1/`: `domain/topic`, or `domain/_dimensions/name`. It is not the `key` of the list of
   * datasets.
   */
  readonly key: string;
  readonly release: string;
  /** The documents that stay. */
  readonly documents: readonly PublishedFile[];
}

export interface ManifestEntry extends PublishedFile {
  /**
   * The path beneath `api/v1/`: `domain/topic`, or `domain/_dimensions/name`. It is not the `key` of the list of
   * datasets.
   */
  readonly key: string;
  readonly release: string;
  readonly rows: number;
}
