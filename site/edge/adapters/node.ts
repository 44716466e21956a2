/** The edge as a Node server. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import type { Codings, Incoming } from '../answer.ts';
import { KeptFiles } from '../files/kept-files.ts';
import type { Edge } from '../handler.ts';
import { isAnswer, Releases } from '../releases.ts';
import { refuse } from '../respond/refusal.ts';
import { encodeBody } from './coded-bodies.ts';
import { CodedFiles } from './coded-files.ts';
import { CODINGS } from './coders.ts';
import { ComputePool, type PoolOptions } from './crowd/compute-pool.ts';
import type { NumberedFolder } from './crowd/messages.ts';
import { SentFiles } from './crowd/sent-files.ts';
import { folderExecutors, GROUPS_BYTES, openFolderEdge, REFRESH_AFTER } from './folder-edge.ts';
import { refuseUnread } from './malformed-request.ts';
import { createFolderReleases } from './release-folder.ts';
import { listen, type RunningServer } from './running-server.ts';
import { type SentFolder, sendBody, sendFile } from './sent-answer.ts';
import type { ListenerOptions, ServerOptions as PublicOptions } from './server-options.ts';
import { type Listener, takeTurns } from './turns.ts';

interface PooledOptions extends ListenerOptions {
  /** Computes answers in other threads; by default the server's own thread does. */
  readonly pool?: ComputePool;
}

export type { Listener, RunningServer };

export interface ServerOptions extends PublicOptions {
  readonly poolOptions?: Omit<PoolOptions, 'workers'>;
}

/** Memory for answers made of rows. */
const ANSWERS_BYTES = 32 << 20;

/** Memory for small files, in bytes. */
const KEPT_BYTES = 64 << 20;

/** The most memory of files on their way to readers, in bytes. */
const SENT_BYTES = 128 << 20;

/** Memory for compressed files, in bytes. */
const CODED_BYTES = 64 << 20;

/** How often the server begins an answer again because another release became current. */
const MOST_TRIES = 5;

/** The system refuses others until one of these ends. */
const MOST_CONNECTIONS = 4000;

/** Milliseconds after which the server drops a reader who takes no bytes. */
const MOST_SILENCE = 120_000;

/** Serves a tree until closed. Rejects where the port is taken. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { workers = 0, poolOptions, onError } = options;
  const pool = workers > 0 ? new ComputePool({ ...(onError && { onError }), ...poolOptions, workers }) : null;
  // The edge refuses a request without Host itself, so that the refusal is JSON.
  const server = createServer(
    { requireHostHeader: false },
    createListener({ ...options, ...(pool && { pool }) }),
  );
  server.timeout = MOST_SILENCE;
  server.maxConnections = MOST_CONNECTIONS;
  refuseUnread(server);
  const running = await listen(server, options);
  return { ...running, close: () => running.close().finally(() => pool?.close()) };
}

/** Answers from a tree, or from a folder of releases with a link to the current one. */
export function createListener({ folder, ...options }: PooledOptions): Listener {
  const { onError } = options;
  let number = 0;
  const shared = { sent: new SentFiles(SENT_BYTES), coded: new CodedFiles(CODED_BYTES) };
  const codings = options.compress ? { offered: CODINGS, encode: encodeBody } : null;
  const open = (root: string, isThere: () => boolean) =>
    openFolder({ root, number: ++number }, isThere, shared, options);
  const releases = new Releases(createFolderReleases(resolve(folder), open), { refreshAfter: REFRESH_AFTER });
  return takeTurns((request, response) => {
    const hangUp = new HangUp(response);
    answerFrom(releases, request, response, hangUp, codings).catch(error => {
      if (!hangUp.isOver) onError?.(error);
      response.destroy();
    });
  });
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
    await sendBody(request, response, refuse(400, 'An HTTP/1.1 request needs one Host header.'));
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
    const target = { root: below.root, path: below.path, query };
    const answer = await server.edge(readIncoming(request, target, hangUp, codings));
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
  folder: NumberedFolder,
  isThere: () => boolean,
  { sent, coded }: Pick<Folder, 'sent' | 'coded'>,
  { executors, onError, pool }: Omit<PooledOptions, 'folder'>,
): Folder {
  const { root } = folder;
  const { files, edge } = openFolderEdge(root, {
    executors: executors ?? folderExecutors(root, { groupsBytes: GROUPS_BYTES }),
    ...(pool && { compute: (incoming, weight, here) => pool.ask(folder, incoming, weight, here) }),
    answers: {
      bytes: ANSWERS_BYTES,
      hold: ({ client = '' }, bytes) => (pool ? pool.lend(client, bytes) : () => undefined),
    },
    ...(onError && { onError }),
  });
  return { root, isThere, files, kept: new KeptFiles(KEPT_BYTES), sent, coded, edge };
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
    get client() {
      return request.socket.remoteAddress ?? '';
    },
    ...(codings && { codings }),
  };
}
