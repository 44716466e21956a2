/**
 * The script of the service worker at the tree's root: the edge in a reader's browser, where the host only has files.
 * It answers API URLs with their queries, on all pages of the site, and leaves files and pages to the host.
 */
import { resolveRoute } from '../../query/route.ts';
import { createBrowserHandler } from '../browser-handler.ts';
import type { Handler } from '../fetch.ts';

/** The members of a service worker's scope that this script uses. TypeScript's types for pages lack the scope. */
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

/** Whether a path below the scope is an API URL, not a file or a page. */
function isRoute(path: string): boolean {
  const { kind } = resolveRoute(path);
  return kind !== 'file' && kind !== 'folder' && kind !== 'service' && kind !== 'unknown';
}

const scope = self as unknown as WorkerScope;
let handler: Handler | null = null;

// A new script takes over at once, since no answer depends on earlier ones.
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
