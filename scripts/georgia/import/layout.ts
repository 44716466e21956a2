/** Layouts of published tables, as data: the headers by which a file is recognised, and the column that each fills. */
import type { Codes } from './database.ts';
import type { Present, Shape, SourceFile } from './importer.ts';

/**
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
  readonly about?: Shape['about'];
  readonly stale?: Shape['stale'];
  readonly twoRows?: boolean;
  readonly yearOfDate?: boolean;
  readonly shared?: boolean;
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
      readonly codes: Codes;
      /** True if a text only has to begin so. */
      readonly beginnings?: boolean;
    })
  /** A student group; `only`: no other group is read. */
  | (ColumnKey & { readonly group: true; readonly only?: string })
  /** A grade; `orInName`: in a column, or in the name of the sheet or the file. */
  | (ColumnKey & { readonly grades: readonly string[]; readonly orInName?: boolean })
  /** The same for all rows of a file, as its name says. */
  | { readonly ofFile: (file: SourceFile) => string | undefined; readonly missing: string }
  | { readonly value: string };

interface ColumnKey {
  readonly headers: readonly string[];
  /** The value in files without the column. */
  readonly otherwise?: string;
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
