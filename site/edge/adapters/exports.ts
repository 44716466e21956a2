/** `civic-data-service/edge`: the API and the pages of a tree, for a server of one's own. */
import * as node from './node.ts';
import type {
  FetchHandler,
  Listener,
  ListenerOptions,
  RunningServer,
  ServerOptions,
  TreeOptions,
} from './server-options.ts';

export type { FetchHandler, Listener, ListenerOptions, RunningServer, ServerOptions, TreeOptions };

// Declared without Node's types, so that a program without them can be checked.

/** Answers from a tree, or from a folder of releases with a link to the current one. */
export const createFetchHandler: (options: TreeOptions) => FetchHandler = node.createFetchHandler;

/** The same for a server of `node:http`. */
export const createListener: (options: ListenerOptions) => Listener = node.createListener as (
  options: ListenerOptions,
) => Listener;

/** Serves a tree until closed. Rejects where the port is taken. */
export const startServer: (options: ServerOptions) => Promise<RunningServer> = node.startServer;
