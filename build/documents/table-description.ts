/** Describes a table apart from its files, so that answers about an earlier release can be planned. Pure. */
import { countsOf, type TableDescription } from '../format/changes.ts';
import type { SchemaDocument } from '../format/schema.ts';

const NO_FILES = { json: [], csv: [], parquet: [] };

export function describeTable(
  manifest: TableDescription['manifest'],
  schema: SchemaDocument | null,
): TableDescription {
  if ('dimension' in manifest) return { manifest: { ...manifest, files: NO_FILES, documents: [] }, schema };
  return { manifest: { ...manifest, slices: [], copies: countsOf(manifest.copies), documents: [] }, schema };
}

/** Whether answers about the same slices are the same, whichever of the two describes them. */
export function describeAlike(one: TableDescription, other: TableDescription): boolean {
  return answeredBy(one) === answeredBy(other);
}

/** What answers depend on. */
function answeredBy({ manifest, schema }: TableDescription): string {
  const { version, schema_hash, license, attribution, sample, columns, order, key_columns } = manifest;
  const ofDataset = 'dataset' in manifest ? [manifest.place, countsOf(manifest.copies)] : [];
  const { filters, time, detail_levels, default_detail } = schema ?? {};
  return JSON.stringify([
    ...[version, schema_hash, license, attribution, sample, columns, order, key_columns],
    ...ofDataset,
    ...[filters, time, detail_levels, default_detail],
  ]);
}
