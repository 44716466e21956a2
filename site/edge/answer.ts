/** A request as an edge reads it, what it is answered from, and its answer before a host sends it. */
import type { Tree } from './catalog.ts';
import type { Files } from './files/files.ts';
import type { Kept } from './files/kept.ts';
import type { Headers } from './respond/headers.ts';
import type { ColumnCache } from './rows/column-cache.ts';
import type { Budget } from './rows/scan.ts';

export type Coding = 'zstd' | 'br' | 'gzip';

/** A request's header, by its lower-case name; null where it has none. */
export type HeaderReader = (name: string) => string | null;

export interface Incoming {
  readonly method: string;
  /** The path at which the tree stands, such as `/repo` or `/releases/2026-11-21-3f9a2b7c`; empty at a host's root. */
  readonly root: string;
  /** The path below the root as the client sent it, percent-encoded. */
  readonly path: string;
  /** With its `?`; empty where there is none. */
  readonly query: string;
  /** `https://host`, for SQL that a reader can paste. */
  readonly origin: string;
  readonly header: HeaderReader;
  readonly signal: AbortSignal | undefined;
}

export type Body = Uint8Array | AsyncIterable<Uint8Array>;

export interface Codings {
  /** The best first. */
  readonly offered: readonly Coding[];
  /** Codes an answer made of rows. A stream stays one, and fails as the rows that it is made of. */
  readonly encode: (body: Body, coding: Coding) => Promise<Body>;
  /** Codes a stored file, once for all who ask. `read` gives the bytes that have the hash. */
  readonly encodeFile: (
    sha256: string,
    coding: Coding,
    read: () => Promise<Uint8Array>,
  ) => Promise<CodedFile>;
}

export interface CodedFile {
  readonly bytes: Uint8Array;
  /** Of the coded bytes. */
  readonly sha256: string;
}

/** The path of a request, from the root of its host. */
export function linkPath({ root, path }: Pick<Incoming, 'root' | 'path'>): string {
  return root + path;
}

/** What an edge answers from. */
export interface Site {
  readonly files: Files;
  /** Small stored files, which need no look at the disk; null where the host keeps none. */
  readonly kept: Kept<Uint8Array> | null;
  /** Content codings that the host can send; null where it sends none. */
  readonly codings: Codings | null;
  /** The most bytes of a stored file in one read: where files are far away, each read is a request. */
  readonly step: number;
  /** Decoded columns, which several edges may share; by default few are kept. */
  readonly cache: ColumnCache;
  /** What an answer may cost; null where the host can't compute any. */
  readonly budget: Budget | null;
  /** As ReaderOptions has it. */
  readonly endOfTurn?: (() => Promise<void> | null) | undefined;
}

/** One request, and the release of the tree that answers it. */
export interface Exchange extends Site {
  readonly incoming: Incoming;
  readonly tree: Tree;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** A stream where the body is not in memory as a whole. */
  readonly body: Body | null;
}

const encoder = new TextEncoder();

/** An answer with a body of its own. Content-Length is set where the length is known. */
export function bodyAnswer(status: number, headers: Headers, body: string | Body | null = null): Answer {
  const content = typeof body === 'string' ? encoder.encode(body) : body;
  if (!(content instanceof Uint8Array)) return { status, headers, body: content };
  return { status, headers: { ...headers, 'Content-Length': String(content.length) }, body: content };
}
