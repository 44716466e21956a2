/** `civic build --shard`: makes a share of a build's pieces and puts them into a cache that the build uses later. */
import { rm } from 'node:fs/promises';
import { readWork } from '../plan/build-input.ts';
import { compileInput } from '../plan/compiled-input.ts';
import { type Piece, piecesOf } from '../plan/pieces.ts';
import type { Reporter } from '../report.ts';
import { type BuildOptions, cacheOf, expectWritable } from './build-options.ts';
import { withRows } from './rows-stage.ts';
import { Stopwatch } from './stopwatch.ts';

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
  const cache = cacheOf(options, options.cache.folder);
  await expectWritable(cache);
  const temporary = cache.makeFolder();
  try {
    // The build that publishes reports all warnings.
    const quiet: Reporter = event => {
      if (event.kind !== 'warnings' && event.kind !== 'notices') report(event);
    };
    const clock = new Stopwatch();
    const work = await readWork(options, cache, temporary, quiet);
    const plan = await compileInput(work);
    clock.lap('read');
    const [dimensions, ...others] = piecesOf(plan, options);
    // Every shard checks the dimensions: rows of a broken one aren't checked.
    const own = [dimensions!, ...shareOf(others, shard)];
    await withRows(work, plan, own, null, async () => undefined);
    clock.lap('rows');
    return { ...shard, cache: cache.folder, ...cache.counts, seconds: clock.seconds };
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
