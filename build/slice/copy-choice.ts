/** Decides by which columns some rows are copied. Pure. */
import type { Dataset } from '../contract/dataset.ts';
import type { FilterDescriptor } from '../format/schema.ts';
import { groupRows } from './parquet-options.ts';

/** A column that requests can filter by, and its distinct values in the rows, NULL not counted. */
export interface FilteredColumn {
  readonly name: string;
  readonly values: number;
  /** The foreign key that determines its values; null for a column that no other one determines. */
  readonly key: string | null;
}

/** The manifest lists the rows of each value and year, and a column with more values would make it large. */
export const MOST_VALUES = 1000;

/** Copies by value may have this share of the bytes that their rows take as JSON and CSV. */
const SHARE = 0.05;

/**
 * The columns that requests compare with a list of values, but for those of time, in whose order slices are, and codes that
 * mean something only together with another one.
 */
export function filteredColumns(
  { time, foreignKeys }: Pick<Dataset, 'time' | 'foreignKeys'>,
  filters: readonly FilterDescriptor[],
): string[] {
  const found = filters.flatMap(({ kind, column }) => {
    const isList = ['foreign_key', 'categorical', 'time', 'dimension_attribute'].includes(kind);
    const isTime = column === time.column || column === time.yearColumn;
    const isPart = foreignKeys.some(key => key.columns.length > 1 && key.columns.at(-1) === column);
    return isList && column !== undefined && !isTime && !isPart ? [column] : [];
  });
  return [...new Set(found)];
}

/**
 * The columns worth a copy, the best first. A question about one value then reads the rows of that value and on average
 * one row group more, instead of all. That must save a row group of a slice, and a quarter of the rows. The first columns
 * of the places and of the grain that have several values need none, since copies by place and slices are in their order, nor
 * does one whose values follow from those of another column.
 */
export function chooseColumns(
  rows: number,
  columns: readonly FilteredColumn[],
  { order, placeColumns }: Pick<Dataset, 'order' | 'placeColumns'>,
): string[] {
  const saved = ({ values }: FilteredColumn) => saving(rows, values);
  const varied = columns.filter(({ values }) => values > 1);
  const isVaried = (name: string) => varied.some(column => column.name === name);
  const leading = [placeColumns.find(isVaried), order.find(isVaried)];
  const worth = varied
    .filter(
      column =>
        column.values <= MOST_VALUES && !leading.includes(column.name) && saved(column) >= leastSaving(rows),
    )
    .sort((a, b) => saved(b) - saved(a) || (a.name < b.name ? -1 : 1));
  const names = worth.map(({ name }) => name);
  return worth.filter(({ key }) => key === null || !names.includes(key)).map(({ name }) => name);
}

/** Whether so few rows are worth no copy, whatever values they have. */
export function isTooSmall(rows: number): boolean {
  return saving(rows, MOST_VALUES) < leastSaving(rows);
}

/** The rows that a copy saves a question about one of so many values, on average. */
function saving(rows: number, values: number): number {
  return rows - rows / values - groupRows('copy', rows);
}

function leastSaving(rows: number): number {
  return Math.max(groupRows('slice', rows), rows / 4);
}

/** Whether the next copy fits into the budget, if it is as large as those before it on average. */
export function affordsCopy(written: readonly number[], textBytes: number): boolean {
  const spent = written.reduce((sum, bytes) => sum + bytes, 0);
  return spent + spent / Math.max(1, written.length) <= textBytes * SHARE;
}

/** Whether the copies keep to the budget. */
export function keepsBudget(written: readonly number[], textBytes: number): boolean {
  return written.reduce((sum, bytes) => sum + bytes, 0) <= textBytes * SHARE;
}
