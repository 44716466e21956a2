/** What an importer is: the table that it writes, and the files that it reads, by their layouts or with SQL of their own. */
import { literals } from '../../../build/lake/sql.ts';
import type { LakeTable } from '../lake-table.ts';
import type { Codes } from './macros.ts';
import type { About } from './subjects.ts';

/** Turns source files into one table of the lake. */
export interface Importer {
  /** As typed on the command line: a dataset's topic or a dimension's name. */
  readonly name: string;
  /** Of its table, below the lake's root. */
  readonly path: string;
  /** Its files, for a line of the program's help. */
  readonly reads: string;
  readonly target: LakeTable;
  /** The layouts that an office published. */
  readonly published: readonly Shape[];
  /** These, and a dataset's own columns. A file has the first shape whose required columns it has. Reads the contract. */
  readonly shapes: readonly Shape[];
  /** What files of a dataset say that they are about. Lists of places may be read from files about anything. */
  readonly about?: About;
  /** SQL for the rows of a table that needs no file, and has no shapes. */
  readonly rows?: string;
  /** SQL for the rows that the table `record`, with the records of all files, gives. */
  counted?(target: LakeTable): string;
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

/** Names of a shape's columns that a file has. */
export type Present = ReadonlySet<string>;

export interface Shape {
  /** As the report calls it. */
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
   * (datasets only), `unsaid` (optional, see there) and the target's columns; those it doesn't give are NULL, and any other
   * column is ignored. A row that no file has is on line 0.
   */
  select(present: Present, file: SourceFile): string;
  /** True if `select` gives single records, which the importer then counts: `line`, `dropped`, `moment` and its own. */
  readonly records?: true;
  /** Why a file of this layout can't be read, if its name or year says too little. */
  problem?(file: SourceFile): string | undefined;
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

/**
 * A row of the source becomes one row for each block that the file has. A long table has one block; a wide one, with
 * columns for every student group, has a block for each; a table that repeats the district's and the state's figures
 * beside the school's has a block for each level.
 */
export interface Layout
  extends Pick<Shape, 'name' | 'about' | 'stale' | 'twoRows' | 'yearOfDate' | 'shared'> {
  /** Years in which the office published it. */
  readonly years: string;
  readonly place: PlaceLayout;
  /** Headers of the year; without them the file's name, its title or --year gives it. */
  readonly year?: readonly string[];
  /** True if a file may lack the column of the year. */
  readonly yearOptional?: boolean;
  /** Key columns of the contract, besides year and place. A key that isn't a column of the contract only drops rows. */
  readonly keys?: Readonly<Record<string, Key>>;
  readonly figures?: Figures;
  /** Instead of `figures`. */
  readonly blocks?: readonly Block[];
  /** Other columns that rules read, by name. */
  readonly beside?: Readonly<Record<string, readonly string[]>>;
  readonly rules?: readonly Rule[];
  /** SQL: the row is of the year before the one that the file gives. */
  readonly yearBefore?: { readonly when: string; readonly remark: string };
  /** True if the source lists every place: a row without any figure is then dropped. */
  readonly blankIsNoRow?: boolean;
  /** If given, a file with any other column has another layout, except these headers, which are not read. */
  readonly ignored?: readonly string[];
}

/** How a table names places. */
export type PlaceLayout =
  | CodePlace
  /** `601:103`, `601:ALL` and `ALL:ALL` in one column. */
  | { readonly kind: 'pair'; readonly headers: readonly string[] }
  /** `6010103` in one column: three digits of the district and four of the school. */
  | { readonly kind: 'seven digits'; readonly headers: readonly string[] };

/** A column for each code. */
export interface CodePlace {
  readonly kind: 'codes';
  readonly district: readonly string[];
  readonly school: readonly string[];
  /** False if the table's own word for a row's level is not read. */
  readonly levels?: boolean;
  /** True if a table without the column of a code is of the level above. */
  readonly optional?: boolean;
}

export type Key =
  | (ColumnKey & {
      readonly what: string;
      /** Other texts of the values that the contract lists. */
      readonly codes?: Codes;
      /** True if a text only has to begin so. */
      readonly beginnings?: boolean;
    })
  | (ColumnKey & { readonly studentGroup: true })
  /** `optional`: the name of the sheet or the file may have the grade in place of a column. */
  | (ColumnKey & { readonly grade: true; readonly optional?: true })
  /** The same for all rows of a file, as its name says. */
  | { readonly ofFile: (file: SourceFile) => string | undefined; readonly missing: string }
  | { readonly value: string };

interface ColumnKey {
  readonly headers: readonly string[];
  /** The value in files without the column. */
  readonly otherwise?: string;
  /** The only value that is read. */
  readonly only?: string;
  /** The end of the message about an unknown text; by default `is not one of the dataset's`. */
  readonly unlike?: string;
}

export interface Block {
  /** Values of key columns. */
  readonly keys?: Readonly<Record<string, string>>;
  readonly level?: 'states' | 'districts' | 'schools';
  /** The block counts only in files that have this column of another block. */
  readonly needs?: { readonly block: number; readonly column: string };
  readonly figures: Figures;
}

export type Figures = Readonly<Record<string, Figure>>;

export interface Figure {
  readonly headers: readonly string[];
  /** What a cell holds: a percentage becomes a proportion, a score stays on its scale of 100. */
  readonly holds: 'count' | 'number' | 'percent' | 'score' | 'flag';
  /** A file without the column has another layout. */
  readonly required?: boolean;
  /** SQL for the figure, over the cells of the row (`c_` and the column's name) and its `year`. */
  readonly value?: string;
}

/** SQL over a row's columns of the contract, its cells, `line`, `file_year` and the layout's `beside`. */
export type Rule =
  | { readonly drop: string; readonly why: string }
  | { readonly remark: string; readonly why: string }
  /** The figure means nothing: it becomes NULL, and is reported. */
  | {
      readonly leaveOut: string;
      readonly column: string;
      readonly why: string;
      /** True if a file most of whose figures are left out is of another test. */
      readonly scale?: true;
    };

const holding =
  (holds: Figure['holds']) =>
  (...headers: string[]): Figure => ({ headers, holds });

export const count = holding('count');
export const number = holding('number');
export const percent = holding('percent');
export const score = holding('score');
export const flag = holding('flag');

export function needed(one: Figure, required = true): Figure {
  return { ...one, required };
}

export function blocksOf({ blocks, figures = {} }: Layout): readonly Block[] {
  return blocks ?? [{ figures }];
}

/** The name of a figure's column in the shape of its layout. */
export function cellName(block: number, column: string): string {
  return `b${block}_${column}`;
}

/** Indexes of the blocks that have a column in the file. */
export function presentBlocks(layout: Layout, present: Present): number[] {
  return [...blocksOf(layout).entries()].flatMap(([index, { needs, figures }]) =>
    (needs === undefined || present.has(cellName(needs.block, needs.column))) &&
    Object.keys(figures).some(column => present.has(cellName(index, column)))
      ? [index]
      : [],
  );
}

const GRADE_NAME = /(?:grade|gr)[\s_.-]*(0?[1-9]|1[0-2])(?!\d)/gi;

/** The grade in a file's or sheet's name, `all` for all grades together, or undefined. */
export function gradeOfName(name: string): string | undefined {
  const found = [...name.matchAll(GRADE_NAME)].at(-1)?.[1];
  if (found !== undefined) return found.padStart(2, '0');
  return /all[\s_-]*grades/i.test(name) ? 'all' : undefined;
}
