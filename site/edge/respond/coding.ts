/** Content codings: which one a reader gets, and of which answers. RFC 9110, sections 8.4 and 12.5.3. */
import type { Answer, Coding, Incoming } from '../answer.ts';
import { contentType, type Headers } from './headers.ts';

/** Types that are worth compressing. Parquet and archives are compressed already. */
export const COMPRESSED =
  /^(text\/|application\/(json|ld\+json|linkset\+json|yaml|sql|xml|x-ndjson|manifest\+json|wasm)|image\/svg)/;

/** A smaller file fits into one packet anyhow. */
const LEAST_BYTES = 1000;

/** A larger file would take seconds to compress. */
const MOST_BYTES = 16 << 20;

export interface CodingChoice {
  /** Null: as stored. */
  readonly coding: Coding | null;
  /** What the answer varies by; empty where it has no other coding. */
  readonly vary: Headers;
}

/** Ranges are of the stored bytes. `bytes` is null for an answer made of rows, whose coding is chosen before it is made. */
export function chooseCoding(
  { codings, header }: Incoming,
  path: string,
  bytes: number | null,
): CodingChoice {
  const fits =
    (bytes === null || (bytes >= LEAST_BYTES && bytes <= MOST_BYTES)) && COMPRESSED.test(contentType(path));
  if (!codings || !fits) return { coding: null, vary: {} };
  const coding = header('range') === null ? bestCoding(header('accept-encoding'), codings.offered) : null;
  return { coding, vary: { Vary: 'Accept-Encoding' } };
}

/** The coding that the reader likes best; of those that it likes as much, the one that the host offers first. */
export function bestCoding(accepted: string | null, offered: readonly Coding[]): Coding | null {
  if (accepted === null) return null;
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map(text => text.trim());
    const weight = parameters.map(text => /^q=(\d(?:\.\d{1,3})?)$/.exec(text)?.[1]).find(Boolean);
    weights.set(name === 'x-gzip' ? 'gzip' : name, Number(weight ?? 1));
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const best = Math.max(...offered.map(weightOf));
  if (best <= 0 || best < (weights.get('identity') ?? 0)) return null;
  return offered.find(name => weightOf(name) === best) ?? null;
}

/** An answer made of rows, in the coding that its reader gets. A refusal is short, and stays as it is. */
export async function codeAnswer(
  answer: Answer,
  { coding, vary }: CodingChoice,
  { codings }: Incoming,
): Promise<Answer> {
  if (answer.kind !== 'body' || answer.status !== 200) return answer;
  const { 'Content-Length': _length, ...headers } = answer.headers;
  if (coding === null || !codings || answer.body === null)
    return { ...answer, headers: { ...answer.headers, ...vary } };
  const body = await codings.encode(answer.body, coding);
  return {
    ...answer,
    headers: {
      ...headers,
      ...vary,
      ...(headers.ETag !== undefined && { ETag: codedTag(headers.ETag, coding) }),
      'Content-Encoding': coding,
      ...(body instanceof Uint8Array && { 'Content-Length': String(body.length) }),
    },
    body,
  };
}

/** Another coding is another representation, and has a tag of its own. */
export function codedTag(etag: string, coding: Coding | null): string {
  return coding === null ? etag : `${etag.slice(0, -1)}-${coding}"`;
}

/** RFC 9530: the hash of the whole representation, of a range too. `sha256` is in hexadecimal digits. */
export function reprDigest(sha256: string): Headers {
  const bytes = sha256.match(/../g)?.map(pair => Number.parseInt(pair, 16)) ?? [];
  return { 'Repr-Digest': `sha-256=:${btoa(String.fromCharCode(...bytes))}:` };
}
