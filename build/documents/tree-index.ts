/**
 * Writes a tree's listings, checksums and lists of URLs, for people to browse it and programs to mirror and
 * check it.
 */
import { createHash } from 'node:crypto';
import { treeNotice } from '../format/envelope.ts';
import { API_ROOT, DIGEST_SLOT, isUnlisted, LISTING_SLOT, ROOT } from '../format/paths.ts';
import { escapeHtml } from '../format/shown-text.ts';
import type { Staging } from '../tree/staging.ts';
import { PLAIN_STYLE, plainPage, plainWords } from './plain-pages.ts';
import { type TreeDescription, textOf } from './tree-description.ts';

const INDEX = 'index.html';

/** `pages`: folders' own pages, by path. */
type Indexed = Pick<TreeDescription, 'publisher' | 'sample' | 'extract' | 'baseUrl'> & {
  readonly pages: ReadonlyMap<string, string>;
};

/** Call it after all other files are staged. Leaves out files that hosts read and don't serve. */
export async function writeTreeIndex(staging: Staging, tree: Indexed): Promise<void> {
  const served = [...staging.files.keys()].filter(name => !isUnlisted(name));
  const listed = [...served, ...tree.pages.keys()];
  const folders = [...filesByFolder([...listed, ROOT.apiUrls]).keys()];
  // The lists of URLs also name the files that are written after them.
  const later = [
    ROOT.urls,
    ROOT.apiUrls,
    ROOT.checksums,
    ROOT.apiChecksums,
    ...folders.map(folder => prefixOf(folder) + INDEX),
  ];
  const all = [...new Set([...listed, ...later])].sort();
  const beneath = filesByFolder(all);
  const within = prefixOf(API_ROOT);
  const urls = (names: readonly string[], base: string) =>
    textOf(
      names
        .map(name => encodeURI(name.slice(base.length)))
        .map(name => (tree.baseUrl === null ? name : new URL(base + name, tree.baseUrl).href)),
    );
  await staging.write(ROOT.urls, urls(all, ''));
  await staging.write(ROOT.apiUrls, urls(beneath.get(API_ROOT) ?? [], within));
  // A folder comes after those within it, because its digest covers their listings.
  for (const folder of folders.sort().reverse())
    if (folder !== '') await writeListing(staging, folder, beneath.get(folder) ?? [], tree);
  await staging.write(ROOT.apiChecksums, checksums(staging, within));
  await writeListing(staging, '', all, tree);
  await staging.write(ROOT.checksums, checksums(staging, ''));
}

function prefixOf(folder: string): string {
  return folder === '' ? '' : `${folder}/`;
}

/** All files beneath each folder; the root is ''. */
function filesByFolder(files: readonly string[]): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const segments = file.split('/');
    for (let length = 0; length < segments.length; length++) {
      const folder = segments.slice(0, length).join('/');
      const found = folders.get(folder);
      if (found) found.push(file);
      else folders.set(folder, [file]);
    }
  }
  return folders;
}

/** `hash  path` of every staged file below a prefix, except its own list. Paths are relative to the prefix. */
function checksums(staging: Staging, prefix: string): string {
  const own = `${prefix}${ROOT.checksums}`;
  return textOf(
    [...staging.files.keys()]
      .filter(name => name.startsWith(prefix) && name !== own && !isUnlisted(name))
      .sort()
      .map(name => `${staging.files.get(name)?.sha256}  ${name.slice(prefix.length)}`),
  );
}

/** `names`: all files beneath the folder, sorted. */
async function writeListing(
  staging: Staging,
  folder: string,
  names: readonly string[],
  tree: Indexed,
): Promise<void> {
  const prefix = prefixOf(folder);
  // Covers everything beneath the folder, so that the page changes when anything there does.
  const hash = createHash('sha256');
  const folders = new Set<string>();
  // With the page itself, because some mirroring programs copy only linked files.
  const files: (readonly [name: string, bytes: number | undefined])[] = [];
  for (const name of names) {
    // The page and lists of checksums are written later, so their sizes aren't known yet.
    const file = staging.files.get(name);
    const relative = name.slice(prefix.length);
    if (file !== undefined && !name.endsWith(ROOT.checksums)) hash.update(`${file.sha256}  ${relative}\n`);
    const slash = relative.indexOf('/');
    if (slash === -1) files.push([relative, file?.bytes]);
    else folders.add(relative.slice(0, slash));
  }
  const digest = `<meta name="civic-digest" content="${hash.digest('hex')}">`;
  // All our languages say "bytes".
  const numbers = new Intl.NumberFormat(plainWords(tree.publisher.language).tag);
  const row = (name: string, slash: string, size: string) => {
    const href = encodeURIComponent(name).replaceAll('%3D', '=') + slash;
    return `<tr><td><a href="${escapeHtml(href)}">${escapeHtml(name)}${slash}</a></td><td>${size}</td></tr>\n`;
  };
  const rows = [
    ...[...folders].sort().map(name => row(name, '/', '')),
    ...files.map(([name, bytes]) =>
      row(name, '', bytes === undefined ? '' : `${numbers.format(bytes)} bytes`),
    ),
  ];
  const table = `<table>\n${rows.join('')}</table>\n`;
  const own = prefix + INDEX;
  const page = tree.pages.get(own) ?? listingPage(folder, tree);
  await staging.write(own, page.split(DIGEST_SLOT).join(digest).split(LISTING_SLOT).join(table));
}

const STYLE = `${PLAIN_STYLE}
table { border-collapse: collapse; }
td { padding: .2rem 2rem .2rem 0; }
td + td { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }`;

/** For a folder that has no page of its own. */
function listingPage(folder: string, { publisher, sample, extract }: Indexed): string {
  const { words, tag } = plainWords(publisher.language);
  const title = publisher.service;
  const notice = treeNotice(sample, extract, words.sample);
  // The root answers programs, such as mirrors, with JSON, so links to its page name the file.
  const parent = folder.includes('/') ? '../' : '../index.html';
  const up = folder === '' ? '' : `<p><a href="${parent}">${words.upOneFolder}</a></p>\n`;
  const band = notice === null ? '' : `<p class="notice">${escapeHtml(notice)}</p>\n`;
  const heading = folder === '' ? title : `/${folder}/`;
  return plainPage({
    tag,
    head: DIGEST_SLOT,
    title: folder === '' ? title : `${heading} · ${title}`,
    style: STYLE,
    heading,
    body: `${band}${up}${LISTING_SLOT}`,
  });
}
