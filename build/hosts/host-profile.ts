/** What is known of a host. Each host is one file of this folder, and a line of hosts.ts. */
import type { Publisher } from '../contract/dataset.ts';
import type { HostFile, PublishedDocuments } from '../format/host-files.ts';

/** Limits of a host on the uploaded tree; Infinity if it sets none. */
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
  /** Whether the host may serve the tree below a path of its address. */
  readonly beneathPath: boolean;
  /** Whether its edge computes what no stored file answers. */
  readonly computes: boolean;
  /** Files that the host, or its edge, reads in the tree of each release. */
  readonly treeFiles: (input: HostInput) => Files;
  /** Files for the folder next to the tree, from which a publisher deploys. `paths`: of all files of the tree. */
  readonly folderFiles: (input: HostInput, paths: readonly string[]) => Files;
  /** Most bytes of files of that folder, comments included. */
  readonly folderLimits: Readonly<Record<string, number>>;
}

type Files = readonly HostFile[] | Promise<readonly HostFile[]>;

/** What the files of a host are rendered from. */
export interface HostInput {
  readonly publisher: Publisher;
  readonly sample: boolean;
  /** Path of the tree's address, with a slash at both ends. */
  readonly basePath: string;
  /** Name of the tree's folder, which stands next to the folder of the host's files. */
  readonly treeFolder: string;
  readonly hasPages: boolean;
  readonly documents: PublishedDocuments;
  readonly edges: Edges;
}

/** Renders the scripts that answer on hosts. The program supplies it, because `build` does not import `site`. */
export interface Edges {
  /** The Worker that computes. */
  readonly worker: () => Promise<readonly HostFile[]>;
  readonly cloudfront: (tree: PublishedDocuments, paths: readonly string[]) => Promise<readonly HostFile[]>;
  readonly nginx: () => Promise<readonly HostFile[]>;
  /** What nginx's script reads in the tree of each release. */
  readonly nginxTable: (tree: PublishedDocuments) => Promise<HostFile>;
}

/** The host that a tree is built for. */
export interface HostTarget {
  readonly profile: HostProfile;
  /** Path of the tree's address, beginning and ending in a slash. */
  readonly basePath: string;
  readonly edges: Edges;
}
