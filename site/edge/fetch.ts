/** The edge for hosts that use the fetch standard's Request and Response. */
import type { Answer, BodyAnswer, Incoming } from './answer.ts';
import { type Files, TreeMismatch } from './files/files.ts';
import { streamFile } from './files/proof.ts';
import { createEdge, type EdgeOptions } from './handler.ts';
import { begin, toStream } from './parts.ts';
import { type Below, isAnswer, type Releases } from './releases.ts';
import { refuse } from './respond/refusal.ts';

/** `below`: where the tree stands on its host, and the path within the tree; by default the tree is the host's root. */
export type Handler = (request: Request, below?: Below) => Promise<Response>;

/** `base`: where the tree's root stands on the host, without a final slash. */
export function createHandler(files: Files, options: EdgeOptions, base = ''): Handler {
  const edge = createEdge(files, options);
  return async (request, below) => {
    const answer = await edge({ ...readRequest(request, base), ...below });
    return respond(files, request, answer);
  };
}

function readRequest(request: Request, base: string): Incoming {
  const { path, query, origin } = readUrl(request.url);
  return {
    method: request.method,
    root: base,
    path: path.startsWith(base) ? path.slice(base.length) : path,
    query,
    origin,
    header: name => request.headers.get(name),
    signal: request.signal,
  };
}

/**
 * An address as the request has it. The class URL would resolve `%2e%2e` and turn a backslash into a slash: what is
 * published nowhere would be another path's answer.
 */
function readUrl(url: string): Pick<Incoming, 'path' | 'query' | 'origin'> {
  const [, origin = '', path = '', query = ''] = /^([a-z]+:\/\/[^/?#\\]*)([^?#]*)(\?[^#]*)?/i.exec(url) ?? [];
  return { origin, path: path || '/', query };
}

/** For hosts that keep several releases. Each request is answered from one of them. */
export function createReleaseHandler(
  releases: Releases<Handler>,
  onError?: (error: unknown) => void,
): Handler {
  return async request => {
    const chosen = await releases.choose(readUrl(request.url).path).catch(error => {
      onError?.(error);
      return refuse(502, 'The server cannot read which release is current.');
    });
    return isAnswer(chosen) ? toResponse(request, chosen) : chosen.server(request, chosen.below);
  };
}

async function respond(files: Files, request: Request, answer: Answer): Promise<Response> {
  if (answer.kind === 'body') return toResponse(request, answer);
  try {
    const body = request.method === 'HEAD' ? null : await begin(streamFile(files, answer, request.signal));
    return toResponse(request, { ...answer, body });
  } catch (error) {
    if (!(error instanceof TreeMismatch)) throw error;
    return toResponse(request, refuse(502, `${error.message}.`));
  }
}

function toResponse(
  { method }: Request,
  { status, headers, body }: Pick<BodyAnswer, 'status' | 'headers' | 'body'>,
): Response {
  const sent = method === 'HEAD' ? null : body;
  const isWhole = sent === null || sent instanceof Uint8Array;
  return new Response(
    isWhole ? (sent as Uint8Array<ArrayBuffer> | null) : toStream(sent[Symbol.asyncIterator]()),
    { status, headers },
  );
}
