/** `civic serve`: serves a tree over HTTP. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { exampleUrls } from '../tree/example-urls.ts';
import {
  BASE_PATH,
  integer,
  publisherFolders,
  type Run,
  type Shared,
  size,
  sizeInBytes,
} from './arguments.ts';
import type { Terminal } from './terminal.ts';

interface ListenOptions {
  readonly folder: string;
  readonly port: number;
  readonly listen: string;
}

interface ServerOptions extends ListenOptions {
  /** Bytes for decoded columns. */
  readonly memory?: number;
  readonly trustProxy?: boolean;
}

interface RunningServer {
  readonly url: string;
}

/** The servers of site/. */
export interface SiteServer {
  /** The tree in a folder, which may contain releases. */
  readonly resolveTree: (folder: string) => Promise<string>;
  readonly startServer: (options: ServerOptions) => Promise<RunningServer>;
  readonly startPlainHost: (options: ListenOptions & { readonly basePath: string }) => Promise<RunningServer>;
}

export function addServeCommand(program: Command, run: Run, server: SiteServer): void {
  program
    .command('serve')
    .description('serve a tree over HTTP')
    .argument('[dir]', 'folder of the tree, or of several releases with a link named current (default: dist)')
    .addOption(
      new Option('--port <n>', 'port to listen on; 0 takes a free one')
        .default(8080)
        .argParser(integer(0, 65535)),
    )
    .option('--listen <address>', 'address to listen at', '127.0.0.1')
    .addOption(
      new Option(
        '--memory <size>',
        "memory for decoded columns, such as 200MB (default: a quarter of the machine's, at most 512MB)",
      ).argParser(size),
    )
    .option(
      '--trust-proxy',
      'count clients by the last address in X-Forwarded-For, which a proxy adds',
      false,
    )
    .option('--plain', 'serve only files, as a host without an edge does: no queries, no API URLs', false)
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
    .action((given: string | undefined, options: ServeArguments, command: Command) => {
      if (options.basePath !== undefined && !options.plain)
        command.error('error: --base-path needs --plain: an edge answers at the root of its host');
      return run(options, async terminal => {
        const folder = given ?? publisherFolders({}).out;
        const root = await server.resolveTree(folder);
        const served = await (options.plain
          ? servePlain(server, root, options)
          : serve(server, folder, root, options));
        sayServed(terminal, { folder, ...served });
      });
    });
}

export interface Served {
  readonly folder: string;
  readonly url: string;
  readonly examples: readonly { readonly url: string; readonly what: string }[];
}

export function sayServed(terminal: Terminal, served: Served): void {
  const { folder, url, examples } = served;
  const shown = examples.map(one => `  ${one.url}  ${one.what}`);
  terminal.say([`Serving ${folder} at ${url}`, ...shown, 'Stop with Ctrl-C.'], served);
}

interface ServeArguments extends Shared {
  readonly port: number;
  readonly listen: string;
  readonly trustProxy: boolean;
  readonly plain: boolean;
  readonly basePath?: string;
}

async function serve(
  server: SiteServer,
  folder: string,
  root: string,
  { port, listen, memory, trustProxy }: ServeArguments,
) {
  const examples = await exampleUrls(root);
  const { url } = await server.startServer({
    folder,
    port,
    listen,
    trustProxy,
    ...(memory !== undefined && { memory: sizeInBytes(memory) }),
  });
  return { url, examples: examples.map(one => ({ ...one, url: url + one.url })) };
}

/** Suggests only pages: without an edge, the API's URLs don't work. */
async function servePlain(
  server: SiteServer,
  root: string,
  { port, listen, basePath = '/' }: ServeArguments,
) {
  const examples = (await exampleUrls(root)).filter(({ url }) => url.endsWith('/'));
  const host = await server.startPlainHost({ folder: root, port, listen, basePath });
  const url = host.url + basePath.slice(0, -1);
  return { url: `${url}/`, examples: examples.map(one => ({ ...one, url: url + one.url })) };
}
