/** Which places the rows of a level are about, from what the manifest says of its row groups. */
import type { DatasetManifest, SliceEntry } from '../../../build/format/manifest.ts';
import type { SchemaDocument } from '../../../build/format/schema.ts';

export interface Level {
  readonly name: string;
  /** Ascending. */
  readonly years: readonly number[];
  /** Place columns that some row of the level has; none where the level is one place, the whole. */
  readonly places: readonly string[];
}

export function deriveLevels(schema: SchemaDocument, manifest: DatasetManifest): Level[] {
  return schema.detail_levels.map(name => {
    const slices = manifest.slices.filter(slice => slice.detail === name);
    return {
      name,
      years: slices.map(slice => slice.year).sort((a, b) => a - b),
      places: manifest.place.filter(column =>
        slices.some(slice => holds(slice, manifest.key_columns.indexOf(column))),
      ),
    };
  });
}

/** Whether any row has a value of the key column; unknown means yes. */
export function holds(slice: SliceEntry, key: number): boolean {
  const groups = slice.files.parquet[0]?.row_groups ?? [];
  return groups.some(group => group.nulls[key] === undefined || group.nulls[key] < group.rows);
}
