/** Answers that are files of the tree as they are. */
import type { PublishedFile } from '../../../build/format/manifest.ts';
import { LINKSET_TYPE, linksetPath, PAGES } from '../../../build/format/paths.ts';
import { type Answer, bodyAnswer, type Exchange } from '../answer.ts';
import { subjectKey } from '../catalog.ts';
import type { FileStat } from '../files/files.ts';
import { expectLength, type Proof } from '../files/proof.ts';
import { errorHeaders, type Headers, pagePolicy, type Validators } from './headers.ts';
import { decideRange, negotiate } from './representation.ts';

/** A file that a manifest lists. Its hash is its ETag. Throws TreeMismatch where the file is not as listed. */
export async function respondListed(
  exchange: Exchange,
  path: string,
  entry: PublishedFile,
  extra: Headers = {},
): Promise<Answer> {
  const { files, catalog, kept, incoming } = exchange;
  if (!catalog.isFixed && !kept?.get(entry.sha256))
    await expectLength(files, { path, entry }, incoming.signal);
  const validators = { etag: `"${entry.sha256}"`, modified: new Date(entry.modified) };
  return respondFile(exchange, path, entry, entry.bytes, validators, extra);
}

/**
 * A file that no manifest lists, such as a page or a manifest. Its length and time make its ETag. `sha256` is its hash in
 * the tree's checksums, null where the tree has none.
 */
export function respondUnlisted(
  exchange: Exchange,
  path: string,
  stat: FileStat,
  sha256: string | null,
  extra: Headers = {},
): Answer {
  const proof = sha256 === null ? null : { bytes: stat.bytes, sha256 };
  const tag = stat.etag ?? `${stat.bytes.toString(16)}-${(stat.modified?.getTime() ?? 0).toString(16)}`;
  const validators = { etag: `"${tag}"`, modified: stat.modified };
  return respondFile(exchange, path, proof, stat.bytes, validators, extra);
}

function respondFile(
  exchange: Exchange,
  path: string,
  proof: Proof | null,
  bytes: number,
  validators: Validators,
  more: Headers,
): Answer {
  const { incoming } = exchange;
  const extra = { 'Accept-Ranges': 'bytes', ...pagePolicy(path), ...signpost(exchange, path), ...more };
  const stored = { bytes, sha256: proof?.sha256 ?? null };
  const found = negotiate(incoming, { path, stored, validators, extra });
  if (found.settled) return found.settled;
  const { coding, headers } = found;
  const range = incoming.method === 'GET' ? decideRange(incoming.header, bytes, found.validators) : null;
  if (range === 'unsatisfiable')
    return bodyAnswer(
      416,
      errorHeaders({ 'Content-Range': `bytes */${bytes}` }),
      '{"detail":"The file has no such bytes."}\n',
    );
  if (range === null) {
    const whole = coding === null ? { ...headers, 'Content-Length': String(bytes) } : headers;
    return { kind: 'file', status: 200, headers: whole, path, range, coding, proof };
  }
  const { start, end } = range;
  const part = {
    ...headers,
    'Content-Length': String(end - start),
    'Content-Range': `bytes ${start}-${end - 1}/${bytes}`,
  };
  return { kind: 'file', status: 206, headers: part, path, range, coding: null, proof };
}

const PAGE = new RegExp(`^${PAGES.datasets}/([^/]+)/([^/]+)/`);

/**
 * Leads machines from a dataset's page, documents and files to its links (Signposting, RFC 9264). Empty for files of no
 * dataset, and where the tree has no list of links.
 */
function signpost({ tree, incoming }: Pick<Exchange, 'tree' | 'incoming'>, path: string): Headers {
  const [, ...page] = PAGE.exec(path) ?? [];
  const [domain = '', topic = ''] = page.length > 0 ? page : (subjectKey(path)?.split('/') ?? []);
  const linkset = linksetPath(domain, topic);
  return tree.files.has(linkset)
    ? { Link: `<${incoming.root}/${linkset}>; rel="linkset"; type="${LINKSET_TYPE}"` }
    : {};
}
