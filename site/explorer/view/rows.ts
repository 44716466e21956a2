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

export function numberAt(rows: Rows, row: number, column: number): number | null {
  const value = column < 0 ? null : rows.cell(row, column);
  return typeof value === 'number' ? value : null;
}
