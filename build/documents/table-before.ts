/** Describes a table as it was before a release, so that answers about that time can be planned. Pure. */
import type { TableBefore } from '../format/changes.ts';
import { FORMAT } from '../format/documents.ts';
import type { DatasetManifest, DimensionManifest, ParquetFile, SliceFiles } from '../format/manifest.ts';
import type { SchemaDocument } from '../format/schema.ts';

/** Leaves out what only readers of the files need; the files are gone. */
export function tableBefore(
  manifest: DatasetManifest | DimensionManifest,
  schema: SchemaDocument | null,
): TableBefore {
  const files = ({ parquet }: SliceFiles): SliceFiles => ({
    json: [],
    csv: [],
    parquet: parquet.map(file => shorten(file, manifest.key_columns)),
  });
  const short =
    'dimension' in manifest
      ? { ...manifest, files: files(manifest.files), documents: [] }
      : {
          ...manifest,
          slices: manifest.slices.map(slice => ({ ...slice, files: files(slice.files) })),
          history: [],
          // Readers count rows of one value by them.
          ...(manifest.orders && {
            orders: manifest.orders.map(order => ({
              ...order,
              file: shorten(order.file, manifest.key_columns),
            })),
          }),
          documents: [],
        };
  return { format: FORMAT, manifest: short, schema };
}

/** One row group for all of the file's, with the number of NULLs in each key column. */
function shorten({ blocks: _, ...file }: ParquetFile, keys: readonly string[]): ParquetFile {
  const nulls = keys.map((_, i) => file.row_groups.reduce((sum, group) => sum + (group.nulls[i] ?? 0), 0));
  return { ...file, row_groups: [{ rows: file.rows, start: 0, sizes: [], min: [], max: [], nulls }] };
}
