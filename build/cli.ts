#!/usr/bin/env node
/** The program `civic`: arguments, progress, exit codes. Nothing else prints. */
import os from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { QueryFailure } from '../site/edge/adapters/command.ts';
import { isDate } from './build-input.ts';
import { exampleUrls } from './example-urls.ts';
import { writeFileWhole, writeStream } from './output-file.ts';
import { EXIT, RefusedError, UnableError } from './publish/failure.ts';
import { Terminal } from './terminal.ts';

const VERSION = '0.1.0';

interface Shared {
  readonly json?: true;
}

function integer(low: number, high: number) {
  return (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < low || value > high) {
      throw new InvalidArgumentError(`Give a whole number from ${low} to ${high}.`);
    }
    return value;
  };
}

function memory(text: string): string {
  if (!/^\d+(MB|GB|MiB|GiB)$/.test(text))
    throw new InvalidArgumentError('Give a size such as 800MB or 2GiB.');
  return text;
}

function baseUrl(text: string): string {
  if (!/^https?:\/\/[^?#]+$/.test(text))
    throw new InvalidArgumentError('Give an address such as https://data.example.org/.');
  return text.endsWith('/') ? text : `${text}/`;
}

function date(text: string): string {
  if (!isDate(text)) throw new InvalidArgumentError('Give a day of the calendar as YYYY-MM-DD.');
  return text;
}

const JOBS = new Option('--jobs <n>', 'slices made at once')
  .default(Math.min(8, os.availableParallelism()))
  .argParser(integer(1, 256));
const MEMORY = new Option('--memory <size>', 'most memory that DuckDB takes; beyond it, it works on the disk')
  .default('1GB')
  .argParser(memory);

/** Runs a command, and turns whatever ends it into words and an exit code. */
async function run(options: Shared, action: (terminal: Terminal) => Promise<void>): Promise<void> {
  const terminal = new Terminal(options.json === true);
  try {
    await action(terminal);
  } catch (error) {
    if (error instanceof RefusedError) {
      terminal.refused(error);
      process.exitCode = EXIT.refused;
    } else {
      terminal.unable(error instanceof UnableError ? error : unexpected(error));
      process.exitCode = EXIT.unable;
    }
  }
}

/** What the machine refused: a full disk, a folder that may not be written, or a fault of ours. */
function unexpected(error: unknown): UnableError {
  const message = error instanceof Error ? error.message : String(error);
  if (/ENOSPC|No space left|disk full/i.test(message)) {
    return new UnableError(
      'disk-full',
      'The disk is full. Nothing was published; free some space and build again.',
    );
  }
  if (/Out of Memory/i.test(message)) {
    return new UnableError(
      'out-of-memory',
      'DuckDB ran out of memory. Give it more with --memory, or run with --jobs 1.',
    );
  }
  if (/EADDRINUSE/.test(message))
    return new UnableError('port-taken', `${message}. Name another with --port; 0 takes a free one.`);
  if (/EACCES|EPERM|EROFS|Permission denied/i.test(message)) return new UnableError('no-permission', message);
  return new UnableError('unexpected', message);
}

const program = new Command('civic')
  .description('Publishes data as files: contracts and a lake in, a complete API tree out.')
  .version(VERSION)
  .showHelpAfterError('Try civic --help.')
  .exitOverride(error => {
    process.exit(error.exitCode === 0 ? EXIT.done : EXIT.usage);
  })
  .addHelpText(
    'after',
    `
Exit codes:
  0  done
  1  the contracts, the lake, the rows or the tree are wrong; nothing was published
  2  the command line is wrong
  3  it cannot be done now (full disk, another build, a folder that is not ours); nothing was changed

Example:
  $ civic build --contracts contracts --data data/lake --out dist`,
  );

program
  .command('validate')
  .description('read contracts alone and report everything that is wrong with them')
  .requiredOption('--contracts <dir>', 'folder of the contracts, in any layout')
  .option('--strict', 'warnings are errors', false)
  .option('--json', 'print one JSON object')
  .addHelpText('after', '\nExample:\n  $ civic validate --contracts contracts')
  .action((options: Shared & { contracts: string; strict: boolean }) =>
    run(options, async terminal => {
      const { validate } = await import('./validate.ts');
      const result = await validate(options.contracts, options.strict);
      terminal.validated(result);
    }),
  );

program
  .command('check')
  .description("check every row of a lake against its contracts' rules, without publishing")
  .requiredOption('--contracts <dir>', 'folder of the contracts')
  .requiredOption('--data <dir>', 'folder of the lake')
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
      const { check } = await import('./check-lake.ts');
      terminal.checked(await check({ ...options, only: options.only ?? null }, terminal.report));
    }),
  );

program
  .command('build')
  .description('check everything and write the whole API as a tree of files')
  .requiredOption('--contracts <dir>', 'folder of the contracts')
  .requiredOption('--data <dir>', 'folder of the lake')
  .requiredOption('--out <dir>', 'folder of the tree; replaced as a whole, in one step')
  .option('--only <glob>', 'datasets to publish, as domain/topic; * stands for any name')
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
  .addOption(new Option('--base-url <url>', 'where the tree will be served, for urls.txt').argParser(baseUrl))
  .option('--strict', 'warnings are errors', false)
  .addOption(JOBS)
  .addOption(MEMORY)
  .option('--json', 'print one JSON object')
  .addHelpText(
    'after',
    '\nExample:\n  $ civic build --contracts contracts --data data/lake --out dist --release-date 2026-11-21',
  )
  .action((options: BuildArguments) =>
    run(options, async terminal => {
      const { build } = await import('./pipeline.ts');
      const result = await build(
        {
          ...options,
          only: options.only ?? null,
          releaseDate: options.releaseDate ?? null,
          previous: options.previous ?? null,
          baseUrl: options.baseUrl ?? null,
        },
        terminal.report,
      );
      terminal.built(result);
    }),
  );

