/** The options of a build, and the digest of all that a tree is built from. */
import path from 'node:path';
import { Cache, type CacheOptions, digestOf, PROGRAM } from '../cache/cache.ts';
import type { ContentOf } from '../cache/file-contents.ts';
import type { PageMaker } from '../documents/pages.ts';
import { UnableError } from '../failure.ts';
import type { HostTarget } from '../hosts/host-profile.ts';
import { type BuildInput, type ReleaseOptions, releaseDate } from '../input/build-input.ts';
import type { Compiled } from '../input/compiled-input.ts';
import { formatPublicKey, publicKeyOf } from '../log/log-key.ts';
import type { TreePlan } from '../plan/tree-plan.ts';
import type { Reporter } from '../report.ts';
import { reasonOf } from '../system-error.ts';
import { makeFolder } from '../tree/claim.ts';

export interface BuildOptions extends ReleaseOptions {
  /** Where the tree will be served, ending in a slash. */
  readonly baseUrl: string | null;
  /** Makes people's pages; without it, folders have plain listings. */
  readonly pages?: PageMaker | null;
  /** The host that the tree is for. */
  readonly host?: HostTarget | null | undefined;
  /** By default next to the output folder. */
  readonly cache?: Partial<CacheOptions> | undefined;
}

/** What each stage after the plan works with. */
export interface PlannedBuild {
  readonly options: BuildOptions;
  readonly compiled: Compiled;
  readonly plan: TreePlan;
  readonly cache: Cache;
  readonly report: Reporter;
}

/** 20 GB. */
export const CACHE_LIMIT = 20_000_000_000;

/** Two builds with the same digest write the same tree. `contentOf` identifies the content of the lake's files. */
export function inputDigest(
  options: BuildOptions,
  { contractFiles, lake }: BuildInput,
  contentOf: ContentOf,
): string {
  const newest = lake.files.reduce((last, file) => Math.max(last, file.modified), 0);
  return digestOf([
    PROGRAM,
    contractFiles.map(({ file }) => path.relative(options.contracts, file)),
    contractFiles.map(({ text }) => text),
    lake.files.map(file => [file.path, contentOf(file)]),
    [...lake.ignored],
    [
      options.only,
      options.extract === true,
      options.strict,
      releaseDate(options.releaseDate, newest),
      options.previous,
      options.signingKey ? formatPublicKey(publicKeyOf(options.signingKey, 'signer')) : null,
      options.baseUrl,
      options.pages?.version ?? null,
      options.host?.profile ?? null,
      options.host?.basePath ?? null,
    ],
  ]);
}

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
