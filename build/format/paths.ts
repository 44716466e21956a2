/**
 * The grammar of URLs: the path of each document and slice, relative to the tree's root and without a leading
 * slash. Section 1 of FORMAT.md has the same as a table.
 */
import { ROW_FORMATS, type RowFormat } from './documents.ts';

export const API_ROOT = 'api/v1';

/** Valid in URLs and on any disk. */
const NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/** The API's own routes use these names. */
const RESERVED_DOMAINS = ['datasets', 'index', 'openapi', 'manifest'];

/** Whether a text can be a domain, topic, dimension or level: lower-case letters, digits, `_`, `-`. */
export function isName(text: string): boolean {
  return NAME.test(text);
}

export function isReservedDomain(name: string): boolean {
  return RESERVED_DOMAINS.indexOf(name) >= 0;
}

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

/** Pages for people, and the files that they load. */
export const PAGES = {
  assets: 'assets',
  datasets: 'datasets',
  places: 'places',
  sql: 'sql',
  api: 'api',
  /** Checks figures against their hashes and the signed log. */
  check: 'check',
  /** Shows one figure with all that is known about it: `#domain/topic?` and the parameters of its address. */
  figure: 'figure',
  /**
   * The edge in the reader's browser. It is at the root because it answers everything beneath its own folder.
   */
  worker: 'service-worker.js',
  search: 'search.json',
  /** In a dataset's folder: a page that other sites may show in a frame. */
  embed: 'embed.html',
  /** In a dataset's folder: the picture that link previews show. */
  preview: 'preview.png',
  /** In a dataset's folder: how other sites show its page, if the build knows the tree's address. */
  oEmbed: 'oembed.json',
} as const;

/** `key` is `domain/topic`. */
export function pageFolderOf(key: string): string {
  return `${PAGES.datasets}/${key}/`;
}

/** Placeholder in a folder's page for links to the folder's children, which mirrors follow. */
export const LISTING_SLOT = '<!--listing-->';

/** Placeholder in a folder's page for the digest of everything beneath the folder. */
export const DIGEST_SLOT = '<!--digest-->';

/**
 * A host's own instructions, at the tree's root. The host doesn't serve them, so a mirror couldn't fetch
 * them, and neither checksums nor listings name them.
 */
export const UNLISTED = { noJekyll: '.nojekyll', headers: '_headers' } as const;

export function isUnlisted(path: string): boolean {
  return path === UNLISTED.noJekyll || path === UNLISTED.headers;
}

/**
 * A host that keeps releases has each tree permanently at `releases/{release}/`. `current` says which one is
 * online: on a disk it links to the release's folder, in a bucket it is a text with the release's name.
 */
export const RELEASES = 'releases';
export const CURRENT = 'current';

const RELEASE = /^\d{4}-\d{2}-\d{2}-[0-9a-f]{8}$/;

/** `2026-11-21-3f9a2b7c`: the date, and eight digits of a hash of the content. */
export function isRelease(text: string): boolean {
  return RELEASE.test(text);
}

/** The hidden folder in which builds work, next to a tree's folder `name`. */
export function workspaceName(name: string): string {
  return `.${name}.civic`;
}

/** Where the earlier tree is while a build replaces it in two steps. */
export const PREVIOUS = 'previous';

export function releaseFolder(release: string): string {
  return `${RELEASES}/${release}`;
}

/** `name.json`, `name.page-2.json`, and so on. Pages count from 1. */
export function pageName(base: string, format: RowFormat, page = 1): string {
  return page === 1 ? `${base}.${format}` : `${base}.page-${page}.${format}`;
}

/** The folder of a dataset's rows, and of the documents next to them. */
export function datasetFolder(domain: string, topic: string): string {
  return `${API_ROOT}/${domain}/${topic}`;
}

/** The year of the slices of a dataset without time. No dataset has a year 0. */
export const NO_YEAR = 0;

/** The level of a dataset whose contract and files name none. */
export const ONLY_LEVEL = 'all';

/** `year=2024`, or `all` in a dataset without time. */
export function yearSegment(year: number): string {
  return year === NO_YEAR ? 'all' : `year=${year}`;
}

export function slicePath(
  domain: string,
  topic: string,
  year: number,
  detail: string,
  format: RowFormat,
  page = 1,
): string {
  return `${datasetFolder(domain, topic)}/${yearSegment(year)}/${pageName(detail, format, page)}`;
}

export interface SliceFile {
  readonly domain: string;
  readonly topic: string;
  readonly year: number;
  readonly detail: string;
  readonly format: RowFormat;
  readonly page: number;
}

const SLICE_FILE =
  /^api\/v1\/([^/]+)\/([^/]+)\/(?:year=(\d{1,4})|all)\/([^/.]+)(?:\.page-(\d{1,9}))?\.(\w+)$/;

/** Parses a path that slicePath() writes; null for any other path. */
export function parseSlicePath(path: string): SliceFile | null {
  const [, domain = '', topic = '', year = NO_YEAR, detail = '', page = '1', ending] =
    SLICE_FILE.exec(path) ?? [];
  const format = ROW_FORMATS.find(one => one === ending);
  if (format === undefined) return null;
  const file = { domain, topic, year: Number(year), detail, format, page: Number(page) };
  return slicePath(domain, topic, file.year, detail, file.format, file.page) === path ? file : null;
}

