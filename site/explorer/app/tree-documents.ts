/** Reads documents of the tree into a page. */
import { createHttpFiles, type HttpOptions } from '../../edge/files/http-files.ts';
import { SILENCE } from '../engine/patience.ts';

interface ReadOptions extends Pick<HttpOptions, 'cache'> {
  readonly signal?: AbortSignal;
}

/** Null if the host has no such file. Throws HostError, after some seconds if the host is silent. */
export async function readDocument<Document>(
  root: URL,
  path: string,
  { signal, ...options }: ReadOptions = {},
): Promise<Document | null> {
  const found = await createHttpFiles(root.href, { silence: SILENCE, kept: 0, ...options }).read(
    path,
    null,
    signal,
  );
  return found && (JSON.parse(new TextDecoder().decode(found.bytes)) as Document);
}
