/** `civic validate`, `check`, `build` and `merge`: from contracts and a lake to a tree. */
import { type Command, Option } from 'commander';
import { NOTHING_PUBLISHED } from '../failure.ts';
import type { PartNumber } from '../shards/shard-record.ts';
import {
  BASE_PATH,
  BASE_URL,
  date,
  HOST,
  JOBS,
  MEMORY,
  part,
  type Run,
  type Shared,
  type SiteParts,
  type TreeArguments,
  treeOptions,
} from './arguments.ts';

export function describeLakeCommands(program: Command, run: Run, site: SiteParts): void {
  program
    .command('validate')
    .description('read contracts alone and report everything that is wrong with them')
    .requiredOption('--contracts <dir>', 'folder of the contracts, in any layout')
    .option('--strict', 'warnings are errors', false)
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  $ civic validate --contracts contracts')
    .action((options: Shared & { contracts: string; strict: boolean }) =>
      run(options, async terminal => {
        const { validate } = await import('../pipeline/validation.ts');
        const result = await validate(options.contracts, options.strict);
        terminal.validated(result);
      }),
    );

  program
    .command('check')
    .description("check every row of a lake against its contracts' rules, without publishing")
    .requiredOption('--contracts <dir>', 'folder of the contracts')
    .requiredOption('--data <dir>', 'folder of the lake, or s3://bucket/folder')
    .option('--only <glob>', 'datasets to check, as domain/topic; * stands for any name')
    .option('--disclosure', 'look for withheld counts that can be worked out by subtraction', false)
    .option('--strict', 'warnings are errors', false)
    .addOption(JOBS)
    .addOption(MEMORY)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      "\nExample:\n  $ civic check --contracts contracts --data data/lake --only 'transit/*'",
    )
    .action((options: CheckArguments & { disclosure: boolean }) =>
      run(options, async terminal => {
        const { check } = await import('../pipeline/check-lake.ts');
        terminal.checked(await check({ ...options, only: options.only ?? null }, terminal.report));
      }),
    );

  program
    .command('build')
    .description('check everything and write the whole API as a tree of files')
    .requiredOption('--contracts <dir>', 'folder of the contracts')
    .requiredOption('--data <dir>', 'folder of the lake, or s3://bucket/folder')
    .requiredOption('--out <dir>', 'folder of the tree; replaced as a whole, in one step')
    .option(
      '--only <glob>',
      'build these datasets alone, as domain/topic (* stands for any name), and keep the rest of the tree in place',
    )
    .option(
      '--extract',
      'with --only: make a tree of these datasets alone, and say in it that it is an extract',
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
      "path or URL of an earlier tree's manifest.json, to keep the times of files that did not change",
    )
    .addOption(BASE_URL)
    .addOption(
      new Option('--part <i/n>', 'do only one of n shares of the work; civic merge puts all n together')
        .argParser(part)
        .conflicts(['baseUrl', 'extract']),
    )
    .addOption(HOST)
    .addOption(BASE_PATH)
    .option('--strict', 'warnings are errors', false)
    .addOption(JOBS)
    .addOption(MEMORY)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExample:\n  $ civic build --contracts contracts --data data/lake --out dist --release-date 2026-11-21',
    )
    .action((options: BuildArguments, command: Command) => {
      if (options.extract && options.only === undefined)
        command.error('error: --extract needs --only, which names the datasets of the extract');
      return run(
        options,
        async terminal => {
          const { contracts, data, only = null, extract, strict, releaseDate = null } = options;
          const given = { contracts, data, only, extract, strict, releaseDate };
          const told = { ...given, ...treeOptions(options, site.edges) };
          if (options.part !== undefined) {
            const { buildPart } = await import('../shards/shard.ts');
            return terminal.partBuilt(await buildPart(told, options.part, terminal.report));
          }
          const { build } = await import('../pipeline/build.ts');
          terminal.built(await build({ ...told, pages: await site.openPages() }, terminal.report));
        },
        NOTHING_PUBLISHED,
      );
    });

  program
    .command('merge')
    .description('make the tree of all parts of a build, the same as a build in one go makes')
    .argument('<part...>', 'folders that civic build --part wrote, in any order')
    .requiredOption('--out <dir>', 'folder of the tree; replaced as a whole, in one step')
    .option('--previous <manifest>', "path or URL of an earlier tree's manifest.json, as for civic build")
    .option('--extract', 'of parts built with --only: make a tree of these datasets alone', false)
    .addOption(BASE_URL)
    .addOption(HOST)
    .addOption(BASE_PATH)
    .addOption(JOBS)
    .addOption(MEMORY)
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  $ civic merge part-1 part-2 part-3 --out dist')
    .action((folders: readonly string[], options: TreeArguments & { extract: boolean }) =>
      run(
        options,
        async terminal => {
          const { merge } = await import('../shards/merge.ts');
          const { extract } = options;
          const told = { ...treeOptions(options, site.edges), extract, pages: await site.openPages() };
          terminal.built(await merge(folders, told, terminal.report));
        },
        NOTHING_PUBLISHED,
      ),
    );
}

interface CheckArguments extends Shared {
  readonly contracts: string;
  readonly data: string;
  readonly only?: string;
  readonly strict: boolean;
  readonly jobs: number;
  readonly memory: string;
}

interface BuildArguments extends CheckArguments, TreeArguments {
  readonly json?: true;
  readonly releaseDate?: string;
  readonly extract: boolean;
  readonly part?: PartNumber;
}
