/** Input and output of the files that a host needs. */
import type { Publisher } from '../contract/dataset.ts';

/** A file for a host or for the person who deploys there. Its path is relative to the folder of the host's files. */
export interface HostFile {
  readonly path: string;
  readonly text: string;
}

export interface HostSite {
  readonly publisher: Publisher;
  readonly sample: boolean;
  /** Path of the tree's address, with a slash at both ends. */
  readonly basePath: string;
  /** Name of the tree's folder, which stands next to the folder of the host's files. */
  readonly treeFolder: string;
  readonly hasPages: boolean;
  /** Sorted by key. */
  readonly datasets: readonly { readonly key: string; readonly title: string }[];
}
