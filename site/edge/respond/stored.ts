/** Answers that are files of the tree. */
import type { PublishedFile } from '../../../build/format/manifest.ts';
import { LINKSET_TYPE, linksetPath, PAGES } from '../../../build/format/paths.ts';
import { type Answer, type Body, begin, bodyAnswer, type Exchange } from '../answer.ts';
import { subjectKey } from '../catalog.ts';
import { type ByteRange, type FileStat, TreeMismatch } from '../files/files.ts';
import { type ListedFile, readListed, streamListed } from '../files/proof.ts';
import { type Headers, pagePolicy, type Validators } from './headers.ts';
import { refuse } from './refusal.ts';
import { decideRange, negotiate, reprDigest } from './representation.ts';

/** `sha256`: null if nothing proves the bytes. */
type StoredFile = ListedFile | { readonly path: string; readonly bytes: number; readonly sha256: null };

/** A file listed in a manifest; its hash is its ETag. Throws TreeMismatch if it isn't as listed. */
export function respondListed(exchange: Exchange, file: PublishedFile, extra: Headers = {}): Promise<Answer> {
  const validators = { etag: `"${file.sha256}"`, modified: new Date(file.modified) };
  return respondFile(exchange, file, validators, extra);
}

/**
 * A page or a manifest, whose length and time make its ETag. `sha256`: from the tree's checksums; null if it
 * has none.
 */
export function respondUnlisted(
  exchange: Exchange,
  path: string,
  { bytes, modified, etag }: FileStat,
  sha256: string | null,
  extra: Headers = {},
): Promise<Answer> {
  const tag = etag ?? `${bytes.toString(16)}-${(modified?.getTime() ?? 0).toString(16)}`;
  return respondFile(exchange, { path, bytes, sha256 }, { etag: `"${tag}"`, modified }, extra);
}

async function respondFile(
  exchange: Exchange,
  file: StoredFile,
  validators: Validators,
  more: Headers,
): Promise<Answer> {
  const { files, codings, incoming } = exchange;
  const { path, bytes } = file;
  const extra = { 'Accept-Ranges': 'bytes', ...pagePolicy(path), ...signpost(exchange, path), ...more };
  const found = negotiate(exchange, { path, stored: file, validators, extra });
  if (found.settled) return found.settled;
  const { coding, headers } = found;
  const range = incoming.method === 'GET' ? decideRange(incoming.header, bytes, found.validators) : null;
  if (range === 'unsatisfiable')
    return refuse(416, 'The file has no such bytes.', { 'Content-Range': `bytes */${bytes}` });
  const isSent = incoming.method === 'GET';
  if (coding && codings && file.sha256 !== null) {
    if (!isSent) return bodyAnswer(200, headers);
    // Not cancelled with this reader: others may wait for it.
    const read = () => readListed(files, file, { start: 0, end: bytes });
    const coded = await codings.encodeFile(file.sha256, coding, read);
    return bodyAnswer(200, { ...headers, ...reprDigest(coded.sha256) }, coded.bytes);
  }
  const { start, end } = range ?? { start: 0, end: bytes };
  const sent = {
    ...headers,
    'Content-Length': String(end - start),
    ...(range && { 'Content-Range': `bytes ${start}-${end - 1}/${bytes}` }),
  };
  const body = isSent ? await openFile(exchange, file, range) : null;
  return { status: range ? 206 : 200, headers: sent, body };
}

/** Larger files aren't kept, and a reader holds one part at a time. */
const SMALL_BYTES = 256 << 10;

/** Each part is checked. Throws TreeMismatch. */
async function openFile(
  { files, kept, step, incoming: { signal } }: Exchange,
  file: StoredFile,
  range: ByteRange | null,
): Promise<Body> {
  // A tree without a list of hashes can't be checked.
  if (file.sha256 === null) {
    const found = await files.read(file.path, range, signal);
    if (!found) throw new TreeMismatch(file.path, 'no longer exists');
    return found.bytes;
  }
  if (kept === null || file.bytes > SMALL_BYTES)
    return begin(streamListed(files, file, range ?? { start: 0, end: file.bytes }, signal, step), 0);
  const bytes =
    kept.get(file.sha256) ?? (await readListed(files, file, { start: 0, end: file.bytes }, signal));
  kept.keep(file.sha256, bytes, bytes.length);
  return range ? bytes.subarray(range.start, range.end) : bytes;
}

const PAGE = new RegExp(`^${PAGES.datasets}/([^/]+)/([^/]+)/`);

/**
 * Links a dataset's page, documents and files to its linkset (Signposting, RFC 9264). Empty for other files,
 * and in trees without linksets.
 */
function signpost({ tree, incoming }: Pick<Exchange, 'tree' | 'incoming'>, path: string): Headers {
  const [, ...page] = PAGE.exec(path) ?? [];
  const [domain = '', topic = ''] = page.length > 0 ? page : (subjectKey(path)?.split('/') ?? []);
  const linkset = linksetPath(domain, topic);
  return tree.files.has(linkset)
    ? { Link: `<${incoming.root}/${linkset}>; rel="linkset"; type="${LINKSET_TYPE}"` }
    : {};
}
