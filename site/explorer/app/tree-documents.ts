/** Reads documents of the tree into a page. */
import { ABSENT, HostError, readAll, watchedFetch } from '../../edge/files/watched-fetch.ts';
import { SILENCE } from '../engine/patience.ts';
import { root } from '../view/tree-root.ts';

interface ReadOptions {
  readonly cache?: RequestCache;
  readonly signal?: AbortSignal;
  /** The root of another tree. */
  readonly from?: URL;
}

/** Null if the host has no such file. Throws HostError, also if the host is silent for some seconds. */
export async function readFile(
  path: string,
  { signal, from = root, ...init }: ReadOptions = {},
): Promise<Uint8Array<ArrayBuffer> | null> {
  const { href } = new URL(path, from);
  const found = await watchedFetch(href, init, SILENCE, signal);
  const { ok, status } = found.response;
  if (ok) return readAll(found);
  await found.end();
  if (ABSENT.has(status)) return null;
  throw new HostError(`${href} cannot be read`, { status });
}

/** Like `readFile`, of JSON. */
export async function readDocument<Document>(path: string, options?: ReadOptions): Promise<Document | null> {
  const bytes = await readFile(path, options);
  return bytes && (JSON.parse(new TextDecoder().decode(bytes)) as Document);
}

const known = new Map<string, Promise<unknown>>();

/**
 * Reads a document of JSON once; after a failure, the next call tries again. Throws HostError if it can't be read, and
 * `missing` if it doesn't exist.
 */
export function requireDocument<Document>(
  path: string,
  missing: Error = new HostError(`${path} is missing`, { status: 404 }),
): Promise<Document> {
  const found =
    known.get(path) ??
    readDocument(path).then(document => {
      if (document === null) throw missing;
      return document;
    });
  known.set(path, found);
  found.catch(() => known.delete(path));
  return found as Promise<Document>;
}
