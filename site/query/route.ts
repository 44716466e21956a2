/**
 * URL path → route. Syntax only: the manifest says whether a dataset exists. Hosts that only rewrite run this
 * too, so it keeps to the language that site/edge/adapters/rewrite/rules.ts names.
 */
import { API_ROOT, isName, isReservedDomain } from '../../build/format/paths.ts';

export type Route =
  /** `/`: the service document for programs, the front page for people. */
  | { readonly kind: 'service' }
  /** A document with another name in the tree; its parameters are ignored. */
  | { readonly kind: 'document'; readonly path: string }
  | {
      readonly kind: 'schema' | 'contract' | 'facts' | 'values';
      readonly domain: string;
      readonly topic: string;
    }
  | { readonly kind: 'dimension' | 'dimension-schema'; readonly domain: string; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string }
  /** No tree has a file of this name. */
  | { readonly kind: 'unknown' };

export type SubjectRoute = Extract<Route, { domain: string }>;

/** `domain/topic`, or `domain/_dimensions/name`. */
export function routeKey(route: SubjectRoute): string {
  return route.domain + '/' + ('name' in route ? '_dimensions/' + route.name : route.topic);
}

export const FIXED_ROUTES = ['/', '/healthz', `/${API_ROOT}/datasets`] as const;

/** No published path has these characters. `%` is among them, so a segment is decoded only once. */
const FOREIGN = /[^A-Za-z0-9._=+@~-]/;

const UNKNOWN: Route = { kind: 'unknown' };

/**
 * `pathname`: percent-encoded, with its leading slash. A path with an empty segment, `.`, `..` or a character
 * that no published name has is unknown, so no path leads out of the tree.
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

/** Empty if no published name has such a segment. */
function decodeSegment(part: string): string {
  let segment = part;
  try {
    segment = decodeURIComponent(part);
  } catch {
    return '';
  }
  return FOREIGN.test(segment) || segment === '.' || segment === '..' ? '' : segment;
}

/** `*` is a name. */
const DATASETS = {
  'datasets/*/*': 'schema',
  'datasets/*/*/contract': 'contract',
  '*/*': 'facts',
  '*/*/values': 'values',
} as const;
const DIMENSIONS = { '*/_dimensions/*': 'dimension', '*/_dimensions/*/schema': 'dimension-schema' } as const;

/** Null if the path can only be a file's name. */
function resolveApi(segments: readonly string[]): Route | null {
  const path = segments.join('/');
  if (path === 'healthz') return { kind: 'document', path: 'healthz.json' };
  if (path === API_ROOT + '/datasets') return { kind: 'document', path: path + '/index.json' };
  const rest = segments.slice(2);
  if (segments[0] + '/' + segments[1] !== API_ROOT) return null;
  const dataset = findPattern(DATASETS, rest);
  const dimension = findPattern(DIMENSIONS, rest);
  const at = dataset && dataset.indexOf('datasets/') === 0 ? 1 : 0;
  const domain = rest[at]!;
  if (at === 0 && isReservedDomain(domain)) return null;
  if (dataset) return { kind: DATASETS[dataset], domain: domain, topic: rest[at + 1]! };
  return dimension ? { kind: DIMENSIONS[dimension], domain: domain, name: rest[2]! } : null;
}

function findPattern<Pattern extends string>(
  patterns: Readonly<Record<Pattern, string>>,
  segments: readonly string[],
): Pattern | undefined {
  return (Object.keys(patterns) as Pattern[]).filter(pattern => {
    const parts = pattern.split('/');
    return (
      parts.length === segments.length &&
      parts.every((part, index) => (part === '*' ? isName(segments[index]!) : part === segments[index]))
    );
  })[0];
}
