/** `npm start`: builds the tree and serves it. Writes a sample lake only if the lake's folder is empty. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { Terminal } from '../build/cli/terminal.ts';
import { expectFreePort, plainBuild, servedTree } from '../build/cli/tree-server.ts';
import { EXIT, NOTHING_PUBLISHED, RefusedError, UnableError } from '../build/failure.ts';
import { build } from '../build/pipeline/build.ts';
import type { BuildEvent } from '../build/report.ts';
import { startServer } from '../site/edge/adapters/node.ts';
import { openExplorer } from '../site/explorer/page-maker.ts';
import { markerName, writeSampleLake } from './georgia/sample/lake.ts';

const CONTRACTS = 'contracts';
const LAKE = 'data/lake';
const TREE = 'dist';
const HOST = '127.0.0.1';

const terminal = new Terminal(false);

async function start(port: number): Promise<void> {
  await expectFreePort(port, HOST);
  if (await isEmpty(LAKE)) await writeLake();
  const limits = { jobs: Math.min(8, os.availableParallelism()), memory: '800MB' };
  const options = {
    ...plainBuild({ contracts: CONTRACTS, data: LAKE, out: TREE }, limits),
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
  const { url } = await startServer({ folder: TREE, port, listen: HOST });
  terminal.serving(await servedTree(TREE, url));
}

/** A missing folder counts as empty. If the path is a file, the build explains that. */
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
    text: `${LAKE} has no data yet. Writing a sample lake of invented figures. This takes up to a minute.`,
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
    text: `${LAKE} holds ${rows} invented rows in ${result.written.length} tables. To publish your own data, put your lake in its place.`,
  });
}

/** A sample lake written for older contracts may lack datasets or break rules. */
function adviseOldSample(): void {
  if (!existsSync(path.join(LAKE, markerName))) return;
  terminal.report({
    kind: 'note',
    text: `${LAKE} is a sample lake. If it was written for older contracts, write it again: npm run sample`,
  });
}

function explain(error: unknown): UnableError {
  if (error instanceof UnableError) return error;
  const message = error instanceof Error ? error.message : String(error);
  switch (codeOf(error)) {
    case 'EACCES':
      return new UnableError(
        'no-permission',
        `${message}. Use a port from 1024 up, and folders that you may write to.`,
      );
    case 'ENOSPC':
      return new UnableError('disk-full', 'The disk is full. Free some space and run npm start again.');
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
    `Builds ${TREE} from ${CONTRACTS} and ${LAKE}, and serves it on ${HOST}. Writes a sample lake if ${LAKE} is empty.`,
  )
  .addOption(
    new Option('--port <n>', 'port to listen on; 0 picks a free one')
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
    terminal.unable(explain(error));
    process.exitCode = EXIT.unable;
  }
}
