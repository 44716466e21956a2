/**
 * `npm start`: a lake, a tree and a server, so that a fresh clone shows something. Makes a sample lake only where
 * there is none; a lake of anyone's own is built as it is.
 */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { Terminal } from '../build/cli/terminal.ts';
import { EXIT, NOTHING_PUBLISHED, RefusedError, UnableError } from '../build/failure.ts';
import { build } from '../build/pipeline/build.ts';
import type { BuildEvent } from '../build/report.ts';
import { exampleUrls } from '../build/tree/example-urls.ts';
import { startServer } from '../site/edge/adapters/node.ts';
import { openExplorer } from '../site/explorer/page-maker.ts';
import { writeSampleLake } from './georgia/sample/lake.ts';
import { markerName } from './georgia/sample/sample-folder.ts';

const CONTRACTS = 'contracts';
const LAKE = 'data/lake';
const TREE = 'dist';
const HOST = '127.0.0.1';

const terminal = new Terminal(false);

async function start(port: number): Promise<void> {
  await claimPort(port);
  if (await isEmpty(LAKE)) await writeLake();
  const options = {
    contracts: CONTRACTS,
    data: LAKE,
    out: TREE,
    only: null,
    strict: false,
    releaseDate: null,
    previous: null,
    baseUrl: null,
    jobs: Math.min(8, os.availableParallelism()),
    memory: '800MB',
    pages: openExplorer(path.resolve(import.meta.dirname, '..')),
  };
  terminal.report({ kind: 'note', text: `Building ${TREE} from ${CONTRACTS} and ${LAKE}.` });
  let warned = false;
  const report = (event: BuildEvent): void => {
    if (event.kind === 'warnings') warned = true;
    terminal.report(event);
  };
  try {
    terminal.built(await build(options, report));
  } catch (error) {
    warned ||= error instanceof RefusedError;
    throw error;
  } finally {
    if (warned) adviseOldSample();
  }
  const examples = await exampleUrls(TREE);
  const { url } = await startServer({ folder: TREE, port, listen: HOST });
  terminal.serving({
    folder: TREE,
    url,
    examples: examples.map(example => ({ ...example, url: url + example.url })),
  });
}

/** Refuses a port that is taken now, not after the minute that a first build takes. */
async function claimPort(port: number): Promise<void> {
  const probe = createServer();
  await new Promise<void>((done, fail) => {
    probe.once('error', fail);
    probe.listen(port, HOST, () => probe.close(() => done()));
  });
}

/** An absent folder is empty. What is there and is no folder is left to the build to explain. */
async function isEmpty(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    return codeOf(error) === 'ENOENT';
  }
}

async function writeLake(): Promise<void> {
  terminal.report({
    kind: 'note',
    text: `There is no data in ${LAKE} yet. Writing a sample lake of invented figures; this takes up to a minute.`,
  });
  const result = await writeSampleLake({ out: LAKE, scale: 'small', seed: 1, contracts: CONTRACTS });
  if (!result.ok) {
    const diagnostics = result.problems.map(({ code, message }) => ({
      severity: 'error' as const,
      code,
      file: LAKE,
      message,
    }));
    throw new RefusedError(diagnostics);
  }
  const rows = result.written.reduce((sum, table) => sum + table.rows, 0);
  terminal.report({
    kind: 'note',
    text: `${LAKE} holds ${rows} invented rows in ${result.written.length} tables. Put a lake of your own in its place to publish that.`,
  });
}

/** A sample lake that was written for other contracts misses datasets or breaks rules; a new one does not. */
function adviseOldSample(): void {
  if (!existsSync(path.join(LAKE, markerName))) return;
  terminal.report({
    kind: 'note',
    text: `${LAKE} is a sample lake, perhaps of older contracts. \`npm run sample\` writes it anew.`,
  });
}

function explain(error: unknown, port: number): UnableError {
  if (error instanceof UnableError) return error;
  const message = error instanceof Error ? error.message : String(error);
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new UnableError(
        'port-taken',
        `Another program listens on ${HOST}:${port}. Stop it, or name another port: npm start -- --port ${port === 65535 ? 8081 : port + 1}`,
      );
    case 'EACCES':
      return new UnableError(
        'no-permission',
        `${message}. A port below 1024 needs privileges; a folder must be writable.`,
      );
    case 'ENOSPC':
      return new UnableError('disk-full', 'The disk is full. Free some space and start again.');
    default:
      return new UnableError('unexpected', message);
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535)
    throw new InvalidArgumentError('Give a whole number from 0 to 65535.');
  return port;
}

const command = new Command('npm start --')
  .description(
    `Builds ${TREE} from ${CONTRACTS} and ${LAKE} (a sample where it is empty), and serves it on ${HOST}.`,
  )
  .addOption(
    new Option('--port <n>', 'port to listen on; 0 takes a free one')
      .env('PORT')
      .default(8080)
      .argParser(parsePort),
  )
  .exitOverride(error => {
    process.exit(error.exitCode === 0 ? EXIT.done : EXIT.usage);
  })
  .addHelpText('after', '\nExample:\n  $ npm start -- --port 8081')
  .parse();

const { port } = command.opts<{ port: number }>();
try {
  await start(port);
} catch (error) {
  if (error instanceof RefusedError) {
    terminal.refused(error, NOTHING_PUBLISHED);
    process.exitCode = EXIT.refused;
  } else {
    terminal.unable(explain(error, port));
    process.exitCode = EXIT.unable;
  }
}
