/** The types of manifests, and functions that every reader of manifests needs. */
import type {
  CopyEntry,
  DatasetManifest,
  DimensionManifest,
  PublishedFile,
  TreeManifest,
} from './manifest-schemas.ts';
import { ROOT } from './paths.ts';

export type * from './manifest-schemas.ts';

/**
 * Length of the blocks that are hashed separately, so that a part of a file can be checked. The last is
 * shorter.
 */
export const BLOCK_BYTES = 65_536;

/** The copies with all years of a level, sorted by level. */
export function copiesByPlace({ copies }: Pick<DatasetManifest, 'copies'>): readonly CopyEntry[] {
  return copies.filter(({ counted }) => counted === undefined);
}

/** Every file that a manifest lists, with paths relative to it. */
export function listedFiles(manifest: DatasetManifest | DimensionManifest): readonly PublishedFile[] {
  const isDataset = 'slices' in manifest;
  const rows = isDataset ? manifest.slices.map(({ files }) => files) : [manifest.files];
  const copies = isDataset ? manifest.copies.map(({ file }) => file) : [];
  return [...rows.flatMap(files => Object.values(files).flat()), ...copies, ...manifest.documents];
}

/**
 * The lines of SHA256SUMS for `index.json`, for the manifest of each dataset and dimension, and for the
 * documents of withdrawn ones. They don't depend on the tree's address and pages. The log states the SHA-256
 * of this text.
 */
export function contentLines({ datasets, dimensions, documents, withdrawn = [] }: TreeManifest): string {
  const service = documents.filter(({ path }) => path === ROOT.service);
  return [...service, ...datasets, ...dimensions, ...withdrawn.flatMap(one => one.documents)]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, sha256 }) => `${sha256}  ${path}\n`)
    .join('');
}
