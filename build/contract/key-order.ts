import type { ReadColumn } from './base-columns.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';

/**
 * Returns the columns of the primary key by `primaryKeyPosition`; columns without a position follow in contract order.
 * Reports `primary-key-position` if two share a position. Empty if no column is marked.
 */
export function readPrimaryKey(columns: readonly ReadColumn[], problems: Problems): readonly string[] {
  const keys = columns.filter(({ raw }) => raw.primaryKey === true);
  const byPosition = new Map<number, string>();
  for (const { raw, base, path } of keys) {
    const position = raw.primaryKeyPosition;
    // ODCS writes -1 for a column without a position.
    if (position === undefined || position < 0) continue;
    const other = byPosition.get(position);
    if (other === undefined) byPosition.set(position, base.name);
    else {
      const message = `position ${position} of the primary key already belongs to ${quote(other)}: number the columns 1, 2, 3, …`;
      problems.doubt([...path, 'primaryKeyPosition'], 'primary-key-position', message);
    }
  }
  const rank = (position: number | undefined) =>
    position === undefined || position < 0 ? Number.MAX_SAFE_INTEGER : position;
  return [...keys]
    .sort((a, b) => rank(a.raw.primaryKeyPosition) - rank(b.raw.primaryKeyPosition))
    .map(({ base }) => base.name);
}
