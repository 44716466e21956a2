/**
 * The plan of a request: the files that can hold its rows, and what remains to be done with them. A plan is data, so
 * that a reader can see it, a test can assert it, and any executor can carry it out.
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
  /** The release of the slice where the answer lies within one slice; else of the table. */
  readonly release: string;
  /** Rows of the whole answer; null where conditions on rows leave it unknown. */
  readonly total: number | null;
  /** Sentences that say why an answer is empty, and what else a reader must know. */
  readonly notices: readonly string[];
}

/** One stored file is the answer. No residual. */
export interface StoredPlan extends Answer {
  readonly kind: 'stored';
  readonly file: TextFile;
  /** Whether rows follow. The file links the next page by its name, but an API answer links it by a query. */
  readonly more: boolean;
}

/** The same answer as lines of the file, so that another link to the next page can take the place of the file's own. */
export function asCut(plan: StoredPlan): CutPlan {
  return { ...plan, kind: 'cut', pieces: [{ file: plan.file, skip: 0, take: plan.file.entry.rows }] };
}

/** Lines of stored JSON or CSV, one file after another. The residual is where to begin and where to stop. */
export interface CutPlan extends Answer {
  readonly kind: 'cut';
  readonly pieces: readonly Piece[];
}

export interface Piece {
  readonly file: TextFile;
  /** How many rows to leave out at the start of the file. */
  readonly skip: number;
  readonly take: number;
}

/** Row groups of Parquet files, filtered. */
export interface ScanPlan extends Answer {
  readonly kind: 'scan';
  readonly sources: readonly ScanSource[];
  readonly residual: Residual;
  /** The compressed bytes of all row groups that the scan may read, and their rows. */
  readonly bytes: number;
  readonly rows: number;
}

export interface ScanSource {
  readonly file: ParquetSource;
  /** Indexes of the row groups that can hold matching rows, ascending. */
  readonly groups: readonly number[];
}

/** The part of the question that the choice of files does not answer. */
export interface Residual {
  /** A row must satisfy all of them. */
  readonly conditions: readonly Condition[];
  /**
   * What must be sorted before the page is cut: nothing; the rows of each source, in which those of each value are in the
   * order of the answer; or rows in any other order.
   */
  readonly sort: 'none' | 'stretches' | 'rows';
  /** Counted among the matching rows of the sources. */
  readonly offset: number;
  /** Matching rows in the row groups of the first file that stand before those of the plan. */
  readonly skipped: number;
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
