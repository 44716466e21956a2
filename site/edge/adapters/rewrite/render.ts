/** Published documents → the files that a host needs to answer the API by rewriting. Pure. */
import type { DatasetManifest, DimensionManifest, TreeManifest } from '../../../../build/format/manifest.ts';
import type { SchemaDocument } from '../../../../build/format/schema.ts';
import { prepareDataset, prepareDimension } from '../../../query/preparation.ts';
import { renderCloudFront } from './cloudfront-script.ts';
import { type Entries, renderEntry } from './entry.ts';
import type { HostFile } from './host-file.ts';
import { renderNginx } from './nginx-script.ts';

/** A tree's documents, of one release; by the keys that the root manifest has. */
export interface RewriteInput {
  readonly manifest: TreeManifest;
  readonly datasets: ReadonlyMap<string, DatasetDocuments>;
  readonly dimensions: ReadonlyMap<string, DimensionManifest>;
}

export interface DatasetDocuments {
  readonly manifest: DatasetManifest;
  readonly schema: SchemaDocument;
}

export type { HostFile };

export type RewriteHost = 'cloudfront' | 'nginx';

/**
 * `cloudfront`: cloudfront-function.js, of at most 10,240 bytes; and keyvaluestore.json where the table does not fit
 * into it. `nginx`: civic-njs.js and nginx.conf. Throws where a dataset of the root manifest is not among the documents.
 */
export function renderRewrite(tree: RewriteInput, host: RewriteHost): readonly HostFile[] {
  const entries = renderEntries(tree);
  switch (host) {
    case 'cloudfront':
      return renderCloudFront(entries);
    case 'nginx':
      return renderNginx(entries);
    default:
      return host satisfies never;
  }
}

function renderEntries({ manifest, datasets, dimensions }: RewriteInput): Entries {
  return [...manifest.datasets, ...manifest.dimensions]
    .map(({ key, path }): Entries[number] => {
      const folder = path.slice(0, path.lastIndexOf('/'));
      const dataset = datasets.get(key);
      const dimension = dimensions.get(key);
      if (dataset) return [key, renderEntry(prepareDataset(folder, dataset.manifest, dataset.schema))];
      if (dimension) return [key, renderEntry(prepareDimension(folder, dimension))];
      throw new Error(`The documents of ${key} are missing.`);
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
