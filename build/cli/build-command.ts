/** `civic build`: builds a tree, or with --shard a share of its pieces. */
import { Option } from 'commander';
import type { HostSummary } from '../cache/build-note.ts';
import { NOTHING_PUBLISHED } from '../failure.ts';
import { countOf } from '../format/shown-text.ts';
import { describeLeftOut } from '../hosts/format-choice.ts';
import { type HostName, hostTarget } from '../hosts/hosts.ts';
import { CACHE_LIMIT } from '../pipeline/build-options.ts';
import type { BuildResult } from '../pipeline/build.ts';
import type { ShardNumber, ShardResult } from '../pipeline/shard.ts';
import {
  BASE_PATH,
  BASE_URL,
  date,
  FOLDERS,
  HOST,
  JSON_RESULT,
  LAKE_LIMITS,
  type LakeArguments,
  type LimitArguments,
  LIMITS,
  type PublisherFolders,
  publisherFolders,
  readSigningKey,
  SIGNING,
  type SiteParts,
  STRICT,
  shard,
  sizeInBytes,
} from './arguments.ts';
import { defineCommand, examples } from './command-run.ts';
import type { Terminal } from './terminal.ts';

interface BuildArguments extends LimitArguments, LakeArguments, Partial<PublisherFolders> {
  readonly previous?: string;
  readonly baseUrl?: string;
  readonly host?: HostName;
  readonly basePath?: string;
  readonly signingKey?: string;
  readonly only?: string;
  readonly strict: boolean;
  readonly releaseDate?: string;
  readonly extract: boolean;
  readonly shard?: ShardNumber;
  readonly cache?: string;
  readonly cacheLimit: number;
}

export const buildCommand = (site: SiteParts) =>
  defineCommand<BuildArguments>({
    name: 'build',
    description: 'check everything and write the whole API as a tree of files',
    options: [
      ...FOLDERS,
      new Option('--out <dir>', 'folder of the tree, which the build replaces as a whole (default: dist)'),
      new Option(
        '--only <glob>',
        'build only these datasets, as domain/topic (* stands for any name), and keep the rest of the tree',
      ),
      new Option('--extract', 'with --only: write a tree of only these datasets').default(false),
      new Option(
        '--release-date <date>',
        'date of the release, YYYY-MM-DD (default: SOURCE_DATE_EPOCH, else the newest file of the lake)',
      ).argParser(date),
      new Option(
        '--previous <manifest>',
        "path or URL of an earlier tree's manifest.json; files that have not changed keep their times",
      ),
      BASE_URL,
      new Option(
        '--shard <i/n>',
        'make one of n shares of the work into --cache and publish nothing; "auto" asks the scheduler',
      ).argParser(shard),
      new Option(
        '--cache <dir>',
        'folder of earlier results, which builds and machines may share (default: next to --out)',
      ),
      new Option('--cache-limit <size>', 'size of the cache after a build, such as 500MB')
        .default(CACHE_LIMIT, '20GB')
        .argParser(sizeInBytes),
      HOST,
      BASE_PATH,
      SIGNING,
      STRICT,
      ...LIMITS,
      ...LAKE_LIMITS,
      JSON_RESULT,
    ],
    help: examples('build --contracts contracts --data data/lake --out dist --release-date 2026-11-21'),
    consequence: NOTHING_PUBLISHED,
    act: async (options, terminal, command) => {
      const { only = null, extract, strict, releaseDate = null, previous = null } = options;
      const { host, basePath, baseUrl, shard, cache: folder, cacheLimit: limit } = options;
      if (extract && only === null)
        command.error('error: --extract needs --only, which names the datasets of the extract');
      if (shard !== undefined && folder === undefined)
        command.error('error: --shard needs --cache, the folder in which a build finds its work');
      const { jobs, memory, ruleSeconds, maxRows } = options;
      const stated = {
        ...publisherFolders(options),
        ...{ only, extract, strict, releaseDate, previous, jobs, memory, ruleSeconds, maxRows },
        baseUrl: baseUrl ?? null,
        host: hostTarget(host, basePath, baseUrl, site.edges),
        signingKey: readSigningKey(options.signingKey),
      };
      if (shard !== undefined && folder !== undefined) {
        const { buildShard } = await import('../pipeline/shard.ts');
        const made = await buildShard({ ...stated, cache: { folder, limit } }, shard, terminal.report);
        return terminal.say([shardText(made)], made);
      }
      const { build } = await import('../pipeline/build.ts');
      const cache = { limit, ...(folder === undefined ? {} : { folder }) };
      const pages = await site.openPages();
      sayBuilt(terminal, await build({ ...stated, cache, pages }, terminal.report));
    },
  });

export function sayBuilt(terminal: Terminal, built: BuildResult): void {
  const { out, release, datasets, rows, files, written, changed, host } = built;
  const line = changed
    ? `Release ${release} is at ${out}: ${countOf(datasets, 'dataset')}, ${countOf(rows, 'row')}, ${countOf(files, 'file')}, ${written} of them new or changed (${timesText(built)}).`
    : `Nothing changed: ${out} is release ${release} already.`;
  const more = changed && host !== undefined ? [hostText(host)] : [];
  terminal.say([line, ...more], { ...built, notes: terminal.notes });
}

function shardText(result: ShardResult): string {
  const { number, of, cache, made, found } = result;
  return `Shard ${number} of ${of} is in the cache ${cache}: ${made} made, ${found} found (${timesText(result)}). When all ${of} are, civic build with this cache publishes them.`;
}

function timesText({ seconds }: Pick<BuildResult, 'seconds'>): string {
  return Object.entries(seconds)
    .map(([stage, time]) => `${stage} ${time.toFixed(1)} s`)
    .join(', ');
}

function hostText({ name, bytes, leftOut, folder }: HostSummary): string {
  const left = describeLeftOut(leftOut);
  const without = left.length === 0 ? 'Nothing is left out' : `Left out: ${left.join(', ')}`;
  const more = folder === null ? '' : ` Its own files are at ${folder}.`;
  return `For ${name}: ${countOf(bytes, 'byte')}. ${without}.${more}`;
}
