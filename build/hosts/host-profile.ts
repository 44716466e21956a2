/** The limits and needs of each host, as data. */
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

/** Limits of a host on the uploaded tree; null if it sets none. */
export interface HostLimits {
  readonly files: number | null;
  readonly bytesPerFile: number | null;
  readonly bytesInAll: number | null;
}

export interface HostProfile {
  readonly name: HostName;
  readonly limits: HostLimits;
  /** What answers API requests: nothing, a script that only maps them to stored files, or the full edge. */
  readonly edge: 'none' | 'rewrite' | 'full';
  /** Size limits of single files of the edge, comments included. */
  readonly edgeLimits: readonly { readonly path: string; readonly bytes: number }[];
  /** Whether the host may serve the tree below a path of its address. */
  readonly beneathPath: boolean;
  /** Files that the host reads from the tree's root. */
  readonly treeFiles: (site: HostSite) => readonly HostFile[];
  /** Files that a publisher needs to deploy, in the folder next to the tree. */
  readonly folderFiles: (site: HostSite) => readonly HostFile[];
}

/** The documents of a tree from which an edge is rendered. */
export interface PublishedDocuments {
  readonly manifest: TreeManifest;
  readonly datasets: readonly { readonly manifest: DatasetManifest; readonly schema: SchemaDocument }[];
  readonly dimensions: readonly { readonly domain: string; readonly manifest: DimensionManifest }[];
}

/** Renders a host's edge. The program supplies it, because `build` does not import `site`. */
export interface EdgeMaker {
  /** Renders the files next to the tree; `paths` are those of all files of the tree. */
  readonly renderEdge: (
    tree: PublishedDocuments,
    paths: readonly string[],
  ) => readonly HostFile[] | Promise<readonly HostFile[]>;
  /** Renders the table that the edge reads in the tree of each release. */
  readonly renderTable?: (tree: PublishedDocuments) => HostFile | Promise<HostFile>;
}

/** The host that a tree is built for. */
export interface HostTarget {
  readonly profile: HostProfile;
  /** Path of the tree's address, beginning and ending in a slash. */
  readonly basePath: string;
  /** Null if the host has no edge. */
  readonly renderEdge: EdgeMaker['renderEdge'] | null;
  /** Null if the host's edge reads no table. */
  readonly renderTable?: EdgeMaker['renderTable'] | null;
}

const NO_LIMITS: HostLimits = { files: null, bytesPerFile: null, bytesInAll: null };

const nothing = (): readonly HostFile[] => [];

const notFound = (site: HostSite): readonly HostFile[] => [{ path: ROOT.notFound, text: notFoundPage(site) }];

export const HOSTS: Readonly<Record<HostName, HostProfile>> = {
  'github-pages': {
    name: 'github-pages',
    // A site may have 1 GB. GitHub refuses larger files.
    limits: { ...NO_LIMITS, bytesInAll: 1_000_000_000, bytesPerFile: 100 << 20 },
    edge: 'none',
    edgeLimits: [],
    beneathPath: true,
    treeFiles: site => [
      // Without it, GitHub Pages serves no file or folder whose name begins with an underscore.
      { path: UNLISTED.noJekyll, text: '' },
      ...notFound(site),
    ],
    folderFiles: nothing,
  },
  's3-cloudfront': {
    name: 's3-cloudfront',
    limits: NO_LIMITS,
    edge: 'rewrite',
    edgeLimits: [{ path: 'cloudfront-function.js', bytes: 10_240 }],
    beneathPath: false,
    treeFiles: notFound,
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
    treeFiles: notFound,
    folderFiles: nothing,
  },
  generic: {
    name: 'generic',
    limits: NO_LIMITS,
    edge: 'none',
    edgeLimits: [],
    beneathPath: true,
    treeFiles: notFound,
    folderFiles: nothing,
  },
};
