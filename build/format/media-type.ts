/** Media types of a tree's files, and how long caches may keep them. */
import { LINKSET, LINKSET_TYPE } from './paths.ts';

/** Another release may be published at any time, so caches ask again after five minutes. */
export const CACHE_CONTROL = 'public, max-age=300';

export const TYPES: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  cff: 'application/yaml',
  css: 'text/css; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  gz: 'application/gzip',
  html: 'text/html; charset=utf-8',
  ico: 'image/vnd.microsoft.icon',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  jsonld: 'application/ld+json',
  map: 'application/json',
  md: 'text/markdown; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
  png: 'image/png',
  sh: 'text/plain; charset=utf-8',
  sql: 'application/sql; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  webmanifest: 'application/manifest+json',
  woff2: 'font/woff2',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  yaml: 'application/yaml',
  zip: 'application/zip',
};

/** A file without an extension, such as SHA256SUMS, is text. */
export function contentType(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === LINKSET) return LINKSET_TYPE;
  const at = name.lastIndexOf('.');
  if (at < 0) return 'text/plain; charset=utf-8';
  return TYPES[name.slice(at + 1)] ?? 'application/octet-stream';
}

/** Without parameters. */
export function mediaType(path: string): string {
  return contentType(path).split(';')[0]!;
}
