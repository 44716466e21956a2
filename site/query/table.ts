/** A manifest prepared for planning. A dimension is a table with one level, no years and no filters. */
import type { Scalar } from '../../build/format/documents.ts';
import type { ParquetFile, RowColumn, RowsFile } from '../../build/format/manifest.ts';
import type { Parameters } from './parameters.ts';

export interface Table {
  readonly kind: 'dataset' | 'dimension';
  /** Its name in the envelope, such as `census/employment` or `districts`. */
  readonly name: string;
  /** The folder of its manifest, from the tree's root. */
  readonly folder: string;
  readonly stamp: TableStamp;
  readonly columns: readonly RowColumn[];
  /** The names of the columns of which row groups have bounds, in the order of the bounds. */
  readonly keyColumns: readonly string[];
  /** Positions of the columns that order the rows. */
  readonly order: readonly number[];
  /** The year's position in `columns`; -1 in a dimension and in a dataset without time. */
  readonly year: number;
  /** Whether the slices, one after another by year, are in the order of the rows. */
  readonly yearFirst: boolean;
  readonly levels: ReadonlyMap<string, Level>;
  readonly defaultLevel: string;
  /** The parameters of the route that gives its rows. */
  readonly parameters: Parameters;
}

/** The facts about a table that go into envelopes and ETags. */
export interface TableStamp {
  readonly version: string;
  readonly schemaHash: string;
  readonly release: string;
  readonly license: string | null;
  readonly attribution: string | null;
  readonly sample: boolean;
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
  /** The column whose values the files have together; null in the copy by place, which counts no values. */
  readonly column: string | null;
  /** The file of each year; some years may have none. */
  readonly files: ReadonlyMap<number, CopyFile>;
}

export interface CopyFile {
  /** Ascending. */
  readonly years: readonly number[];
  /** Null if the file is gone, so that the copy tells only how many rows have each value. */
  readonly source: ParquetSource | null;
  /** The rows of each value of the column, which itself sorts the rows or follows from the one that does. */
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
  readonly json: readonly TextFile[];
  readonly csv: readonly TextFile[];
  readonly parquet: ParquetSource;
}

/** A stored file and its path from the tree's root. */
export interface StoredFile<Entry extends RowsFile = RowsFile> {
  readonly path: string;
  readonly entry: Entry;
}

export type TextFile = StoredFile;

export interface ParquetSource extends StoredFile<ParquetFile> {
  /** The compressed bytes of each row group. */
  readonly groupBytes: readonly number[];
  /** The position of the first row of each row group. */
  readonly starts: readonly number[];
  /** The key column whose bounds ascend from group to group, so that bisection finds groups; -1 where there is none. */
  readonly lead: number;
}

export const DIMENSION_LEVEL = 'rows';

/** -1 where the table has no column of the name. */
export function positionOf({ columns }: Pick<Table, 'columns'>, name: string | null | undefined): number {
  return columns.findIndex(column => column.name === name);
}
