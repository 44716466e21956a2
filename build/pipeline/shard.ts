/** `civic build --shard`: makes a share of a build's pieces and puts them into a cache that the build uses later. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { readBuildInput, workOf } from '../plan/build-input.ts';
import type { Piece } from '../plan/pieces.ts';
import type { Reporter } from '../report.ts';
import { type BuildOptions, openCache } from './build-options.ts';
import { makePieces } from './rows-stage.ts';

export interface ShardNumber {
  /** From 1. */
  readonly number: number;
  readonly of: number;
}

export interface ShardResult extends ShardNumber {
  /** Folder of the cache. */
  readonly cache: string;
  /** Number of pieces that the shard made, and of those that the cache had. */
  readonly made: number;
  readonly found: number;
  /** Seconds by stage. */
  readonly seconds: Readonly<Record<string, number>>;
}

export async function buildShard(
  options: BuildOptions & { readonly cache: { readonly folder: string } },
  shard: ShardNumber,
  report: Reporter,
): Promise<ShardResult> {
  const cache = await openCache(options, options.cache.folder);
  const temporary = cache.makeFolder();
  try {
    const input = await readBuildInput(options, path.join(temporary, 'lake'), report);
    // The build that publishes reports all warnings.
    const quiet: Reporter = event => {
      if (event.kind !== 'warnings' && event.kind !== 'notices') report(event);
    };
    // Every shard checks the dimensions: rows of a broken one aren't checked.
    const own = ([dimensions, ...others]: readonly Piece[]) => [dimensions!, ...shareOf(others, shard)];
    const { seconds } = await makePieces(workOf(input, options, cache, temporary, quiet), own);
    return { ...shard, cache: cache.folder, ...cache.counts, seconds };
  } finally {
    await rm(temporary, { recursive: true, force: true });
    await cache.trim();
  }
}

/** Fixed cost of a piece, in bytes of the lake. */
const PIECE_BYTES = 20_000;

/**
 * Consecutive pieces, because those of a dataset read the same files. Shards have about the same work, and the same
 * pieces on every machine; a piece belongs to the shard that contains its middle.
 */
export function shareOf<Weighed extends Pick<Piece, 'effort' | 'files'>>(
  pieces: readonly Weighed[],
  { number, of }: ShardNumber,
): Weighed[] {
  const weightOf = ({ effort, files }: Weighed) =>
    PIECE_BYTES + effort * files.reduce((sum, file) => sum + file.bytes, 0);
  const total = pieces.reduce((sum, piece) => sum + weightOf(piece), 0);
  let before = 0;
  return pieces.filter(piece => {
    const middle = (before + weightOf(piece) / 2) / total;
    before += weightOf(piece);
    return Math.floor(middle * of) === number - 1;
  });
}
