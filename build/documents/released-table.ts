/** The end of writing a dataset or a dimension: what releases changed in it, and its manifest. */
import { documentText } from '../catalog/document-text.ts';
import type { Dataset, Dimension, Publisher } from '../contract/dataset.ts';
import type { DatasetManifest, DimensionManifest, ManifestEntry } from '../format/manifest.ts';
import { API_ROOT, relativeLink } from '../format/paths.ts';
import { envelopeStamp } from '../slice/page-envelope.ts';
import type { PublishedColumn } from '../slice/row-columns.ts';
import type { Assembly, ReleasedTable } from './assembly.ts';
import { writeReleaseChanges } from './release-changes.ts';

/** What the manifests of datasets and dimensions say alike. */
export function describeTable(
  contract: Dataset | Dimension,
  columns: readonly PublishedColumn[],
  rows: number,
  publisher: Publisher,
) {
  return { ...envelopeStamp(contract, publisher, false), rows, columns: columns.map(column => column.row) };
}

/** Writes the changes and the manifest, which lists the documents relative to it. */
export async function publishTable<Manifest extends DatasetManifest | DimensionManifest>(
  table: ReleasedTable<Manifest>,
  assembly: Pick<Assembly, 'staging' | 'earlier' | 'session' | 'compiled'>,
): Promise<{ readonly manifest: Manifest; readonly entry: ManifestEntry }> {
  const { key, manifest: described } = table;
  const path = `${API_ROOT}/${key}/manifest.json`;
  const documents = described.documents.map(one => ({ ...one, path: relativeLink(path, one.path) }));
  const changes = await writeReleaseChanges(table, assembly);
  const manifest = { ...described, documents: [...documents, ...changes] };
  const file = await assembly.staging.write(path, documentText(manifest));
  const { release, rows } = manifest;
  return { manifest, entry: { key, release, rows, path, ...file } };
}
