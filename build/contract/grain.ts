import type { ReadColumn } from './base-columns.ts';
import type { RawObject } from './contract-profile.ts';
import type { ObjectProperties } from './custom-profile.ts';
import type { CustomProperties } from './custom-properties.ts';
import { readPrimaryKey } from './key-order.ts';
import { suggestion } from './nearest-name.ts';
import type { Problems } from './problems.ts';
import { quote, quoteList } from './quoting.ts';

interface Grain {
  readonly columns: readonly string[];
  /** Whether the contract does not state it, so that rows may share it. */
  readonly guessed: boolean;
}

/**
 * Reads the columns that make a fact row unique, in order: the custom property `grain`, otherwise the primary key,
 * otherwise every column that is neither measured nor free text. If the contract states the first two, they must agree.
 * `complete`: whether every column could be read; otherwise an unknown name may be a column whose problem has been
 * reported. Returns null if the contract states a grain that cannot be read.
 */
export function readGrain(
  object: CustomProperties<ObjectProperties>,
  columns: readonly ReadColumn[],
  complete: boolean,
  table: RawObject,
  problems: Problems,
): Grain | null {
  const primaryKey = readPrimaryKey(columns, problems);
  const stated = object.values.grain;
  if (stated === undefined) {
    if (object.states('grain') && problems.native) return null;
    // A key with a column that is left out may not be unique without it.
    const keys = (table.properties ?? []).filter(property => property?.primaryKey === true).length;
    if (primaryKey.length > 0 && primaryKey.length === keys) return { columns: primaryKey, guessed: false };
    return guessGrain(columns, table.name ?? null, problems);
  }
  const names = columns.map(column => column.base.name);
  for (const [i, name] of stated.entries()) {
    const path = object.pathOf('grain', i);
    const column = columns.find(column => column.base.name === name);
    if (column === undefined && complete) {
      const message = `the grain's column ${quote(name)} does not exist${suggestion(name, names)}: correct the name or add it`;
      problems.doubt(path, 'grain-unknown-column', message);
    }
    if (column?.custom.values.column_role === 'metric') {
      const message = `${quote(name)} is a metric, and a metric does not identify a row: take it out of the grain or make it categorical`;
      problems.warning(path, 'grain-metric', message);
    }
  }
  if (primaryKey.length > 0 && complete && primaryKey.join() !== stated.join()) {
    const message = `the grain is ${quoteList(stated)}, but primaryKeyPosition says ${quoteList(primaryKey)}: make them agree`;
    const known = stated.every(name => names.includes(name));
    if (known) problems.doubt(object.pathOf('grain'), 'grain-mismatch', message);
  }
  return { columns: stated, guessed: false };
}

/** The year first, so that rows of several years are in order. */
function guessGrain(columns: readonly ReadColumn[], table: string | null, problems: Problems): Grain | null {
  const named = (isOne: (role: string | undefined) => boolean) =>
    columns.filter(({ custom }) => isOne(custom.values.column_role)).map(({ base }) => base.name);
  const years = named(role => role === 'year');
  const others = named(role => role !== 'year' && role !== 'metric' && role !== 'attribute');
  const found = [...years, ...others];
  const guess = found.length > years.length ? found : [...years, ...named(role => role !== 'year')];
  if (guess.length === 0) return null;
  const shown =
    guess.length > 8 ? `${guess.slice(0, 8).join(', ')} and ${guess.length - 8} more` : guess.join(', ');
  problems.guess(table, `a row is known by ${shown}`);
  return { columns: guess, guessed: true };
}
