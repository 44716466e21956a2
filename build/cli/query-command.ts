/** `civic query`: answers one question from a tree. */
import { open, rename, rm, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Option } from 'commander';
import { EXIT, UnableError } from '../failure.ts';
import { publisherFolders, type Shared } from './arguments.ts';
import { defineCommand, examples } from './command-run.ts';
import type { NotAnswered } from './terminal.ts';

interface QueryFailure extends NotAnswered {
  readonly kind: 'failure';
  readonly code: keyof typeof QUERY_EXIT;
}

export interface SiteQueries<Tree, Explanation> {
  readonly openTree: (base: string) => Promise<Tree>;
  readonly explainQuery: (tree: Tree, query: string) => Promise<Explanation | QueryFailure>;
  readonly runQuery: (
    tree: Tree,
    query: string,
    signal?: AbortSignal,
  ) => Promise<{ readonly kind: 'answer'; readonly parts: AsyncIterable<Uint8Array> } | QueryFailure>;
  /** Null if the error is a bug. */
  readonly describeFailure: (error: unknown) => QueryFailure | null;
}

const HELP = `
Exit codes:
  0  answered
  1  the tree is damaged: a file is missing or does not match the manifest
  2  the query is wrong or names nothing that is published; civic prints a corrected query
  3  no answer now: there is no tree, the host does not respond, or the file cannot be written
${examples("query 'weather/rain?year_min=2022&station=7&format=csv' --base https://data.example.org/")}`;

export function queryCommand<Tree, Explanation extends object>(
  load: () => Promise<SiteQueries<Tree, Explanation>>,
) {
  return defineCommand<QueryArguments>({
    name: 'query',
    description: 'answer one question from a tree: a folder, or the address of a server or mirror',
    operands: [
      [
        '<query>',
        'domain/topic?parameters, as after /api/v1/ in a URL of the API; or a path that begins with /',
      ],
    ],
    options: [
      new Option('--base <dir-or-url>', 'folder or address of the tree (default: dist)'),
      new Option(
        '--explain',
        'print the plan instead of the answer: files, bytes, row groups, residual, SQL',
      ).default(false),
      new Option('--out <file>', 'write the answer to a file, which appears when it is complete'),
      new Option('--json', 'print the plan, or the problem, as one JSON object'),
    ],
    help: HELP,
    act: async (options, terminal, { args: [query = ''] }) => {
      const site = await load();
      const refuse = (failure: QueryFailure) => {
        terminal.notAnswered(failure);
        process.exitCode = QUERY_EXIT[failure.code];
      };
      try {
        const tree = await site.openTree(options.base ?? publisherFolders({}).out);
        if (options.explain) {
          const explained = await site.explainQuery(tree, query);
          if (isFailure(explained)) return refuse(explained);
          return terminal.say([JSON.stringify(explained, null, 2)], explained);
        }
        const answer = await site.runQuery(tree, query);
        if (isFailure(answer)) return refuse(answer);
        if (options.out === undefined) await writeStream(answer.parts, process.stdout);
        else await writeFileWhole(answer.parts, options.out);
      } catch (error) {
        const failure = site.describeFailure(error);
        if (!failure) throw error;
        refuse(failure);
      }
    },
  });
}

function isFailure(value: object): value is QueryFailure {
  return 'kind' in value && value.kind === 'failure';
}

const QUERY_EXIT = {
  'broken-tree': EXIT.refused,
  'wrong-query': EXIT.usage,
  'not-published': EXIT.usage,
  withdrawn: EXIT.usage,
  'not-a-tree': EXIT.unable,
  unreachable: EXIT.unable,
  'too-costly': EXIT.unable,
} as const;

interface QueryArguments extends Shared {
  readonly base?: string;
  readonly explain: boolean;
  readonly out?: string;
}

/** The file appears when it is complete. */
async function writeFileWhole(parts: AsyncIterable<Uint8Array>, file: string): Promise<void> {
  const part = `${file}.${process.pid}.part`;
  if ((await stat(file).catch(() => null))?.isDirectory())
    throw new UnableError('cannot-write', `${file} is a folder. Name a file.`);
  const handle = await open(part, 'wx').catch(error => {
    throw new UnableError('cannot-write', error instanceof Error ? error.message : String(error));
  });
  try {
    for await (const bytes of parts) await handle.writeFile(bytes);
    await handle.close();
    await rename(part, file);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(part, { force: true });
    throw error;
  }
}

/** It isn't an error if a reader stops early (`| head`). */
async function writeStream(parts: AsyncIterable<Uint8Array>, out: Writable): Promise<void> {
  await pipeline(parts, out, { end: false }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
