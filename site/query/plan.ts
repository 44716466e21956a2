/**
 * The plan of a request: the files that can hold its rows, and what remains to be done with them. A plan is data, so
 * that a reader can see it, a test can assert it, and any executor can carry it out.
 *
 * Invariant: pruning changes which files are read, never the answer. Unknown means keep.
 */
import type { Condition } from './condition.ts';
import type { RowsRequest } from './request.ts';
import type { ParquetSource, StoredFile, Table } from './table.ts';

export type Plan = StoredPlan | ScanPlan;

/** What a plan says of the answer, whatever files it reads. */
export interface Answer {
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

/** All rows of stored files, one after another. No residual. */
export interface StoredPlan extends Answer {
  readonly kind: 'stored';
  /** Some of JSON or CSV, or one of Parquet. */
  readonly files: readonly StoredFile[];
  /** The one file that is the answer, but for its link to the next page; null where the answer has a head of its own. */
  readonly file: StoredFile | null;
  /** Whether rows follow. The file links the next page by its name, but an API answer links it by a query. */
  readonly more: boolean;
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
   * What must be sorted before the page is cut: nothing; the rows of each source, which has a few sorted stretches; or all
   * rows together.
   */
  readonly sort: 'none' | 'stretches' | 'rows';
  /** Counted among the matching rows of the sources. */
  readonly offset: number;
  /** Matching rows in the row groups of the first file that stand before those of the plan. */
  readonly skipped: number;
  readonly limit: number | null;
}

/** Every file that the plan may read. */
export function planFiles(plan: Plan): readonly StoredFile[] {
  switch (plan.kind) {
    case 'stored':
      return plan.files;
    case 'scan':
      return plan.sources.map(({ file }) => file);
    default:
      return plan satisfies never;
  }
}
