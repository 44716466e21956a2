/** Conditional requests and ranges: RFC 9110, sections 13 and 14. */
import type { ByteRange } from './files.ts';
import type { Validators } from './headers.ts';

/** A request's header, by its lower-case name; null where it has none. */
export type HeaderReader = (name: string) => string | null;

/** Whether the reader already has this. If-None-Match, where given, decides alone. */
export function isNotModified(header: HeaderReader, { etag, modified }: Validators): boolean {
  const tags = header('if-none-match');
  if (tags !== null) return matchesTag(tags, etag);
  const since = header('if-modified-since');
  return since !== null && modified !== null && isNotAfter(modified, since);
}

export type RangeDecision =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly range: ByteRange }
  | { readonly kind: 'unsatisfiable' };

const WHOLE: RangeDecision = { kind: 'whole' };

/** Which bytes of a file of `size` bytes a request is for. Several ranges, or one that is not understood: the whole. */
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

/** If-Range: the strong ETag, or exactly the date. */
function isRangeCurrent(condition: string | null, { etag, modified }: Validators): boolean {
  if (condition === null) return true;
  const text = condition.trim();
  if (text.startsWith('"')) return text === etag;
  return modified !== null && Date.parse(text) === wholeSeconds(modified);
}

function matchesTag(tags: string, etag: string): boolean {
  if (tags.trim() === '*') return true;
  const wanted = etag.replace(/^W\//, '');
  return tags.split(',').some(tag => tag.trim().replace(/^W\//, '') === wanted);
}

function isNotAfter(modified: Date, since: string): boolean {
  const time = Date.parse(since);
  return !Number.isNaN(time) && wholeSeconds(modified) <= time;
}

/** Dates in headers have no fractions. */
function wholeSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000) * 1000;
}
