/**
 * 404.html, for hosts that show a page of the tree for a missing file. It suggests the dataset that was probably meant.
 * Pure.
 */
import { SAMPLE_NOTICE } from '../format/envelope.ts';
import { API_ROOT, datasetFolder, ROOT } from '../format/paths.ts';
import type { HostSite } from './host-site.ts';
import { escapeHtml, ownPolicy } from './page-text.ts';

const STYLE = `:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
.notice { border-left: .3rem solid #c60; padding-left: .7rem; }`;

/**
 * Suggests the dataset whose key is closest to the address. Edits of up to a third of the letters count as a typing
 * error. The page never shows the address as markup.
 */
const SCRIPT = `(function () {
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
  hint.textContent = least === 0 ? 'This dataset is published; its files are listed at ' : 'Perhaps you meant ';
  hint.appendChild(link);
  hint.appendChild(document.createTextNode('.'));
})();`;

export function notFoundPage({ publisher, sample, basePath, datasets }: HostSite): string {
  const at = (path: string) => escapeHtml(basePath + path);
  const items = datasets.map(({ key, title }) => {
    const [domain = '', topic = ''] = key.split('/');
    return `<li><a href="${at(`${datasetFolder(domain, topic)}/`)}" data-key="${escapeHtml(key)}">${escapeHtml(title)}</a> (${escapeHtml(key)})</li>`;
  });
  const notice = sample ? `<p class="notice">${escapeHtml(SAMPLE_NOTICE)}</p>\n` : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${ownPolicy(STYLE, SCRIPT)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(`Not found · ${publisher.service}`)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Nothing is published here</h1>
${notice}<p id="hint">Files never move. Check the address for a typing error.</p>
<p>This host serves files as they are stored. <a id="home" href="${at('index.html')}">${escapeHtml(publisher.service)}</a> publishes ${datasets.length === 1 ? 'one dataset' : `${datasets.length} datasets`}; <a href="${at(ROOT.manifest)}">${ROOT.manifest}</a> and <a href="${at(ROOT.urls)}">${ROOT.urls}</a> name every file, and <a href="${at(`${API_ROOT}/`)}">${API_ROOT}/</a> contains the rows.</p>
<ul>
${items.join('\n')}
</ul>
<script>${SCRIPT}</script>
</body>
</html>
`;
}
