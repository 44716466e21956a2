import type { ReadColumn } from './base-columns.ts';
import type { ObjectProperties } from './custom-profile.ts';
import type { CustomProperties } from './custom-properties.ts';
import { readPrimaryKey } from './key-order.ts';
import { suggestion } from './nearest-name.ts';
import type { Problems } from './problems.ts';
import { quote, quoteList } from './quoting.ts';
import type { Path } from './yaml-document.ts';

/**
 * Reads the columns that make a fact row unique, in order: the custom property `grain`, otherwise the primary key. If
 * the contract states both, they must agree. `complete`: whether every column could be read; otherwise an unknown name
 * may be a column whose problem has been reported. Returns null, with a problem, if there is no grain.
 */
export function readGrain(
  object: CustomProperties<ObjectProperties>,
  columns: readonly ReadColumn[],
  complete: boolean,
  owner: Path,
  problems: Problems,
): readonly string[] | null {
  const primaryKey = readPrimaryKey(columns, problems);
  const stated = object.values.grain;
  if (stated === undefined) {
    if (primaryKey.length > 0) return primaryKey;
    if (!object.states('grain') && complete) {
      const message = 'the contract does not say what makes a row unique: add the custom property grain';
      problems.error(owner, 'grain-missing', message);
    }
    return null;
  }
  const names = columns.map(column => column.base.name);
  for (const [i, name] of stated.entries()) {
    const path = object.pathOf('grain', i);
    const column = columns.find(column => column.base.name === name);
    if (column === undefined && complete) {
      const message = `the grain's column ${quote(name)} does not exist${suggestion(name, names)}: correct the name or add it`;
      problems.error(path, 'grain-unknown-column', message);
    }
    if (column?.custom.values.column_role === 'metric') {
      const message = `${quote(name)} is a metric, and a metric does not identify a row: take it out of the grain or make it categorical`;
      problems.warning(path, 'grain-metric', message);
    }
  }
  if (primaryKey.length > 0 && complete && primaryKey.join() !== stated.join()) {
    const message = `the grain is ${quoteList(stated)}, but primaryKeyPosition says ${quoteList(primaryKey)}: make them agree`;
    const known = stated.every(name => names.includes(name));
    if (known) problems.error(object.pathOf('grain'), 'grain-mismatch', message);
  }
  return stated;
}
