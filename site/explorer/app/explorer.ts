/** The script that every page runs first. It loads the rest on demand. */
import '../style/explorer.css';
import '../style/icon.svg?no-inline';
import { PAGES } from '../../../build/format/paths.ts';
import type { KeepMessage } from '../../edge/fetch.ts';
import { READ_CHANNEL } from '../engine/engine.ts';
import { inTime, SILENCE } from '../engine/patience.ts';
import { t } from '../messages/messages.ts';
import { root } from '../view/tree-root.ts';
import { addCopyButton } from './copy-button.ts';

for (const place of document.querySelectorAll('.tree-address')) place.textContent = root.href;
for (const block of document.querySelectorAll<HTMLElement>('.code.with-copy')) addCopyButton(block);

// With a query in the page itself, a copy of the site would store the linked page again.
for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-view]'))
  link.search = link.dataset['view'] ?? '';

// On a host of files, no file has this name, so the page has no link to it.
for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-request]'))
  link.href = new URL(link.dataset['request'] ?? '', root).href;

// A link to a folded part unfolds it.
const unfold = () => {
  const part = document.getElementById(location.hash.slice(1))?.closest('details');
  if (part) part.open = true;
};
unfold();
addEventListener('hashchange', unfold);

/** The parts of a page by the id of their element. They resolve when the part is shown. */
const PARTS: Readonly<Record<string, () => Promise<(place: HTMLElement) => void | Promise<void>>>> = {
  'search-form': () => import('./search.tsx').then(part => () => part.startSearch()),
  place: () => import('./place-page.tsx').then(part => place => part.startPlace(place)),
  sql: () => import('./sql-console.tsx').then(part => place => part.startSql(place)),
  explore: () => import('./explore/panel.tsx').then(part => place => part.startExplore(place)),
  check: () => import('./check.tsx').then(part => place => part.startCheck(place)),
  figure: () => import('./figure.tsx').then(part => place => part.startFigure(place)),
  embed: () => import('./explore/embedded.tsx').then(part => place => part.startEmbed(place)),
};

// Without a place in its address, the page of places is a search.
const isOfPlace =
  new URL(location.href).searchParams.has('dimension') && document.getElementById('place') !== null;
const started = Object.entries(PARTS).map(async ([id, part]) => {
  const place = document.getElementById(id);
  if (place === null || id === (isOfPlace ? 'search-form' : 'place')) return;
  const start = await inTime(part()).catch(() => null);
  if (start === null) offerReload(place);
  else await start(place);
});

// After everything that the reader waits for, since the worker is as large as all of it. A frame of another
// site keeps nothing.
if (document.getElementById('embed') === null) {
  const loaded = new Promise(done => addEventListener('load', done, { once: true }));
  // If a part fails, the page still registers the worker.
  Promise.all([loaded, ...started]).finally(() => setTimeout(() => registerServiceWorker(), UNHURRIED));
}

/** Milliseconds in which a view's shapes and comparisons arrive. */
const UNHURRIED = 3000;

/** Browsers allow service workers only on HTTPS and on this machine. */
async function registerServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const hasEdge = await detectEdge();
  if (hasEdge === null) return;
  try {
    const script = new URL(PAGES.worker, root);
    if (hasEdge) script.search = 'host';
    // The worker doesn't see what this page loads before it controls the page.
    const isFirst = navigator.serviceWorker.controller === null;
    await navigator.serviceWorker.register(script, { scope: root.pathname });
    if (isFirst) await reportLoaded();
  } catch {
    // If workers are switched off, files and pages still work; API URLs don't.
  }
}

/** Tells the worker which files this page and its engine have loaded, and load from now on. */
async function reportLoaded(): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  const report = (files: readonly string[]) =>
    active?.postMessage({ kind: 'keep', page: location.href, files } satisfies KeepMessage);
  const channel = new BroadcastChannel(READ_CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (Array.isArray(data)) report(data.map(String));
  };
  channel.postMessage('report');
  report(performance.getEntriesByType('resource').map(({ name }) => name));
}

/** Whether the host has an edge: it answers programs with JSON at the root. Null if unknown. */
async function detectEdge(): Promise<boolean | null> {
  const headers = { Accept: 'application/json' };
  const response = await fetch(root, { method: 'HEAD', headers, signal: AbortSignal.timeout(SILENCE) }).catch(
    () => null,
  );
  if (!response?.ok) return null;
  return response.headers.get('content-type')?.startsWith('application/json') === true;
}

/** Adds a notice at the end of the element, with a button that loads the page again. */
function offerReload(place: HTMLElement): void {
  const notice = document.createElement('p');
  notice.className = 'notice warn';
  notice.setAttribute('role', 'alert');
  notice.textContent = `${t.errors.partMissing} `;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button quiet small';
  button.textContent = t.errors.retry;
  button.addEventListener('click', () => location.reload());
  notice.append(button);
  place.append(notice);
}
