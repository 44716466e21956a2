/** Pages that the build renders without the explorer: style, words, and the page for unknown addresses (404). */
import { createHash } from 'node:crypto';
import { SAMPLE_NOTICE, SPANISH_SAMPLE_NOTICE } from '../format/envelope.ts';
import { API_ROOT, PAGES, pageFolderOf, ROOT } from '../format/paths.ts';
import { escapeHtml } from '../format/shown-text.ts';
import type { TreeDescription } from './tree-description.ts';

export const PLAIN_STYLE = `:root { color-scheme: light dark; }
html { background: #fff; color: #1b1e23; }
a { color: #0b57a4; }
@media (prefers-color-scheme: dark) {
html { background: #14171c; color: #e6e8eb; }
a { color: #9cc4ff; }
}
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
.notice { border-left: .3rem solid #c60; padding-left: .7rem; }`;

const EN = {
  upOneFolder: 'Up one folder',
  sample: SAMPLE_NOTICE,
  notFound: 'Not found',
  nothingHere: 'Nothing is published here',
  filesNeverMove: 'Files never move. Check the address for a typing error.',
  perhaps: 'Perhaps you meant ',
  filesAt: 'This dataset is published; its files are listed at ',
  searchLabel: 'Search data and places',
  search: 'Search',
  allDatasets: 'All datasets',
  /** All parameters except `count` are links. */
  published: (service: string, count: number, manifest: string, urls: string, api: string) =>
    `${service} publishes ${count === 1 ? 'one dataset' : `${count} datasets`}; ${manifest} and ${urls} name every file, and ${api} contains the rows.`,
  /** `link` makes a link to the places. */
  places: (link: (text: string) => string) => `${link('Places')} have pages of their own.`,
};

type PlainWords = typeof EN;

const ES: PlainWords = {
  upOneFolder: 'Subir una carpeta',
  sample: SPANISH_SAMPLE_NOTICE,
  notFound: 'No encontrado',
  nothingHere: 'Aquí no hay nada publicado',
  filesNeverMove: 'Los archivos nunca cambian de lugar. Compruebe que la dirección esté bien escrita.',
  perhaps: 'Quizá buscaba ',
  filesAt: 'Este conjunto de datos está publicado; sus archivos están en ',
  searchLabel: 'Buscar datos y lugares',
  search: 'Buscar',
  allDatasets: 'Todos los conjuntos de datos',
  published: (service, count, manifest, urls, api) =>
    `${service} publica ${count === 1 ? 'un conjunto de datos' : `${count} conjuntos de datos`}; ${manifest} y ${urls} nombran cada archivo, y ${api} contiene las filas.`,
  places: link => `${link('Los lugares')} tienen páginas propias.`,
};

/** Words for a BCP 47 tag, and the tag of the words and their numbers. English for languages without words. */
export function plainWords(tag: string | null | undefined): {
  readonly words: PlainWords;
  readonly tag: string;
} {
  return tag && /^es(-|$)/i.test(tag) ? { words: ES, tag } : { words: EN, tag: 'en' };
}

const NOT_FOUND_STYLE = `${PLAIN_STYLE}
input, button { font: inherit; padding: .3rem .6rem; max-width: 100%; }`;

/**
 * Suggests the dataset whose key is closest to the address. Edits of up to a third of the letters count as a
 * typing error. The address is never shown as markup.
 */