/**
 * Files with the rows of slices in other orders. Data tools skip folders whose names begin with an
 * underscore.
 */
export const COPIES = '_copies';

/**
 * A copy by place has all years; a copy by a column has years from `first` on. If the column's name isn't
 * valid in a path, its position is used.
 */
export function copyPath(
  domain: string,
  topic: string,
  detail: string,
  by: { readonly name: string; readonly position: number; readonly first: number } | null,
): string {
  const folder = `${datasetFolder(domain, topic)}/${COPIES}`;
  if (by === null) return `${folder}/${detail}.parquet`;
  const name = NAME.test(by.name) ? by.name : `column.${by.position}`;
  return `${folder}/${detail}.${name}.${by.first === NO_YEAR ? 'all' : by.first}.parquet`;
}

export function statisticsPath(domain: string, topic: string, detail: string): string {
  return `${datasetFolder(domain, topic)}/statistics/${detail}.json`;
}

/** `folder`: that of the manifest. */
export function changesPath(folder: string): string {
  return `${folder}/changes.json`;
}

/** `folder`: that of the manifest. */
export function datasetFeedPath(folder: string): string {
  return `${folder}/feed.xml`;
}

/** The dataset of a feed, `domain/topic`; null for every other path. */
export function parseDatasetFeed(path: string): string | null {
  const [, key = null] = /^api\/v1\/([^/]+\/[^/]+)\/feed\.xml$/.exec(path) ?? [];
  return key;
}

/**
 * Files of earlier releases, relative to a table's manifest. Data tools skip folders whose names begin with
 * an underscore.
 */
export const PAST = '_past';

/** The description of a table until a release. */
export function pastDescription(release: string): string {
  return `${PAST}/${release}.json`;
}

/**
 * The Parquet file of a slice of an earlier release: `name` is its earlier path. All are in one folder,
 * because the listing of a folder for each year would be as large as a small file.
 */
export function pastFile(name: string, sha256: string): string {
  const stem = name.replace(/\.parquet$/, '').replaceAll('/', '.');
  return `${PAST}/${stem}.${sha256.slice(0, 12)}.parquet`;
}

export function schemaFolder(domain: string, topic: string): string {
  return `${API_ROOT}/datasets/${domain}/${topic}`;
}

export function contractPath(domain: string, topic: string, form: 'yaml' | 'json'): string {
  return `${schemaFolder(domain, topic)}/contract.${form}`;
}

export const LINKSET = 'linkset.json';
export const LINKSET_TYPE = 'application/linkset+json';

export function dimensionFolder(domain: string, name: string): string {
  return `${API_ROOT}/${domain}/_dimensions/${name}`;
}

type PathOf = (domain: string, name: string) => string;

/** The path of a document in the folder of each dataset or dimension. */
function inEach(folder: PathOf, file: string): PathOf {
  return (domain, name) => `${folder(domain, name)}/${file}`;
}

// The marks let bundles drop the paths that they don't use.
export const datasetManifestPath = /* @__PURE__ */ inEach(datasetFolder, 'manifest.json');
export const valuesPath = /* @__PURE__ */ inEach(datasetFolder, 'values.json');
export const qualityPath = /* @__PURE__ */ inEach(datasetFolder, 'quality.json');
export const errataPath = /* @__PURE__ */ inEach(datasetFolder, 'errata.json');
export const schemaPath = /* @__PURE__ */ inEach(schemaFolder, 'index.json');
export const jsonLdPath = /* @__PURE__ */ inEach(schemaFolder, 'jsonld.json');
export const croissantPath = /* @__PURE__ */ inEach(schemaFolder, 'croissant.json');
/** The dataset for people and language models, in Markdown. */
export const markdownPath = /* @__PURE__ */ inEach(schemaFolder, 'index.md');
export const linksetPath = /* @__PURE__ */ inEach(schemaFolder, LINKSET);
export const dimensionSchemaPath = /* @__PURE__ */ inEach(dimensionFolder, 'schema.json');
/** TopoJSON; absent if the map can't draw the dimension. */
export const dimensionShapesPath = /* @__PURE__ */ inEach(dimensionFolder, 'shapes.json');

/** The API's own URLs, as absolute paths. */
export const route = {
  facts: (domain: string, topic: string) => `/${datasetFolder(domain, topic)}`,
  values: (domain: string, topic: string) => `/${datasetFolder(domain, topic)}/values`,
  schema: (domain: string, topic: string) => `/${schemaFolder(domain, topic)}`,
  dimension: (domain: string, name: string) => `/${dimensionFolder(domain, name)}`,
} as const;

/** The link from the document at `from` to `to`; both paths are relative to the tree's root. */
export function relativeLink(from: string, to: string): string {
  const base = from.split('/').slice(0, -1);
  const target = to.split('/');
  let shared = 0;
  while (shared < base.length && shared < target.length - 1 && base[shared] === target[shared]) shared++;
  return [...base.slice(shared).map(() => '..'), ...target.slice(shared)].join('/');
}
