/** Reads documents of the tree into a page. */
import { ABSENT, HostError, readAll, watchedFetch } from '../../edge/files/watched-fetch.ts';
import { SILENCE } from '../engine/patience.ts';

interface ReadOptions {
  readonly cache?: RequestCache;
  readonly signal?: AbortSignal;
}

/** Null if the host has no such file. Throws HostError, also if the host is silent for some seconds. */
export async function readFile(
  root: URL,
  path: string,
  { signal, ...init }: ReadOptions = {},
): Promise<Uint8Array<ArrayBuffer> | null> {
  const { href } = new URL(path, root);
  const found = await watchedFetch(href, init, SILENCE, signal);
  const { ok, status } = found.response;
  if (ok) return readAll(found);
  await found.end();
  if (ABSENT.has(status)) return null;
  throw new HostError(`${href} cannot be read`, { status });
}

/** Like `readFile`, of JSON. */
export async function readDocument<Document>(
  root: URL,
  path: string,
  options?: ReadOptions,
): Promise<Document | null> {
  const bytes = await readFile(root, path, options);
  return bytes && (JSON.parse(new TextDecoder().decode(bytes)) as Document);
}

/** Throws HostError if the document can't be read or is missing. */
export async function requireDocument<Document>(root: URL, path: string): Promise<Document> {
  const found = await readDocument<Document>(root, path);
  if (found === null) throw new HostError(`${path} is missing`, { status: 404 });
  return found;
}
