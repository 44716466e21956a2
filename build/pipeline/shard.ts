/** `civic build --shard`: makes one share of the pieces of a build into a cache, where a build then finds them. */
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { MAKING } from '../cache/cache.ts';
import { FileContents } from '../cache/file-contents.ts';
import { databaseOptions, readBuildInput } from '../input/build-input.ts';
import { compileInput } from '../input/compiled-input.ts';
import { withDatabase } from '../lake/database.ts';
import { planDataset } from '../plan/dataset-plan.ts';
import { piecesOf } from '../plan/pieces.ts';
import { placeDimensions } from '../plan/placed-dimensions.ts';
import type { Reporter } from '../report.ts';
import { type BuildOptions, openCache } from './build-options.ts';
import { expectServable } from './host-stage.ts';
import { readRows, writingLimits } from './rows-stage.ts';
import type { ShardNumber } from './shard-number.ts';
import { sharePieces } from './shares.ts';
import { startStopwatch } from './stopwatch.ts';

export interface ShardResult extends ShardNumber {
  /** Folder of the cache. */
  readonly cache: string;
  /** Number of things that the shard made, and of those that the cache had. */
  readonly made: number;
  readonly found: number;
  /** Seconds by stage. `check` and `slice` run at the same time, within `rows`. */
  readonly seconds: Readonly<Record<string, number>>;
}

export async function buildShard(
  options: BuildOptions & { readonly cache: { readonly folder: string } },
  shard: ShardNumber,
  report: Reporter,
): Promise<ShardResult> {
  expectServable(options);
  const clock = startStopwatch();
  const cache = await openCache(options, options.cache.folder);
  // Named as other unfinished work in a cache, so that it goes with the rest if the machine dies.
  const temporary = await mkdtemp(path.join(cache.folder, MAKING));
  const limits = databaseOptions(options, temporary);
  try {
    const input = await readBuildInput(options, path.join(temporary, 'lake'));
    const contents = new FileContents();
    const quiet = withoutWarnings(report);
    const compiled = await compileInput(options, input, { cache, temporary, limits, contents }, quiet);
    const { contracts, inventory, asked, withdrawn } = compiled;
    const plan = {
      datasets: asked.map(dataset => planDataset(dataset, contracts, inventory)),
      dimensions: placeDimensions(contracts, inventory, [...asked, ...withdrawn]),
    };
    const pieces = sharePieces(piecesOf(plan, compiled, options), shard.of)[shard.number - 1] ?? [];
    const { lake } = input;
    const build = { options, compiled, plan, cache, report: quiet };
    await withDatabase(writingLimits(limits), database =>
      readRows({ ...build, lake, pieces, made: null, clock, database, limits }),
    );
    return { ...shard, cache: cache.folder, ...cache.counts, seconds: clock.seconds };
  } finally {
    await rm(temporary, { recursive: true, force: true });
    await cache.trim();
  }
}

/** The build that publishes reports the warnings, all of them and once. */
function withoutWarnings(report: Reporter): Reporter {
  return event => {
    if (event.kind !== 'warnings' && event.kind !== 'notices') report(event);
  };
}
