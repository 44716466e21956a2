/** What the build knows about a host. Each host is an entry of hosts.ts. */
import type { Publisher } from '../contract/dataset.ts';
import type { HostFile, PublishedDocuments } from '../format/host-files.ts';

/** Infinity if the host sets no limit. */
export interface HostLimits {
  readonly files: number;
  readonly bytesPerFile: number;
  readonly bytesInAll: number;
}

const NONE = Number.POSITIVE_INFINITY;
export const NO_LIMITS: HostLimits = { files: NONE, bytesPerFile: NONE, bytesInAll: NONE };

export interface HostProfile {
  readonly name: string;
  readonly limits: HostLimits;
  /** Whether the host can serve the tree below a path of its address. */
  readonly beneathPath: boolean;
  /** Whether its edge computes answers that aren't stored files. */
  readonly computes: boolean;
  /** Files that the host, or its edge, reads in the tree of each release. */
  readonly treeFiles: (input: HostInput) => Files;
  /**
   * Files for the folder next to the tree, from which a publisher deploys. `paths`: those of all files of the
   * tree. Throws RefusedError if one is too large for the host.
   */
  readonly folderFiles: (input: HostInput, paths: readonly string[]) => Files;
}

type Files = readonly HostFile[] | Promise<readonly HostFile[]>;

export interface HostInput {
  readonly publisher: Publisher;
  /** The folder of the host's files is next to it. */
  readonly treeFolder: string;
  readonly documents: PublishedDocuments;
  readonly edges: Edges;
}

/** Renders the scripts that run on hosts. The program passes it in, because `build` doesn't import `site`. */
export interface Edges {
  /** The Worker that computes answers. */
  readonly worker: () => Promise<readonly HostFile[]>;
  readonly cloudfront: (tree: PublishedDocuments, paths: readonly string[]) => Promise<readonly HostFile[]>;
  readonly nginx: () => Promise<readonly HostFile[]>;
  /** nginx's script reads it in the tree of each release. */
  readonly nginxTable: (tree: PublishedDocuments) => Promise<HostFile>;
}

export interface HostTarget {
  readonly profile: HostProfile;
  /** Path of the tree's address, beginning and ending in a slash. */
  readonly basePath: string;
  readonly edges: Edges;
}
