import { literal } from '../../../build/lake/sql.ts';
import type { YearSpan } from './file-name-year.ts';
import type { About } from './subjects.ts';

/** Turns one source into one table of the lake: the layouts of its files, and the SQL that reads them. */
export interface Importer {
  /** As typed on the command line; a dataset's topic or a dimension's name. */
  readonly name: string;
  /** Its files, for a line of the program's help. */
  readonly reads: string;
  readonly target: Target;
  /** The kinds of file that feed the table. A file has the first shape whose required columns it has. */
  readonly shapes: readonly Shape[];
  /** SQL for the rows of a table that needs no file. `shapes` is then empty. */
  readonly rows?: string;
  /** SQL for the rows that the table `record` gives, which has the records of all files. */
  readonly counted?: string;
  /**
   * What to do with two rows of one key. `refuse`: equal rows count once, differing rows stop the import.
   * `first`: the first row wins (places, whose names differ from file to file).
   */
  readonly repeated: 'refuse' | 'first';
  /** A list's own words in files' names: they decide where the headers fit several lists alike. */
  readonly words?: RegExp;
  /** True if rows of earlier imports stay, since several files feed one slice; those of a dimension, unless told to. */
  readonly merges: boolean;
}

/** A table of the lake. A test compares it with the contract. */
export interface Target {
  /** Below the lake's root, no extension: `education/attendance` for a dataset, `_dimensions/tracts` for a dimension. */
  readonly path: string;
  readonly kind: 'dataset' | 'dimension';
  /** In contract order. */
  readonly columns: Readonly<Record<string, PhysicalType>>;
  /** Grain or primary key, in order; rows are sorted by it, NULLs first. */
  readonly key: readonly string[];
  /** The level of every row of a finished table; by default the place columns of a row tell it. */
  readonly level?: 'schools';
}

export type PhysicalType = 'INTEGER' | 'BIGINT' | 'DOUBLE' | 'VARCHAR' | 'BOOLEAN';

export interface Shape {
  readonly name: string;
  readonly columns: readonly SourceColumn[];
  /** A file with any other column has another layout: these columns alone would fit several. */
  readonly exact?: boolean;
  /** Plain headers of places that the table does not have. A file with one of them is refused. */
  readonly otherPlaces?: RegExp;
  /** Answers that such a file's subject must have beyond those of the dataset (`subjects.ts`). */
  about?(present: ReadonlySet<string>): About;
  /** A column whose scale tells tests apart: most figures off it, left out with this remark, are of another test. */
  readonly scaled?: { readonly column: string; readonly remark: string };
  /** True if files of this layout feed every dataset that reads them. */
  readonly shared?: boolean;
  /** True if two rows may make the header: merged ones, and under them those of single columns. */
  readonly twoRows?: boolean;
  /** The meaning of a span of years in such a file's name; none by default. */
  readonly yearSpan?: YearSpan;
  /** True if the date of publication in a file's name tells the year, where the name has no other. */
  readonly yearOfDate?: boolean;
  /**
   * One SELECT over `source`: every column of the shape under its own name (VARCHAR, trimmed, NULL if blank or if
   * the file lacks it), `line` (INTEGER) and `file_year` (INTEGER, from the file's name or --year, or NULL).
   * It gives `line`, `dropped` (why the row is left out, or NULL), `remark` (the oddity of a kept row,
   * or NULL), `detail` (datasets only), `unsaid` (see there; optional) and the target's columns; those it does not
   * give are NULL. A row that no file has is on line 0.
   */
  select(present: ReadonlySet<string>, file: SourceFile): string;
  /** True if `select` gives single records, which the importer then counts: `line`, `dropped`, `moment` and its own. */
  readonly records?: true;
  /** Why a file of this layout cannot be read, if its name or year says too little. */
  problem?(file: SourceFile): string | undefined;
  /** Columns that a file lacks although it has the related ones. The import reads it and reports them as NULL. */
  lacks?(present: ReadonlySet<string>): readonly string[];
  /**
   * Of a merging importer: the columns for which this file is the authority. Others keep what the lake holds, and
   * are taken from this file only in rows that are new.
   */
  supplies?(present: ReadonlySet<string>): readonly string[];
  /** The rate that the files of a shape give next to their counts. */
  readonly ownRate?: OwnRate;
}

export interface SourceFile {
  /** With the sheet or the member of an archive. */
  readonly name: string;
  /** The year in its name, or from --year. */
  readonly year: number | undefined;
}

/**
 * A rate in a file that is the authority for its counts but not for the rate. If the file corrects the lake's counts,
 * its rate replaces the lake's in two cases: they differ by more than `within` (a proportion, the known difference
 * between the two kinds of file), or the lake's rate is its own `part` over `whole`, so that an earlier file of counts
 * gave it.
 */
export interface OwnRate {
  readonly rate: string;
  /** The shape's column with the rate; a file may lack it. */
  readonly column: string;
  /** The rate's denominator. */
  readonly whole: string;
  /** The rate's numerator. */
  readonly part: string;
  readonly within: number;
  /** The unit to which the source rounds rates, as a proportion. */
  readonly rounding: number;
}

export interface SourceColumn {
  readonly name: string;
  /** Its possible headers; case, spaces and punctuation do not count. */
  readonly headers: readonly string[];
  readonly required: boolean;
  /** Files have the column, but nothing is read from it. */
  readonly ignored?: boolean;
  /** A cell of a number column that is neither a figure nor a known marker stops the import. */
  readonly holds: 'text' | 'count' | 'number' | 'percent' | 'boolean';
  /** For figures that run to 100 and are served unchanged: a file of proportions is refused. */
  readonly scale?: 100;
  /** All columns of one measure use one scale; by default a column is its own measure. */
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
  holds: 'count' | 'number' | 'percent' | 'boolean',
  headers: readonly string[],
  required = true,
): SourceColumn {
  return { name, headers, required, holds };
}

/**
 * SQL for `unsaid` of a row: columns that are NULL because the file lacks their source, not because it withholds a
 * figure. An import that would replace published figures with such a NULL is refused.
 */
export function unsaid(columns: readonly string[]): string {
  return `CAST([${columns.map(literal).join(', ')}] AS VARCHAR[])`;
}
