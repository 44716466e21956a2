import { literal } from '../../../build/lake/sql.ts';
import type { SourceTable } from './source-table.ts';

/**
 * SQL for the place of a row of `selected`: `line 3`, or `b.csv line 3` if there are several files. Files of the same
 * name keep their folders.
 *
 * @param paths of the sources, as given
 * @param table the name of the rows in the query
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
