/** Headers of answers. */
import { type AnswerFormat, isPaged } from '../../../build/format/documents.ts';
import { TYPES } from '../../../build/format/media-type.ts';
import { PAGES } from '../../../build/format/paths.ts';

export type Headers = Readonly<Record<string, string>>;

export const METHODS = 'GET, HEAD, OPTIONS';

/** Matches an Accept header that takes HTML; `q=0` refuses it. nginx.conf has the same pattern. */
export const ACCEPTS_HTML = /text\/html(?![^,]*;\s*q=0(\.0*)?\s*(;|,|$))/i;

export const PREFLIGHT: Readonly<Record<string, string>> = {
  Allow: METHODS,
  'Access-Control-Allow-Methods': METHODS,
  'Access-Control-Allow-Headers':
    'Accept, If-Match, If-Modified-Since, If-None-Match, If-Range, If-Unmodified-Since, Range',
  'Access-Control-Max-Age': '86400',
};

export const COMMON: Headers = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag, Last-Modified, Link, Repr-Digest, Retry-After',
  'X-Content-Type-Options': 'nosniff',
  // An address can reveal what its reader looks for.
  'Referrer-Policy': 'strict-origin-when-cross-origin',
};

/** Adds to each page's own policy what only a header can say: other sites can't frame it. */
const OWN_POLICY = "object-src 'none'; base-uri 'none'";
export const PAGE_POLICY = `frame-ancestors 'self'; ${OWN_POLICY}`;
const EMBED_POLICY = `frame-ancestors *; ${OWN_POLICY}`;

/** Empty if the file isn't a page. */
export function pagePolicy(path: string): Headers {
  if (!path.endsWith('.html')) return {};
  const embedded = path.endsWith(`/${PAGES.embed}`);
  return { 'Content-Security-Policy': embedded ? EMBED_POLICY : PAGE_POLICY };
}

export interface Validators {
  readonly etag: string;
  readonly modified: Date | null;
}

export function errorHeaders(extra: Headers = {}): Headers {
  return { ...COMMON, 'Content-Type': TYPES.json!, 'Cache-Control': 'no-store', ...extra };
}

/** The file name for saving an answer, since API URLs have no extension; none if it is read as a page. */
export function attachment(table: string, format: AnswerFormat): Headers {
  if (isPaged(format)) return {};
  return { 'Content-Disposition': `attachment; filename="${table.replaceAll('/', '-')}.${format}"` };
}
