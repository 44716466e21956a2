/** Rows as views read them, and their sorting. */
import type { ColumnType, Scalar } from '../../../build/format/documents.ts';
import { compareValues } from '../../query/order.ts';

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

/** Sorts rows: NULL first ascending and last descending; the sort is stable. */
export function sortRows(rows: Rows, { column, descending }: Sort): Rows {
  const at = columnAt(rows, column);
  if (at < 0) return rows;
  const order = Array.from({ length: rows.rows }, (_, row) => row);
  const sign = descending ? -1 : 1;
  order.sort((a, b) => sign * compareValues(rows.cell(a, at), rows.cell(b, at)) || a - b);
  return { columns: rows.columns, rows: rows.rows, cell: (row, column) => rows.cell(order[row]!, column) };
}
