/** Writes a tree's listings, checksums and lists of URLs, so that people can browse it and programs mirror and check it. */
import { createHash } from 'node:crypto';
import {
  digestMeta,
  type Listing,
  type ListingEntry,
  listingPage,
  listingTable,
} from '../catalog/folder-listing.ts';
import { API_ROOT, DIGEST_SLOT, isUnlisted, LISTING_SLOT, ROOT } from '../format/paths.ts';
import type { Staging } from '../tree/staging.ts';

export interface IndexOptions {
  readonly title: string;
  /** BCP 47 tag of the listings' words. */
  readonly language: string | null;
  readonly notice: string | null;
  /** Address of the tree, ending in a slash; null writes relative lists. */
  readonly baseUrl: string | null;
  /** Folders' own pages, by path. */
  readonly pages: ReadonlyMap<string, string>;
}

const INDEX = 'index.html';

/** Lists every staged file but those that hosts read and do not serve; call it after all other files are staged. */
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

/** Every folder of the files; the root is ''. */
function foldersOf(files: readonly string[]): string[] {
  const folders = new Set<string>(['']);
  for (const file of files) {
    const segments = file.split('/');
    for (let length = 1; length < segments.length; length++) folders.add(segments.slice(0, length).join('/'));
  }
  return [...folders];
}

/** `hash  path` of every staged file below a prefix, except its own list; paths are relative to the prefix. */
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
  // The page links itself, because some mirroring programs copy only what a page links.
  const entries = new Map<string, ListingEntry>([[INDEX, { name: INDEX, kind: 'file', bytes: null }]]);
  for (let i = firstAtLeast(all, prefix); i < all.length; i++) {
    const name = all[i] ?? '';
    if (!name.startsWith(prefix)) break;
    if (name === own) continue;
    const file = staging.files.get(name);
    const relative = name.slice(prefix.length);
    if (file !== undefined && !name.endsWith(ROOT.checksums)) hash.update(`${file.sha256}  ${relative}\n`);
    const slash = relative.indexOf('/');
    // Lists of checksums are written later, so their sizes are unknown here.
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

/** Inserts a folder's listing and digest into its page. */
function fillPage(page: string, listing: Listing): string {
  return page.split(DIGEST_SLOT).join(digestMeta(listing)).split(LISTING_SLOT).join(listingTable(listing));
}

/** Index of the first text of a sorted list that is at least the prefix. */
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
