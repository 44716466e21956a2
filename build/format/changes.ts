/** The shapes of a table's earlier releases: their files, and what changed. FORMAT.md has an example of each. */
import type { Erratum, Stamp } from './documents.ts';
import type { CopyRows, DatasetManifest, DimensionManifest, ParquetFile, PublishedFile } from './manifest.ts';
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
  /** The table's release until then. */
  readonly replaced: string;
  /** How the table was described until then; absent if the description of the next release says the same. */
  readonly before?: PublishedFile;
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
  /** The slice's file until then, in `_past/`; absent if the slice is new. */
  readonly past?: ParquetFile | ForgottenSlice;
}

/** A slice of an earlier release that the publisher took back, so that its file is gone. */
export interface ForgottenSlice {
  /** Of the file. */
  readonly sha256: string;
  /** The date of the release that took it back, YYYY-MM-DD. */
  readonly date: string;
  readonly reason: string;
}

/** Slices whose rows in earlier releases are told to nobody. */
export interface Forgotten extends TreeRelease {
  readonly reason: string;
  /** Empty means all. */
  readonly years: readonly number[];
  /** Empty means all. */
  readonly levels: readonly string[];
}

/** Whether a slice is among these years and levels: an empty list names all. */
export function isWithin(
  { years, levels }: Pick<Forgotten, 'years' | 'levels'>,
  { year, detail }: Pick<SliceChanges, 'year' | 'detail'>,
): boolean {
  return (years.length === 0 || years.includes(year)) && (levels.length === 0 || levels.includes(detail));
}

/** The statements of a list that an earlier list lacks, such as errata. */
export function newStatements<Statement>(
  now: readonly Statement[],
  earlier: readonly Statement[] = [],
): Statement[] {
  const told = new Set(earlier.map(one => JSON.stringify(one)));
  return now.filter(one => !told.has(JSON.stringify(one)));
}

/** `_past/{release}.json`: how a table was described until that release. */
export interface TableBefore extends Pick<TableDescription, 'manifest'> {
  readonly format: string;
  /** Absent if it is as the next release describes it, and for a dimension. */
  readonly schema?: AnsweredSchema;
}

/** The part of a schema document on which answers depend. */
export type AnsweredSchema = Pick<SchemaDocument, 'filters' | 'time' | 'detail_levels' | 'default_detail'>;

/** The copies tell how many rows have each value. Their files are gone. */
export type DescribedDataset = Omit<DatasetManifest, 'copies'> & { readonly copies: readonly CopyRows[] };

/** What remains of copies once a release has others. */
export function countsOf(copies: readonly CopyRows[]): CopyRows[] {
  return copies.flatMap(({ detail, by, years, rows, counted }) =>
    counted === undefined ? [] : [{ detail, by, years, rows, counted }],
  );
}

export interface TableDescription {
  /** Without slices and documents. */
  readonly manifest: DescribedDataset | DimensionManifest;
  /** Null for a dimension. */
  readonly schema: AnsweredSchema | null;
}
