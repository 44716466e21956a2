/** What the documents of a tree's datasets and dimensions are written from. */
import type { Cache } from '../cache/cache.ts';
import { type FeedItem, isFirst, parseItems } from '../catalog/feed.ts';
import type { Forgotten, TreeRelease } from '../format/changes.ts';
import { type Erratum, FORMAT, type Stamp } from '../format/documents.ts';
import type { DatasetManifest, DimensionManifest } from '../format/manifest.ts';
import { ROOT } from '../format/paths.ts';
import type { SchemaDocument } from '../format/schema.ts';
import type { Compiled } from '../input/compiled-input.ts';
import type { SessionSource } from '../lake/database.ts';
import type { WrittenRowsOf } from '../plan/pieces.ts';
import type { EarlierTrees } from '../plan/tree-plan.ts';
import type { PublishedColumn } from '../slice/row-columns.ts';
import type { OpenedTree } from '../tree/diff-trees.ts';
import type { Staging } from '../tree/staging.ts';
import { readDocument } from '../tree/tree-source.ts';

export interface Assembly {
  readonly staging: Staging;
  readonly compiled: Compiled;
  readonly cache: Cache;
  readonly session: SessionSource;
  /** Folder where a database may spill. */
  readonly temporary: string;
  readonly written: WrittenRowsOf;
  /** Paths of the files that the tree leaves out to fit its host: a slice's first page, its CSV, a copy. */
  readonly leftOut: ReadonlySet<string>;
  readonly earlier: EarlierReleases;
}

/** What every document of a build begins with. */
export function stampOf(release: string, { inventory: { sample } }: Pick<Compiled, 'inventory'>): Stamp {
  return { format: FORMAT, release, ...(sample && { sample }) };
}

export interface EarlierReleases {
  /** Null if there is none, or if this release takes its place as the first. */
  readonly before: OpenedTree | null;
  /** What its feed tells of releases. */
  readonly items: readonly FeedItem[];
  /** Its manifests, by key. */
  readonly manifests: ReadonlyMap<string, DatasetManifest | DimensionManifest>;
  /** Whether a damaged file of it is refused. */
  readonly strict: boolean;
  /** This release. */
  readonly release: TreeRelease;
}

/**
 * A first release that is built again on the same day is still the first, so that the tree does not depend on the number
 * of builds before publication.
 */
export async function openEarlier(
  { before, named, previous }: Pick<EarlierTrees, 'before' | 'named' | 'previous'>,
  release: TreeRelease,
): Promise<EarlierReleases> {
  const strict = named.manifest !== null;
  const { datasets, dimensions } = strict ? named : previous;
  const items = before === null ? [] : parseItems(await readDocument(before.source, ROOT.jsonFeed));
  return {
    before: before?.manifest.date === release.date && isFirst(items) ? null : before,
    items,
    manifests: new Map<string, DatasetManifest | DimensionManifest>([...datasets, ...dimensions]),
    strict,
    release,
  };
}

/** A dataset or dimension of this release, whose rows and other documents are written. */
export interface ReleasedTable<Manifest = DatasetManifest | DimensionManifest> {
  /** `domain/topic`, or `domain/_dimensions/name`. */
  readonly key: string;
  /** The keys that bear these rows, the one that documents name first. The release before may have had fewer. */
  readonly homes: readonly string[];
  /** Null for a dimension, which has no feed. */
  readonly title: string | null;
  /** With the documents written so far. */
  readonly manifest: Manifest;
  /** Null for a dimension. */
  readonly schema: SchemaDocument | null;
  readonly columns: readonly PublishedColumn[];
  /** Newest first. */
  readonly errata: readonly Erratum[];
  /** What the contract takes back from earlier releases. */
  readonly forget: readonly Scope[];
}

export type Scope = Pick<Forgotten, 'reason' | 'years' | 'levels'>;
