/**
 * The script of the service worker at the tree's root. It keeps what the reader has read, so that visited pages work
 * without a network. Where the host only has files it is the edge too, and answers API URLs with their queries.
 */
import { resolveRoute } from '../../query/route.ts';
import { createBrowserHandler, type Handler, type KeepMessage } from '../fetch.ts';
import { answerKept, keepPage } from './kept-answers.ts';

/** The members of a service worker's scope that this script uses. TypeScript's types for pages lack the scope. */
interface WorkerScope {
  readonly registration: { readonly scope: string };
  readonly location: { readonly search: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(kind: 'install' | 'activate', listener: (event: LifeEvent) => void): void;
  addEventListener(kind: 'fetch', listener: (event: FetchEvent) => void): void;
  addEventListener(
    kind: 'message',
    listener: (event: LifeEvent & { readonly data: KeepMessage }) => void,
  ): void;
}

interface LifeEvent {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends LifeEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

/** Whether a path below the scope is an API URL, not a file or a page. */
function isRoute(path: string): boolean {
  const { kind } = resolveRoute(path);
  return kind !== 'file' && kind !== 'folder' && kind !== 'service' && kind !== 'unknown';
}

const scope = self as unknown as WorkerScope;
/** The page registers the script with a query if the host answers API URLs itself. */
const HAS_EDGE = scope.location.search !== '';
let handler: Handler | null = null;

// A new script takes over at once, since no answer depends on earlier ones.
scope.addEventListener('install', event => event.waitUntil(scope.skipWaiting()));
scope.addEventListener('activate', event => event.waitUntil(scope.clients.claim()));

scope.addEventListener('message', event => {
  if (event.data?.kind === 'keep') event.waitUntil(keepPage(scope.registration.scope, event.data));
});

scope.addEventListener('fetch', event => {
  const { request } = event;
  const root = scope.registration.scope;
  const [address = ''] = request.url.split(/[?#]/, 1);
  if (!address.startsWith(root)) return;
  if (!HAS_EDGE && isRoute(address.slice(root.length - 1))) {
    handler ??= createBrowserHandler(root, error => console.error(error));
    event.respondWith(handler(request));
  } else if (request.method === 'GET')
    event.respondWith(answerKept(root, request, work => event.waitUntil(work)));
});
