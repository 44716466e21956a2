/**
 * Registers the service worker, which keeps what the reader has read for times without a network, and is the edge if the
 * host has none.
 */
import { PAGES } from '../../../build/format/paths.ts';
import type { KeepMessage } from '../../edge/browser-handler.ts';
import { READ_CHANNEL } from '../engine/messages.ts';
import { SILENCE } from '../engine/patience.ts';

const KNOWN = 'edge';

/** Browsers allow service workers on HTTPS and on this machine. `root` is the tree's root. */
export async function registerServiceWorker(root: URL): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const known = readKnown();
  const hasEdge = known === null ? await detectEdge(root) : known === 'host';
  if (hasEdge === null) return;
  try {
    const script = new URL(PAGES.worker, root);
    if (hasEdge) script.search = 'host';
    // The worker sees nothing of what this page loads before the worker controls it.
    const isFirst = navigator.serviceWorker.controller === null;
    await navigator.serviceWorker.register(script, { scope: root.pathname });
    if (isFirst) await reportLoaded();
    // Remembered only after success: the next page tries again after a failure.
    sessionStorage.setItem(KNOWN, hasEdge ? 'host' : 'browser');
  } catch {
    // With storage or workers switched off, files and pages work and API URLs do not.
  }
}

/** Tells the worker what this page and its reading thread have loaded, and what they load until the next page. */
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

/** Whether the host has an edge, which answers programs at the root with JSON instead of the page. Null if unknown. */
async function detectEdge(root: URL): Promise<boolean | null> {
  const headers = { Accept: 'application/json' };
  const response = await fetch(root, { method: 'HEAD', headers, signal: AbortSignal.timeout(SILENCE) }).catch(
    () => null,
  );
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
