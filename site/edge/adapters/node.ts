/** The edge as a Node server: answers by our handler, bytes of stored files by serve-handler. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import serve from 'serve-handler';
import type { BodyAnswer, FileAnswer, Incoming } from '../answer.ts';
import type { Executor } from '../executor.ts';
import { createDuckdbExecutor } from '../executors/duckdb.ts';
import { createHyparquetExecutor } from '../executors/hyparquet.ts';
import type { Files } from '../files.ts';
import { createEdge, type Edge } from '../handler.ts';
import { KeptFiles } from '../kept-files.ts';
import { refuse } from '../refusal.ts';
import { isAnswer, Releases } from '../releases.ts';
import { rememberStats } from '../remembered-stats.ts';
import { createFolderFiles } from './folder.ts';
import { createFolderReleases } from './release-folder.ts';

export interface ServerOptions {
  /** A published tree, a link to one, or a folder of releases. */
  readonly folder: string;
  /** 0: any free one. */
  readonly port: number;
  readonly host: string;
  /** In place of hyparquet for small scans and DuckDB for large ones. */
  readonly executors?: readonly Executor[];
  readonly onError?: (error: unknown) => void;
}

export interface RunningServer {
  readonly server: Server;
  /** With the port that was given, without a final slash. */
  readonly url: string;
  close(): Promise<void>;
}

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** What plain JavaScript does in some 50 ms of the one thread that all readers share. */
const HYPARQUET_BUDGET = { bytes: 96 << 10, rows: 50_000 };

/** What DuckDB does in seconds, on threads of its own. */
const DUCKDB_BUDGET = { bytes: 1 << 30, rows: 100_000_000 };

/** Memory for row groups that were decoded. */
const GROUPS_BYTES = 96 << 20;

/** Milliseconds for which a file is taken to be as it was found, as the manifest is. */
const REFRESH_AFTER = 1000;

/** Files of at most so many bytes are sent from memory, and so many bytes of them kept. */
const SMALL_BYTES = 4 << 20;
const KEPT_BYTES = 64 << 20;

/** Milliseconds after which a reader who takes nothing is let go. */
const MOST_SILENCE = 120_000;

/** Serves a tree until closed. Rejects where the port is taken. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const server = createServer(createListener(options));
  server.timeout = MOST_SILENCE;
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(options.port, options.host, done);
  });
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  const close = () =>
    new Promise<void>((done, fail) => {
      server.close(error => (error ? fail(error) : done()));
      server.closeAllConnections();
    });
  return { server, url: `http://${host}:${port}`, close };
}

/** Answers from a tree, or from the releases that stand in a folder beside a link to the current one. */
export function createListener({ folder, executors, onError }: ServerOptions): Listener {
  const open = (root: string): Folder => openFolder(root, executors, onError);
  const releases = new Releases(createFolderReleases(resolve(folder), open), { refreshAfter: REFRESH_AFTER });
  return (request, response) => {
    const attention = new Attention(response);
    answerFrom(releases, request, response, attention).catch(error => {
      if (!attention.ended) onError?.(error);
      response.destroy();
    });
  };
}

async function answerFrom(
  releases: Releases<Folder>,
  request: IncomingMessage,
  response: ServerResponse,
  attention: Attention,
): Promise<void> {
  const { path, query } = readTarget(request);
  const chosen = await releases.choose(path);
  if (isAnswer(chosen)) {
    if (chosen.kind === 'body') await sendBody(request, response, chosen);
    return;
  }
  const { server, below } = chosen;
  const answer = await server.edge(readIncoming(request, { query, ...below }, attention));
  await (answer.kind === 'body'
    ? sendBody(request, response, answer)
    : sendFile(server, request, response, answer));
}

/** Whether the reader is still there. Most answers are given before anyone asks: the signal is made when one does. */
class Attention {
  ended = false;
  private controller: AbortController | null = null;

  constructor(response: ServerResponse) {
    response.once('close', () => {
      if (response.writableFinished) return;
      this.ended = true;
      this.controller?.abort();
    });
  }

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.ended) this.controller.abort();
    return this.controller.signal;
  }
}

