/** What every page of the explorer runs first: a small script that loads the rest when it is needed. */
import '../style/explorer.css';
import { registerServiceWorker } from './service-worker.ts';

document.documentElement.dataset['script'] = 'on';

/** Of the tree that the page belongs to, wherever it is served. */
const root = new URL(document.documentElement.dataset['root'] ?? './', location.href);
root.search = root.hash = '';

const sql = document.getElementById('sql');
if (sql) import('./sql/start.tsx').then(({ startSql }) => startSql(sql, root));

// After all that the reader waits for.
addEventListener('load', () => setTimeout(() => registerServiceWorker(root), 1000), { once: true });
