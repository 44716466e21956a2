/** Rows as the views read them. */
import type { ColumnType, Scalar } from '../../../build/format/documents.ts';

/** The most rows of a JSON page of the API, of a question with a limit, and of a drawing. */
export const MOST_FIRST_ROWS = 10_000;

export interface Sort {
  readonly column: string;
  readonly descending: boolean;
}

export interface Rows {
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
  readonly rows: number;
  /** NULL is null. */
  cell(row: number, column: number): Scalar | null;
}

export function columnAt(rows: Rows, name: string): number {
  return rows.columns.findIndex(column => column.name === name);
}

/** The cells of a column by their row; NULL if the rows lack it. */
export function cellsOf(rows: Rows, name: string | null): (row: number) => Scalar | null {
  const at = name === null ? -1 : columnAt(rows, name);
  return row => (at < 0 ? null : rows.cell(row, at));
}

/** The numbers of a column by their row; null for anything else. */
export function numbersOf(rows: Rows, name: string | null): (row: number) => number | null {
  const cell = cellsOf(rows, name);
  return row => {
    const value = cell(row);
    return typeof value === 'number' ? value : null;
  };
}

export function rowNumbers({ rows }: Rows): number[] {
  return Array.from({ length: rows }, (_, row) => row);
}
