/**
 * Writes a tree's listings, checksums and lists of URLs, for people to browse it and programs to mirror and
 * check it.
 */
import { createHash } from 'node:crypto';
import { API_ROOT, DIGEST_SLOT, isUnlisted, LISTING_SLOT, ROOT } from '../format/paths.ts';
import { PLAIN_STYLE, plainWords } from '../format/plain-pages.ts';
import { escapeHtml } from '../format/shown-text.ts';
import type { Staging } from '../tree/staging.ts';

export interface IndexOptions {
  readonly title: string;
  /** BCP 47 tag of the listings' words. */
  readonly language: string | null;
  readonly notice: string | null;
  /** Address of the tree, ending in a slash; if null, the lists are relative. */
  readonly baseUrl: string | null;
  /** Folders' own pages, by path. */
  readonly pages: ReadonlyMap<string, string>;
}

const INDEX = 'index.html';

/** Call it after all other files are staged. Leaves out files that hosts read and don't serve. */
export async function writeTreeIndex(staging: Staging, options: IndexOptions): Promise<void> {
  // The lists of URLs also name the files that are written after them.
  const served = [...staging.files.keys()].filter(name => !isUnlisted(name));
  const listed = [...new Set([...served, ...options.pages.keys()])].sort(byBytes);
  const folders = foldersOf([...listed, ROOT.apiUrls]);
  const later = [
    ROOT.urls,
    ROOT.apiUrls,
    ROOT.checksums,
    ROOT.apiChecksums,
    ...folders.map(folder => join(folder, INDEX)),
  ];
  const all = [...new Set([...listed, ...later])].sort(byBytes);
  const within = `${API_ROOT}/`;
  const url = (base: string, name: string) =>
    options.baseUrl === null ? name : new URL(base + name, options.baseUrl).href;
  await staging.write(ROOT.urls, lines(all.map(name => url('', encodeURI(name)))));
  await staging.write(
    ROOT.apiUrls,
    lines(
      all
        .filter(name => name.startsWith(within))
        .map(name => url(within, encodeURI(name.slice(within.length)))),
    ),
  );
  // Deepest first: a folder's digest covers the listings below it.
  const deepest = [...folders].sort((a, b) => b.split('/').length - a.split('/').length || byBytes(b, a));
  for (const folder of deepest) {
    if (folder === '') continue;
    await writeListing(staging, folder, all, options);
  }
  await staging.write(ROOT.apiChecksums, checksums(staging, within));
  await writeListing(staging, '', all, options);
  await staging.write(ROOT.checksums, checksums(staging, ''));
}

function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function lines(list: readonly string[]): string {
  return list.map(line => `${line}\n`).join('');
}

/** Includes the root, ''. */
function foldersOf(files: readonly string[]): string[] {
  const folders = new Set<string>(['']);
  for (const file of files) {
    const segments = file.split('/');
    for (let length = 1; length < segments.length; length++) folders.add(segments.slice(0, length).join('/'));
  }
  return [...folders];
}

/**
 * `hash path` of every staged file below a prefix, except its own list. Paths are relative to the prefix.
 */
function checksums(staging: Staging, prefix: string): string {
  const own = `${prefix}${ROOT.checksums}`;
  return lines(
    [...staging.files]
      .filter(([name]) => name.startsWith(prefix) && name !== own && !isUnlisted(name))
      .sort(([a], [b]) => byBytes(a, b))
      .map(([name, file]) => `${file.sha256}  ${name.slice(prefix.length)}`),
  );
}

