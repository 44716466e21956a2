/** `civic-data-service/edge`: the API and the pages of a tree, for a Node server of one's own. */
export {
  createListener,
  type Listener,
  type RunningServer,
  type ServerOptions,
  startServer,
} from './node.ts';
