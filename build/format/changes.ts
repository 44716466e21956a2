/**
 * The shapes of a table's earlier releases, and in words what each release changed. FORMAT.md has an example
 * of each document.
 */
import { CHANGE_WORDS } from './change-words.ts';
import type { Erratum, SchemaDocument, Stamp } from './documents.ts';
import type { CopyRows, DatasetManifest, DimensionManifest, ParquetFile, PublishedFile } from './manifest.ts';
import { NO_YEAR } from './paths.ts';
import { spellYears } from './time-text.ts';

export interface TreeRelease {
  readonly release: string;
  /** YYYY-MM-DD */
  readonly date: string;
}

/** `changes.json` of a dataset or dimension, beside its manifest. */
export interface ChangesDocument extends Stamp {
  /** `domain/topic`, or `domain/_dimensions/name`. */
  readonly subject: string;
  /** Date of the first release that the document covers. */
  readonly since: string;
  /** Name of that release, because a day may have several. Absent in trees of earlier programs. */
  readonly since_release?: string | undefined;
  /** Why nothing older is known; absent if the dataset was first published on that date. */
  readonly broken?: string | undefined;
  /** Newest first. Releases that changed nothing are absent. */
  readonly releases: readonly ReleaseChanges[];
  /** Rows whose earlier values the publisher took back; absent if there are none. */
  readonly forgotten?: readonly Forgotten[] | undefined;
}

export interface ReleaseChanges extends TreeRelease {
  readonly version: string;
  readonly added: number;
  readonly removed: number;
  readonly revised: number;
  readonly slices: readonly SliceChanges[];
  /** New names of columns, by their old ones; absent if no column was renamed. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Columns that the release removed, or gave another type; absent if there are none. */
  readonly dropped?: readonly string[];
  /** Errata that are new in this release; absent if there are none. */
  readonly errata?: readonly Erratum[];
  /** The table's release before this one. */
  readonly replaced: string;
  /** The table's earlier description; absent if the next release describes it in the same way. */
  readonly before?: PublishedFile;
}

export interface SliceChanges {
  /** 0 in a dimension and in a dataset without time. */
  readonly year: number;
  /** `rows` in a dimension. */
  readonly detail: string;
  /**
   * `added`: a new slice; its rows are not repeated. `removed`: the slice is gone. `replaced`: the grain
   * changed, so rows can't be compared. `forgotten`: the publisher took the earlier rows back.
   */
  readonly change: 'added' | 'removed' | 'revised' | 'replaced' | 'forgotten';
  readonly added: number;
  readonly removed: number;
  readonly revised: number;
  /** The slice's earlier file, in `_past/`; absent if the slice is new. */
  readonly past?: ParquetFile | ForgottenSlice;
}

/** A slice of an earlier release whose file is gone because the publisher took it back. */
export interface ForgottenSlice {
  readonly sha256: string;
  /** The date of the release that took it back, YYYY-MM-DD. */
  readonly date: string;
  readonly reason: string;
}

/** Slices whose rows of earlier releases are no longer served. */
export interface Forgotten extends TreeRelease {
  readonly reason: string;
  /** Empty means all. */
  readonly years: readonly number[];
  /** Empty means all. */
  readonly levels: readonly string[];
}

export function isWithin(
  { years, levels }: Pick<Forgotten, 'years' | 'levels'>,
  { year, detail }: Pick<SliceChanges, 'year' | 'detail'>,
): boolean {
  return (years.length === 0 || years.includes(year)) && (levels.length === 0 || levels.includes(detail));
}

/** The items that an earlier list lacks, such as new errata. */
export function newStatements<Statement>(
  now: readonly Statement[],
  earlier: readonly Statement[] = [],
): Statement[] {
  const told = new Set(earlier.map(one => JSON.stringify(one)));
  return now.filter(one => !told.has(JSON.stringify(one)));
}

/** What two maps have under each key, sorted by key. */
export function pairByKey<Value>(old: ReadonlyMap<string, Value>, now: ReadonlyMap<string, Value>) {
  const keys = [...new Set([...old.keys(), ...now.keys()])].sort();
  return keys.map(key => ({ key, old: old.get(key), now: now.get(key) }));
}

/** `_past/{release}.json`: the description of a table until that release. */
export interface TableBefore extends Pick<TableDescription, 'manifest'> {
  readonly format: string;
  /** Absent for a dimension, and if the next release has the same. */
  readonly schema?: AnsweredSchema;
}

/** The part of a schema document that affects answers. */
export type AnsweredSchema = Pick<SchemaDocument, 'filters' | 'time' | 'detail_levels' | 'default_detail'>;

/** The copies' counts are kept, but not their files. */
export type DescribedDataset = Omit<DatasetManifest, 'copies'> & { readonly copies: readonly CopyRows[] };

/** The counts of copies, which are kept when their files are replaced. */
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

/** Sentences, the most important first. */
export function describeChanges(release: ReleaseChanges, words = CHANGE_WORDS): string[] {
  const { added, removed, revised, slices, renamed = {}, dropped = [] } = release;
  const rows = [
    revised > 0 ? words.revised(revised) : '',
    added > 0 ? words.added(added) : '',
    removed > 0 ? words.removed(removed) : '',
  ].filter(Boolean);
  return [
    rows.length === 0 ? words.none : `${rows.join(', ')}.`,
    ...KINDS.flatMap(change => {
      const found = slices.filter(
        one => one.change === change && (change !== 'revised' || one.added + one.removed + one.revised > 0),
      );
      return found.length === 0 ? [] : [`${words.kinds[change]}: ${namesOf(found, words.to)}.`];
    }),
    ...Object.entries(renamed).map(([old, now]) => words.renamed(old, now)),
    ...(dropped.length === 0 ? [] : [words.dropped(dropped.join(', '))]),
  ];
}

const KINDS = Object.keys(CHANGE_WORDS.kinds) as readonly SliceChanges['change'][];

function namesOf(slices: readonly SliceChanges[], to: string): string {
  const levels = [...new Set(slices.map(one => one.detail))];
  return levels
    .map(level => {
      const years = slices.filter(one => one.detail === level && one.year !== NO_YEAR).map(one => one.year);
      return [level, ...(years.length === 0 ? [] : [spellYears(years, to)])].join(' ');
    })
    .join('; ');
}
