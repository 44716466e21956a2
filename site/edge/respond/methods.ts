/** The methods of this service, and its answer to OPTIONS. */

export const METHODS = 'GET, HEAD, OPTIONS';

export const PREFLIGHT: Readonly<Record<string, string>> = {
  Allow: METHODS,
  'Access-Control-Allow-Methods': METHODS,
  'Access-Control-Allow-Headers':
    'Accept, If-Match, If-Modified-Since, If-None-Match, If-Range, If-Unmodified-Since, Range',
  'Access-Control-Max-Age': '86400',
};