async function writeListing(
  staging: Staging,
  folder: string,
  all: readonly string[],
  { title, language, notice, pages }: IndexOptions,
): Promise<void> {
  const prefix = folder === '' ? '' : `${folder}/`;
  const own = `${prefix}${INDEX}`;
  const hash = createHash('sha256');
  // The page links to itself, because some mirroring programs copy only linked files.
  const entries = new Map<string, ListingEntry>([[INDEX, { name: INDEX, kind: 'file', bytes: null }]]);
  for (let i = firstAtLeast(all, prefix); i < all.length; i++) {
    const name = all[i] ?? '';
    if (!name.startsWith(prefix)) break;
    if (name === own) continue;
    const file = staging.files.get(name);
    const relative = name.slice(prefix.length);
    if (file !== undefined && !name.endsWith(ROOT.checksums)) hash.update(`${file.sha256}  ${relative}\n`);
    const slash = relative.indexOf('/');
    // Lists of checksums are written later, so their sizes aren't known yet.
    if (slash === -1) entries.set(relative, { name: relative, kind: 'file', bytes: file?.bytes ?? null });
    else
      entries.set(relative.slice(0, slash), { name: relative.slice(0, slash), kind: 'folder', bytes: null });
  }
  const listing: Listing = {
    folder,
    title,
    language,
    entries: [...entries.values()],
    digest: hash.digest('hex'),
    notice,
  };
  const page = pages.get(own);
  await staging.write(own, page === undefined ? listingPage(listing) : fillPage(page, listing));
}

function fillPage(page: string, listing: Listing): string {
  return page.split(DIGEST_SLOT).join(digestMeta(listing)).split(LISTING_SLOT).join(listingTable(listing));
}

/** Index of the first name that is at least the prefix. */
function firstAtLeast(sorted: readonly string[], prefix: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < prefix) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface ListingEntry {
  /** Without a slash. */
  readonly name: string;
  readonly kind: 'file' | 'folder';
  /** Null if unknown when the page is written. */
  readonly bytes: number | null;
}

export interface Listing {
  /** The folder's path in the tree, '' for the root. */
  readonly folder: string;
  readonly title: string;
  readonly language: string | null;
  readonly entries: readonly ListingEntry[];
  /** Digest of everything beneath the folder, so that the page changes when anything there does. */
  readonly digest: string;
  readonly notice: string | null;
}

export function digestMeta({ digest }: Pick<Listing, 'digest'>): string {
  return `<meta name="civic-digest" content="${digest}">`;
}

/** Folders first, then files, each sorted by name. */
export function listingTable({ entries, language }: Pick<Listing, 'entries' | 'language'>): string {
  // All our languages say "bytes".
  const numbers = new Intl.NumberFormat(plainWords(language).tag);
  const rows = [...entries]
    .sort((a, b) => Number(a.kind === 'file') - Number(b.kind === 'file') || (a.name < b.name ? -1 : 1))
    .map(entry => {
      const slash = entry.kind === 'folder' ? '/' : '';
      const href = encodeURIComponent(entry.name).replaceAll('%3D', '=') + slash;
      const size = entry.bytes === null ? '' : `${numbers.format(entry.bytes)} bytes`;
      return `<tr><td><a href="${escapeHtml(href)}">${escapeHtml(entry.name)}${slash}</a></td><td>${size}</td></tr>`;
    });
  return `<table>\n${rows.join('\n')}\n</table>\n`;
}

const STYLE = `${PLAIN_STYLE}
table { border-collapse: collapse; }
td { padding: .2rem 2rem .2rem 0; }
td + td { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }`;
const POLICY = ownPolicy(STYLE);

/** For a folder that has no page of its own. */
export function listingPage(listing: Listing): string {
  const { folder, title, language, notice } = listing;
  const { words, tag } = plainWords(language);
  // The root answers programs, such as mirrors, with JSON, so links to its page name the file.
  const parent = folder.includes('/') ? '../' : '../index.html';
  const up = folder === '' ? '' : `<p><a href="${parent}">${words.upOneFolder}</a></p>\n`;
  const band = notice === null ? '' : `<p class="notice">${escapeHtml(notice)}</p>\n`;
  const heading = folder === '' ? title : `/${folder}/`;
  return `<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
${digestMeta(listing)}
<title>${escapeHtml(folder === '' ? title : `${heading} · ${title}`)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(heading)}</h1>
${band}${up}${listingTable(listing)}</main>
</body>
</html>
`;
}

/** For a page that loads nothing and has its own style and perhaps its own script. */
export function ownPolicy(style: string, script: string | null = null, forms = "'none'"): string {
  const scripts = script === null ? '' : ` script-src '${hashOf(script)}';`;
  return `default-src 'none';${scripts} style-src '${hashOf(style)}'; base-uri 'none'; form-action ${forms}`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
