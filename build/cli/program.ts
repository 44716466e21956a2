/** The program `civic`: the list of its commands. Only this file imports both build/ and site/. */
import path from 'node:path';
import { Command } from 'commander';
import { EXIT, UnableError } from '../failure.ts';
import { readScript } from '../hosts/hosts.ts';
import { reasonOf } from '../system-error.ts';
import type { SiteParts } from './arguments.ts';
import { buildCommand } from './build-command.ts';
import { CHECK, VALIDATE } from './check-commands.ts';
import { citeCheckCommand } from './cite-check-command.ts';
import { examples } from './command-run.ts';
import { DEPLOY } from './deploy-command.ts';
import { INIT } from './init-command.ts';
import { COSIGN, KEYGEN } from './key-commands.ts';
import { mcpCommand } from './mcp-command.ts';
import { queryCommand } from './query-command.ts';
import { type SiteServer, serveCommand } from './serve-command.ts';
import { devCommand, startCommand } from './start-commands.ts';
import { Terminal } from './terminal.ts';
import { DIFF, snapshotCommand, VERIFY } from './tree-commands.ts';

const VERSION = '0.1.0';

/** Whether the command has finished. `serve` has when it listens. */
let ended = false;

/** The folder of the compiled program and of the bundled explorer. */
const COMPILED = path.resolve(import.meta.dirname, '..');

const site: SiteParts = {
  async openPages() {
    const { openExplorer } = await import('../../site/explorer/page-maker.ts');
    return openExplorer(COMPILED);
  },
  edges: {
    worker: async () => [{ path: 'worker.js', text: await readScript('cloudflare-worker') }],
    cloudfront: async (tree, paths) =>
      (await rewriting()).renderCloudFrontFiles(tree, paths, await readScript('cloudfront')),
    nginx: async () => (await rewriting()).renderNginxFiles(await readScript('nginx')),
    nginxTable: async tree => (await rewriting()).renderTable(tree),
  },
};

const rewriting = () => import('../../site/edge/adapters/rewrite/render.ts');

const queries = () => import('../../site/edge/adapters/command.ts');
const releases = () => import('../../site/edge/adapters/folder.ts');

const server: SiteServer = {
  resolveTree: async folder => (await releases()).resolveTree(folder),
  startServer: async options =>
    (await import('../../site/edge/adapters/node.ts')).startServer({ ...options, compress: true }),
  createListener: async folder =>
    (await import('../../site/edge/adapters/node.ts')).createListener({ folder, compress: true }),
  startPlainHost: async options =>
    (await import('../../site/edge/adapters/plain-host.ts')).startPlainHost(options),
};

/** Not from commander, which doesn't parse options of a wrong command line; its error must be JSON too. */
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
  1  the contracts, the lake, the rows or the tree have errors; nothing was published
  2  the command line is wrong
  3  civic cannot do it now (full disk, another build, a folder it did not write, a changing lake); nothing was changed
  137  (signal KILL) a contract's query took memory faster than it could be stopped; the message names the query, and
       nothing was published
${examples('build --contracts contracts --data data/lake --out dist')}`,
  );

const COMMANDS = [
  INIT,
  startCommand(site, server),
  devCommand(site, server),
  VALIDATE,
  CHECK,
  buildCommand(site),
  VERIFY,
  KEYGEN,
  COSIGN,
  snapshotCommand(site),
  DIFF,
  DEPLOY,
  serveCommand(server),
  queryCommand(queries),
  citeCheckCommand(queries),
  mcpCommand(queries),
];
for (const add of COMMANDS) add(program);

// It isn't an error if a reader stops early (`| head`).
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    const message = `Standard output cannot be written: ${reasonOf(error)}. Part of it may be missing.`;
    if (stream === process.stdout) process.stderr.write(`cannot-write ${message}\n`);
    ended = true;
    process.exit(EXIT.unable);
  });
}

// Node exits with 0 when it has nothing to wait for, even in the middle of a command.
process.on('exit', code => {
  if (ended || code !== EXIT.done) return;
  new Terminal(false).unable(new UnableError('unexpected', 'The command ended before it had finished.'));
  process.exitCode = EXIT.unable;
});

void program.parseAsync().then(() => {
  ended = true;
});
