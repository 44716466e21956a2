/** A manifest prepared for planning. A dimension is a table with one level, no years and no filters. */
import type { ParquetFile, RowColumn, RowsFile } from '../../build/format/manifest.ts';
import type { Parameters } from './parameters.ts';

export interface Table {
  readonly kind: 'dataset' | 'dimension';
  /** What the envelope calls it: `census/employment`, `districts`. */
  readonly name: string;
  /** Folder of its manifest, relative to the tree's root. */
  readonly folder: string;
  readonly stamp: TableStamp;
  readonly columns: readonly RowColumn[];
  /** Names of the columns that row groups have bounds of, in the order of the bounds. */
  readonly keyColumns: readonly string[];
  /** Positions of the columns that order the rows. */
  readonly order: readonly number[];
  /** Position in `columns` of the year; -1 in a dimension. */
  readonly year: number;
  /** Whether slices one after another, by year, are in the order of the rows. */
  readonly yearFirst: boolean;
  /** Position in a row group's bounds of the year; -1 where it has none. */
  readonly yearKey: number;
  readonly levels: ReadonlyMap<string, Level>;
  readonly defaultLevel: string;
  /** Of the route that gives its rows. */
  readonly parameters: Parameters;
}

/** What the envelope and the ETag say of a table. */
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
  /** Of all these years at least; null where there is none. */
  readonly history: ParquetSource | null;
}

export interface Slice {
  /** 0 in a dimension. */
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
  /** Years that the file holds, ascending; one in a slice, none in a dimension. */
  readonly years: readonly number[];
  /** Compressed bytes of each row group. */
  readonly groupBytes: readonly number[];
  /** Key column by which the groups' bounds never descend, so that groups can be found by bisection; -1: none. */
  readonly lead: number;
}

export const DIMENSION_LEVEL = 'rows';
