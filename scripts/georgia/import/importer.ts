import { literal } from '../../../build/lake/sql.ts';
import type { YearSpan } from './file-name-year.ts';

/** One source turned into one table of the lake: what its files look like, and the SQL that reads them. */
export interface Importer {
  /** As typed on the command line; a dataset's topic or a dimension's name. */
  readonly name: string;
  /** What its files are, in a line of the program's help. */
  readonly reads: string;
  readonly target: Target;
  /** The kinds of file that feed the table. A file is of the first shape whose required columns it has. */
  readonly shapes: readonly Shape[];
  /** Of a table that needs no file: SQL that gives its rows. `shapes` is then empty. */
  readonly rows?: string;
  /**
   * What becomes of two rows of one key. `refuse`: equal rows count once, differing rows stop the import.
   * `first`: the first row wins (places, whose names differ from file to file).
   */
  readonly repeated: 'refuse' | 'first';
  /** Whether rows that earlier imports wrote for the same year stay, because several files feed one slice. */
  readonly merges: boolean;
}

/** A table of the lake, exactly as its contract has it: a test holds the two together. */
export interface Target {
  /** Below the lake's root, no extension: `education/attendance` for a dataset, `_dimensions/tracts` for a dimension. */
  readonly path: string;
  readonly kind: 'dataset' | 'dimension';
  /** In contract order. */
  readonly columns: Readonly<Record<string, PhysicalType>>;
  /** Grain or primary key, in order; rows are sorted by it, NULLs first. */
  readonly key: readonly string[];
}

export type PhysicalType = 'INTEGER' | 'BIGINT' | 'DOUBLE' | 'VARCHAR';

export interface Shape {
  readonly name: string;
  readonly columns: readonly SourceColumn[];
  /** A file with any other column is of another layout: these columns alone would fit several. */
  readonly exact?: boolean;
  /** Plain headers that say a file is of places that the table does not have: such a file is refused. */
  readonly otherPlaces?: RegExp;
  /** What a span of several years in the name of such a file means; nothing by default. */
  readonly yearSpan?: YearSpan;
  /**
   * One SELECT over `source`: every column of the shape under its own name (VARCHAR, trimmed, NULL where blank or
   * where the file lacks it), `line` (INTEGER) and `file_year` (INTEGER, from the file's name or --year, or NULL).
   * It gives `line`, `dropped` (why the row is left out, or NULL), `remark` (what is odd about a row that is kept,
   * or NULL), `detail` (datasets only), `unsaid` (see there; optional) and the target's columns; those it does not
   * give are NULL. A row that no file has stands on line 0.
   */
  select(present: ReadonlySet<string>, file: SourceFile): string;
  /** Why a file of this layout cannot be read, where its name or year says too little. */
  problem?(file: SourceFile): string | undefined;
  /** Names of columns that a file should have beside those that it has: it is read, and they are said to be NULL. */
  lacks?(present: ReadonlySet<string>): readonly string[];
  /**
   * Of a merging importer: the columns for which this file is the authority. Others keep what the lake holds, and
   * are taken from this file only in rows that are new.
   */
  supplies?(present: ReadonlySet<string>): readonly string[];
  /** Of a shape that supplies counts: the rate that its files give beside them. */
  readonly ownRate?: OwnRate;
}

export interface SourceFile {
  readonly name: string;
  /** From its name or --year. */
  readonly year: number | undefined;
}

/**
 * A rate for which a file is not the authority, although it stands on counts for which it is. Where the file corrects
 * the counts that the lake holds, the lake's rate is out of date and the file's takes its place, if it is further away
 * than `within` (a proportion: what the two kinds of file are known to differ by), or is `part` over `whole` as the
 * lake holds them: then an earlier file of counts gave it.
 */
export interface OwnRate {
  readonly rate: string;
  /** The shape's column that the file's rate is read from; a file may lack it. */
  readonly column: string;
  /** Count that the rate is of. */
  readonly whole: string;
  /** Count of those in it whom the rate counts. */
  readonly part: string;
  readonly within: number;
  /** The unit, a proportion, to which the source rounds rates. */
  readonly rounding: number;
}

export interface SourceColumn {
  readonly name: string;
  /** Headers it goes by; case, spaces and punctuation do not count. */
  readonly headers: readonly string[];
  readonly required: boolean;
  /** Files of the kind have it, and nothing is read from it. */
  readonly ignored?: boolean;
  /** A cell of a number column that is neither a figure nor a known marker stops the import. */
  readonly holds: 'text' | 'count' | 'number' | 'percent';
  /** Of a number column whose figures run to 100 and are served as they are: a file of proportions is refused. */
  readonly scale?: 100;
  /** Percentages of one measure are on one scale, in whatever columns they stand; by default a column is its own. */
  readonly measure?: string;
}

export function text(name: string, headers: readonly string[], required = true): SourceColumn {
  return { name, headers, required, holds: 'text' };
}

export function ignored(header: string): SourceColumn {
  return { name: header, headers: [header], required: false, ignored: true, holds: 'text' };
}

export function figure(
  name: string,
  holds: 'count' | 'number' | 'percent',
  headers: readonly string[],
  required = true,
): SourceColumn {
  return { name, headers, required, holds };
}

/**
 * SQL for `unsaid` of a row: the target's columns that are NULL in it although the file withholds nothing, because it
 * lacks what they are read from. An import that would replace published figures by such a NULL is refused.
 */
export function unsaid(columns: readonly string[]): string {
  return `CAST([${columns.map(literal).join(', ')}] AS VARCHAR[])`;
}
