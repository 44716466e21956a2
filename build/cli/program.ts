/** The program `civic`: where the halves of the house are joined, and failures become words and exit codes. */
import path from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { QueryFailure } from '../../site/edge/adapters/command.ts';
import { EXIT, RefusedError, UnableError } from '../failure.ts';
import { ROOT } from '../format/paths.ts';
import type { PublishedDocuments } from '../hosts/host-profile.ts';
import { readScript, workerFiles } from '../hosts/host-target.ts';
import { isMemoryShortage, MemoryShortage } from '../lake/memory-shortage.ts';
import { refusedPath, systemReason } from '../system-error.ts';
import { exampleUrls } from '../tree/example-urls.ts';
import { BASE_PATH, integer, type Run, type Shared, type SiteParts } from './arguments.ts';
import { describeLakeCommands } from './build-command.ts';
import { writeFileWhole, writeStream } from './output-file.ts';
import { Terminal } from './terminal.ts';
import { describeTreeCommands } from './verify-command.ts';

const VERSION = '0.1.0';

/** Whether the command has done all that it does, but for serving. */
let ended = false;

/** The folder of the compiled program, which the bundled explorer stands in. */
const COMPILED = path.resolve(import.meta.dirname, '..');

const site: SiteParts = {
  async openPages() {
    const { openExplorer } = await import('../../site/explorer/page-maker.ts');
    return openExplorer(COMPILED);
  },
  edges: {
    cloudflare: { renderEdge: workerFiles },
    'cloudflare-r2': { renderEdge: workerFiles },
    nginx: {
      renderEdge: async () => (await rewriting()).renderNginxFiles(await readScript('nginx')),
      renderTable: async tree => (await rewriting()).renderTable(byKey(tree)),
    },
    's3-cloudfront': {
      renderEdge: async (tree, paths) =>
        (await rewriting()).renderCloudFrontFiles(byKey(tree), paths, {
          table: await readScript('cloudfront-table'),
          store: await readScript('cloudfront-store'),
        }),
    },
  },
};

const rewriting = () => import('../../site/edge/adapters/rewrite/render.ts');

function byKey({ manifest, datasets, dimensions }: PublishedDocuments) {
  return {
    manifest,
    datasets: new Map(datasets.map(one => [one.manifest.dataset, one])),
    dimensions: new Map(
      dimensions.map(one => [`${one.domain}/_dimensions/${one.manifest.dimension}`, one.manifest]),
    ),
  };
}

/** Runs a command, and turns whatever ends it into words and an exit code. */
const run: Run = async (options, action, consequence) => {
  const terminal = new Terminal(options.json === true);
  try {
    await action(terminal);
  } catch (error) {
    if (error instanceof RefusedError) {
      terminal.refused(error, consequence);
      process.exitCode = EXIT.refused;
    } else {
      terminal.unable(error instanceof UnableError ? error : unexpected(error, options));
      process.exitCode = EXIT.unable;
    }
  }
};

/** What the machine refused: a full disk, a folder that may not be written, or a fault of ours. */
function unexpected(error: unknown, { memory }: Shared): UnableError {
  const message = error instanceof Error ? error.message : String(error);
  if (/ENOSPC|No space left|disk full/i.test(message)) {
    return new UnableError(
      'disk-full',
      'The disk is full. Nothing was published; free some space and build again.',
    );
  }
  if (isMemoryShortage(error)) {
    const what = error instanceof MemoryShortage ? message : 'DuckDB ran out of memory';
    const remedy =
      memory === undefined
        ? ''
        : `, with a limit of ${memory}. Raise the limit with --memory, or run with --jobs 1`;
    return new UnableError('out-of-memory', `${what}${remedy}.`);
  }
  if (/EADDRINUSE/.test(message))
    return new UnableError('port-taken', `${message}. Name another with --port; 0 takes a free one.`);
  if (/ENOTFOUND|EADDRNOTAVAIL/.test(message))
    return new UnableError('no-such-address', `${message}. Name an address of this machine with --listen.`);
  const reason = systemReason(error);
  const file = refusedPath(error);
  if (reason !== null && file !== null) {
    const denied = /EACCES|EPERM|EROFS/.test(message);
    return new UnableError(
      denied ? 'no-permission' : 'path-unusable',
      `${file} cannot be used: ${reason}. Name another path, or put it right.`,
    );
  }
  if (/EACCES|EPERM|EROFS|Permission denied/i.test(message)) return new UnableError('no-permission', message);
  return new UnableError('unexpected', message);
}

