/** Reads documents of the tree into a page. */
import { ABSENT, HostError, readAll, watchedFetch } from '../../edge/files/watched-fetch.ts';
import { SILENCE } from '../engine/patience.ts';

interface ReadOptions {
  readonly cache?: RequestCache;
  readonly signal?: AbortSignal;
}

/** Null if the host has no such file. Throws HostError, also if the host is silent for some seconds. */
export async function readDocument<Document>(
  root: URL,
  path: string,
  { signal, ...init }: ReadOptions = {},
): Promise<Document | null> {
  const { href } = new URL(path, root);
  const found = await watchedFetch(href, init, SILENCE, signal);
  const { ok, status } = found.response;
  if (ok) return JSON.parse(new TextDecoder().decode(await readAll(found))) as Document;
  await found.end();
  if (ABSENT.has(status)) return null;
  throw new HostError(`${href} cannot be read`, { status });
}

/** Throws HostError if the document can't be read or is missing. */
export async function requireDocument<Document>(root: URL, path: string): Promise<Document> {
  const found = await readDocument<Document>(root, path);
  if (found === null) throw new HostError(`${path} is missing`, { status: 404 });
  return found;
}
