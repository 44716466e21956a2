/** `civic-data-service/edge`: the API and pages of a tree, for your own server. */
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

// Declared without Node's types, so that programs without them type-check.

/** Answers from a tree, or from a folder of releases with a link `current`. */
export const createFetchHandler: (options: TreeOptions) => FetchHandler = node.createFetchHandler;

/** The same for a server of `node:http`. */
export const createListener: (options: ListenerOptions) => Listener = node.createListener as (
  options: ListenerOptions,
) => Listener;

/** Serves a tree until closed. Rejects if the port is taken. */
export const startServer: (options: ServerOptions) => Promise<RunningServer> = node.startServer;
