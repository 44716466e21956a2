import type { About } from './subjects.ts';

/**
 * The layout of published tables, as data: which headers tell it, and which column of the contract each holds.
 *
 * A row of the source becomes one row for each block that the file has. A long table has one block; a wide one, with
 * columns for every student group, has a block for each; a table that repeats the district's and the state's figures
 * beside the school's has a block for each level.
 */
export interface Layout {
  /** As the report calls it. */
  readonly name: string;
  /** Years in which the office published it. */
  readonly years: string;
  readonly place: PlaceLayout;
  /** Headers of the year; without them the file's name, title or --year gives it. */
  readonly year?: readonly string[];
  readonly keys: Readonly<Record<string, Key>>;
  readonly blocks: readonly Block[];
  /** Further columns that rules read, by name. */
  readonly beside?: Readonly<Record<string, readonly string[]>>;
  readonly rules?: readonly Rule[];
  /** True if a row whose figures are all blank isn't a row: the source lists every place. */
  readonly blankIsNoRow?: boolean;
  readonly twoRows?: boolean;
  readonly yearOfDate?: boolean;
  /** What such a file must be about, beyond the dataset's own subject. */
  readonly about?: About;
  /** True if a file of it feeds every dataset that reads it. */
  readonly shared?: boolean;
}

/** A column for each code. */
export interface CodePlace {
  readonly kind: 'codes';
  readonly district: readonly string[];
  /** Without it all rows are of districts or the state. */
  readonly school?: readonly string[];
  /** False if the table's own word for a row's level is not read. */
  readonly levels?: boolean;
  /** True if a table without the column of a code is of the level above. */
  readonly optional?: boolean;
}

/** How a table names places. */
export type PlaceLayout =
  | CodePlace
  /** `601:103`, `601:ALL` and `ALL:ALL` in one column. */
  | { readonly kind: 'pair'; readonly headers: readonly string[] }
  /** `6010103` in one column: three digits of the district and four of the school. */
  | { readonly kind: 'seven digits'; readonly headers: readonly string[] };

/** A key column of the contract. */
export type Key =
  /** A column's texts, case, spaces and punctuation apart, and the codes that they stand for. */
  | {
      readonly headers: readonly string[];
      readonly what: string;
      readonly codes: Readonly<Record<string, string>>;
    }
  | { readonly headers: readonly string[]; readonly group: true }
  /** A grade in a column, in the sheet's or the file's name. */
  | { readonly headers: readonly string[]; readonly grades: readonly string[] }
  /** The same for all rows, unless a block says otherwise. */
  | { readonly value: string };

export interface Block {
  /** Values of key columns. */
  readonly keys?: Readonly<Record<string, string>>;
  readonly level?: 'states' | 'districts' | 'schools';
  /** A block without its figures counts only in files that have this column of another block. */
  readonly needs?: { readonly block: number; readonly column: string };
  readonly figures: Readonly<Record<string, Figure>>;
}

export interface Figure {
  readonly headers: readonly string[];
  /** What a cell holds: a percentage becomes a proportion, a score stays on its scale of 100. */
  readonly holds: 'count' | 'number' | 'percent' | 'score' | 'flag';
  /** A file without the column has another layout. */
  readonly required?: boolean;
  /** SQL for the figure, over the cells of the row (`c_` and the column's name) and its `year`. */
  readonly value?: string;
}

/** SQL over a row's columns of the contract, its `line`, `file_year` and the layout's `beside`. */
export type Rule =
  | { readonly drop: string; readonly why: string }
  | { readonly remark: string; readonly why: string }
  /** Figures that mean nothing are left out: NULL, and reported. */
  | {
      readonly leaveOut: string;
      readonly column: string;
      readonly why: string;
      /** True if a file most of whose figures are left out is of another test. */
      readonly scale?: true;
    };
