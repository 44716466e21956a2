/** Reads the documents of a dataset from the page's own tree. */
import type { ValuesDocument } from '../../../../build/format/documents.ts';
import type { DatasetManifest } from '../../../../build/format/manifest.ts';
import {
  contractPath,
  datasetManifestPath,
  dimensionSchemaPath,
  schemaPath,
  valuesPath,
} from '../../../../build/format/paths.ts';
import type { DimensionSchemaDocument, SchemaDocument } from '../../../../build/format/schema.ts';
import { deriveDataset, type ExploredDataset } from '../../view/dataset.ts';

/** Throws if a required document cannot be read. */
export async function readDataset(root: URL, key: string): Promise<ExploredDataset> {
  const [domain = '', topic = ''] = key.split('/');
  const [schema, values, manifest, contract] = await Promise.all([
    readDocument<SchemaDocument>(root, schemaPath(domain, topic)),
    readDocument<ValuesDocument>(root, valuesPath(domain, topic)),
    readDocument<DatasetManifest>(root, datasetManifestPath(domain, topic)),
    readDocument<unknown>(root, contractPath(domain, topic, 'json')).catch(() => null),
  ]);
  const joined = schema.foreign_keys.filter(({ column }) => schema.grain.includes(column));
  const dimensions = await Promise.all(
    joined.map(({ target_object: name }) =>
      readDocument<DimensionSchemaDocument>(root, dimensionSchemaPath(domain, name)).catch(() => null),
    ),
  );
  return deriveDataset({
    schema,
    values,
    manifest,
    contract,
    dimensions: dimensions.filter(dimension => dimension !== null),
  });
}

async function readDocument<Document>(root: URL, path: string): Promise<Document> {
  const response = await fetch(new URL(path, root));
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
  return (await response.json()) as Document;
}
