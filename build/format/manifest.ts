/** The types of manifests, and what all of their readers know of them. */
import type { CopyEntry, DatasetManifest, DimensionManifest, PublishedFile } from './manifest-schemas.ts';

export type * from './manifest-schemas.ts';

/** Length of the blocks that are hashed by themselves, so that a part of a file can be checked. The last is shorter. */
export const BLOCK_BYTES = 65_536;

/** The copies with all years of a level, in the order of their levels. */
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
