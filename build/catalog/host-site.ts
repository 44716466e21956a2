/** What the files that a host needs are made from. */
import type { Publisher } from '../contract/dataset.ts';

/** A file that a host or whoever deploys there reads; its path is relative to the folder that it stands in. */
export interface HostFile {
  readonly path: string;
  readonly text: string;
}

export interface HostSite {
  readonly publisher: Publisher;
  readonly sample: boolean;
  /** Path of the tree's address, beginning and ending in a slash. */
  readonly basePath: string;
  /** The tree's folder as it is named beside the folder of the host's files. */
  readonly treeFolder: string;
  /** Sorted by key. */
  readonly datasets: readonly { readonly key: string; readonly title: string }[];
}
