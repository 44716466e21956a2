/**
 * The plan of a request: which files can hold its rows, and what must still be done with them. It is data, so that
 * a reader can be shown it, a test can assert it, and any executor can carry it out.
 *
 * Invariant: pruning changes which files are read, never the answer. Unknown means keep.
 */
import type { Condition, RowsRequest } from './request.ts';
import type { ParquetSource, Table, TextFile } from './table.ts';

export type Plan = StoredPlan | CutPlan | ScanPlan;

interface Answer {
  readonly table: Table;
  readonly request: RowsRequest;
  /** Years of the question that the dataset has at this level, ascending. */
  readonly years: readonly number[];
  /** Of the slice, where the answer is within exactly one; else of the table. */
  readonly release: string;
  /** Rows of the whole answer; null where conditions on rows leave it unknown. */
  readonly total: number | null;
  /** In words, why an answer is empty; what else a reader must know. */
  readonly notices: readonly string[];
}

/** One stored file is the answer. No residual. */
export interface StoredPlan extends Answer {
  readonly kind: 'stored';
  readonly file: TextFile;
  /** Rows follow: the file links the next page by its name, where the API's own answer links it by query. */
  readonly more: boolean;
}

/** The same answer as lines of the file, so that another link to the next page can take the place of the file's own. */
export function asCut(plan: StoredPlan): CutPlan {
  return { ...plan, kind: 'cut', pieces: [{ file: plan.file, skip: 0, take: plan.file.entry.rows }] };
}

/** Lines of stored JSON or CSV, one file after another. The residual is where to begin and to stop. */
export interface CutPlan extends Answer {
  readonly kind: 'cut';
  readonly pieces: readonly Piece[];
}

export interface Piece {
  readonly file: TextFile;
  /** Rows of the file to leave out at its start. */
  readonly skip: number;
  readonly take: number;
}

/** Row groups of Parquet files, filtered. */
export interface ScanPlan extends Answer {
  readonly kind: 'scan';
  readonly sources: readonly ScanSource[];
  readonly residual: Residual;
  /** Compressed bytes, and rows, of all row groups that may have to be read. */
  readonly bytes: number;
  readonly rows: number;
}

export interface ScanSource {
  readonly file: ParquetSource;
  /** Indexes of the row groups that can hold matching rows, ascending. */
  readonly groups: readonly number[];
}

/** What the files' names do not already answer. */
export interface Residual {
  /** All must hold of a row. */
  readonly conditions: readonly Condition[];
  /** The sources are not in the order of the answer: sort before cutting the page. */
  readonly sort: boolean;
  /** Of the rows that match in the sources. */
  readonly offset: number;
  readonly limit: number | null;
}

/** Every file that the plan may read, as paths from the tree's root. */
export function planFiles(
  plan: Plan,
): readonly { readonly path: string; readonly bytes: number; readonly modified: string }[] {
  switch (plan.kind) {
    case 'stored':
      return [describe(plan.file)];
    case 'cut':
      return plan.pieces.map(piece => describe(piece.file));
    case 'scan':
      return plan.sources.map(source => describe(source.file));
    default:
      return plan satisfies never;
  }
}

function describe(file: TextFile) {
  return { path: file.path, bytes: file.entry.bytes, modified: file.entry.modified };
}