const suggestion = ({ filesAt, perhaps }: PlainWords) => `(function () {
  function distance(a, b) {
    var row = [], i, j, last, kept;
    for (j = 0; j <= b.length; j++) row[j] = j;
    for (i = 1; i <= a.length; i++) {
      last = row[0];
      row[0] = i;
      for (j = 1; j <= b.length; j++) {
        kept = row[j];
        row[j] = Math.min(last + (a[i - 1] === b[j - 1] ? 0 : 1), kept + 1, row[j - 1] + 1);
        last = kept;
      }
    }
    return row[b.length];
  }
  var base = document.getElementById('home').pathname.replace(/[^/]*$/, '');
  var path = location.pathname;
  if (path.indexOf(base) === 0) path = path.slice(base.length);
  path = path.replace(/^\\/*(api\\/v1\\/)?(datasets\\/)?/, '');
  var search = document.getElementById('q');
  if (search) search.value = path.replace(/%[\\dA-F]{2}|\\.\\w+$|[^A-Za-z\\d]+/g, ' ').trim().slice(0, 100);
  var asked = path.split('/').slice(0, 2).join('/').toLowerCase();
  var best = null, least = Math.max(1, Math.floor(asked.length / 3)) + 0.5;
  if (asked.length > 128) return;
  var links = document.querySelectorAll('li a');
  for (var k = 0; k < links.length; k++) {
    var found = distance(asked, links[k].getAttribute('data-key'));
    if (found < least) { least = found; best = links[k]; }
  }
  if (!best) return;
  var link = document.createElement('a');
  link.href = best.href;
  link.textContent = best.getAttribute('data-key');
  var hint = document.getElementById('hint');
  hint.textContent = least === 0 ? ${JSON.stringify(filesAt)} : ${JSON.stringify(perhaps)};
  hint.appendChild(link);
  hint.appendChild(document.createTextNode('.'));
})();`;

/**
 * The page for people who ask for what isn't published. Edges and hosts of files send it. `basePath`: the path of
 * the tree's address, with a slash at both ends.
 */
export function notFoundPage(tree: TreeDescription, basePath: string): string {
  const { sample, pages: hasPages } = tree;
  const { service, language } = tree.publisher;
  const { words, tag } = plainWords(language);
  const at = (path: string) => escapeHtml(basePath + path);
  const linkTo = (path: string, name: string, id = '') =>
    `<a${id} href="${at(path)}">${escapeHtml(name)}</a>`;
  const datasets = tree.datasets.map(({ manifest: { dataset: key }, schema: { title } }) => {
    const folder = hasPages ? pageFolderOf(key) : `${API_ROOT}/${key}/`;
    return `<li><a href="${at(folder)}" data-key="${escapeHtml(key)}">${escapeHtml(title)}</a> (${escapeHtml(key)})</li>`;
  });
  const notice = sample ? `<p class="notice">${escapeHtml(words.sample)}</p>\n` : '';
  const search = `<form role="search" action="${at('index.html')}"><p><label for="q">${words.searchLabel}</label><br>
<input id="q" type="search" size="40" name="q"> <button>${words.search}</button></p></form>\n`;
  const published = words.published(
    linkTo('index.html', service, ' id="home"'),
    datasets.length,
    linkTo(ROOT.manifest, ROOT.manifest),
    linkTo(ROOT.urls, ROOT.urls),
    linkTo(`${API_ROOT}/`, `${API_ROOT}/`),
  );
  const places = hasPages ? ` ${words.places(name => linkTo(`${PAGES.places}/`, name))}` : '';
  return plainPage({
    tag,
    head: '<meta name="robots" content="noindex">',
    title: `${words.notFound} · ${service}`,
    style: NOT_FOUND_STYLE,
    heading: words.nothingHere,
    body: `${notice}<p id="hint">${escapeHtml(words.filesNeverMove)}</p>
${hasPages ? search : ''}<h2>${words.allDatasets}</h2>
<p>${published}${places}</p>
<ul>
${datasets.join('\n')}
</ul>
`,
    script: suggestion(words),
  });
}

interface PlainPage {
  /** The language, as a BCP 47 tag. */
  readonly tag: string;
  readonly title: string;
  readonly style: string;
  readonly heading: string;
  /** HTML, like `body`. */
  readonly head: string;
  readonly body: string;
  readonly script?: string;
}

/** A page that loads nothing. Only one with a script has forms. */
export function plainPage({ tag, title, style, heading, head, body, script }: PlainPage): string {
  const scripts = script === undefined ? '' : ` script-src '${hashOf(script)}';`;
  const forms = script === undefined ? "'none'" : "'self'";
  const policy = `default-src 'none';${scripts} style-src '${hashOf(style)}'; base-uri 'none'; form-action ${forms}`;
  return `<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(heading)}</h1>
${body}</main>
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
