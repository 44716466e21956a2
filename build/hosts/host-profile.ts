/** What each kind of host takes and needs, as data. */
import { assetFiles, bucketFiles, cloudflareHeaders } from '../catalog/cloudflare-files.ts';
import type { HostFile, HostSite } from '../catalog/host-site.ts';
import { notFoundPage } from '../catalog/not-found-page.ts';
import type { DatasetManifest, DimensionManifest, TreeManifest } from '../format/manifest.ts';
import { ROOT, UNLISTED } from '../format/paths.ts';
import type { SchemaDocument } from '../format/schema.ts';

export type { HostFile } from '../catalog/host-site.ts';

export const HOST_NAMES = [
  'github-pages',
  's3-cloudfront',
  'cloudflare',
  'cloudflare-r2',
  'nginx',
  'generic',
] as const;

export type HostName = (typeof HOST_NAMES)[number];

/** Most that a host takes; null where it sets no limit. Bytes and files of the tree as it is uploaded. */
export interface HostLimits {
  readonly files: number | null;
  readonly bytesPerFile: number | null;
  readonly bytesInAll: number | null;
}

export interface HostProfile {
  readonly name: HostName;
  readonly limits: HostLimits;
  /** What answers the API's own URLs there: nothing, a script that can only name stored files, or the whole edge. */
  readonly edge: 'none' | 'rewrite' | 'full';
  /** Most bytes of single files of the edge, comments and all. */
  readonly edgeLimits: readonly { readonly path: string; readonly bytes: number }[];
  /** Whether the tree may stand beneath a path of its address. */
  readonly beneathPath: boolean;
  /** Files that the host reads from the tree's root. */
  readonly treeFiles: (site: HostSite) => readonly HostFile[];
  /** Files that whoever deploys needs; they stand beside the tree. */
  readonly folderFiles: (site: HostSite) => readonly HostFile[];
}

/** The documents of a tree that an edge may be made from. */
export interface PublishedDocuments {
  readonly manifest: TreeManifest;
  readonly datasets: readonly { readonly manifest: DatasetManifest; readonly schema: SchemaDocument }[];
  readonly dimensions: readonly { readonly domain: string; readonly manifest: DimensionManifest }[];
}

/** `site` makes a host's edge and `build` may not know it, so that whoever starts a build says how. */
export interface EdgeMaker {
  /** The files to stand beside the tree; `paths` are those of all files of the tree. */
  readonly renderEdge: (
    tree: PublishedDocuments,
    paths: readonly string[],
  ) => readonly HostFile[] | Promise<readonly HostFile[]>;
  /** What the edge reads in the tree of each release. */
  readonly renderTable?: (tree: PublishedDocuments) => HostFile | Promise<HostFile>;
}

/** The host that a tree is built for. */
export interface HostTarget {
  readonly profile: HostProfile;
  /** Path of the tree's address, beginning and ending in a slash. */
  readonly basePath: string;
  /** Null where the host has no edge. */
  readonly renderEdge: EdgeMaker['renderEdge'] | null;
  /** Null where the host's edge reads nothing but the tree. */
  readonly renderTable?: EdgeMaker['renderTable'] | null;
}

const NO_LIMITS: HostLimits = { files: null, bytesPerFile: null, bytesInAll: null };

const nothing = (): readonly HostFile[] => [];

export const HOSTS: Readonly<Record<HostName, HostProfile>> = {
  'github-pages': {
    name: 'github-pages',
    // A site may have 1 GB; a twentieth is left for what its owner adds.
    // Git takes no larger file.
    limits: { ...NO_LIMITS, bytesInAll: 950_000_000, bytesPerFile: 100 << 20 },
    edge: 'none',
    edgeLimits: [],
    beneathPath: true,
    treeFiles: site => [
      // Without it, files and folders whose names begin with an underscore are not served.
      { path: UNLISTED.noJekyll, text: '' },
      { path: ROOT.notFound, text: notFoundPage(site) },
    ],
    folderFiles: nothing,
  },
  's3-cloudfront': {
    name: 's3-cloudfront',
    limits: NO_LIMITS,
    edge: 'rewrite',
    edgeLimits: [{ path: 'cloudfront-function.js', bytes: 10_240 }],
    beneathPath: false,
    treeFiles: nothing,
    folderFiles: nothing,
  },
  cloudflare: {
    name: 'cloudflare',
    // Static assets of Workers and of Pages, in the free plan.
    limits: { ...NO_LIMITS, files: 20_000, bytesPerFile: 25 << 20 },
    edge: 'full',
    edgeLimits: [],
    beneathPath: false,
    treeFiles: () => [{ path: UNLISTED.headers, text: cloudflareHeaders() }],
    folderFiles: assetFiles,
  },
  'cloudflare-r2': {
    name: 'cloudflare-r2',
    limits: NO_LIMITS,
    edge: 'full',
    edgeLimits: [],
    beneathPath: false,
    treeFiles: nothing,
    folderFiles: bucketFiles,
  },
  nginx: {
    name: 'nginx',
    limits: NO_LIMITS,
    edge: 'rewrite',
    edgeLimits: [],
    beneathPath: false,
    treeFiles: nothing,
    folderFiles: nothing,
  },
  generic: {
    name: 'generic',
    limits: NO_LIMITS,
    edge: 'none',
    edgeLimits: [],
    beneathPath: true,
    treeFiles: nothing,
    folderFiles: nothing,
  },
};
