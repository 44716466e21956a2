/** The page for people who ask for what is not published: the same from every host, an edge or one of files. Pure. */
import { API_ROOT, datasetFolder, PAGES, pageFolder, ROOT } from './paths.ts';
import { PLAIN_STYLE, plainWords } from './plain-page.ts';
import { escapeHtml } from './shown-text.ts';

export const NOT_FOUND_STYLE = `${PLAIN_STYLE}
input, button { font: inherit; padding: .3rem .6rem; max-width: 100%; }`;

export interface NamedDataset {
  /** `domain/topic` */
  readonly key: string;
  readonly title: string;
}

export interface NotFoundText {
  readonly service: string;
  /** BCP 47 tag. */
  readonly language: string | null | undefined;
  readonly sample: boolean;
  /** Path of the tree's root on its host, ending in a slash. */
  readonly root: string;
  /** Says what is not here, and what to do. */
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
  const { words, tag } = plainWords(text.language);
  const at = (path: string) => escapeHtml(text.root + path);
  const linkTo = (path: string, name: string, id = '') =>
    `<a${id} href="${at(path)}">${escapeHtml(name)}</a>`;
  const link = ({ key, title }: NamedDataset) => {
    const [domain = '', topic = ''] = key.split('/');
    const folder = hasPages ? pageFolder(domain, topic) : `${datasetFolder(domain, topic)}/`;
    return `<li><a href="${at(folder)}" data-key="${escapeHtml(key)}">${escapeHtml(title)}</a> (${escapeHtml(key)})</li>`;
  };
  const list = (some: readonly NamedDataset[]) => `<ul>\n${some.map(link).join('\n')}\n</ul>\n`;
  const notice = sample ? `<p class="notice">${escapeHtml(words.sample)}</p>\n` : '';
  const close = near.length === 0 ? '' : `<h2>${words.near}</h2>\n${list(near)}`;
  const search = `<form role="search" action="${at('index.html')}"><p><label for="q">${words.searchLabel}</label><br>
<input id="q" type="search" size="40" name="q" value="${escapeHtml(text.words)}"> <button>${words.search}</button></p></form>\n`;
  const published = words.published(
    linkTo('index.html', service, ' id="home"'),
    datasets.length,
    linkTo(ROOT.manifest, ROOT.manifest),
    linkTo(ROOT.urls, ROOT.urls),
    linkTo(`${API_ROOT}/`, `${API_ROOT}/`),
  );
  const places = hasPages ? ` ${words.places(name => linkTo(`${PAGES.places}/`, name))}` : '';
  return `<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${text.policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(`${words.notFound} · ${service}`)}</title>
<style>${NOT_FOUND_STYLE}</style>
</head>
<body>
<main>
<h1>${words.nothingHere}</h1>
${notice}<p id="hint">${escapeHtml(text.said)}</p>
${close}${hasPages ? search : ''}<h2>${words.allDatasets}</h2>
<p>${published}${places}</p>
${list(datasets)}</main>
${script === null ? '' : `<script>${script}</script>\n`}</body>
</html>
`;
}
