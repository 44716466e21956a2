/** Hosts of plain files: any, and GitHub Pages. 404.html suggests the dataset that was probably meant. */
import { ownPolicy } from '../documents/tree-index.ts';
import { ROOT, UNLISTED } from '../format/paths.ts';
import { NOT_FOUND_STYLE, type PlainWords, plainWords, renderNotFound } from '../format/plain-pages.ts';
import { type HostProfile, NO_LIMITS } from './host-profile.ts';

/**
 * Suggests the dataset whose key is closest to the address. Edits of up to a third of the letters count as a
 * typing error. The address is never shown as markup.
 */
const script = ({ filesAt, perhaps }: PlainWords) => `(function () {
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

export const generic = {
  name: 'generic',
  limits: NO_LIMITS,
  beneathPath: true,
  computes: false,
  treeFiles: ({ publisher: { service, language }, sample, basePath, hasPages, documents }) => {
    const { words } = plainWords(language);
    const suggest = script(words);
    const text = renderNotFound({
      ...{ service, language, sample, hasPages },
      root: basePath,
      datasets: documents.datasets.map(one => ({ key: one.manifest.dataset, title: one.schema.title })),
      policy: ownPolicy(NOT_FOUND_STYLE, suggest, "'self'"),
      script: suggest,
    });
    return [{ path: ROOT.notFound, text }];
  },
  folderFiles: () => [],
  folderLimits: {},
} as const satisfies HostProfile;

export const githubPages = {
  ...generic,
  name: 'github-pages',
  // A site may have 1 GB. GitHub refuses larger files.
  limits: { ...NO_LIMITS, bytesInAll: 1_000_000_000, bytesPerFile: 100 << 20 },
  treeFiles: input => [
    // Without it, GitHub Pages doesn't serve names that begin with an underscore.
    { path: UNLISTED.noJekyll, text: '' },
    ...generic.treeFiles(input),
  ],
} as const satisfies HostProfile;
