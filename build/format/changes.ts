/** The shapes of a tree's memory: what each release added, removed and revised. FORMAT.md has an example of each. */
import type { Erratum, Stamp } from './documents.ts';
import type {
  DatasetManifest,
  DimensionManifest,
  ParquetFile,
  PublishedFile,
  RowColumn,
} from './manifest.ts';
import type { SchemaDocument } from './schema.ts';

/** A release of the whole tree. */
export interface TreeRelease {
  readonly release: string;
  /** YYYY-MM-DD */
  readonly date: string;
}

/** `changes.json` of a dataset or dimension, beside its manifest. */
export interface ChangesDocument extends Stamp {
  /** `domain/topic`, or `domain/_dimensions/name`. */
  readonly subject: string;
  /** The date of the release with which its memory begins. */
  readonly since: string;
  /** That release: a day may have several. Trees of earlier programs have none. */
  readonly since_release?: string;
  /** Why nothing older is known; absent if the dataset was first published then. */
  readonly broken?: string;
  /** Newest first. Releases that changed nothing are absent. */
  readonly releases: readonly ReleaseChanges[];
  /** Rows whose earlier values the publisher took back; absent if there are none. */
  readonly forgotten?: readonly Forgotten[];
}

/** What a release changed. */
export interface ReleaseChanges extends TreeRelease {
  /** The contract's version from this release on. */
  readonly version: string;
  readonly added: number;
  readonly removed: number;
  readonly revised: number;
  /** The slices that changed, by year and level. */
  readonly slices: readonly SliceChanges[];
  /** New names of columns, by their old ones; absent if no column was renamed. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Columns that the release removed, or gave another type; absent if there are none. */
  readonly dropped?: readonly string[];
  /** Errata that are new in this release; absent if there are none. */
  readonly errata?: readonly Erratum[];
  /** The table as it was before: its manifest and schema document. */
  readonly before: PublishedFile;
  /** The rows that changed; null if only whole slices were added, or nothing but documents changed. */
  readonly rows: ChangedRows | null;
}

export interface SliceChanges {
  /** 0 in a dimension and in a dataset without time. */
  readonly year: number;
  /** `rows` in a dimension. */
  readonly detail: string;
  /**
   * `added`: the slice is new, and its rows are not repeated. `removed`: the slice is gone. `replaced`: the grain is
   * another, so that rows cannot be told apart by it. `forgotten`: the publisher took the earlier rows back.
   */
  readonly change: 'added' | 'removed' | 'revised' | 'replaced' | 'forgotten';
  readonly added: number;
  readonly removed: number;
  readonly revised: number;
}

/** `changes/{release}.parquet`: a row for each changed row, by level, year and grain. */
export interface ChangedRows {
  /**
   * `change`, `year`, `detail`, then the earlier grain as `key_{name}`, the other earlier columns as `old_{name}`, and
   * the release's own as `new_{name}`.
   */
  readonly columns: readonly RowColumn[];
  readonly key_columns: readonly string[];
  readonly file: ParquetFile;
  /** The same rows as JSON; absent if there are many. */
  readonly json?: PublishedFile;
}

/** Slices whose rows in earlier releases are told to nobody. */
export interface Forgotten extends TreeRelease {
  readonly reason: string;
  /** Empty means all. */
  readonly years: readonly number[];
  /** Empty means all. */
  readonly levels: readonly string[];
}

/** `changes/{release}.before.json`: how a table was described until that release. */
export interface TableBefore {
  readonly format: string;
  /** Its slices have no files; the only row group of each tells which columns were NULL. */
  readonly manifest: DatasetManifest | DimensionManifest;
  /** Null for a dimension. */
  readonly schema: SchemaDocument | null;
}

/** Columns in front of the grain. */
export const CHANGE_COLUMNS = ['change', 'year', 'detail'] as const;
