/** `civic-data-service/edge`: the API and the pages of a tree, for a server of one's own. */
import { createListener as createNodeListener, startServer as startNodeServer } from './node.ts';
import type { Listener, ListenerOptions, RunningServer, ServerOptions } from './server-options.ts';

export { createFetchHandler } from './folder-handler.ts';
export type {
  FetchHandler,
  Listener,
  ListenerOptions,
  RunningServer,
  ServerOptions,
  TreeOptions,
} from './server-options.ts';

// Declared without Node's types, so that a program without them can be checked.

/** Answers from a tree, or from a folder of releases with a link to the current one. */
export const createListener: (options: ListenerOptions) => Listener = createNodeListener as (
  options: ListenerOptions,
) => Listener;

/** Serves a tree until closed. Rejects where the port is taken. */
export const startServer: (options: ServerOptions) => Promise<RunningServer> = startNodeServer;
