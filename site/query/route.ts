/**
 * The path of a URL → what it names. This is syntax only: the manifest says whether such a dataset exists. Hosts that only
 * rewrite run this too, so it keeps to the language that site/edge/adapters/rewrite/rules.ts names.
 */
import { API_ROOT, isName, isReservedDomain } from '../../build/format/paths.ts';

export type Route =
  /** `/`: the service for programs, the front page for people. */
  | { readonly kind: 'service' }
  /** A document that has another name in the tree. Its parameters are ignored. */
  | { readonly kind: 'document'; readonly path: string }
  | { readonly kind: 'schema'; readonly domain: string; readonly topic: string }
  | { readonly kind: 'contract'; readonly domain: string; readonly topic: string }
  | { readonly kind: 'facts'; readonly domain: string; readonly topic: string }
  | { readonly kind: 'values'; readonly domain: string; readonly topic: string }
  | { readonly kind: 'dimension'; readonly domain: string; readonly name: string }
  | { readonly kind: 'dimension-schema'; readonly domain: string; readonly name: string }
  /** A file by its own name. */
  | { readonly kind: 'file'; readonly path: string }
  /** A folder's page. */
  | { readonly kind: 'folder'; readonly path: string }
  /** No tree has a file of this name. */
  | { readonly kind: 'unknown' };

/** A route that names a dataset or a dimension. */
export type SubjectRoute = Extract<Route, { domain: string }>;

/** The key of a dataset, `domain/topic`, or of a dimension, `domain/_dimensions/name`. */
export function routeKey(route: SubjectRoute): string {
  return route.domain + '/' + ('name' in route ? '_dimensions/' + route.name : route.topic);
}

/** Routes that contain no name of a dataset or dimension. */
export const FIXED_ROUTES = ['/', '/healthz', `/${API_ROOT}/datasets`] as const;

/** What no segment of a path in any tree has: `%` neither, so that a segment is decoded only once. */
const FOREIGN = /[^A-Za-z0-9._=+@~-]/;

const UNKNOWN: Route = { kind: 'unknown' };

/**
 * Resolves a path from a URL, percent-encoded, with its leading slash. Each segment is decoded once. A path with an
 * empty segment, `.`, `..` or a character that no published name has is unknown, so that no path leads out of the tree.
 */
export function resolveRoute(pathname: string): Route {
  if (pathname === '/' || pathname === '') return { kind: 'service' };
  if (pathname[0] !== '/') return UNKNOWN;
  const parts = pathname.slice(1).split('/');
  const folder = parts[parts.length - 1] === '';
  if (folder) parts.pop();
  const segments = parts.map(decodeSegment);
  if (segments.indexOf('') >= 0) return UNKNOWN;
  const path = segments.join('/');
  if (folder) return { kind: 'folder', path: path + '/index.html' };
  return resolveApi(segments) || { kind: 'file', path: path };
}

/** Empty where no published name has such a segment. */
function decodeSegment(part: string): string {
  let segment = part;
  try {
    segment = decodeURIComponent(part);
  } catch {
    return '';
  }
  return FOREIGN.test(segment) || segment === '.' || segment === '..' ? '' : segment;
}

/** The route of an API URL; null where the path can only be a file's name. */
function resolveApi(segments: readonly string[]): Route | null {
  if (segments.length === 1) return segments[0] === 'healthz' ? document('healthz.json') : null;
  const rest = segments.slice(2);
  if (segments[0] + '/' + segments[1] !== API_ROOT || rest.length === 0 || !rest.every(isPlain)) return null;
  return rest[0] === 'datasets' ? resolveDatasets(rest) : resolveRows(rest);
}

function resolveDatasets(rest: readonly string[]): Route | null {
  if (rest.length === 1) return document(API_ROOT + '/datasets/index.json');
  const domain = rest[1]!;
  const topic = rest[2];
  if (topic === undefined || !isName(topic)) return null;
  if (rest.length === 3) return { kind: 'schema', domain: domain, topic: topic };
  return rest.length === 4 && rest[3] === 'contract'
    ? { kind: 'contract', domain: domain, topic: topic }
    : null;
}

function resolveRows(rest: readonly string[]): Route | null {
  const domain = rest[0]!;
  const topic = rest[1];
  const third = rest[2];
  if (topic === undefined || !isName(domain) || isReservedDomain(domain)) return null;
  if (topic === '_dimensions') {
    if (third === undefined || !isName(third)) return null;
    if (rest.length === 3) return { kind: 'dimension', domain: domain, name: third };
    return rest.length === 4 && rest[3] === 'schema'
      ? { kind: 'dimension-schema', domain: domain, name: third }
      : null;
  }
  if (!isName(topic)) return null;
  if (rest.length === 2) return { kind: 'facts', domain: domain, topic: topic };
  return rest.length === 3 && third === 'values' ? { kind: 'values', domain: domain, topic: topic } : null;
}

/** Names in API URLs have neither dots nor `=`. Names of files do. */
function isPlain(segment: string): boolean {
  return segment === '_dimensions' || isName(segment);
}

function document(path: string): Route {
  return { kind: 'document', path: path };
}
