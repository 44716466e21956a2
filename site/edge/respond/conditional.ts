/** Conditional requests and ranges: RFC 9110, sections 13 and 14. */
import type { ErrorDocument } from '../../../build/format/documents.ts';
import { type BodyAnswer, bodyAnswer, type HeaderReader, type Incoming } from '../answer.ts';
import type { ByteRange } from '../files/files.ts';
import { errorHeaders, type Headers, notModifiedHeaders, type Validators } from './headers.ts';

/**
 * 304 where the reader already has this version, 412 where the request is for another one; null where the answer must
 * be sent.
 */
export function answerConditions(
  incoming: Incoming,
  validators: Validators,
  headers: Headers,
): BodyAnswer | null {
  const judged = judgeConditions(incoming.header, validators);
  switch (judged) {
    case 'send':
      return null;
    case 'not-modified':
      return bodyAnswer(304, notModifiedHeaders(headers));
    case 'failed':
      return bodyAnswer(412, errorHeaders({ ETag: validators.etag }), `${JSON.stringify(CHANGED)}\n`);
    default:
      return judged satisfies never;
  }
}

const CHANGED: ErrorDocument = {
  detail:
    'This version is not the one that If-Match or If-Unmodified-Since names. Request it without that header.',
};

/** What the conditions of a request decide. RFC 9110, 13.2.2, gives their order. */
export type Precondition = 'send' | 'not-modified' | 'failed';

export function judgeConditions(header: HeaderReader, { etag, modified }: Validators): Precondition {
  const match = header('if-match');
  const unmodified = readDate(header('if-unmodified-since'));
  if (match !== null ? !matchesStrongTag(match, etag) : isLater(modified, unmodified)) return 'failed';
  const tags = header('if-none-match');
  if (tags !== null) return matchesTag(tags, etag) ? 'not-modified' : 'send';
  const since = readDate(header('if-modified-since'));
  return since === null || modified === null || isLater(modified, since) ? 'send' : 'not-modified';
}

export type RangeDecision =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly range: ByteRange }
  | { readonly kind: 'unsatisfiable' };

const WHOLE: RangeDecision = { kind: 'whole' };

/** The bytes of a file that a request asks for. Several ranges, or a malformed one, mean the whole file. */
export function decideRange(header: HeaderReader, size: number, validators: Validators): RangeDecision {
  const text = header('range');
  if (text === null || !isRangeCurrent(header('if-range'), validators)) return WHOLE;
  const match = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(text);
  if (!match) return WHOLE;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return WHOLE;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return WHOLE;
  return start < end ? { kind: 'part', range: { start, end } } : { kind: 'unsatisfiable' };
}

/** If-Range names the strong ETag, or exactly the date. */
function isRangeCurrent(condition: string | null, { etag, modified }: Validators): boolean {
  if (condition === null) return true;
  const text = condition.trim();
  if (text.startsWith('"')) return text === etag;
  return modified !== null && readDate(text) === wholeSeconds(modified);
}

function matchesTag(tags: string, etag: string): boolean {
  if (tags.trim() === '*') return true;
  const wanted = etag.replace(/^W\//, '');
  return tags.split(',').some(tag => tag.trim().replace(/^W\//, '') === wanted);
}

/** A weak tag never matches, since it does not promise the same bytes. */
function matchesStrongTag(tags: string, etag: string): boolean {
  return tags.trim() === '*' || tags.split(',').some(tag => tag.trim() === etag);
}

/** False where either date is unknown. */
function isLater(modified: Date | null, than: number | null): boolean {
  return modified !== null && than !== null && wholeSeconds(modified) > than;
}

/** RFC 9110, 5.6.7: the current form, and two obsolete forms that a server must understand. */
const DATES = [
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];

/** Milliseconds since 1970; null where the text is not an HTTP date. */
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
