/**
 * The edge in a reader's browser, where a host can only give files: a service worker at the tree's root, whose script
 * this is. It answers the API's own URLs, with their queries, in all pages of the site; files and pages it leaves to the
 * host.
 */
import { resolveRoute } from '../../query/route.ts';
import { createBrowserHandler } from '../browser-handler.ts';
import type { Handler } from '../fetch.ts';

/** What of a service worker's scope is used; TypeScript's types of pages have no other. */
interface WorkerScope {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(kind: 'install' | 'activate', listener: (event: LifeEvent) => void): void;
  addEventListener(kind: 'fetch', listener: (event: FetchEvent) => void): void;
}

interface LifeEvent {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

/** Whether a path below the scope is the API's own, and no file's or page's. */
function isRoute(path: string): boolean {
  const { kind } = resolveRoute(path);
  return kind !== 'file' && kind !== 'folder' && kind !== 'service' && kind !== 'unknown';
}

const scope = self as unknown as WorkerScope;
let handler: Handler | null = null;

// A new script takes over at once: what it answers does not depend on what the one before had answered.
scope.addEventListener('install', event => event.waitUntil(scope.skipWaiting()));
scope.addEventListener('activate', event => event.waitUntil(scope.clients.claim()));

scope.addEventListener('fetch', event => {
  const { request } = event;
  const root = scope.registration.scope;
  const [address = ''] = request.url.split(/[?#]/, 1);
  if (!address.startsWith(root) || !isRoute(address.slice(root.length - 1))) return;
  handler ??= createBrowserHandler(root, error => console.error(error));
  event.respondWith(handler(request));
});
