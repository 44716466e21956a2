/** Answers that are files of the tree as they are. */
import type { PublishedFile } from '../../build/format/manifest.ts';
import { type Answer, answerConditions, bodyAnswer, type Incoming } from './answer.ts';
import { decideRange } from './conditional.ts';
import { type FileStat, type Files, statListed } from './files.ts';
import { answerHeaders, contentType, errorHeaders, type Headers, type Validators } from './headers.ts';

/** A file that a manifest lists: its hash is its ETag. Throws TreeMismatch where the file is not as listed. */
export async function answerListed(
  files: Files,
  incoming: Incoming,
  path: string,
  entry: PublishedFile,
  extra: Headers = {},
): Promise<Answer> {
  await statListed(files, { path, entry }, incoming.signal);
  const validators = { etag: `"${entry.sha256}"`, modified: new Date(entry.modified) };
  return answerFile(incoming, path, entry.bytes, validators, extra);
}

/** A file that no manifest lists (a page, a manifest itself): its length and time are its ETag. */
export function answerUnlisted(
  incoming: Incoming,
  path: string,
  stat: FileStat,
  extra: Headers = {},
): Answer {
  const tag = stat.etag ?? `${stat.bytes.toString(16)}-${(stat.modified?.getTime() ?? 0).toString(16)}`;
  return answerFile(incoming, path, stat.bytes, { etag: `"${tag}"`, modified: stat.modified }, extra);
}

function answerFile(
  incoming: Incoming,
  path: string,
  bytes: number,
  validators: Validators,
  extra: Headers,
): Answer {
  const headers = answerHeaders(contentType(path), validators, { 'Accept-Ranges': 'bytes', ...extra });
  const conditional = answerConditions(incoming, validators, headers);
  if (conditional) return conditional;
  const decision =
    incoming.method === 'GET' ? decideRange(incoming.header, bytes, validators) : { kind: 'whole' as const };
  switch (decision.kind) {
    case 'whole':
      return {
        kind: 'file',
        status: 200,
        headers: { ...headers, 'Content-Length': String(bytes) },
        path,
        range: null,
      };
    case 'part': {
      const { start, end } = decision.range;
      const range = `bytes ${start}-${end - 1}/${bytes}`;
      const part = { ...headers, 'Content-Length': String(end - start), 'Content-Range': range };
      return { kind: 'file', status: 206, headers: part, path, range: decision.range };
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
