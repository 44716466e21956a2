/** `civic build`: builds a tree, or with --shard a share of its pieces. */
import { type Command, Option } from 'commander';
import type { HostSummary } from '../cache/build-note.ts';
import { NOTHING_PUBLISHED } from '../failure.ts';
import { countOf } from '../format/shown-text.ts';
import { describeLeftOut } from '../hosts/format-choice.ts';
import { CACHE_LIMIT } from '../pipeline/build-options.ts';
import type { BuildResult } from '../pipeline/publication.ts';
import type { ShardNumber, ShardResult } from '../pipeline/shard.ts';
import {
  BASE_PATH,
  BASE_URL,
  date,
  HOST,
  JOBS,
  type LakeArguments,
  MAX_ROWS,
  MEMORY,
  type PublisherFolders,
  publisherFolders,
  RULE_SECONDS,
  type Run,
  SIGNING,
  type SiteParts,
  shard,
  sizeInBytes,
  type TreeArguments,
  treeOptions,
} from './arguments.ts';
import type { Terminal } from './terminal.ts';

export function addBuildCommand(program: Command, run: Run, site: SiteParts): void {
  program
    .command('build')
    .description('check everything and write the whole API as a tree of files')
    .option('--contracts <dir>', 'folder of the contracts (default: contracts)')
    .option('--data <dir>', 'folder of the lake, or s3://bucket/folder (default: data/lake, else data)')
    .option(
      '--out <dir>',
      'folder of the tree, which the build replaces as a whole (default: dist)',
    )
    .option(
      '--only <glob>',
      'build only these datasets, as domain/topic (* stands for any name), and keep the rest of the tree',
    )
    .option(
      '--extract',
      'with --only: write a tree of only these datasets',
      false,
    )
    .addOption(
      new Option(
        '--release-date <date>',
        'date of the release, YYYY-MM-DD (default: SOURCE_DATE_EPOCH, else the newest file of the lake)',
      ).argParser(date),
    )
    .option(
      '--previous <manifest>',
      "path or URL of an earlier tree's manifest.json; files that have not changed keep their times",
    )
    .addOption(BASE_URL)
    .addOption(
      new Option(
        '--shard <i/n>',
        'make one of n shares of the work into --cache and publish nothing; "auto" asks the scheduler',
      ).argParser(shard),
    )
    .option(
      '--cache <dir>',
      'folder of earlier results, which builds and machines may share (default: next to --out)',
    )
    .addOption(
      new Option('--cache-limit <size>', 'size of the cache after a build, such as 500MB')
        .default(CACHE_LIMIT, '20GB')
        .argParser(sizeInBytes),
    )
    .addOption(HOST)
    .addOption(BASE_PATH)
    .addOption(SIGNING)
    .option('--strict', 'warnings are errors', false)
    .addOption(JOBS)
    .addOption(MEMORY)
    .addOption(RULE_SECONDS)
    .addOption(MAX_ROWS)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExample:\n  $ civic build --contracts contracts --data data/lake --out dist --release-date 2026-11-21',
    )
    .action((options: BuildArguments, command: Command) => {
      if (options.extract && options.only === undefined)
        command.error('error: --extract needs --only, which names the datasets of the extract');
      if (options.shard !== undefined && options.cache === undefined)
        command.error('error: --shard needs --cache, the folder in which a build finds its work');
      return run(
        options,
        async terminal => {
          const { only = null, extract, strict, releaseDate = null } = options;
          const { ruleSeconds, maxRows } = options;
          const folders = publisherFolders(options);
          const given = { ...folders, only, extract, strict, releaseDate, ruleSeconds, maxRows };
          const stated = { ...given, ...treeOptions({ ...options, out: folders.out }, site.edges) };
          const { shard, cache: folder, cacheLimit: limit } = options;
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
        NOTHING_PUBLISHED,
      );
    });
}

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

interface BuildArguments extends Omit<TreeArguments, 'out'>, LakeArguments, Partial<PublisherFolders> {
  readonly only?: string;
  readonly strict: boolean;
  readonly releaseDate?: string;
  readonly extract: boolean;
  readonly shard?: ShardNumber;
  readonly cache?: string;
  readonly cacheLimit: number;
}
