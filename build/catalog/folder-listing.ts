/** Renders a folder's HTML page with links to its children, for people to browse and mirrors to follow. Pure. */

import { PLAIN_STYLE, plainWords } from '../format/plain-page.ts';
import { escapeHtml } from '../format/shown-text.ts';
import { ownPolicy } from './page-text.ts';

export interface ListingEntry {
  /** Name of the child, without a slash. */
  readonly name: string;
  readonly kind: 'file' | 'folder';
  /** Size of a file; null if it is unknown when the page is written. */
  readonly bytes: number | null;
}

export interface Listing {
  /** The folder's path in the tree, '' for the root. */
  readonly folder: string;
  readonly title: string;
  /** BCP 47 tag of the words and numbers. */
  readonly language: string | null;
  readonly entries: readonly ListingEntry[];
  /** Digest of everything beneath the folder, so that the page changes when anything there does. */
  readonly digest: string;
  readonly notice: string | null;
}

/** The element with the digest in the head of each folder's page. */
export function digestMeta({ digest }: Pick<Listing, 'digest'>): string {
  return `<meta name="civic-digest" content="${digest}">`;
}

/** Links to a folder's children: folders first, then files, each sorted by name. */
export function listingTable({ entries, language }: Pick<Listing, 'entries' | 'language'>): string {
  // Bytes are called so in every language that there is.
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

/** Renders the page of a folder that has no page of its own. */
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
