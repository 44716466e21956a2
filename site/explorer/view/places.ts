/** Derives the dimensions whose members a level's rows are about. */
import type { ForeignKeyDescriptor, SchemaDocument } from '../../../build/format/schema.ts';
import type { Level } from './levels.ts';

/** A dataset's join of a dimension: `columns` are the dataset's, in the order of the dimension's primary key. */
interface Join {
  /** Name of the dimension. */
  readonly dimension: string;
  readonly columns: readonly string[];
}

export function deriveJoins({ foreign_keys }: Pick<SchemaDocument, 'foreign_keys'>): Join[] {
  return foreign_keys.map(key => ({ dimension: key.target_object, columns: localColumns(key) }));
}

/** Finds the column that a join compares with: the target of the same name, else the last. */
function localColumns({ column, target_columns }: ForeignKeyDescriptor): string[] {
  const own = target_columns.includes(column) ? column : target_columns.at(-1);
  return target_columns.map(target => (target === own ? column : target));
}

/**
 * Returns the dimensions of a level that no other of its dimensions contains. A row about a station of a region is
 * about the station. If two dimensions remain, a row is about a pair.
 */
export function placesAt({ places }: Pick<Level, 'places'>, joins: readonly Join[]): Join[] {
  const here = joins.filter(join => join.columns.every(column => places.includes(column)));
  const contains = (outer: Join, join: Join) =>
    outer.columns.length > join.columns.length &&
    join.columns.every(column => outer.columns.includes(column));
  return here.filter(join => !here.some(other => contains(other, join)));
}
