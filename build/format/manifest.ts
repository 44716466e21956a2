/** The types of manifests, and what all of their readers know of them. */
import type { CopyEntry, DatasetManifest } from './manifest-schemas.ts';

export type * from './manifest-schemas.ts';

/** Length of the blocks that are hashed by themselves, so that a part of a file can be checked. The last is shorter. */
export const BLOCK_BYTES = 65_536;

/** The copies with all years of a level, in the order of their levels. */
export function copiesByPlace({ copies }: Pick<DatasetManifest, 'copies'>): readonly CopyEntry[] {
  return copies.filter(({ counted }) => counted === undefined);
}
