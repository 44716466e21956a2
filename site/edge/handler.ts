/** A request → an answer. One for all hosts: an adapter brings the files and sends the answer. */
import { resolveRoute } from '../query/route.ts';
import { type Answer, bodyAnswer, type Incoming } from './answer.ts';
import { Catalog } from './catalog.ts';
import type { Executor } from './executor.ts';
import { type Files, TreeMismatch } from './files.ts';
import { OPTIONS_HEADERS } from './headers.ts';
import { refuse, refuseMethod } from './refusal.ts';
import { answerRoute, type Site } from './routing.ts';

/** Longer paths and queries name nothing that is published, and lists in them are work for nobody's question. */
const LONGEST_PATH = 2048;
const LONGEST_QUERY = 8192;

export interface EdgeOptions {
  /** From the cheapest: the first whose budget a plan is within carries it out. */
  readonly executors: readonly Executor[];
  /** Milliseconds after which the manifest is looked at again: a release may have been switched. */
  readonly refreshAfter?: number;
  readonly now?: () => number;
  /** In place of one of its own: whoever reads the files for it may have to know the manifests too. */
  readonly catalog?: Catalog;
  /** Told of what should not have happened; the reader is told only that it did. */
  readonly onError?: (error: unknown) => void;
}

export type Edge = (incoming: Incoming) => Promise<Answer>;

export function createEdge(files: Files, options: EdgeOptions): Edge {
  const { refreshAfter = 1000, now = Date.now, onError } = options;
  const catalog = options.catalog ?? new Catalog(files, { refreshAfter, now });
  const site = { files, catalog, executors: options.executors };
  return async incoming => {
    try {
      return await answer(site, incoming);
    } catch (error) {
      if (incoming.signal?.aborted) throw error;
      if (error instanceof TreeMismatch) return refuse(502, `${error.message}.`);
      onError?.(error);
      return refuse(500, 'This should not have happened.');
    }
  };
}

async function answer(site: Site, incoming: Incoming): Promise<Answer> {
  if (incoming.method === 'OPTIONS') return bodyAnswer(204, OPTIONS_HEADERS);
  if (incoming.method !== 'GET' && incoming.method !== 'HEAD') return refuseMethod();
  if (incoming.path.length > LONGEST_PATH || incoming.query.length > LONGEST_QUERY) {
    return refuse(414, `A path has at most ${LONGEST_PATH} characters, a query at most ${LONGEST_QUERY}.`);
  }
  const route = resolveRoute(incoming.path);
  try {
    return await answerRoute(site, incoming, route, await site.catalog.current());
  } catch (error) {
    if (!(error instanceof TreeMismatch)) throw error;
    return answerRoute(site, incoming, route, await site.catalog.reload());
  }
}