/** A command line that is wrong has no options, and its reader may be a program all the same. */
const asked = { json: process.argv.includes('--json') };

const program = new Command('civic')
  .description('Publishes data as files: contracts and a lake in, a complete API tree out.')
  .version(VERSION)
  .showHelpAfterError('Try civic --help.')
  .configureOutput({ writeErr: text => asked.json || process.stderr.write(text) })
  .exitOverride(({ exitCode, message }) => {
    ended = true;
    if (exitCode === 0) process.exit(EXIT.done);
    const what = message.replace(/^error: |\.$/g, '').replace(/\s*\n\s*/g, ' ');
    if (asked.json) new Terminal(true).unable(new UnableError('usage', `${what}. Try civic --help.`));
    process.exit(EXIT.usage);
  })
  .addHelpText(
    'after',
    `
Exit codes:
  0  done
  1  the contracts, the lake, the rows or the tree are wrong; nothing was published
  2  the command line is wrong
  3  it cannot be done now (full disk, another build, a folder that is not ours, a lake that changes); nothing was changed

Example:
  $ civic build --contracts contracts --data data/lake --out dist`,
  );

describeLakeCommands(program, run, site);
describeTreeCommands(program, run, site);

program
  .command('serve')
  .description('serve a tree over HTTP')
  .argument('<dir>', 'folder of the tree, or of the releases of which one is current')
  .addOption(
    new Option('--port <n>', 'port to listen on; 0 takes a free one')
      .default(8080)
      .argParser(integer(0, 65535)),
  )
  .option('--listen <address>', 'address to listen at', '127.0.0.1')
  .option(
    '--plain',
    'serve files and nothing else, as a host without an edge does: no queries, no API URLs',
    false,
  )
  .addOption(BASE_PATH)
  .addOption(
    new Option('--host <name>').hideHelp().argParser(() => {
      throw new InvalidArgumentError(
        'serve listens at --listen ADDRESS. --host names a platform, for build.',
      );
    }),
  )
  .option('--json', 'print one JSON object')
  .addHelpText(
    'after',
    `
Example:
  $ civic serve dist --port 8080
  $ civic serve dist --plain --base-path /repository/`,
  )
  .action((folder: string, options: ServeArguments, command: Command) => {
    if (options.basePath !== undefined && !options.plain)
      command.error('error: --base-path needs --plain: an edge answers at the root of its host');
    return run(options, async terminal => {
      const { resolveTree } = await import('../../site/edge/adapters/release-folder.ts');
      const root = await resolveTree(folder);
      const served = await (options.plain ? servePlain(root, options) : serve(folder, root, options));
      terminal.serving({ folder, ...served });
    });
  });

interface ServeArguments extends Shared {
  readonly port: number;
  readonly listen: string;
  readonly plain: boolean;
  readonly basePath?: string;
}

async function serve(folder: string, root: string, { port, listen }: ServeArguments) {
  const { startServer } = await import('../../site/edge/adapters/node.ts');
  const { isManifestSound } = await import('../../site/edge/adapters/release-folder.ts');
  if (!(await isManifestSound(root))) {
    const message = `The file is not as ${ROOT.checksums} says. Copy it again.`;
    throw new RefusedError([{ severity: 'error', code: 'tree-corrupt-file', file: ROOT.manifest, message }]);
  }
  const examples = await exampleUrls(root);
  const { url } = await startServer({ folder, port, listen });
  return { url, examples: examples.map(one => ({ ...one, url: url + one.url })) };
}

/** Names pages alone, since only they are found without an edge by the addresses that people open. */
async function servePlain(root: string, { port, listen, basePath = '/' }: ServeArguments) {
  const { startPlainHost } = await import('../../site/edge/adapters/plain-host.ts');
  const examples = (await exampleUrls(root)).filter(({ url }) => url.endsWith('/'));
  const host = await startPlainHost({ folder: root, port, listen, basePath });
  const url = host.url + basePath.slice(0, -1);
  return { url: `${url}/`, examples: examples.map(one => ({ ...one, url: url + one.url })) };
}

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
      const command = await import('../../site/edge/adapters/command.ts');
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

// A reader who has seen enough (`| head`) is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

// Whatever a command waits for, it must not look done before it is.
process.on('exit', code => {
  if (ended || code !== EXIT.done) return;
  new Terminal(false).unable(new UnableError('unexpected', 'The command ended before it was done.'));
  process.exitCode = EXIT.unable;
});

void program.parseAsync().then(() => {
  ended = true;
});
