/** The edge as a Node server. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import type { Incoming } from '../answer.ts';
import { createDuckdbExecutor } from '../executors/duckdb.ts';
import type { Executor } from '../executors/executor.ts';
import { createHyparquetExecutor } from '../executors/hyparquet.ts';
import { KeptFiles } from '../files/kept-files.ts';
import { createEdge, type Edge } from '../handler.ts';
import { isAnswer, Releases } from '../releases.ts';
import { refuse } from '../respond/refusal.ts';
import { createFolderFiles } from './folder.ts';
import { refuseUnread } from './malformed-request.ts';
import { createFolderReleases } from './release-folder.ts';
import { type ListenOptions, listen, type RunningServer } from './running-server.ts';
import { type SentFolder, sendBody, sendFile } from './sent-answer.ts';

interface TreeOptions {
  /** A published tree, a link to one, or a folder of releases. */
  readonly folder: string;
  /** These take the place of hyparquet for small scans and DuckDB for large ones. */
  readonly executors?: readonly Executor[];
  readonly onError?: (error: unknown) => void;
}

export type { RunningServer };

export type ServerOptions = TreeOptions & ListenOptions;

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** JavaScript scans this much in some 50 ms. All readers share its one thread. */
const HYPARQUET_BUDGET = { bytes: 96 << 10, rows: 50_000 };

/** DuckDB scans this much in seconds, on threads of its own. */
const DUCKDB_BUDGET = { bytes: 1 << 30, rows: 100_000_000 };

/** Memory for decoded row groups. */
const GROUPS_BYTES = 96 << 20;

/** Milliseconds for which the edge takes a release, a manifest and an answer that is a file to be current. */
const REFRESH_AFTER = 1000;

/** Memory for small files, in bytes. */
const KEPT_BYTES = 64 << 20;

/** How often the server begins an answer again because another release became current. */
const MOST_TRIES = 5;

/** Milliseconds after which the server drops a reader who takes no bytes. */
const MOST_SILENCE = 120_000;

/** Serves a tree until closed. Rejects where the port is taken. */
export function startServer(options: ServerOptions): Promise<RunningServer> {
  // The edge refuses a request without Host itself, so that the refusal is JSON.
  const server = createServer({ requireHostHeader: false }, createListener(options));
  server.timeout = MOST_SILENCE;
  refuseUnread(server);
  return listen(server, options);
}

/** Answers from a tree, or from a folder of releases with a link to the current one. */
export function createListener({ folder, executors, onError }: TreeOptions): Listener {
  const open = (root: string, isThere: () => boolean) => openFolder(root, isThere, executors, onError);
  const releases = new Releases(createFolderReleases(resolve(folder), open), { refreshAfter: REFRESH_AFTER });
  return (request, response) => {
    const hangUp = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) hangUp.abort();
    });
    answerFrom(releases, request, response, hangUp.signal).catch(error => {
      if (!hangUp.signal.aborted) onError?.(error);
      response.destroy();
    });
  };
}

/**
 * A build may replace the folder while the server prepares an answer. The server then begins again with the new folder.
 */
async function answerFrom(
  releases: Releases<Folder>,
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  if (request.headers.host === undefined && request.httpVersion !== '1.0') {
    await sendBody(request, response, refuse(400, 'An HTTP/1.1 request needs a Host header.'));
    return;
  }
  const { path, query } = readTarget(request);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const chosen = await releases.choose(path);
    if (isAnswer(chosen)) {
      if (chosen.kind === 'body') await sendBody(request, response, chosen);
      return;
    }
    const { server, below } = chosen;
    const answer = await server.edge(readIncoming(request, { query, ...below }, signal));
    const sent =
      answer.kind === 'body'
        ? await sendBody(request, response, answer, server.isThere)
        : await sendFile(server, request, response, answer);
    if (sent) return;
    releases.forget();
  }
  await sendBody(
    request,
    response,
    refuse(502, 'Another release became current each time the server began this answer. Try again.'),
  );
}

/** A tree, and the edge that answers from it. */
interface Folder extends SentFolder {
  readonly edge: Edge;
}

function openFolder(
  root: string,
  isThere: () => boolean,
  executors: TreeOptions['executors'],
  onError: TreeOptions['onError'],
): Folder {
  const files = createFolderFiles(root);
  const edge = createEdge(files, {
    executors: executors ?? [
      createHyparquetExecutor(HYPARQUET_BUDGET, GROUPS_BYTES),
      createDuckdbExecutor({ folder: root, budget: DUCKDB_BUDGET }),
    ],
    refreshAfter: REFRESH_AFTER,
    ...(onError && { onError }),
  });
  return { root, isThere, files, kept: new KeptFiles(KEPT_BYTES), edge };
}

/** A Host header that could not be a host name stays out of answers. */
const HOST = /^[A-Za-z0-9._:[\]-]{1,255}$/;

/** The path of a request, and its query with the question mark. */
function readTarget(request: IncomingMessage): Pick<Incoming, 'path' | 'query'> {
  const target = request.url ?? '/';
  const whole = target.startsWith('/') ? target : target.replace(/^[a-z]+:\/\/[^/?#]*/i, '');
  const [path = ''] = whole.split('#', 1);
  const at = path.indexOf('?');
  return at < 0 ? { path, query: '' } : { path: path.slice(0, at), query: path.slice(at) };
}

function readIncoming(
  request: IncomingMessage,
  { root, path, query }: Pick<Incoming, 'root' | 'path' | 'query'>,
  signal: AbortSignal,
): Incoming {
  const host = request.headers.host ?? '';
  return {
    method: request.method ?? 'GET',
    root,
    path,
    query,
    origin: HOST.test(host) ? `http://${host}` : 'http://localhost',
    header: name => {
      const value = request.headers[name];
      return Array.isArray(value) ? value.join(', ') : (value ?? null);
    },
    signal,
  };
}
