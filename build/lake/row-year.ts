/** The year to which a row of a dataset belongs. */
import type { Column, Dataset } from '../contract/dataset.ts';

type Timed = Pick<Dataset, 'columns' | 'time'>;

/** The column that tells a row's year, of those that a file has: the year itself, else the time. Null if none does. */
export function yearSource({ columns, time }: Timed, has: (name: string) => boolean): Column | null {
  const present = columns.filter(column => column.derivedFrom === null && has(column.name));
  return (
    present.find(column => column.role === 'year') ??
    present.find(column => column.name === time.column) ??
    null
  );
}

export function hasTime({ time }: Pick<Dataset, 'time'>): boolean {
  return time.unit !== 'none';
}
