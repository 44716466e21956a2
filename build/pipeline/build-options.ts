/** The options of a build, and the checks of its folders. */
import { rmdirSync } from 'node:fs';
import path from 'node:path';
import { Cache, type CacheOptions } from '../cache/cache.ts';
import type { PageMaker } from '../documents/pages.ts';
import { UnableError } from '../failure.ts';
import type { HostTarget } from '../hosts/host-profile.ts';
import type { ReleaseOptions } from '../plan/build-input.ts';
import { reasonOf } from '../system-error.ts';
import { makeFolder } from '../tree/claim.ts';
import { isWithin, workspaceOf } from '../tree/workspace.ts';

export interface BuildOptions extends ReleaseOptions {
  /** The address where the tree will be served, with a final slash. */
  readonly baseUrl: string | null;
  /** Renders people's pages; without it, folders get plain listings. */
  readonly pages?: PageMaker | null;
  readonly host?: HostTarget | null | undefined;
  /** By default next to the output folder. */
  readonly cache?: Partial<CacheOptions> | undefined;
}

/** 20 GB. */
export const CACHE_LIMIT = 20_000_000_000;

/** `folder`: the cache's folder if the options don't name one. */
export function cacheOf({ cache }: BuildOptions, folder: string): Cache {
  return new Cache({ folder, limit: CACHE_LIMIT, ...cache });
}

export async function expectWritable(cache: Cache): Promise<void> {
  try {
    await makeFolder(cache.folder);
    rmdirSync(cache.makeFolder());
  } catch (error) {
    throw new UnableError(
      'cache-unusable',
      `The cache ${cache.folder} cannot be written: ${reasonOf(error)}. Name another folder with --cache.`,
    );
  }
}

/**
 * Refuses an output folder that is within the lake or the contracts or contains them, even through links: a switch of
 * trees would delete them.
 */
export function expectOutputApart({ out, contracts, data }: BuildOptions): void {
  const sources = [
    { folder: contracts, what: 'the folder of the contracts' },
    ...(/^s3:/i.test(data) ? [] : [{ folder: data, what: "the lake's folder" }]),
  ];
  const target = workspaceOf(out).out;
  for (const { folder, what } of sources) {
    const [isInner, isOuter] = [isWithin(target, folder), isWithin(folder, target)];
    if (!isInner && !isOuter) continue;
    const relation = isInner && isOuter ? 'is' : isInner ? 'is within' : 'contains';
    throw new UnableError(
      'output-in-input',
      `${out} ${relation} ${what}${path.resolve(out) === path.resolve(folder) ? '' : ` (${folder})`}. A build replaces its output folder as a whole. Name another folder with --out.`,
    );
  }
}
