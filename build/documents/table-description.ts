/** Describes a table apart from its files, so that answers about an earlier release can be planned. Pure. */
import { type AnsweredSchema, countsOf, type TableBefore, type TableDescription } from '../format/changes.ts';
import { FORMAT } from '../format/documents.ts';

const NO_FILES = { json: [], csv: [], parquet: [] };

/** How a table was described before a release; null if answers about the same slices are the same as with it. */
export function describeBefore(then: TableDescription, now: TableDescription): TableBefore | null {
  const schema = answeredSchema(then.schema);
  const isSameSchema = JSON.stringify(schema) === JSON.stringify(answeredSchema(now.schema));
  if (isSameSchema && answeredBy(then) === answeredBy(now)) return null;
  const manifest = withoutFiles(then.manifest);
  return { format: FORMAT, manifest, ...(schema !== null && !isSameSchema && { schema }) };
}

function withoutFiles(manifest: TableDescription['manifest']): TableDescription['manifest'] {
  if ('dimension' in manifest) return { ...manifest, files: NO_FILES, documents: [] };
  return { ...manifest, slices: [], copies: countsOf(manifest.copies), documents: [] };
}

function answeredSchema(schema: AnsweredSchema | null): AnsweredSchema | null {
  if (schema === null) return null;
  const { filters, time, detail_levels, default_detail } = schema;
  return { filters, ...(time && { time }), detail_levels, default_detail };
}

/** What answers depend on in a manifest. */
function answeredBy({ manifest }: TableDescription): string {
  const { version, schema_hash, license, attribution, sample, columns, order, key_columns } = manifest;
  const ofDataset = 'dataset' in manifest ? [manifest.place, countsOf(manifest.copies)] : [];
  return JSON.stringify([
    ...[version, schema_hash, license, attribution, sample, columns, order, key_columns],
    ...ofDataset,
  ]);
}
