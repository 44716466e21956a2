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
import { HostError } from '../../../edge/files/watched-fetch.ts';
import { type ExploredDataset, deriveDataset } from '../../view/dataset.ts';
import { readDocument } from '../tree-documents.ts';

/** Throws HostError if a required document cannot be read. */
export async function readDataset(root: URL, key: string): Promise<ExploredDataset> {
  const [domain = '', topic = ''] = key.split('/');
  const [schema, values, manifest, contract] = await Promise.all([
    requireDocument<SchemaDocument>(root, schemaPath(domain, topic)),
    requireDocument<ValuesDocument>(root, valuesPath(domain, topic)),
    requireDocument<DatasetManifest>(root, datasetManifestPath(domain, topic)),
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

async function requireDocument<Document>(root: URL, path: string): Promise<Document> {
  const found = await readDocument<Document>(root, path);
  if (found === null) throw new HostError(`${path} is missing`, { status: 404 });
  return found;
}
