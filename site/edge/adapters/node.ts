/** The edge over a folder: as a Node server, and for servers with the fetch standard's classes. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Answer, Incoming } from '../answer.ts';
import { handleBy } from '../fetch.ts';
import { Kept } from '../files/kept.ts';
import { createEdge, type Edge, type EdgeOptions } from '../handler.ts';
import { withTools } from '../../mcp/tools-route.ts';
import { createReleaseEdge } from '../releases.ts';
import { refuse } from '../respond/refusal.ts';
import { ColumnCache } from '../rows/column-cache.ts';
import { giveBack } from '../rows/part-memory.ts';
import { createCodings } from './codings.ts';
import {
  endOfTurn,
  type Listener,
  limitClients,
  limitConnections,
  listen,
  refuseUnread,
  takeTurns,
} from './connections.ts';
import { createFolderFiles, createFolderReleases, FOLDER_BUDGET, usualMemory } from './folder.ts';
import type {
  FetchHandler,
  ListenerOptions,
  RunningServer,
  ServerOptions,
  TreeOptions,
} from './server-options.ts';

export type { Listener, RunningServer, ServerOptions };

/** Small files in memory. */
const KEPT_BYTES = 32 << 20;

/** Compressed files in memory. */
const CODED_BYTES = 32 << 20;

/** Milliseconds until the current release and its manifest are looked up again. */
const REFRESH_AFTER = 1000;

/** Milliseconds after which a reader who takes no bytes is dropped. */
const MOST_SILENCE = 120_000;

/** Milliseconds for a request's headers, and for the whole request. */
const HEAD_TIME = 10_000;
const REQUEST_TIME = 30_000;

/** Serves a tree until closed. Rejects if the port is taken. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { trustProxy = false } = options;
  // The edge refuses a request without Host itself, in JSON.
  const server = createServer(
    {
      requireHostHeader: false,
      headersTimeout: HEAD_TIME,
      requestTimeout: REQUEST_TIME,
      connectionsCheckingInterval: 1000,
    },
    takeTurns(limitClients(answerEach(options, true), trustProxy)),
  );
  server.timeout = MOST_SILENCE;
  limitConnections(server, trustProxy);
  refuseUnread(server);
  return listen(server, options);
}

export function createListener(options: ListenerOptions): Listener {
  return takeTurns(answerEach(options));
}

export function createFetchHandler(options: TreeOptions): FetchHandler {
  return handleBy(openFolder(options));
}

function openFolder(
  { folder, memory = usualMemory(), onError }: TreeOptions,
  more: Pick<EdgeOptions, 'kept' | 'codings'> = {},
): Edge {
  const shared: EdgeOptions = {
    budget: FOLDER_BUDGET,
    // A workbook is made in one turn: so many cells stop other answers for 0.2 s.
    workbooks: { cells: 100_000, open: () => import('../respond/workbook.ts') },
    endOfTurn,
    cache: new ColumnCache(memory),
    refreshAfter: REFRESH_AFTER,
    onError,
    ...more,
  };
  const open = (root: string) => createEdge(createFolderFiles(root), shared);
  const host = createFolderReleases(resolve(folder), open);
  return withTools(createReleaseEdge(host, shared));
}

/** `isOwn`: nothing is between a response and its socket. */
function answerEach(options: ListenerOptions, isOwn = false): Listener {
  const edge = openFolder(options, {
    kept: new Kept(KEPT_BYTES),
    ...(options.compress && { codings: createCodings(CODED_BYTES) }),
  });
  return (request, response) => {
    const hangUp = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) hangUp.abort();
    });
    const answered = isAddressed(request)
      ? edge(readIncoming(request, hangUp))
      : Promise.resolve(refuse(400, 'An HTTP/1.1 request needs one Host header.'));
    answered
      .then(answer => sendAnswer(response, answer, isOwn))
      .catch(error => {
        if (!hangUp.signal.aborted) options.onError?.(error);
        response.destroy();
      });
  };
}

function isAddressed({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

/** Other Host headers can't be host names and aren't repeated in answers. */
const HOST = /^[A-Za-z0-9._:[\]-]{1,255}$/;

function readIncoming(request: IncomingMessage, hangUp: AbortController): Incoming {
  const target = request.url ?? '/';
  const whole = target.startsWith('/') ? target : target.replace(/^[a-z]+:\/\/[^/?#]*/i, '');
  const [url = ''] = whole.split('#', 1);
  const [path = ''] = url.split('?', 1);
  const host = request.headers.host ?? '';
  return {
    method: request.method ?? 'GET',
    root: '',
    path,
    query: url.slice(path.length),
    origin: HOST.test(host) ? `http://${host}` : 'http://localhost',
    header: name => {
      const value = request.headers[name];
      return Array.isArray(value) ? value.join(', ') : (value ?? null);
    },
    // A message that is too long is answered, so the connection must not end with it.
    get body() {
      return request.iterator({ destroyOnReturn: false });
    },
    // Creating a signal is slow, and most answers don't need it.
    get signal() {
      return hangUp.signal;
    },
  };
}

/** Produces a part when the reader has taken the previous one. */
async function sendAnswer(
  response: ServerResponse,
  { status, headers, body }: Answer,
  isOwn: boolean,
): Promise<void> {
  response.writeHead(status, headers);
  if (body === null || body instanceof Uint8Array) response.end(body);
  else if (response.req.method === 'HEAD') response.end();
  else await pipeline(isOwn ? givingBack(body, response) : body, response);
}

async function* givingBack(parts: AsyncIterable<Uint8Array>, response: ServerResponse) {
  for await (const part of parts) {
    yield part;
    // The system has its bytes.
    if (response.writableLength === 0) giveBack(part);
  }
}
