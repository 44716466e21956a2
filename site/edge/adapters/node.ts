/** The edge over a folder of this machine: as a Node server, and for servers with the fetch standard's classes. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import type { Codings, Incoming } from '../answer.ts';
import { Kept } from '../files/kept.ts';
import { createHandler, createReleaseHandler, type Handler } from '../fetch.ts';
import { createEdge, type Edge, type EdgeOptions } from '../handler.ts';
import { isAnswer, Releases } from '../releases.ts';
import { refuse } from '../respond/refusal.ts';
import { ColumnCache } from '../rows/column-cache.ts';
import { CODINGS, CodedFiles } from './codings.ts';
import { endOfTurn, type Listener, limitClients, limitConnections, takeTurns } from './fair-shares.ts';
import { createFolderFiles, FOLDER_BUDGET, usualMemory } from './folder.ts';
import { refuseUnread } from './malformed-request.ts';
import { createFolderReleases } from './release-folder.ts';
import { listen, type RunningServer } from './running-server.ts';
import { type SentFolder, sendAnswer, sendRefusal } from './sent-answer.ts';
import type { FetchHandler, ListenerOptions, ServerOptions, TreeOptions } from './server-options.ts';

export type { Listener, RunningServer, ServerOptions };

/** Memory for small files, in bytes. */
const KEPT_BYTES = 32 << 20;

/** Memory for compressed files, in bytes. */
const CODED_BYTES = 32 << 20;

/** Milliseconds for which a release and a manifest are taken to be current. */
const REFRESH_AFTER = 1000;

/** How often an answer begins again because another release became current. */
const MOST_TRIES = 5;

/** Milliseconds after which the server drops a reader who takes no bytes. */
const MOST_SILENCE = 120_000;

/** Milliseconds for the head of a request, and for a whole one: a client that sends neither goes. */
const HEAD_TIME = 10_000;
const REQUEST_TIME = 30_000;

/** Serves a tree until closed. Rejects where the port is taken. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { trustProxy = false } = options;
  // The edge refuses a request without Host itself, so that the refusal is JSON.
  const server = createServer(
    {
      requireHostHeader: false,
      headersTimeout: HEAD_TIME,
      requestTimeout: REQUEST_TIME,
      connectionsCheckingInterval: 1000,
    },
    takeTurns(limitClients(answerEach(options), trustProxy)),
  );
  server.timeout = MOST_SILENCE;
  limitConnections(server, trustProxy);
  refuseUnread(server);
  return listen(server, options);
}

/** Answers from a tree, or from a folder of releases with a link to the current one. */
export function createListener(options: ListenerOptions): Listener {
  return takeTurns(answerEach(options));
}

function edgeOptions({ memory = usualMemory(), onError }: TreeOptions) {
  return {
    budget: FOLDER_BUDGET,
    endOfTurn,
    cache: new ColumnCache(memory),
    refreshAfter: REFRESH_AFTER,
    sharesReads: true,
    ...(onError && { onError }),
  } satisfies EdgeOptions;
}

/** Each folder is opened with its path, and with a function that tells whether it is still the same one. */
function openReleases<Server>(
  { folder }: TreeOptions,
  open: (root: string, isThere: () => boolean) => Server,
): Releases<Server> {
  return new Releases(createFolderReleases(resolve(folder), open), { refreshAfter: REFRESH_AFTER });
}

/** Answers from a tree, or from a folder of releases with a link to the current one. */
export function createFetchHandler(options: TreeOptions): FetchHandler {
  const shared = edgeOptions(options);
  /** Answers whose folder a build has replaced meanwhile. */
  const replaced = new WeakSet<Response>();
  const releases = openReleases(options, (root, isThere): Handler => {
    const handle = createHandler(createFolderFiles(root), shared);
    return async (request, below) => {
      const response = await handle(request, below);
      if (!isThere()) replaced.add(response);
      return response;
    };
  });
  const handle = createReleaseHandler(releases, options.onError);
  return async request => {
    let response = await handle(request);
    for (let tries = 1; tries < MOST_TRIES && replaced.has(response); tries++) {
      await response.body?.cancel();
      releases.forget();
      response = await handle(request);
    }
    return response;
  };
}

function answerEach(options: ListenerOptions): Listener {
  const { onError } = options;
  const kept = new Kept<Uint8Array>(KEPT_BYTES);
  const coded = new CodedFiles(CODED_BYTES);
  const shared = { ...edgeOptions(options), kept };
  const codings = options.compress ? CODINGS : null;
  const releases = openReleases(options, (root, isThere): Folder => {
    const files = createFolderFiles(root);
    return { isThere, files, kept, coded, edge: createEdge(files, shared) };
  });
  return (request, response) => {
    const hangUp = new HangUp(response);
    answerFrom(releases, request, response, hangUp, codings).catch(error => {
      if (!hangUp.isOver) onError?.(error);
      response.destroy();
    });
  };
}

/** A tree, and the edge that answers from it. */
interface Folder extends SentFolder {
  readonly edge: Edge;
}

/** Tells whether a reader has hung up. A signal takes long to make, and most answers never ask for it. */
class HangUp {
  private over = false;
  private controller: AbortController | null = null;

  constructor(response: ServerResponse) {
    response.once('close', () => {
      if (response.writableFinished) return;
      this.over = true;
      this.controller?.abort();
    });
  }

  get isOver(): boolean {
    return this.over;
  }

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.over) this.controller.abort();
    return this.controller.signal;
  }
}

/**
 * A build may replace the folder while the server prepares an answer. The server then begins again with the new folder.
 */
async function answerFrom(
  releases: Releases<Folder>,
  request: IncomingMessage,
  response: ServerResponse,
  hangUp: HangUp,
  codings: Codings | null,
): Promise<void> {
  const hosts = request.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && request.httpVersion !== '1.0')) {
    sendRefusal(response, refuse(400, 'An HTTP/1.1 request needs one Host header.'));
    return;
  }
  const { path, query } = readTarget(request);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const chosen = await releases.choose(path);
    if (isAnswer(chosen)) return sendRefusal(response, chosen);
    const { server, below } = chosen;
    const target = { root: below.root, path: below.path, query };
    const answer = await server.edge(readIncoming(request, target, hangUp, codings));
    if (await sendAnswer(server, request, response, answer)) return;
    releases.forget();
  }
  sendRefusal(
    response,
    refuse(502, 'Another release became current each time the server began this answer. Try again.'),
  );
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
  hangUp: HangUp,
  codings: Codings | null,
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
    get signal() {
      return hangUp.signal;
    },
    ...(codings && { codings }),
  };
}
