/** Reads the grain, the primary key and the foreign keys of a table. */
import { someOf } from '../format/shown-text.ts';
import { isForeignKey, type ReadColumn } from './columns.ts';
import type { RawObject, RawProperty } from './contract-profile.ts';
import type { ObjectProperties } from './custom-profile.ts';
import type { Column, Place } from './dataset.ts';
import { quote, quoteList, suggestion } from './diagnostic.ts';
import type { Problems } from './problems.ts';
import type { CustomProperties } from './shape.ts';
import type { Path } from './yaml-document.ts';

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
  problems.guess(table, `a row is known by ${someOf(guess, 8)}`);
  return { columns: guess, guessed: true };
}

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

/** A join as the dataset's contract states it, before the dimension's contract completes it. */
export interface JoinStatement {
  readonly column: string;
  readonly targetObject: string;
  /** The dimension's column that `column` stands for; null if the contract does not name it. */
  readonly targetColumn: string | null;
  readonly targetColumns: readonly string[] | null;
  /** Null means all attributes of the dimension. */
  readonly attributeColumns: readonly string[] | null;
  readonly scope: 'global' | 'domain' | null;
  readonly place: Place;
  readonly targetPlace: Place;
}

/**
 * Reads the joins of a table in the order of their columns: from the custom property `foreign_keys`, or for a column
 * with a role fk_… that the property does not name, from the column's `relationships`.
 */
export function readJoins(
  object: CustomProperties<ObjectProperties>,
  table: RawObject,
  read: readonly ReadColumn[],
  columns: readonly Column[],
  problems: Problems,
): readonly JoinStatement[] {
  const stated = readForeignKeys(object, table, columns, problems);
  const joins: JoinStatement[] = [];
  for (const column of columns) {
    if (!isForeignKey(column.role)) continue;
    const { raw, path } = read.find(({ base }) => base.name === column.name)!;
    const target = readRelationship(raw);
    const join = stated.get(column.name);
    const to = problems.placeOf([...path, 'relationships']);
    if (join !== undefined) {
      joins.push({ ...join, targetColumn: target?.object === join.targetObject ? target.column : null });
    } else if (target !== null) {
      const none = { targetColumns: null, attributeColumns: null, scope: null };
      joins.push({
        ...none,
        column: column.name,
        targetObject: target.object,
        targetColumn: target.column,
        place: column.place,
        targetPlace: to,
      });
    } else if (object.values.foreign_keys !== undefined || !object.states('foreign_keys')) {
      const message = `${quote(column.name)} has the role ${column.role}, but the contract does not say which dimension it joins: add it to foreign_keys, or relationships: [{ to: <dimension>.<column> }]`;
      problems.doubt(path, 'foreign-key-missing', message);
    }
  }
  return joins;
}

function readForeignKeys(
  object: CustomProperties<ObjectProperties>,
  table: RawObject,
  columns: readonly Column[],
  problems: Problems,
): ReadonlyMap<string, JoinStatement> {
  const joins = new Map<string, JoinStatement>();
  const names = (table.properties ?? []).map(property => property?.name);
  for (const [i, key] of (object.values.foreign_keys ?? []).entries()) {
    const at = (...inside: Path) => object.pathOf('foreign_keys', i, ...inside);
    const column = columns.find(({ name }) => name === key.column);
    const fail = (code: string, message: string) => problems.doubt(at('column'), code, message);
    if (!names.includes(key.column)) {
      // The foreign key may mean a column whose name could not be read.
      if (names.includes(undefined)) continue;
      const near = suggestion(
        key.column,
        columns.map(({ name }) => name),
      );
      const message = `the foreign key's column ${quote(key.column)} does not exist${near}: correct the name`;
      fail('foreign-key-column', message);
    } else if (column !== undefined && !isForeignKey(column.role)) {
      const message = `${quote(key.column)} has the role ${column.role}: give it a role fk_<noun>, or remove the foreign key`;
      fail('foreign-key-column', message);
    } else if (joins.has(key.column)) {
      const message = `${quote(key.column)} has two foreign keys, but a column joins one dimension: remove one`;
      fail('foreign-key-duplicate', message);
    } else {
      joins.set(key.column, {
        column: key.column,
        targetObject: key.target_object,
        targetColumn: null,
        targetColumns: key.target_columns ?? null,
        attributeColumns: key.attribute_columns ?? key.attribute_columns_added ?? null,
        scope: key.scope ?? null,
        place: problems.placeOf(at()),
        targetPlace: problems.placeOf(at('target_object')),
      });
    }
  }
  return joins;
}

/** Reads `districts.district_code` or `schema/districts/properties/district_code`, from a list the last. */
function readRelationship(raw: RawProperty): { readonly object: string; readonly column: string } | null {
  const to = raw.relationships?.find(entry => entry?.to !== undefined)?.to;
  const text = typeof to === 'object' ? to.at(-1) : to;
  if (text === undefined) return null;
  const match =
    /(?:^|[#/])schema\/([^/]+)\/properties\/([^/]+)$/.exec(text) ?? /^([^./#]+)\.([^./#]+)$/.exec(text);
  return match === null ? null : { object: match[1]!, column: match[2]! };
}
