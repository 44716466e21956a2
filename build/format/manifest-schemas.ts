/** The schemas and types of manifests, which list a tree's files with hashes and row groups for planning. */
import * as Type from 'typebox';
import {
  COLUMN_TYPE,
  choice,
  mapOf,
  type Of,
  optional,
  SCALAR_OR_NULL,
  Stamp,
  TEXT,
  TEXT_OR_NULL,
  TRUE,
  TreeStamp,
  Withdrawal,
} from './document-schemas.ts';
import { FORMAT, ofTextFormats } from './documents.ts';

/** Numbers that JavaScript holds exactly. */
const WHOLE = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const YEAR = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
const SHA256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** A new minor version only adds fields; a new major version may change what any field means. */
const SAME_MAJOR = { format: Type.String({ pattern: `^${FORMAT.split('.')[0]}(\\.|$)` }) };

/** A file in a manifest. `path` is relative to the manifest. */
const PublishedFile = Type.Object({
  path: TEXT,
  bytes: WHOLE,
  sha256: SHA256,
  // When these bytes were first released; also the file's modification time.
  modified: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' }),
  /**
   * The SHA-256 of each block of BLOCK_BYTES bytes, 32 bytes each, concatenated, in base64. Absent if the
   * file fits in one block, and in trees of older programs.
   */
  blocks: optional(Type.String({ pattern: '^[A-Za-z0-9+/]+={0,2}$' })),
});
export type PublishedFile = Of<typeof PublishedFile>;

const RowsFile = Type.Object({ ...PublishedFile.properties, rows: WHOLE });
export type RowsFile = Of<typeof RowsFile>;

const RowGroup = Type.Object({
  rows: WHOLE,
  start: WHOLE,
  /** Compressed bytes of each column chunk, in the order of the manifest's `columns`. */
  sizes: Type.Array(WHOLE),
  /**
   * For each of the manifest's `key_columns`, the least value other than NULL; null if all are NULL or it
   * isn't known.
   */
  min: Type.Array(SCALAR_OR_NULL),
  max: Type.Array(SCALAR_OR_NULL),
  nulls: Type.Array(WHOLE),
  /** Absent in trees of older programs. */
  sha256: optional(SHA256),
});
export type RowGroup = Of<typeof RowGroup>;

/**
 * A row group's first column chunk begins at byte `start`. Column chunk j has `sizes[j]` bytes and follows
 * chunk j-1 without a gap.
 */
const ParquetFile = Type.Object({
  ...PublishedFile.properties,
  rows: WHOLE,
  row_groups: Type.Array(RowGroup),
});
export type ParquetFile = Of<typeof ParquetFile>;

const RowColumn = Type.Object({
  name: TEXT,
  type: COLUMN_TYPE,
  /** Physical type in Parquet. */
  parquet: choice('INT32', 'INT64', 'DOUBLE', 'BYTE_ARRAY', 'BOOLEAN'),
  /** Present if timestamps are in UTC: Parquet says so, and their texts end in Z. */
  utc: optional(TRUE),
  /** The dimension whose join adds it; null for the contract's own columns. */
  from: TEXT_OR_NULL,
});
export type RowColumn = Of<typeof RowColumn>;

/** An empty list means that the format isn't stored for this slice; an edge computes it from Parquet. */
const SliceFiles = Type.Object({
  /** JSON has pages in order, each with PAGE_ROWS rows except the last. */
  ...ofTextFormats(() => Type.Array(RowsFile)),
  parquet: Type.Array(ParquetFile),
});
export type SliceFiles = Of<typeof SliceFiles>;

const SliceEntry = Type.Object({
  /** 0 in a dataset without time. */
  year: YEAR,
  detail: TEXT,
  rows: WHOLE,
  /** First 12 digits of the Parquet file's sha256. */
  release: TEXT,
  files: SliceFiles,
});
export type SliceEntry = Of<typeof SliceEntry>;

