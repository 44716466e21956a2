/** `civic start` builds a tree and serves it; `civic dev` builds it again whenever contracts or data change. */
import { existsSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Option } from 'commander';
import { NOTHING_PUBLISHED, UnableError } from '../failure.ts';
import { ROOT } from '../format/paths.ts';
import { escapeHtml } from '../format/shown-text.ts';
import { listLake } from '../lake/lake-files.ts';
import type { BuildOptions } from '../pipeline/build-options.ts';
import { exampleUrls } from '../tree/example-urls.ts';
import {
  FOLDERS,
  JSON_RESULT,
  LIMITS,
  LISTENING,
  type LimitArguments,
  type PublisherFolders,
  publisherFolders,
  type SiteParts,
} from './arguments.ts';
import { sayBuilt } from './build-command.ts';
import { defineCommand, examples, failureLines } from './command-run.ts';
import { type Listener, type SiteServer, sayServed, servedTree } from './serve-command.ts';
import type { Terminal } from './terminal.ts';

interface StartArguments extends LimitArguments, Partial<PublisherFolders> {
  readonly port: number;
  readonly listen: string;
}

export const startCommand = (site: SiteParts, server: SiteServer) =>
  defineCommand<StartArguments>({
    name: 'start',
    description: 'build the tree and serve it',
    options: [
      ...FOLDERS,
      new Option('--out <dir>', 'folder of the tree (default: dist)'),
      ...LISTENING,
      ...LIMITS,
      JSON_RESULT,
    ],
    help: examples('start --port 8081'),
    consequence: NOTHING_PUBLISHED,
    act: async (options, terminal) => {
      const { port, listen } = options;
      const folders = publisherFolders(options);
      await expectFreePort(port, listen);
      const { build } = await import('../pipeline/build.ts');
      const pages = await site.openPages();
      const built = await build({ ...plainBuild(folders, options), pages }, terminal.report);
      if (options.json !== true) sayBuilt(terminal, built);
      const { url } = await server.startServer({ folder: folders.out, port, listen });
      sayServed(terminal, servedTree(folders.out, url, exampleUrls(folders.out)));
    },
  });

function plainBuild(
  folders: PublisherFolders,
  { jobs, memory }: Pick<BuildOptions, 'jobs' | 'memory'>,
): BuildOptions {
  return {
    ...folders,
    jobs,
    memory,
    only: null,
    strict: false,
    releaseDate: null,
    previous: null,
    baseUrl: null,
  };
}

/** Reports a taken port before the first build, which takes a while. */
async function expectFreePort(port: number, listen: string): Promise<void> {
  const probe = createTcpServer();
  await new Promise<void>((done, fail) => {
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const other = port === 65535 ? 8081 : port + 1;
      const message = `Another program uses port ${port}. Stop it, or choose another with --port ${other}.`;
      fail(error.code === 'EADDRINUSE' ? new UnableError('port-taken', message) : error);
    });
    probe.listen(port, listen, () => probe.close(() => done()));
  });
}

export const devCommand = (site: SiteParts, server: SiteServer) =>
  defineCommand<StartArguments>({
    name: 'dev',
    description: 'build and serve, and build again whenever contracts or data change',
    options: [
      ...FOLDERS,
      new Option(
        '--out <dir>',
        'folder of the releases that drafts follow; they go to <dir>.dev (default: dist)',
      ),
      ...LISTENING,
      ...LIMITS,
    ],
    help: examples('dev'),
    act: (options, terminal) => develop(options, terminal, site, server),
  });

async function develop(
  options: StartArguments,
  terminal: Terminal,
  site: SiteParts,
  server: SiteServer,
): Promise<void> {
  const published = publisherFolders(options);
  const folders = { ...published, out: `${published.out.replace(/\/+$/, '')}.dev` };
  const { port, listen } = options;
  await expectFreePort(port, listen);
  const { build } = await import('../pipeline/build.ts');
  const pages = await site.openPages();
  let answer: Listener | null = null;
  /** What every page shows until the next tree. The API still answers from the last tree. */
  let failure: readonly string[] | null = ['The first build has not ended yet.'];
  const url = await listenAt(port, listen, (incoming, response) => {
    const isPage = /\btext\/html\b/.test(incoming.headers.accept ?? '');
    if (failure !== null && (isPage || answer === null)) showPage(response, failure);
    else answer?.(incoming, response);
  });
  const buildOnce = async (): Promise<void> => {
    try {
      const release = path.join(published.out, ROOT.manifest);
      const previous = existsSync(release) ? release : null;
      const draft = { ...plainBuild(folders, options), pages, previous, draft: true };
      const built = await build(draft, terminal.report);
      sayBuilt(terminal, built);
      if (answer === null) {
        answer = await server.createListener(folders.out);
        sayServed(terminal, servedTree(folders.out, url, exampleUrls(folders.out)));
      }
      failure = null;
    } catch (error) {
      failure = failureLines(error, options);
      terminal.warn(failure);
      if (answer === null)
        terminal.report({ kind: 'note', text: `${url} shows the error until it is fixed.` });
    }
  };
  await watchInputs([folders.contracts, folders.data], buildOnce);
}

const INTERVAL_MS = 400;

/**
 * Acts once, and again whenever files of the folders have changed and then stay the same for an interval. Compares names,
 * sizes and times, because many mounts lose the file system's events. A folder may be missing. Doesn't watch buckets.
 */
async function watchInputs(folders: readonly string[], act: () => Promise<void>): Promise<never> {
  const local = folders.filter(folder => !/^s3:/i.test(folder));
  let acted: string | null = null;
  let last = '';
  for (;;) {
    const now = JSON.stringify(local.map(stateOf));
    if (acted === null || (now !== acted && now === last)) {
      acted = now;
      await act();
    }
    last = now;
    await pause(INTERVAL_MS);
  }
}

function stateOf(folder: string): unknown {
  try {
    return listLake(folder).files.map(({ path, fingerprint }) => [path, fingerprint]);
  } catch {
    return null;
  }
}

/** Seconds after which a page with an error reloads. */
const RELOAD = 2;

/** Returns the server's address. */
async function listenAt(port: number, listen: string, listener: Listener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port, listen, done);
  });
  const address = server.address();
  const shown = typeof address === 'object' && address !== null ? address.port : port;
  return `http://${listen.includes(':') ? `[${listen}]` : listen}:${shown}`;
}

function showPage(response: ServerResponse, lines: readonly string[]): void {
  const items = lines.map(line => `<li><code>${escapeHtml(line)}</code></li>`).join('\n');
  response.writeHead(500, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'",
    'Cache-Control': 'no-store',
  });
  response.end(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${RELOAD}">
<title>The build failed</title>
<h1>The build failed</h1>
<ul>
${items}
</ul>
<p>Fix it, and this page shows the new tree. Until then, the API answers from the last tree.</p>
</html>
`);
}
