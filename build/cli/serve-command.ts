/** `civic serve`: serves a tree over HTTP. */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { exampleUrls } from '../tree/example-urls.ts';
import {
  BASE_PATH,
  JSON_RESULT,
  LISTENING,
  publisherFolders,
  type Shared,
  size,
  sizeInBytes,
} from './arguments.ts';
import { defineCommand, examples } from './command-run.ts';
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

export type Listener = (incoming: IncomingMessage, response: ServerResponse) => void;

/** The servers of site/. */
export interface SiteServer {
  /** The tree in a folder, which may contain releases. */
  readonly resolveTree: (folder: string) => Promise<string>;
  readonly startServer: (options: ServerOptions) => Promise<RunningServer>;
  /** Answers from the tree in a folder. */
  readonly createListener: (folder: string) => Promise<Listener>;
  readonly startPlainHost: (options: ListenOptions & { readonly basePath: string }) => Promise<RunningServer>;
}

export const serveCommand = (server: SiteServer) =>
  defineCommand<ServeArguments>({
    name: 'serve',
    description: 'serve a tree over HTTP',
    operands: [
      [
        '[dir]',
        'folder of the tree, or of several releases with a link named current; or an archive (default: dist)',
      ],
    ],
    options: [
      ...LISTENING,
      new Option(
        '--memory <size>',
        "memory for decoded columns, such as 200MB (default: a quarter of the machine's, at most 512MB)",
      ).argParser(size),
      new Option(
        '--trust-proxy',
        'count clients by the last address in X-Forwarded-For, which a proxy adds',
      ).default(false),
      new Option(
        '--plain',
        'serve only files, as a host without an edge does: no queries, no API URLs',
      ).default(false),
      BASE_PATH,
      new Option('--host <name>').hideHelp().argParser(() => {
        throw new InvalidArgumentError(
          'serve listens at --listen ADDRESS. --host names a platform, for build.',
        );
      }),
      JSON_RESULT,
    ],
    help: examples('serve dist --port 8080', 'serve dist --plain --base-path /repository/'),
    act: async (options, terminal, command) => {
      if (options.basePath !== undefined && !options.plain)
        command.error('error: --base-path needs --plain: an edge answers at the root of its host');
      const [named = publisherFolders({}).out] = command.args;
      const folder = (await unpackArchive(named)) ?? named;
      const root = await server.resolveTree(folder);
      const served = await (options.plain
        ? servePlain(server, folder, root, options)
        : serve(server, folder, root, options));
      sayServed(terminal, { ...served, folder: named });
    },
  });

/** The folder of the tree in an archive, which is there until the process ends; null for a folder. */
async function unpackArchive(location: string): Promise<string | null> {
  const { BAG, isArchive, unpackBag } = await import('../archive/bag.ts');
  if (!isArchive(location)) return null;
  const temporary = await mkdtemp(path.join(os.tmpdir(), 'civic-'));
  const remove = () => rmSync(temporary, { recursive: true, force: true });
  process.once('exit', remove);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      remove();
      process.kill(process.pid, signal);
    });
  return path.join((await unpackBag(location, temporary)).bag, BAG.payload);
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
  // Throws, before the server starts, if there is no tree.
  const examples = exampleUrls(root);
  const { url } = await server.startServer({
    folder,
    port,
    listen,
    trustProxy,
    ...(memory !== undefined && { memory: sizeInBytes(memory) }),
  });
  return servedTree(folder, url, examples);
}

export function servedTree(folder: string, url: string, examples: Served['examples']): Served {
  return { folder, url, examples: examples.map(one => ({ ...one, url: url + one.url })) };
}

/** Suggests only pages: without an edge, the API's URLs don't work. */
async function servePlain(
  server: SiteServer,
  folder: string,
  root: string,
  { port, listen, basePath = '/' }: ServeArguments,
): Promise<Served> {
  const examples = exampleUrls(root).filter(({ url }) => url.endsWith('/'));
  const host = await server.startPlainHost({ folder: root, port, listen, basePath });
  const url = host.url + basePath.slice(0, -1);
  return { ...servedTree(folder, url, examples), url: `${url}/` };
}
