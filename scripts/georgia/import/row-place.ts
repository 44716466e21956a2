import { literal } from '../../../build/lake/sql.ts';
import type { SourceTable } from './source-table.ts';

/**
 * SQL for where a row of `selected` stands: `line 3`, and where several files are read `b.csv line 3`. Files of one name
 * in several folders are called as they were given.
 *
 * @param paths of the sources, as they were given
 * @param table the name under which the rows are read
 */
export function rowPlace(
  sources: readonly SourceTable[],
  paths: readonly string[],
  table = 'selected',
): string {
  if (sources.length === 0) return "''";
  const names = sources.map(({ file }) => file);
  const unique = new Set(names).size === names.length;
  const cases = sources.map(({ unit }, index) => {
    const name = sources.length === 1 ? '' : `${unique ? names[index] : paths[index]} `;
    return `WHEN ${index} THEN ${literal(`${name}${unit} `)}`;
  });
  return `concat(CASE ${table}.file ${cases.join(' ')} END, ${table}.line)`;
}
