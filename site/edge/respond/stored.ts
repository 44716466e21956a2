/** Answers that are files of the tree as they are. */
import type { PublishedFile } from '../../../build/format/manifest.ts';
import type { StoredPlan } from '../../query/plan.ts';
import { type Answer, bodyAnswer, type Incoming } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import type { FileStat } from '../files/files.ts';
import { type Proof, statListed } from '../files/proof.ts';
import { chooseCoding, codedTag, reprDigest } from './coding.ts';
import { answerConditions, decideRange } from './conditional.ts';
import {
  answerHeaders,
  attachment,
  contentType,
  errorHeaders,
  type Headers,
  pagePolicy,
  type Validators,
} from './headers.ts';
import { signpost } from './signpost.ts';

/** The file that holds exactly the rows of the question. */
export function respondStored(exchange: Exchange, plan: StoredPlan): Promise<Answer> {
  const { path, entry } = plan.file;
  return respondListed(exchange, path, entry, {
    ...signpost(exchange, path),
    ...attachment(plan.table.name, plan.request.format),
  });
}

/** A file that a manifest lists. Its hash is its ETag. Throws TreeMismatch where the file is not as listed. */
export async function respondListed(
  { files, catalog, kept, incoming }: Exchange,
  path: string,
  entry: PublishedFile,
  extra: Headers = {},
): Promise<Answer> {
  if (!catalog.isFixed && !kept?.get(entry.sha256)) await statListed(files, { path, entry }, incoming.signal);
  const validators = { etag: `"${entry.sha256}"`, modified: new Date(entry.modified) };
  return respondFile(incoming, path, entry, entry.bytes, validators, extra);
}

/**
 * A file that no manifest lists, such as a page or a manifest. Its length and time make its ETag. `sha256` is its hash in
 * the tree's checksums, null where the tree has none.
 */
export function respondUnlisted(
  incoming: Incoming,
  path: string,
  stat: FileStat,
  sha256: string | null,
  extra: Headers = {},
): Answer {
  const proof = sha256 === null ? null : { bytes: stat.bytes, sha256 };
  const tag = stat.etag ?? `${stat.bytes.toString(16)}-${(stat.modified?.getTime() ?? 0).toString(16)}`;
  const validators = { etag: `"${tag}"`, modified: stat.modified };
  return respondFile(incoming, path, proof, stat.bytes, validators, extra);
}

function respondFile(
  incoming: Incoming,
  path: string,
  proof: Proof | null,
  bytes: number,
  stored: Validators,
  extra: Headers,
): Answer {
  const { coding, vary } = proof ? chooseCoding(incoming, path, bytes) : { coding: null, vary: {} };
  const validators = { etag: codedTag(stored.etag, coding), modified: stored.modified };
  const headers = answerHeaders(contentType(path), validators, {
    'Accept-Ranges': 'bytes',
    ...pagePolicy(path),
    ...extra,
    ...joinVary(extra, vary),
    ...(proof && coding === null && reprDigest(proof.sha256)),
    ...(coding && { 'Content-Encoding': coding }),
  });
  const settled = answerConditions(incoming, validators, headers);
  if (settled) return settled;
  const decision =
    incoming.method === 'GET' ? decideRange(incoming.header, bytes, validators) : { kind: 'whole' as const };
  switch (decision.kind) {
    case 'whole': {
      const whole = coding === null ? { ...headers, 'Content-Length': String(bytes) } : headers;
      return { kind: 'file', status: 200, headers: whole, path, range: null, coding, proof };
    }
    case 'part': {
      const { start, end } = decision.range;
      const range = `bytes ${start}-${end - 1}/${bytes}`;
      const part = { ...headers, 'Content-Length': String(end - start), 'Content-Range': range };
      return { kind: 'file', status: 206, headers: part, path, range: decision.range, coding: null, proof };
    }
    case 'unsatisfiable':
      return bodyAnswer(
        416,
        errorHeaders({ 'Content-Range': `bytes */${bytes}` }),
        '{"detail":"The file has no such bytes."}\n',
      );
    default:
      return decision satisfies never;
  }
}

function joinVary(extra: Headers, { Vary }: Headers): Headers {
  return Vary === undefined ? {} : { Vary: extra.Vary === undefined ? Vary : `${extra.Vary}, ${Vary}` };
}
