/** What a build hands the edges of hosts, and what they hand back: neither half imports the other. */
import type { DatasetManifest, DimensionManifest, TreeManifest } from './manifest.ts';
import type { SchemaDocument } from './schema.ts';

/** A file for a host or for who deploys there. Its path is in the tree, or in the folder of the host's files. */
export interface HostFile {
  readonly path: string;
  readonly text: string;
}

/** The documents of a tree, of one release, from which an edge is rendered. */
export interface PublishedDocuments {
  readonly manifest: TreeManifest;
  readonly datasets: readonly { readonly manifest: DatasetManifest; readonly schema: SchemaDocument }[];
  readonly dimensions: readonly { readonly domain: string; readonly manifest: DimensionManifest }[];
}
