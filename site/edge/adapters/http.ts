/**
 * A tree at an address: any web server or mirror, with an edge or without. Ranges are asked for; where the host ignores
 * them, or compresses what it sends, the whole file is read once and cut here.
 */
import type { ByteRange, FileBytes, Files } from '../files.ts';
import { KeptFiles } from '../kept-files.ts';

export interface HttpOptions {
  /** Milliseconds without a byte after which a host is given up. */
  readonly silence?: number;
  /** Bytes of whole files that are kept, where a host gives no parts. */
  readonly kept?: number;
}

/** The host cannot be reached, breaks off, or answers with an error of its own. Says nothing of the tree. */
export class HostError extends Error {
  override readonly name = 'HostError';
}

const SILENCE = 60_000;
const KEPT_BYTES = 512 << 20;

/** There is no such file. A bucket that may not be listed says 403 for a name that it does not have. */
const ABSENT = new Set([403, 404, 410]);

/** Files below `base`, an http(s) address of a tree's root. */
export function createHttpFiles(base: string, options: HttpOptions = {}): Files {
  const root = base.endsWith('/') ? base : `${base}/`;
  const { silence = SILENCE, kept: most = KEPT_BYTES } = options;
  const kept = new KeptFiles(most);

  const ask = (path: string, method: 'GET' | 'HEAD', range: ByteRange | null, signal?: AbortSignal) => {
    const url = root + path.split('/').map(encodeURIComponent).join('/');
    return open(url, method, range, silence, signal);
  };
  const readWhole = async (path: string, signal?: AbortSignal): Promise<Uint8Array | null> => {
    const held = kept.get(path);
    if (held) return held;
    const found = await ask(path, 'GET', null, signal);
    if (!found) return null;
    const bytes = await readAll(found);
    kept.keep(path, bytes);
    return bytes;
  };
  return {
    async stat(path, signal) {
      const held = kept.get(path);
      const found = held ? null : await ask(path, 'HEAD', null, signal);
      if (!held && !found) return null;
      const length = found && !isEncoded(found.response) && found.response.headers.get('content-length');
      await found?.end();
      const bytes = length ? Number(length) : (held ?? (await readWhole(path, signal)))?.length;
      const modified = Date.parse(found?.response.headers.get('last-modified') ?? '');
      return bytes === undefined
        ? null
        : { bytes, modified: Number.isNaN(modified) ? null : new Date(modified), etag: null };
    },
    async read(path, range, signal) {
      const held = range === null ? null : (kept.get(path) ?? (await readPart(path, range, signal)));
      if (held && 'size' in held) return held;
      const bytes = held ?? (await readWhole(path, signal));
      return bytes && { size: bytes.length, bytes: range ? bytes.subarray(range.start, range.end) : bytes };
    },
    async stream(path, range, signal) {
      if (range === null && !kept.get(path)) {
        const found = await ask(path, 'GET', null, signal);
        return found && toStream(found);
      }
      const found = await this.read(path, range, signal);
      return found && toStream({ parts: once(found.bytes), end: async () => undefined });
    },
  };

  /** A part as it was asked for; the whole file where the host gives no parts of it; null where there is none. */
  async function readPart(
    path: string,
    range: ByteRange,
    signal?: AbortSignal,
  ): Promise<FileBytes | Uint8Array | null> {
    const found = await ask(path, 'GET', range, signal);
    if (!found) return null;
    const { response } = found;
    const said = /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(response.headers.get('content-range') ?? '');
    if (response.status === 416 && said) {
      await found.end();
      return { size: Number(said[2]), bytes: new Uint8Array(0) };
    }
    if (response.status === 206 && said && Number(said[1]) === range.start && !isEncoded(response)) {
      return { size: Number(said[2]), bytes: await readAll(found) };
    }
    if (response.status !== 200) {
      // A part of something else, such as of the compressed file: only the whole is to be trusted.
      await found.end();
      return readWhole(path, signal);
    }
    const bytes = await readAll(found);
    kept.keep(path, bytes);
    return bytes;
  }
}

/** A body that arrives: read it to its end, or end it. */
interface Arriving {
  readonly parts: AsyncIterator<Uint8Array>;
  end(): Promise<void>;
}

interface Found extends Arriving {
  readonly response: Response;
}

async function open(
  url: string,
  method: 'GET' | 'HEAD',
  range: ByteRange | null,
  silence: number,
  signal: AbortSignal | undefined,
): Promise<Found | null> {
  signal?.throwIfAborted();
  const patience = new AbortController();
  const wait = () =>
    setTimeout(() => patience.abort(new Error(`${silence / 1000} s without a byte`)), silence);
  let timer = wait();
  const stop = () => clearTimeout(timer);
  const fail = (error: unknown): never => {
    stop();
    signal?.throwIfAborted();
    throw new HostError(
      `${url} cannot be read: ${reason(patience.signal.aborted ? patience.signal.reason : error)}`,
    );
  };
  // Bytes as they are stored: parts of a compressed file are parts of something else.
  const headers: Record<string, string> = { 'Accept-Encoding': 'identity' };
  if (range) headers.Range = `bytes=${range.start}-${range.end - 1}`;
  const both = signal ? AbortSignal.any([signal, patience.signal]) : patience.signal;
  const response = await fetch(url, { method, headers, signal: both }).catch(fail);
  if (!response.ok && !(response.status === 416 && range)) {
    stop();
    await response.body?.cancel();
    if (ABSENT.has(response.status)) return null;
    throw new HostError(
      `${url} cannot be read: the host answers ${response.status} ${response.statusText}`.trim(),
    );
  }
  const reader = response.body?.getReader();
  const parts = (async function* () {
    try {
      for (;;) {
        const item = (await reader?.read().catch(fail)) ?? { done: true as const, value: undefined };
        stop();
        if (item.done) return;
        yield item.value;
        timer = wait();
      }
    } finally {
      stop();
      await reader?.cancel().catch(() => undefined);
    }
  })();
  const end = async () => {
    stop();
    await reader?.cancel().catch(() => undefined);
  };
  return { response, parts, end };
}

/** Node says "fetch failed" and hides what failed in the cause. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof AggregateError) return reason(cause.errors[0]);
  return cause instanceof Error ? reason(cause) : error.message;
}

/** What arrives was compressed on its way: its length is not the file's. */
function isEncoded(response: Response): boolean {
  return !['', 'identity'].includes(response.headers.get('content-encoding') ?? '');
}

async function readAll({ parts }: Arriving): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  let length = 0;
  for (let item = await parts.next(); !item.done; item = await parts.next()) {
    all.push(item.value);
    length += item.value.length;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of all) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function toStream({ parts, end }: Arriving): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: end,
  });
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
