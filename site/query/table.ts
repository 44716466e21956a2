/** A manifest prepared for planning. A dimension is a table with one level, no years and no filters. */
import type { AnsweredSchema, DescribedDataset, ForgottenSlice } from '../../build/format/changes.ts';
import type { Scalar } from '../../build/format/documents.ts';
import type { ParquetFile, RowColumn, RowsFile } from '../../build/format/manifest.ts';
import type { Parameters } from './parameters.ts';

/** What answers depend on. A dimension is described as a dataset with one slice and without years and filters. */
export interface Described {
  readonly kind: 'dataset' | 'dimension';
  readonly manifest: DescribedDataset;
  readonly schema: AnsweredSchema;
}

export interface Table extends Described {
  /** Its name in the envelope, such as `census/employment` or `districts`. */
  readonly name: string;
  /** The folder of its manifest, from the tree's root. */
  readonly folder: string;
  readonly columns: readonly RowColumn[];
  /** Positions of the columns that order the rows. */
  readonly order: readonly number[];
  /** The year's position in `columns`; -1 in a dimension and in a dataset without time. */
  readonly year: number;
  /** Whether the slices, one after another by year, are in the order of the rows. */
  readonly yearFirst: boolean;
  readonly levels: ReadonlyMap<string, Level>;
  /** The parameters of the route that gives its rows. */
  readonly parameters: Parameters;
  /** What is special about a table as it was before some releases; absent in that of today. */
  readonly past?: Past;
}

export interface Past {
  /** Slices that it had, whose rows the publisher took back. */
  readonly forgotten: readonly ForgottenAt[];
  /** The names that the columns of today have in it; null for those that it lacks. */
  readonly names: ReadonlyMap<string, string | null>;
}

export interface ForgottenAt extends ForgottenSlice {
  readonly year: number;
  readonly detail: string;
}

export interface Level {
  readonly name: string;
  /** Ascending. */
  readonly years: readonly number[];
  /** In the order of `years`. */
  readonly slices: readonly Slice[];
  readonly copies: readonly Copy[];
  /** The columns that tell its places apart, the largest part first; none where the level is the whole. */
  readonly places: readonly string[];
}

/** Rows of a level in another order than an answer has, in files that may have several years. */
export interface Copy {
  /** The column whose values the files have together. */
  readonly column: string;
  /** Whether the manifest counts the rows of each value; of the copy by place it knows only the bounds of row groups. */
  readonly isCounted: boolean;
  /** The file of each year; some years may have none. */
  readonly files: ReadonlyMap<number, CopyFile>;
}

export interface CopyFile {
  /** Ascending. */
  readonly years: readonly number[];
  /** Null if the file is gone, so that the copy tells only how many rows have each value. */
  readonly source: ParquetSource | null;
  /** The rows of each value of the column, which itself sorts the rows or follows from the one that does; none uncounted. */
  readonly segments: ReadonlyMap<Scalar, readonly Segment[]>;
}

/** The rows of one value of the column by which a copy is sorted. They are in the order of an answer. */
export interface Segment {
  /** The position of the first of them in the file. */
  readonly start: number;
  /** Their number in each year of the file. */
  readonly counts: readonly number[];
}

export interface Slice {
  /** 0 in a dimension and in a dataset without time. */
  readonly year: number;
  readonly release: string;
  readonly rows: number;
  readonly json: readonly StoredFile[];
  readonly csv: readonly StoredFile[];
  readonly parquet: ParquetSource;
}

/** A stored file and its path from the tree's root. */
export interface StoredFile<Entry extends RowsFile = RowsFile> {
  readonly path: string;
  readonly entry: Entry;
}

export interface ParquetSource extends StoredFile<ParquetFile> {
  /** The compressed bytes of each row group. */
  readonly groupBytes: readonly number[];
  /** The position of the first row of each row group. */
  readonly starts: readonly number[];
}

export const DIMENSION_LEVEL = 'rows';

/** -1 where the table has no column of the name. */
export function positionOf({ columns }: Pick<Table, 'columns'>, name: string | null | undefined): number {
  return columns.findIndex(column => column.name === name);
}
