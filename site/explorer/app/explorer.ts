/** The small script that every page runs first. It loads the rest on demand. */
import '../style/explorer.css';
import '../style/icon.svg?no-inline';
import { prepareCode } from './code-blocks.ts';
import { registerServiceWorker } from './service-worker.ts';

const page = document.documentElement;

/** The root of the page's tree, on any host. */
const root = new URL(page.dataset['root'] ?? './', location.href);
root.search = root.hash = '';

prepareCode(root);

const find = (id: string) => document.getElementById(id);

if (find('catalog-form')) import('./catalog-search.tsx').then(({ startCatalog }) => startCatalog(root));
if (find('places')) import('./place-page.tsx').then(({ startPlaces }) => startPlaces(root));
if (find('api')) import('./api-trial.tsx').then(({ startTrials }) => startTrials(root));

const sql = find('sql');
if (sql) import('./sql/start.tsx').then(({ startSql }) => startSql(sql, root));

const explore = find('explore');
if (explore) import('./explore/invitation.ts').then(({ inviteReader }) => inviteReader(explore, root));

// Last, after everything that the reader waits for.
addEventListener('load', () => setTimeout(() => registerServiceWorker(root), 1000), { once: true });
