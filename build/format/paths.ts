/**
 * The only URL grammar: where each document and each slice is, relative to the tree's root, without a leading
 * slash. FORMAT.md has the same as a table. Imports nothing but types.
 */
import type { RowFormat } from './documents.ts';

export const API_ROOT = 'api/v1';

/** A domain, topic, dimension or detail level as it may stand in a URL and on any disk. */
const NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/** Names that a domain cannot have because the API's own routes have them. */
const RESERVED_DOMAINS = new Set(['datasets', 'index', 'openapi', 'manifest']);

/** Whether a text can be a domain, topic, dimension or level: lower-case letters, digits, `_`, `-`. */
export function isName(text: string): boolean {
  return NAME.test(text);
}

export function isReservedDomain(name: string): boolean {
  return RESERVED_DOMAINS.has(name);
}

/** Root documents. */
export const ROOT = {
  service: 'index.json',
  health: 'healthz.json',
  manifest: 'manifest.json',
  checksums: 'SHA256SUMS',
  urls: 'urls.txt',
  openapi: 'openapi.json',
  datasets: `${API_ROOT}/datasets/index.json`,
  apiChecksums: `${API_ROOT}/SHA256SUMS`,
  apiUrls: `${API_ROOT}/urls.txt`,
  duckdb: `${API_ROOT}/duckdb.sql`,
  catalog: 'data.json',
  dataPackage: 'datapackage.json',
  citation: 'CITATION.cff',
  dataCite: 'datacite.json',
  roCrate: 'ro-crate-metadata.json',
  llms: 'llms.txt',
  robots: 'robots.txt',
  sitemap: 'sitemap.xml',
  mirror: 'mirror.sh',
  feed: 'feed.xml',
  jsonFeed: 'feed.json',
  notes: 'release-notes.md',
  notFound: '404.html',
  rewriting: 'rewriting.txt',
} as const;

/** People's pages, and what they load. */
export const PAGES = {
  assets: 'assets',
  datasets: 'datasets',
  places: 'places',
  sql: 'sql',
  api: 'api',
  /** The edge in the reader's browser; at the root, since it answers all beneath its own folder. */
  worker: 'service-worker.js',
  search: 'search.json',
} as const;

/** Folder of a dataset's page, ending in a slash. */
export function pageFolder(domain: string, topic: string): string {
  return `${PAGES.datasets}/${domain}/${topic}/`;
}

/** Where a folder's page takes in the links to all that the folder holds, so that mirrors can follow them. */
export const LISTING_SLOT = '<!--listing-->';

/** In the head of a folder's page: where it takes in the digest of all beneath the folder. */
export const DIGEST_SLOT = '<!--digest-->';

/**
 * A host's own instructions, at the tree's root. The host reads them and serves them to nobody, so neither checksums nor
 * listings name them: a mirror could not fetch them.
 */
export const UNLISTED = { noJekyll: '.nojekyll', headers: '_headers' } as const;

export function isUnlisted(path: string): boolean {
  return path === UNLISTED.noJekyll || path === UNLISTED.headers;
}

export const SLICE_EXTENSION = { json: 'json', csv: 'csv', parquet: 'parquet' } as const satisfies Record<
  RowFormat,
  string
>;

/**
 * A host that keeps releases has each one's tree at `releases/{release}/` for good, and `current` says which is online:
 * a link to its folder on a disk, its name as a text in a bucket.
 */
export const RELEASES = 'releases';
export const CURRENT = 'current';

const RELEASE = /^\d{4}-\d{2}-\d{2}-[0-9a-f]{8}$/;

/** Whether a text is the release of a tree: its date and eight digits of its content's hash. */
export function isRelease(text: string): boolean {
  return RELEASE.test(text);
}

export function releaseFolder(release: string): string {
  return `${RELEASES}/${release}`;
}

/** `name.json`, `name.page-2.json`, …: pages count from 1. */
export function pageName(base: string, format: RowFormat, page = 1): string {
  return page === 1
    ? `${base}.${SLICE_EXTENSION[format]}`
    : `${base}.page-${page}.${SLICE_EXTENSION[format]}`;
}

/** Documents about a dataset that stand where its rows do. */
export function datasetFolder(domain: string, topic: string): string {
  return `${API_ROOT}/${domain}/${topic}`;
}

