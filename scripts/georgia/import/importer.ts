/** What an importer is: the table that it writes, and the shapes of the files that it reads. */
import { literals } from '../../../build/lake/sql.ts';
import type { About } from './subjects.ts';

/** Turns source files into one table of the lake. */
export interface Importer {
  /** As typed on the command line: a dataset's topic or a dimension's name. */
  readonly name: string;
  /** Its files, for a line of the program's help. */
  readonly reads: string;
  readonly target: Target;
  /** A file has the first shape whose required columns it has. */
  readonly shapes: readonly Shape[];
  /** What files of a dataset say that they are about. Lists of places may be read from files about anything. */
  readonly about?: About;
  /** SQL for the rows of a table that needs no file. `shapes` is then empty. */
  readonly rows?: string;
  /** SQL for the rows that the table `record`, with the records of all files, gives. */
  readonly counted?: string;
  /**
   * What to do with two rows of one key. `refuse`: equal rows count once, differing rows stop the import.
   * `first`: the first row wins (places, whose names differ from file to file).
   */
  readonly repeated: 'refuse' | 'first';
  /** Words in file names that choose a list of places if the headers fit several. */
  readonly words?: RegExp;
  /** True if rows of earlier imports stay, since several files feed one slice; --replace drops those of a dimension. */
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
  /** The level of all rows; by default a row's place columns decide. */
  readonly level?: 'schools' | undefined;
}

export type PhysicalType = 'INTEGER' | 'DOUBLE' | 'VARCHAR' | 'BOOLEAN';

/** Names of a shape's columns that a file has. */
export type Present = ReadonlySet<string>;

export interface Shape {
  readonly name: string;
  readonly columns: readonly SourceColumn[];
  /** True if a file with any other column has another layout. */
  readonly exact?: boolean;
  /** Plain headers of places that the table doesn't have. A file with one of them is refused. */
  readonly otherPlaces?: RegExp;
  /** What such a file must be about, besides the importer's `about`. */
  about?(present: Present): About;
  /** A column whose scale identifies the test: if most figures have this remark, the file is of another test. */
  readonly scaled?: { readonly column: string; readonly remark: string };
  /** True if files of this layout feed every dataset that reads them. */
  readonly shared?: boolean;
  /** True if two rows may make the header: merged cells above those of single columns. */
  readonly twoRows?: boolean;
  /** True if files pool several years: a span of years in a name then means the last. */
  readonly pooled?: boolean;
  /** True if the date of publication in a file's name gives the year if the name has no other. */
  readonly yearOfDate?: boolean;
  /**
   * One SELECT over `source`: every column of the shape under its own name (VARCHAR, trimmed, NULL if blank or if
   * the file lacks it), `line` (INTEGER) and `file_year` (INTEGER, from the file's name or --year, or NULL).
   * It gives `line`, `dropped` (why the row is left out, or NULL), `remark` (the oddity of a kept row, or NULL), `detail`
   * (datasets only), `unsaid` (optional, see there) and the target's columns; those it doesn't give are NULL. A row that
   * no file has is on line 0.
   */
  select(present: Present, file: SourceFile): string;
  /** True if `select` gives single records, which the importer then counts: `line`, `dropped`, `moment` and its own. */
  readonly records?: true;
  /** Why a file of this layout can't be read, if its name or year says too little. */
  problem?(file: SourceFile): string | undefined;
  /** Columns that a file lacks although it has related ones; the import reports them. */
  lacks?(present: Present): readonly string[];
  /**
   * Of a merging importer: the columns that this file may change. In others it only fills rows that the lake doesn't have.
   */
  supplies?(present: Present): readonly string[];
  /**
   * Of columns that the file has but doesn't supply: SQL over the lake's row `m` and the file's row `f`, when the lake's
   * value is corrected all the same.
   */
  readonly stale?: Readonly<Record<string, string>>;
}

export interface SourceFile {
  /** With the sheet or the member of an archive. */
  readonly name: string;
  /** The year in its name, or from --year. */
  readonly year: number | undefined;
}

export interface SourceColumn {
  readonly name: string;
  /** Its possible headers; case, spaces and punctuation don't count. */
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

export function figure(
  name: string,
  holds: SourceColumn['holds'],
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
  return `CAST([${literals(columns)}] AS VARCHAR[])`;
}
