/** Which coding, version and bytes of an answer a reader gets. RFC 9110, sections 8.4 and 12 to 14. */
import { CACHE_CONTROL, contentType } from '../../../build/format/media-type.ts';
import {
  type Answer,
  type Body,
  bodyAnswer,
  type Coding,
  type Exchange,
  type HeaderReader,
} from '../answer.ts';
import type { ByteRange } from '../files/files.ts';
import { inBase64, sha256 } from '../files/sha256.ts';
import { COMMON, type Headers, type Validators } from './headers.ts';
import { refuse } from './refusal.ts';

interface Representation {
  /** Its extension decides the type. */
  readonly path: string;
  /** Null for a computed answer, whose coding is chosen before it is made. */
  readonly stored: { readonly bytes: number; readonly sha256: string | null } | null;
  /** Before coding. */
  readonly validators: Validators;
  readonly extra?: Headers;
}

interface Negotiated {
  /** Null: not coded. */
  readonly coding: Coding | null;
  readonly headers: Headers;
  /** After coding. */
  readonly validators: Validators;
  /** The whole answer if the request's conditions decide it; null if the body must be sent. */
  readonly settled: Answer | null;
}

type Negotiating = Pick<Exchange, 'incoming' | 'codings'>;

/** Reads nothing, so a reader with the current version costs nothing more. */
export function negotiate(
  { incoming, codings }: Negotiating,
  { path, stored, validators: { etag: plain, modified }, extra = {} }: Representation,
): Negotiated {
  const type = contentType(path);
  const isChosen = codings !== null && COMPRESSED.test(type) && (!stored || isCodable(stored));
  // Ranges are of the stored bytes.
  const isWhole = incoming.header('range') === null;
  const coding = isChosen && isWhole ? bestCoding(incoming.header('accept-encoding'), codings.offered) : null;
  const varies = [
    ...(extra.Vary === undefined ? [] : [extra.Vary]),
    ...(isChosen ? ['Accept-Encoding'] : []),
  ];
  // Each coding is another representation and has its own tag.
  const etag = coding === null ? plain : `${plain.slice(0, -1)}-${coding}"`;
  const validators = { etag, modified };
  const headers = {
    ...COMMON,
    'Content-Type': type,
    'Cache-Control': CACHE_CONTROL,
    ETag: etag,
    ...(modified && { 'Last-Modified': modified.toUTCString() }),
    ...extra,
    ...(varies.length > 0 && { Vary: varies.join(', ') }),
    ...(coding ? { 'Content-Encoding': coding } : stored?.sha256 ? reprDigest(stored.sha256) : {}),
  };
  return { coding, headers, validators, settled: answerConditions(incoming.header, validators, headers) };
}

export async function sendBody(
  { codings }: Negotiating,
  { coding, headers }: Negotiated,
  body: Body,
  more: Headers = {},
): Promise<Answer> {
  const coded = coding && codings ? await codings.encode(body, coding) : body;
  return bodyAnswer(200, { ...headers, ...more }, coded);
}

/** A made answer whose hash is its ETag. */
export async function sendText(
  exchange: Negotiating,
  path: string,
  text: string,
  extra: Headers = {},
): Promise<Answer> {
  const body = new TextEncoder().encode(text);
  const validators = { etag: `"${(await sha256(body)).slice(0, 32)}"`, modified: null };
  const found = negotiate(exchange, { path, stored: null, validators, extra });
  return found.settled ?? sendBody(exchange, found, body);
}

/** Types worth compressing. Parquet and archives are compressed already. */
export const COMPRESSED =
  /^(text\/|application\/(json|ld\+json|linkset\+json|yaml|sql|xml|x-ndjson|manifest\+json|wasm)|image\/svg)/;

/** A smaller file fits into one packet, and a larger one would take seconds. */
const LEAST_BYTES = 1000;
const MOST_BYTES = 16 << 20;

/** Coded files are kept by hash. */
function isCodable({ bytes, sha256 }: NonNullable<Representation['stored']>): boolean {
  return sha256 !== null && bytes >= LEAST_BYTES && bytes <= MOST_BYTES;
}

/** The reader's preferred coding; among equals the host's. */
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

/** RFC 9530: the hash of the whole representation, also for a range. `sha256`: hexadecimal. */
export function reprDigest(sha256: string): Headers {
  return { 'Repr-Digest': `sha-256=:${inBase64(sha256)}:` };
}

const CHANGED =
  'This version is not the one that If-Match or If-Unmodified-Since names. Request it without that header.';

/**
 * 304 if the reader has this version, 412 if the request requires another, null if the answer must be sent.
 * RFC 9110, 13.2.2, gives the order of the conditions.
 */
function answerConditions(
  header: HeaderReader,
  { etag, modified }: Validators,
  headers: Headers,
): Answer | null {
  const match = header('if-match');
  const unmodified = readDate(header('if-unmodified-since'));
  // A weak tag doesn't promise the same bytes.
  if (match !== null ? !matchesTag(match, etag) : isLater(modified, unmodified))
    return refuse(412, CHANGED, { ETag: etag });
  const tags = header('if-none-match');
  const since = readDate(header('if-modified-since'));
  const isKnown =
    tags !== null
      ? matchesTag(tags, etag) || matchesTag(tags, `W/${etag}`)
      : since !== null && modified !== null && !isLater(modified, since);
  if (!isKnown) return null;
  // The headers that a 304 repeats from its 200.
  const {
    'Content-Type': _type,
    'Content-Encoding': _coding,
    'Content-Disposition': _name,
    ...kept
  } = headers;
  return bodyAnswer(304, kept);
}

/** Null for the whole file, which several ranges or a malformed one also mean. */
export function decideRange(
  header: HeaderReader,
  size: number,
  validators: Validators,
): ByteRange | 'unsatisfiable' | null {
  const text = header('range');
  if (text === null || !isRangeCurrent(header('if-range'), validators)) return null;
  const [, first = '', last = ''] = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(text) ?? [];
  if (first === '' && last === '') return null;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  return start < end ? { start, end } : 'unsatisfiable';
}

/** If-Range has the strong ETag, or exactly the date. */
function isRangeCurrent(condition: string | null, { etag, modified }: Validators): boolean {
  if (condition === null) return true;
  const text = condition.trim();
  if (text.startsWith('"')) return text === etag;
  return modified !== null && readDate(text) === wholeSeconds(modified);
}

function matchesTag(tags: string, etag: string): boolean {
  return tags.trim() === '*' || tags.split(',').some(tag => tag.trim() === etag);
}

/** False if either date is unknown. */
function isLater(modified: Date | null, than: number | null): boolean {
  return modified !== null && than !== null && wholeSeconds(modified) > than;
}

/** RFC 9110, 5.6.7: the current form, and two obsolete ones that a server must understand. */
const DATES = [
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];

/** Milliseconds since 1970; null if the text isn't an HTTP date. */
function readDate(text: string | null): number | null {
  const given = text?.trim() ?? '';
  if (!DATES.some(form => form.test(given))) return null;
  const time = Date.parse(given.endsWith('GMT') ? given : `${given} GMT`);
  return Number.isNaN(time) ? null : time;
}

/** Dates in headers have whole seconds. */
function wholeSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000) * 1000;
}
