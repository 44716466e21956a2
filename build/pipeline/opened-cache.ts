/** Opens the cache of a build. */
import { Cache } from '../cache/cache.ts';
import { UnableError } from '../failure.ts';
import { reasonOf } from '../system-error.ts';
import { makeFolder } from '../tree/claim.ts';
import { type BuildOptions, CACHE_LIMIT } from './build-options.ts';

/** `folder` is where the cache is if the options name no other. */
export async function openCache({ cache }: BuildOptions, folder: string): Promise<Cache> {
  const opened = new Cache({ folder, limit: CACHE_LIMIT, ...cache });
  try {
    await makeFolder(opened.folder);
    opened.expectWritable();
    return opened;
  } catch (error) {
    throw new UnableError(
      'cache-unusable',
      `The cache ${opened.folder} cannot be written: ${reasonOf(error)}. Name another folder with --cache.`,
    );
  }
}