program
  .command('verify')
  .description(
    'recompute every hash of a tree, compare the formats of every slice, and look for missing and extra files',
  )
  .argument('<dir>', 'folder of the tree')
  .addOption(JOBS)
  .addOption(MEMORY)
  .option('--json', 'print one JSON object')
  .addHelpText('after', '\nExample:\n  $ civic verify dist')
  .action((folder: string, options: Shared & { jobs: number; memory: string }) =>
    run(options, async terminal => {
      const { verifyTree } = await import('./publish/verify-tree.ts');
      terminal.verified(await verifyTree(folder, options, terminal.report));
    }),
  );

program
  .command('diff')
  .description('say what changed from one tree to another: contracts, years, and rows by year and level')
  .argument('<old>', 'a tree: its folder or its address')
  .argument('<new>', 'the same, later')
  .addOption(JOBS)
  .addOption(MEMORY)
  .option('--json', 'print one JSON object')
  .addHelpText('after', '\nExample:\n  $ civic diff https://data.example.org/ dist')
  .action((old: string, now: string, options: Shared & { jobs: number; memory: string }) =>
    run(options, async terminal => {
      const { diff } = await import('./diff.ts');
      terminal.compared(await diff(old, now, options));
    }),
  );

program
  .command('serve')
  .description('serve a tree over HTTP')
  .argument('<dir>', 'folder of the tree, or of the releases of which one is current')
  .addOption(
    new Option('--port <n>', 'port to listen on; 0 takes a free one')
      .default(8080)
      .argParser(integer(0, 65535)),
  )
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .option('--json', 'print one JSON object')
  .addHelpText('after', '\nExample:\n  $ civic serve dist --port 8080')
  .action((folder: string, options: Shared & { port: number; host: string }) =>
    run(options, async terminal => {
      const { startServer } = await import('../site/edge/adapters/node.ts');
      const { resolveTree } = await import('../site/edge/adapters/release-folder.ts');
      const examples = await exampleUrls(await resolveTree(folder));
      const { url } = await startServer({ folder, port: options.port, host: options.host });
      terminal.serving({ folder, url, examples: examples.map(one => ({ ...one, url: url + one.url })) });
    }),
  );

program
  .command('query')
  .description('answer one question from a tree: a folder, or the address of a server or mirror')
  .argument(
    '<query>',
    'domain/topic?parameters, as in a URL of the API after /api/v1/; or a path from its / on',
  )
  .requiredOption('--base <dir-or-url>', "the tree's root")
  .option('--explain', 'print the plan instead: files, bytes, row groups, residual, SQL', false)
  .option('--out <file>', 'write the answer to a file, which appears when it is complete')
  .option('--json', 'print the plan, or what is wrong, as one JSON object')
  .addHelpText(
    'after',
    `
Exit codes:
  0  answered
  1  the tree is damaged: a file is missing, or not the one that the manifest names
  2  the query is wrong, or names nothing that is published; the corrected query is printed
  3  no answer now: no tree there, the host cannot be reached, the file cannot be written

Example:
  $ civic query 'weather/rain?year_min=2022&station=7&format=csv' --base https://data.example.org/`,
  )
  .action((query: string, options: QueryArguments) =>
    run(options, async terminal => {
      const command = await import('../site/edge/adapters/command.ts');
      const refuse = (failure: QueryFailure) => {
        terminal.notAnswered(failure);
        process.exitCode = QUERY_EXIT[failure.code];
      };
      try {
        const tree = await command.openTree(options.base);
        if (options.explain) {
          const explained = await command.explainQuery(tree, query);
          if ('code' in explained) return refuse(explained);
          return terminal.explained(command.describeExplanation(explained), explained);
        }
        const answer = await command.runQuery(tree, query);
        if (answer.kind === 'failure') return refuse(answer);
        if (options.out === undefined) await writeStream(answer.parts, process.stdout);
        else await writeFileWhole(answer.parts, options.out);
      } catch (error) {
        const failure = command.describeFailure(error);
        if (!failure) throw error;
        refuse(failure);
      }
    }),
  );

const QUERY_EXIT = {
  'broken-tree': EXIT.refused,
  'wrong-query': EXIT.usage,
  'not-published': EXIT.usage,
  'not-a-tree': EXIT.unable,
  unreachable: EXIT.unable,
  'too-costly': EXIT.unable,
} as const satisfies Record<QueryFailure['code'], number>;

interface QueryArguments extends Shared {
  readonly base: string;
  readonly explain: boolean;
  readonly out?: string;
}

interface CheckArguments extends Shared {
  readonly contracts: string;
  readonly data: string;
  readonly only?: string;
  readonly strict: boolean;
  readonly jobs: number;
  readonly memory: string;
}

interface BuildArguments extends CheckArguments {
  readonly out: string;
  readonly releaseDate?: string;
  readonly previous?: string;
  readonly baseUrl?: string;
}

await program.parseAsync();
