/** Gives the site an edge of its own, in the reader's browser, where its host has none. */
import { PAGES } from '../../../build/format/paths.ts';

const KNOWN = 'edge';

/** Asks once a visit. `root`: address of the tree's root. Browsers allow it to sites by https and of this machine. */
export async function registerServiceWorker(root: URL): Promise<void> {
  if (!('serviceWorker' in navigator) || readKnown() !== null) return;
  const hasEdge = await detectEdge(root);
  if (hasEdge === null) return;
  try {
    if (!hasEdge)
      await navigator.serviceWorker.register(new URL(PAGES.worker, root), { scope: root.pathname });
    // Only now: what failed, between two releases say, is tried again with the next page.
    sessionStorage.setItem(KNOWN, hasEdge ? 'host' : 'browser');
  } catch {
    // Storage or workers are switched off: files and pages work, the API's own URLs do not.
  }
}

/** An edge answers a program at the root with JSON, a host of files anyone with the page; null where neither answers. */
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
