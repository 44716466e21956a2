import type { ReadColumn } from './base-columns.ts';
import type { RawObject, RawProperty } from './contract-profile.ts';
import type { ObjectProperties } from './custom-profile.ts';
import type { CustomProperties } from './custom-properties.ts';
import type { Column, Place } from './dataset.ts';
import { isForeignKey } from './fact-columns.ts';
import { suggestion } from './nearest-name.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';
import type { Path } from './yaml-document.ts';

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
      fail(
        'foreign-key-column',
        `the foreign key's column ${quote(key.column)} does not exist${near}: correct the name`,
      );
    } else if (column !== undefined && !isForeignKey(column.role)) {
      fail(
        'foreign-key-column',
        `${quote(key.column)} has the role ${column.role}: give it a role fk_<noun>, or remove the foreign key`,
      );
    } else if (joins.has(key.column)) {
      fail(
        'foreign-key-duplicate',
        `${quote(key.column)} has two foreign keys, but a column joins one dimension: remove one`,
      );
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
