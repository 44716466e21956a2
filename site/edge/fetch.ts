/** The edge for hosts with the fetch standard's Request and Response, browsers among them. */
import { type Answer, type Incoming, toStream } from './answer.ts';
import type { Files } from './files/files.ts';
import { createHttpFiles } from './files/http-files.ts';
import { Kept } from './files/kept.ts';
import { createEdge, type Edge, type EdgeOptions } from './handler.ts';
import { ColumnCache } from './rows/column-cache.ts';

export type Handler = (request: Request) => Promise<Response>;

/** `base`: the tree's path on the host, without a final slash. */
export function createHandler(files: Files, options: EdgeOptions, base = ''): Handler {
  return handleBy(createEdge(files, options), base);
}

export function handleBy(edge: Edge, base = ''): Handler {
  return async request => toResponse(request, await edge(readRequest(request, base)));
}

/**
 * Splits the address itself: the class URL would resolve `%2e%2e` and turn a backslash into a slash, and so
 * answer from another path.
 */
function readRequest({ url, method, headers, body, signal }: Request, base: string): Incoming {
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
    body,
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

/** A page's message to its service worker: what it loaded before the worker ran. */
export interface KeepMessage {
  readonly kind: 'keep';
  readonly page: string;
  readonly files: readonly string[];
}

/** A second or two on a phone, and about 100 MB of memory. */
const BUDGET = { bytes: 8 << 20, rows: 200_000 };

const COLUMNS_BYTES = 32 << 20;

/** Milliseconds after which the current release is looked up again. */
const REFRESH_AFTER = 10_000;

/**
 * The edge in a browser, in a service worker or in the page, over a host that only has files. Only the
 * browser's own cache stores anything; it revalidates each file, so that an answer is of one release. `root`:
 * the tree's address with a final slash.
 */
export function createBrowserHandler(root: string, onError: (error: unknown) => void): Handler {
  const files = createHttpFiles(root, { kept: new Kept(0), cache: 'no-cache' });
  const base = new URL(root).pathname.slice(0, -1);
  const cache = new ColumnCache(COLUMNS_BYTES);
  return createHandler(files, { budget: BUDGET, cache, refreshAfter: REFRESH_AFTER, onError }, base);
}
