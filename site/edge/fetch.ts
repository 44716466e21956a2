/** The edge for hosts that use the fetch standard's Request and Response. */
import type { Answer, Incoming } from './answer.ts';
import type { Files } from './files/files.ts';
import { createHttpFiles } from './files/http-files.ts';
import { Kept } from './files/kept.ts';
import { createEdge, type Edge, type EdgeOptions } from './handler.ts';
import { toStream } from './parts.ts';
import { ColumnCache } from './rows/column-cache.ts';

export type Handler = (request: Request) => Promise<Response>;

/** `base`: where the tree's root stands on the host, without a final slash. */
export function createHandler(files: Files, options: EdgeOptions, base = ''): Handler {
  return handleBy(createEdge(files, options), base);
}

export function handleBy(edge: Edge, base = ''): Handler {
  return async request => toResponse(request, await edge(readRequest(request, base)));
}

/**
 * An address as the request has it. The class URL would resolve `%2e%2e` and turn a backslash into a slash: what is
 * published nowhere would be another path's answer.
 */
function readRequest({ url, method, headers, signal }: Request, base: string): Incoming {
  const [, origin = '', given = '', query = ''] =
    /^([a-z]+:\/\/[^/?#\\]*)([^?#]*)(\?[^#]*)?/i.exec(url) ?? [];
  const path = given || '/';
  return {
    method,
    root: base,
    path: path.startsWith(base) ? path.slice(base.length) : path,
    query,
    origin,
    header: name => headers.get(name),
    signal,
  };
}

function toResponse({ method }: Request, { status, headers, body }: Answer): Response {
  const sent = method === 'HEAD' ? null : body;
  const isWhole = sent === null || sent instanceof Uint8Array;
  return new Response(
    isWhole ? (sent as Uint8Array<ArrayBuffer> | null) : toStream(sent[Symbol.asyncIterator]()),
    { status, headers },
  );
}

/** A page's message to its service worker: what it loaded before the worker was there. */
export interface KeepMessage {
  readonly kind: 'keep';
  readonly page: string;
  readonly files: readonly string[];
}

/** A phone needs a second or two for this, and some 100 MB of memory. */
const BUDGET = { bytes: 8 << 20, rows: 200_000 };

/** Memory for decoded columns. */
const COLUMNS_BYTES = 32 << 20;

/** Milliseconds after which the browser checks whether another release is current. */
const REFRESH_AFTER = 10_000;

/** `root`: the address of the tree's root, with a final slash. */
export function createBrowserHandler(root: string, onError: (error: unknown) => void): Handler {
  const files = createHttpFiles(root, { kept: new Kept(0), cache: 'no-cache' });
  const base = new URL(root).pathname.slice(0, -1);
  const cache = new ColumnCache(COLUMNS_BYTES);
  return createHandler(files, { budget: BUDGET, cache, refreshAfter: REFRESH_AFTER, onError }, base);
}
