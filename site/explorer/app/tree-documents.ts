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

/** Throws HostError if the document can't be read or is missing. */
export async function requireDocument<Document>(path: string): Promise<Document> {
  const found = await readDocument<Document>(path);
  if (found === null) throw new HostError(`${path} is missing`, { status: 404 });
  return found;
}