export function sliceFolder(domain: string, topic: string, year: number): string {
  return `${datasetFolder(domain, topic)}/year=${year}`;
}

export function slicePath(
  domain: string,
  topic: string,
  year: number,
  detail: string,
  format: RowFormat,
  page = 1,
): string {
  return `${sliceFolder(domain, topic, year)}/${pageName(detail, format, page)}`;
}

/** A file of a slice's rows, by what its path says. */
export interface SliceFile {
  readonly domain: string;
  readonly topic: string;
  readonly year: number;
  readonly detail: string;
  readonly format: RowFormat;
  readonly page: number;
}

const SLICE_FILE = new RegExp(
  `^${API_ROOT}/([^/]+)/([^/]+)/year=(\\d{1,4})/([^/.]+)(?:\\.page-(\\d{1,9}))?\\.(json|csv|parquet)$`,
);

/** What a path names; null where slicePath() writes no such path. */
export function parseSlicePath(path: string): SliceFile | null {
  const [, domain = '', topic = '', year, detail = '', page = '1', format] = SLICE_FILE.exec(path) ?? [];
  const file = { domain, topic, year: Number(year), detail, format: format as RowFormat, page: Number(page) };
  return slicePath(domain, topic, file.year, detail, file.format, file.page) === path ? file : null;
}

export function historyPath(domain: string, topic: string, detail: string): string {
  return `${datasetFolder(domain, topic)}/history/${detail}.parquet`;
}

export function valuesPath(domain: string, topic: string): string {
  return `${datasetFolder(domain, topic)}/values.json`;
}

export function qualityPath(domain: string, topic: string): string {
  return `${datasetFolder(domain, topic)}/quality.json`;
}

export function errataPath(domain: string, topic: string): string {
  return `${datasetFolder(domain, topic)}/errata.json`;
}

export function datasetManifestPath(domain: string, topic: string): string {
  return `${datasetFolder(domain, topic)}/manifest.json`;
}

export function schemaFolder(domain: string, topic: string): string {
  return `${API_ROOT}/datasets/${domain}/${topic}`;
}

export function schemaPath(domain: string, topic: string): string {
  return `${schemaFolder(domain, topic)}/index.json`;
}

export function contractPath(domain: string, topic: string, form: 'yaml' | 'json'): string {
  return `${schemaFolder(domain, topic)}/contract.${form}`;
}

/** The dataset for search engines: schema.org/Dataset. */
export function jsonLdPath(domain: string, topic: string): string {
  return `${schemaFolder(domain, topic)}/jsonld.json`;
}

export function croissantPath(domain: string, topic: string): string {
  return `${schemaFolder(domain, topic)}/croissant.json`;
}

export function dimensionFolder(domain: string, name: string): string {
  return `${API_ROOT}/${domain}/_dimensions/${name}`;
}

export function dimensionSchemaPath(domain: string, name: string): string {
  return `${dimensionFolder(domain, name)}/schema.json`;
}

export function dimensionManifestPath(domain: string, name: string): string {
  return `${dimensionFolder(domain, name)}/manifest.json`;
}

export function dimensionRowsPath(domain: string, name: string, format: RowFormat, page = 1): string {
  return `${dimensionFolder(domain, name)}/${pageName('rows', format, page)}`;
}

/** The API's own URLs, absolute paths as the specification writes them. */
export const route = {
  facts: (domain: string, topic: string) => `/${datasetFolder(domain, topic)}`,
  values: (domain: string, topic: string) => `/${datasetFolder(domain, topic)}/values`,
  schema: (domain: string, topic: string) => `/${schemaFolder(domain, topic)}`,
  dimension: (domain: string, name: string) => `/${dimensionFolder(domain, name)}`,
} as const;

/** Whether a filter's value can stand in a list of a query, where commas divide. */
export function isListable(value: string): boolean {
  return value !== '' && !value.includes(',');
}

/** `to` as a link from a document at `from`; both relative to the tree's root. */
export function relativeLink(from: string, to: string): string {
  const base = from.split('/').slice(0, -1);
  const target = to.split('/');
  let shared = 0;
  while (shared < base.length && shared < target.length - 1 && base[shared] === target[shared]) shared++;
  return [...base.slice(shared).map(() => '..'), ...target.slice(shared)].join('/');
}
