/** What an edge answers, before any host's way of sending it. */
import { type HeaderReader, isNotModified } from './conditional.ts';
import type { ByteRange } from './files.ts';
import { type Headers, notModifiedHeaders, type Validators } from './headers.ts';

export interface Incoming {
  readonly method: string;
  /** Path as the client sent it, percent-encoded, and query with its `?` or empty. */
  readonly path: string;
  readonly query: string;
  /** `https://host`, for SQL that a reader can paste. */
  readonly origin: string;
  /** Where the tree's root stands on the host, without a final slash; `/repo`. Not given: at the host's own. */
  readonly base?: string;
  readonly header: HeaderReader;
  readonly signal: AbortSignal | undefined;
}

/** The path of a request as a link to it has it. */
export function linkPath({ base = '', path }: Incoming): string {
  return base + path;
}

export type Answer = FileAnswer | BodyAnswer;

/** Bytes of a stored file, as they are; 206 where there is a range. */
export interface FileAnswer {
  readonly kind: 'file';
  readonly status: 200 | 206;
  readonly headers: Headers;
  readonly path: string;
  readonly range: ByteRange | null;
}

export interface BodyAnswer {
  readonly kind: 'body';
  readonly status: number;
  readonly headers: Headers;
  /** Streamed where it is not known whole. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | null;
}

const encoder = new TextEncoder();

/** An answer with a body of its own. Its length is said where it is known. */
export function bodyAnswer(
  status: number,
  headers: Headers,
  body: string | Uint8Array | AsyncIterable<Uint8Array> | null = null,
): BodyAnswer {
  const content = typeof body === 'string' ? encoder.encode(body) : body;
  if (!(content instanceof Uint8Array)) return { kind: 'body', status, headers, body: content };
  return {
    kind: 'body',
    status,
    headers: { ...headers, 'Content-Length': String(content.length) },
    body: content,
  };
}

/** The 304 of a request whose reader already has the answer; null where it must be sent. */
export function answerNotModified(
  incoming: Incoming,
  validators: Validators,
  headers: Headers,
): BodyAnswer | null {
  return isNotModified(incoming.header, validators) ? bodyAnswer(304, notModifiedHeaders(headers)) : null;
}
