/** Runs an edge in the reader's browser if the host has none. */
import { PAGES } from '../../../build/format/paths.ts';

const KNOWN = 'edge';

/** Asks once per visit. Browsers allow service workers on HTTPS and on this machine. `root` is the tree's root. */
export async function registerServiceWorker(root: URL): Promise<void> {
  if (!('serviceWorker' in navigator) || readKnown() !== null) return;
  const hasEdge = await detectEdge(root);
  if (hasEdge === null) return;
  try {
    if (!hasEdge)
      await navigator.serviceWorker.register(new URL(PAGES.worker, root), { scope: root.pathname });
    // Remembered only after success: the next page tries again after a failure.
    sessionStorage.setItem(KNOWN, hasEdge ? 'host' : 'browser');
  } catch {
    // With storage or workers switched off, files and pages work and API URLs do not.
  }
}

/** Whether the host has an edge, which answers programs at the root with JSON instead of the page. Null if unknown. */
async function detectEdge(root: URL): Promise<boolean | null> {
  const headers = { Accept: 'application/json' };
  const response = await fetch(root, { method: 'HEAD', headers }).catch(() => null);
  if (!response?.ok) return null;
  return response.headers.get('content-type')?.startsWith('application/json') === true;
}

function readKnown(): string | null {
  try {
    return sessionStorage.getItem(KNOWN);
  } catch {
    return null;
  }
}
