/** The page for people who ask for what is not published: the same from every host, an edge or one of files. Pure. */
import { SAMPLE_NOTICE } from './envelope.ts';
import { API_ROOT, datasetFolder, PAGES, pageFolder, ROOT } from './paths.ts';
import { escapeHtml } from './shown-text.ts';

export const NOT_FOUND_STYLE = `:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
.notice { border-left: .3rem solid #c60; padding-left: .7rem; }
input, button { font: inherit; padding: .3rem .6rem; max-width: 100%; }`;

export interface NamedDataset {
  /** `domain/topic` */
  readonly key: string;
  readonly title: string;
}

export interface NotFoundText {
  readonly service: string;
  readonly sample: boolean;
  /** Path of the tree's root on its host, ending in a slash. */
  readonly root: string;
  /** Says what is not here. */
  readonly said: string;
  /** Datasets that may have been meant, the likeliest first. */
  readonly near: readonly NamedDataset[];
  /** What the reader may have been looking for, in words. */
  readonly words: string;
  /** Sorted by key. */
  readonly datasets: readonly NamedDataset[];
  /** Whether the tree has pages for people. */
  readonly hasPages: boolean;
  /** Content-Security-Policy. */
  readonly policy: string;
  /** Null where the host found what is near. */
  readonly script: string | null;
}

export function renderNotFound(text: NotFoundText): string {
  const { service, sample, datasets, near, hasPages, script } = text;
  const at = (path: string) => escapeHtml(text.root + path);
  const link = ({ key, title }: NamedDataset) => {
    const [domain = '', topic = ''] = key.split('/');
    const folder = hasPages ? pageFolder(domain, topic) : `${datasetFolder(domain, topic)}/`;
    return `<li><a href="${at(folder)}" data-key="${escapeHtml(key)}">${escapeHtml(title)}</a> (${escapeHtml(key)})</li>`;
  };
  const list = (some: readonly NamedDataset[]) => `<ul>\n${some.map(link).join('\n')}\n</ul>\n`;
  const notice = sample ? `<p class="notice">${escapeHtml(SAMPLE_NOTICE)}</p>\n` : '';
  const close = near.length === 0 ? '' : `<h2>Near to it</h2>\n${list(near)}`;
  const search = `<form role="search" action="${at('index.html')}"><p><label for="q">Search data and places</label><br>
<input id="q" type="search" size="40" name="q" value="${escapeHtml(text.words)}"> <button>Search</button></p></form>\n`;
  const count = datasets.length === 1 ? 'one dataset' : `${datasets.length} datasets`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${text.policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(`Not found · ${service}`)}</title>
<style>${NOT_FOUND_STYLE}</style>
</head>
<body>
<main>
<h1>Nothing is published here</h1>
${notice}<p id="hint">${escapeHtml(text.said)}</p>
${close}${hasPages ? search : ''}<h2>All datasets</h2>
<p><a id="home" href="${at('index.html')}">${escapeHtml(service)}</a> publishes ${count}; <a href="${at(ROOT.manifest)}">${ROOT.manifest}</a> and <a href="${at(ROOT.urls)}">${ROOT.urls}</a> name every file, and <a href="${at(`${API_ROOT}/`)}">${API_ROOT}/</a> contains the rows.${hasPages ? ` <a href="${at(`${PAGES.places}/`)}">Places</a> have pages of their own.` : ''}</p>
${list(datasets)}</main>
${script === null ? '' : `<script>${script}</script>\n`}</body>
</html>
`;
}
