/** SQL for the year to which a row of a dataset belongs. */
import type { Column, Dataset } from '../contract/dataset.ts';
import { identifier } from './sql.ts';

/** The column that tells a row's year, of those that a file has: the year itself, else a date. Null if none does. */
export function yearSource(
  { columns }: Pick<Dataset, 'columns'>,
  has: (name: string) => boolean,
): Column | null {
  const present = columns.filter(column => has(column.name));
  return (
    present.find(column => column.role === 'year') ??
    present.find(column => (column.role as string) === 'time') ??
    present.find(column => /^(date|timestamp)$/.test(column.type)) ??
    null
  );
}

/** NULL for a row without a year. A period in text begins with its year: `2024-03`, `2024-Q1`. */
export function yearExpression(column: Column): string {
  const name = identifier(column.name);
  if (/^(date|timestamp)$/.test(column.type)) return `year(${name})`;
  if (column.type === 'string') return `TRY_CAST(regexp_extract(${name}, '^[0-9]{4}') AS INTEGER)`;
  return `TRY_CAST(${name} AS INTEGER)`;
}

/** The year of the only slice of a dataset without time. */
export const TIMELESS = 0;

export function hasTime(dataset: Pick<Dataset, 'columns'>): boolean {
  return yearSource(dataset, () => true) !== null;
}
