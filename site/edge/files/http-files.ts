/**
 * A tree at an address: any web server or mirror, with or without an edge. Reads ask for ranges. If the host
 * ignores ranges or compresses files, a read fetches the whole file once and cuts it here.
 */
import type { ByteRange, FileBytes, Files } from './files.ts';
import { Kept } from './kept.ts';
import { ABSENT, type Found, HostError, readAll, watchedFetch } from './watched-fetch.ts';

export { HostError };

interface HttpOptions {
  /** Milliseconds without a byte after which a read gives up. */
  readonly silence?: number;
  /** Whole files from hosts without ranges. Several readers can share it. */
  readonly kept?: Kept<Uint8Array>;
  /** Whether to read a file whole even if a part is wanted. */
  readonly isWhole?: (path: string) => boolean;
  /** Called with the number of bytes as they arrive. */
  readonly onBytes?: (bytes: number) => void;
  readonly cache?: RequestCache;
}

const SILENCE = 60_000;
const KEPT_BYTES = 512 << 20;

/** `base`: the http(s) address of a tree's root. */
export function createHttpFiles(base: string, options: HttpOptions = {}): Files {
  const root = base.endsWith('/') ? base : `${base}/`;
  const { silence = SILENCE, kept = new Kept(KEPT_BYTES), isWhole, onBytes, cache } = options;

  /** Null if there is no such file. */
  const ask = async (
    path: string,
    method: 'GET' | 'HEAD',
    range: ByteRange | null,
    signal?: AbortSignal,
  ): Promise<Found | null> => {
    const url = root + path.split('/').map(encodeURIComponent).join('/');
    // A range of a compressed file would be other bytes.
    const headers: Record<string, string> = { 'Accept-Encoding': 'identity' };
    if (range) headers.Range = `bytes=${range.start}-${range.end - 1}`;
    const found = await watchedFetch(url, { method, headers, ...(cache && { cache }) }, silence, signal);
    const { ok, status, statusText } = found.response;
    if (ok || (status === 416 && range)) return found;
    await found.end();
    if (ABSENT.has(status)) return null;
    throw new HostError(`${url} cannot be read: the host answers ${status} ${statusText}`.trim(), { status });
  };
  const keepWhole = async (path: string, found: Found): Promise<Uint8Array> => {
    const bytes = await readAll(found, onBytes);
    kept.keep(path, bytes, bytes.length);
    return bytes;
  };
  /** Simultaneous reads of one file share a fetch, unless their signals differ. */
  const arriving = new Map<
    string,
    { readonly signal: unknown; readonly whole: Promise<Uint8Array | null> }
  >();
  const readWhole = async (path: string, signal?: AbortSignal): Promise<Uint8Array | null> => {
    const held = kept.get(path);
    if (held) return held;
    const other = arriving.get(path);
    if (other?.signal === signal && other) return other.whole;
    const whole = ask(path, 'GET', null, signal).then(found => found && keepWhole(path, found));
    if (other) return whole;
    arriving.set(path, { signal, whole });
    return whole.finally(() => arriving.delete(path));
  };
  /** Whether the host compresses parts: browsers refuse a compressed part and report only a failure. */
  let partless = false;
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
        : { bytes, modified: Number.isNaN(modified) ? null : new Date(modified), etag: readTag(found) };
    },
    async read(path, range, signal) {
      const part = range !== null && !isWhole?.(path) && !kept.get(path) ? range : null;
      const found = part && (await readPart(path, part, signal));
      if (found && 'size' in found) return found;
      const bytes = found ?? (await readWhole(path, signal));
      return bytes && { size: bytes.length, bytes: range ? bytes.subarray(range.start, range.end) : bytes };
    },
  };

  /** The part, or the whole file if the host sends no parts; null if there is no such file. */
  async function readPart(
    path: string,
    range: ByteRange,
    signal?: AbortSignal,
  ): Promise<FileBytes | Uint8Array | null> {
    const found = partless ? 'failed' : await ask(path, 'GET', range, signal).catch(orFailed);
    if (found === 'failed') {
      const whole = await readWhole(path, signal);
      partless = true;
      return whole;
    }
    if (!found) return null;
    const { response } = found;
    const said = /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(response.headers.get('content-range') ?? '');
    if (response.status === 416 && said) {
      await found.end();
      return { size: Number(said[2]), bytes: new Uint8Array(0) };
    }
    if (response.status === 206 && said && Number(said[1]) === range.start && !isEncoded(response)) {
      return { size: Number(said[2]), bytes: await readAll(found, onBytes) };
    }
    if (response.status !== 200) {
      // This can be a part of the compressed file, so only the whole file can be trusted.
      await found.end();
      return readWhole(path, signal);
    }
    return keepWhole(path, found);
  }
}

/** Marks a host that broke off. Nothing is read again after silence, or if the reader hung up. */
function orFailed(error: unknown): 'failed' {
  if (error instanceof HostError && error.silence === null) return 'failed';
  throw error;
}

function readTag(found: Found | null): string | null {
  return found?.response.headers.get('etag')?.replace(/^W\/|"/g, '') ?? null;
}

function isEncoded(response: Response): boolean {
  return !['', 'identity'].includes(response.headers.get('content-encoding') ?? '');
}
