/** An edge's request, what it answers from, and its answer before a host sends it. */
import type { Tree } from './catalog.ts';
import type { Files } from './files/files.ts';
import type { Kept } from './files/kept.ts';
import { ACCEPTS_HTML, type Headers } from './respond/headers.ts';
import type { renderWorkbook } from './respond/workbook.ts';
import type { ColumnCache } from './rows/column-cache.ts';
import type { Budget } from './rows/scan.ts';

export type Coding = 'zstd' | 'br' | 'gzip';

/** Takes a lower-case name; null if the request lacks the header. */
export type HeaderReader = (name: string) => string | null;

export interface Incoming {
  readonly method: string;
  /** The tree's path on the host, such as `/repo` or `/releases/2026-11-21-3f9a2b7c`; empty at the root. */
  readonly root: string;
  /** Below the root, percent-encoded as the client sent it. */
  readonly path: string;
  /** With its `?`, or empty. */
  readonly query: string;
  /** `https://host`, for SQL that a reader can paste. */
  readonly origin: string;
  readonly header: HeaderReader;
  /** Only the tools for language models read it. */
  readonly body?: AsyncIterable<Uint8Array> | null;
  readonly signal: AbortSignal | undefined;
}

export type Body = Uint8Array | AsyncIterable<Uint8Array>;

export interface Codings {
  /** The best first. */
  readonly offered: readonly Coding[];
  /** Encodes an answer made of rows. A stream stays a stream and fails with its source. */
  readonly encode: (body: Body, coding: Coding) => Promise<Body>;
  /** Encodes a stored file once. `read` gives the bytes with that hash. */
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

export function acceptsHtml({ header }: Pick<Incoming, 'header'>): boolean {
  return ACCEPTS_HTML.test(header('accept') ?? '');
}

export interface Site {
  readonly files: Files;
  /** Small stored files in memory; null if the host keeps none. */
  readonly kept: Kept<Uint8Array> | null;
  /** Null if the host doesn't compress. */
  readonly codings: Codings | null;
  /** Most bytes of a stored file in one read; each read of a distant file is a request. */
  readonly step: number;
  /** Decoded columns; several edges can share it. */
  readonly cache: ColumnCache;
  /** What an answer may cost. */
  readonly budget: Budget;
  /** The most cells, and the writer, which takes 40 kB. Absent if the host makes none. */
  readonly workbooks?: { readonly cells: number; open(): Promise<{ renderWorkbook: typeof renderWorkbook }> };
  /** See ReaderOptions. */
  readonly endOfTurn?: (() => Promise<void> | null) | undefined;
}

/** One request, and the release that answers it. */
export interface Exchange extends Site {
  readonly incoming: Incoming;
  readonly tree: Tree;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** A stream if the body isn't in memory as a whole. */
  readonly body: Body | null;
}

const encoder = new TextEncoder();

/** Sets Content-Length if the length is known. */
export function bodyAnswer(status: number, headers: Headers, body: string | Body | null = null): Answer {
  const content = typeof body === 'string' ? encoder.encode(body) : body;
  if (!(content instanceof Uint8Array)) return { status, headers, body: content };
  return { status, headers: { ...headers, 'Content-Length': String(content.length) }, body: content };
}

export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  if (parts.length === 1) return parts[0] as Uint8Array<ArrayBuffer>;
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export async function readWhole(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return concat(all);
}

export async function* partsOf({ body }: Pick<Answer, 'body'>): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) yield body;
  else if (body !== null) yield* body;
}

/** Reads no faster than the client. Stops when the client hangs up. */
export function toStream(parts: AsyncIterator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await parts.return?.();
    },
  });
}

/**
 * A body of at most `most` bytes as a whole, else a stream whose start is already read, so that an early
 * fault becomes an error and not a broken answer.
 */
export async function begin(parts: AsyncIterable<Uint8Array>, most: number): Promise<Body> {
  const iterator = parts[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  for (let bytes = 0; bytes <= most; bytes += first.at(-1)?.length ?? 0) {
    const item = await iterator.next();
    if (item.done) return concat(first);
    first.push(item.value);
  }
  return (async function* () {
    try {
      yield* first;
      for (let item = await iterator.next(); !item.done; item = await iterator.next()) yield item.value;
    } finally {
      await iterator.return?.();
    }
  })();
}