/** The number of rows of each value of the column that sorts a copy. */
const ValueCounts = Type.Object({
  /** In the order of the rows; NULL is first. */
  values: Type.Array(SCALAR_OR_NULL),
  /** For each value, its rows by year. */
  rows: Type.Array(Type.Array(WHOLE)),
  /**
   * Filterable columns that the column's dimension adds, with the value that follows from each of `values`.
   */
  attributes: optional(mapOf(Type.Array(SCALAR_OR_NULL))),
});
export type ValueCounts = Of<typeof ValueCounts>;

/** What a manifest says about a copy, without its file. */
const CopyRows = Type.Object({
  detail: TEXT,
  by: Type.Array(TEXT),
  /** Ascending; 0 alone in a dataset without time. */
  years: Type.Array(YEAR),
  rows: WHOLE,
  /** Absent in the copy by place. */
  counted: optional(ValueCounts),
});
export type CopyRows = Of<typeof CopyRows>;

/**
 * The rows of some years of one level again, sorted by the columns of `by`, NULLs first, and then like the
 * slices. A level with several years has one copy of all years by place. The other copies are each by one
 * column and count its values.
 */
const CopyEntry = Type.Object({ ...CopyRows.properties, file: ParquetFile });
export type CopyEntry = Of<typeof CopyEntry>;

const TABLE = {
  version: TEXT,
  schema_hash: TEXT,
  license: TEXT_OR_NULL,
  attribution: TEXT_OR_NULL,
  rows: WHOLE,
  columns: Type.Array(RowColumn),
  /** Columns that order the rows, NULLs first: the grain, or a dimension's key. */
  order: Type.Array(TEXT),
  /** Columns whose bounds each row group states. */
  key_columns: Type.Array(TEXT),
  documents: Type.Array(PublishedFile),
};

/** `api/v1/{domain}/{topic}/manifest.json` */
export const DatasetManifest = Type.Object({
  ...Stamp.properties,
  ...SAME_MAJOR,
  ...TABLE,
  dataset: TEXT,
  /** Columns that identify a place: the grain's foreign keys other than the demographic. */
  place: Type.Array(TEXT),
  slices: Type.Array(SliceEntry),
  copies: Type.Array(CopyEntry),
});
export type DatasetManifest = Of<typeof DatasetManifest>;

/** `api/v1/{domain}/_dimensions/{name}/manifest.json` */
export const DimensionManifest = Type.Object({
  ...Stamp.properties,
  ...SAME_MAJOR,
  ...TABLE,
  dimension: TEXT,
  files: SliceFiles,
});
export type DimensionManifest = Of<typeof DimensionManifest>;

/**
 * `key` is the path beneath `api/v1/`: `domain/topic`, or `domain/_dimensions/name`. It is not the `key` of the list of
 * datasets.
 */
const ManifestEntry = Type.Object({ ...PublishedFile.properties, key: TEXT, release: TEXT, rows: WHOLE });
export type ManifestEntry = Of<typeof ManifestEntry>;

const WithdrawnEntry = Type.Object({
  ...Withdrawal.properties,
  withdrawn: TEXT,
  key: TEXT,
  release: TEXT,
  documents: Type.Array(PublishedFile),
});
export type WithdrawnEntry = Of<typeof WithdrawnEntry>;

/** `manifest.json`, at the root */
export const TreeManifest = Type.Object({
  ...TreeStamp.properties,
  ...SAME_MAJOR,
  date: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }),
  datasets: Type.Array(ManifestEntry),
  dimensions: Type.Array(ManifestEntry),
  documents: Type.Array(PublishedFile),
  withdrawn: optional(Type.Array(WithdrawnEntry)),
  /**
   * The sha256 of all bytes before this member's line, which is the last. It shows whether the file is whole.
   * Absent in trees of older programs.
   */
  seal: optional(TEXT),
});
export type TreeManifest = Of<typeof TreeManifest>;
