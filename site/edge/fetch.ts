/** The edge for hosts that use the fetch standard's Request and Response. */
import type { Answer, Incoming } from './answer.ts';
import type { Files } from './files/files.ts';
import { createEdge, type Edge, type EdgeOptions } from './handler.ts';
import { toStream } from './parts.ts';

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
