/** The route of the tools for language models (Model Context Protocol), beside those of the API. */
import type { Edge } from '../edge/handler.ts';

/** The protocol's code is as large as the rest of an edge, so it is loaded with the first message. */
export function withTools(edge: Edge): Edge {
  return async incoming => {
    if (incoming.path !== '/mcp') return edge(incoming);
    const { answerMessage } = await import('./server.ts');
    return answerMessage(edge, incoming);
  };
}