/** A served tree, and what of it is kept in memory. */
interface Folder {
  readonly root: string;
  readonly files: Files;
  readonly kept: KeptFiles;
  readonly edge: Edge;
}

function openFolder(
  root: string,
  executors: ServerOptions['executors'],
  onError: ServerOptions['onError'],
): Folder {
  const files = rememberStats(createFolderFiles(root), REFRESH_AFTER);
  const edge = createEdge(files, {
    executors: executors ?? [
      createHyparquetExecutor(HYPARQUET_BUDGET, GROUPS_BYTES),
      createDuckdbExecutor({ folder: root, budget: DUCKDB_BUDGET }),
    ],
    refreshAfter: REFRESH_AFTER,
    ...(onError && { onError }),
  });
  return { root, files, kept: new KeptFiles(KEPT_BYTES), edge };
}

/** A Host header that is none is not repeated to anyone. */
const HOST = /^[A-Za-z0-9._:[\]-]{1,255}$/;

/** What was asked for: its path, and its query with the question mark. */
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
  attention: Attention,
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
      return attention.signal;
    },
  };
}

async function sendBody(
  request: IncomingMessage,
  response: ServerResponse,
  answer: BodyAnswer,
): Promise<void> {
  const { status, headers, body } = answer;
  response.writeHead(status, headers);
  if (body === null || request.method === 'HEAD') {
    response.end();
  } else if (body instanceof Uint8Array) {
    response.end(body);
  } else {
    for await (const part of body) {
      if (!response.write(part)) await drained(response);
      if (response.destroyed) return;
    }
    response.end();
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise(done => {
    if (response.destroyed) return done();
    const go = () => {
      response.off('drain', go);
      response.off('close', go);
      done();
    };
    response.on('drain', go);
    response.on('close', go);
  });
}

/**
 * Small files are sent from memory, where they are kept by path and ETag: what is kept is never another release's.
 * Of larger ones serve-handler sends the bytes. The headers, and the decision which bytes, are ours.
 */
async function sendFile(
  source: Folder,
  request: IncomingMessage,
  response: ServerResponse,
  answer: FileAnswer,
): Promise<void> {
  const { status, headers, path, range } = answer;
  if (request.method === 'HEAD') {
    response.writeHead(status, headers).end();
    return;
  }
  const bytes = await keepSmall(source, answer);
  if (bytes === 'damaged') {
    await sendBody(request, response, refuse(502, `${path} has other bytes than the manifest says.`));
    return;
  }
  if (bytes) {
    response.writeHead(status, headers).end(range ? bytes.subarray(range.start, range.end) : bytes);
    return;
  }
  request.url = `/${path}`;
  if (range) request.headers.range = `bytes=${range.start}-${range.end - 1}`;
  else delete request.headers.range;
  const ours = Object.entries(headers).map(([key, value]) => ({ key, value }));
  const theirs = ['Content-Disposition', 'Last-Modified'].filter(key => !(key in headers));
  await serve(request, response, {
    public: source.root,
    cleanUrls: false,
    directoryListing: false,
    headers: [{ source: '**', headers: [...ours, ...theirs.map(key => ({ key, value: null }))] }],
  });
}

/**
 * Bytes of a small file; null where it is large, a part of it is not worth the whole, or it is of another length by now.
 * What is read is compared with the hash that its ETag says, once: the tree may have been damaged where it lies.
 */
async function keepSmall(
  { files, kept }: Folder,
  { path, range, headers }: FileAnswer,
): Promise<Uint8Array | 'damaged' | null> {
  const key = `${path} ${headers.ETag}`;
  const held = kept.get(key);
  if (held) return held;
  const length = Number(headers['Content-Length']);
  if (range !== null || length > SMALL_BYTES) return null;
  const bytes = (await files.read(path, null))?.bytes;
  if (bytes?.length !== length) return null;
  const listed = /^"([0-9a-f]{64})"$/.exec(headers.ETag ?? '')?.[1];
  if (listed !== undefined && createHash('sha256').update(bytes).digest('hex') !== listed) return 'damaged';
  kept.keep(key, bytes);
  return bytes;
}
