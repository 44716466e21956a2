/**
 * The edge in a reader's browser, where a host can only give files: a service worker at the tree's root, whose script
 * this is. It answers the API's own URLs, with their queries, in all pages of the site; files and pages it leaves to the
 * host. Nothing is stored but what the browser's own cache keeps, and that is asked of the host again each time, so that
 * an answer is of one release.
 */
import { resolveRoute } from '../../query/route.ts';
import { Catalog } from '../catalog.ts';
import { createHyparquetExecutor } from '../executors/hyparquet.ts';
import { createHandler, type Handler } from '../fetch.ts';
import { TreeMismatch } from '../files.ts';
import { createHttpFiles } from '../http-files.ts';
import { sha256 } from '../sha256.ts';

/** A second or two of a phone's processor, and some 100 MB of its memory. */
const BUDGET = { bytes: 8 << 20, rows: 200_000 };

/** Memory for row groups that were decoded. */
const GROUPS_BYTES = 32 << 20;

/** Milliseconds for which a release is taken to be the current one. */
const REFRESH_AFTER = 10_000;

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

/** `scope`: address of the tree's root, with its final slash. */
function createScopeHandler(scope: string): Handler {
  const manifests = createHttpFiles(scope, { kept: 0, cache: 'no-cache' });
  const catalog = new Catalog(manifests, { refreshAfter: REFRESH_AFTER, now: Date.now });
  const files = createHttpFiles(scope, {
    kept: 0,
    cache: 'no-cache',
    check: async (path, bytes) => {
      const entry = await catalog.find(await catalog.current(), path);
      if (entry && (await sha256(bytes)) !== entry.sha256)
        throw new TreeMismatch(path, 'has other bytes than the manifest says');
    },
  });
  const executors = [createHyparquetExecutor(BUDGET, GROUPS_BYTES)];
  const base = new URL(scope).pathname.slice(0, -1);
  return createHandler(files, { executors, catalog, onError: error => console.error(error) }, base);
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
  handler ??= createScopeHandler(root);
  event.respondWith(handler(request));
});
