/** A dataset's levels: their names, and the places of their rows, from the manifest's row groups. */
import type { DatasetManifest, SliceEntry } from '../../../build/format/manifest.ts';
import { NO_YEAR } from '../../../build/format/paths.ts';
import type { ForeignKeyDescriptor, SchemaDocument } from '../../../build/format/schema.ts';
import { spellName, titleName } from './format.ts';

export interface Level {
  readonly name: string;
  /** Ascending; empty in a dataset without time. */
  readonly years: readonly number[];
  /** Place columns with values at the level; none if the level is the whole. */
  readonly places: readonly string[];
}

export function deriveLevels(schema: SchemaDocument, manifest: DatasetManifest): Level[] {
  return schema.detail_levels.map(name => {
    const slices = manifest.slices.filter(slice => slice.detail === name);
    return {
      name,
      years: slices
        .map(slice => slice.year)
        .filter(year => year !== NO_YEAR)
        .sort((a, b) => a - b),
      places: manifest.place.filter(column =>
        slices.some(slice => holds(slice, manifest.key_columns.indexOf(column))),
      ),
    };
  });
}

/** Whether any row has a value in the key column; unknown means yes. */
export function holds(slice: SliceEntry, key: number): boolean {
  const groups = slice.files.parquet[0]?.row_groups ?? [];
  return groups.some(group => group.nulls[key] === undefined || group.nulls[key] < group.rows);
}

/** A level's name as a choice: that of the whole is the area's own name, if the publisher states it. */
export function levelTitle({ schema, levels }: Levelled, name: string): string {
  const { area } = schema;
  const isWhole = area !== undefined && levels.find(level => level.name === name)?.places.length === 0;
  return isWhole ? area : titleName(name);
}

/** A level's name within a sentence or a list. */
export function levelName(dataset: Levelled, name: string): string {
  const title = levelTitle(dataset, name);
  return title === titleName(name) ? spellName(name) : title;
}

/** The parts of a dataset that name its levels. */
interface Levelled {
  readonly schema: Pick<SchemaDocument, 'area'>;
  readonly levels: readonly Level[];
}

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
