/** Why a table has no parameter that a reader can have expected. */
import { TIMELESS } from './problems.ts';
import type { Table } from './table.ts';

/** A sentence without its full stop; null where nobody knows what the parameter was to mean. */
export function absenceOf({ kind, year, columns }: Table, name: string): string | null {
  if (kind === 'dataset' && year < 0 && /^year(_min|_max)?$/.test(name)) return TIMELESS;
  const isColumn = (text: string | undefined) => columns.find(one => one.name === text);
  const [, ranged] = /^(.+)_(?:min|max)$/.exec(name) ?? [];
  const found = isColumn(ranged);
  if (!found) return null;
  if (isColumn(name)) return `'${name}' is a column of its own, and requests do not filter by it`;
  if (found.from !== null)
    return `'${ranged}' is a column of ${found.from}, and requests cannot ask for a range of it`;
  return found.type === 'string' || found.type === 'boolean'
    ? `'${ranged}' is a ${found.type}: only dates and numbers have a range`
    : `'${ranged}' has no range`;
}
