/** What a build passes to the edges of hosts and gets back, because neither imports the other. */

import type { SchemaDocument } from './documents.ts';
import type { DatasetManifest, DimensionManifest, TreeManifest } from './manifest.ts';

/**
 * A file for a host or for the person who deploys. Its path is relative to the tree, or to the folder of the
 * host's files.
 */
export interface HostFile {
  readonly path: string;
  readonly text: string;
}

export interface PublishedDocuments {
  readonly manifest: TreeManifest;
  readonly datasets: readonly { readonly manifest: DatasetManifest; readonly schema: SchemaDocument }[];
  readonly dimensions: readonly { readonly domain: string; readonly manifest: DimensionManifest }[];
}
