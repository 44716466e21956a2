/** A request → an answer. One for all hosts: an adapter brings the files and sends the answer. */
import { resolveRoute } from '../query/route.ts';
import { type Answer, bodyAnswer, type Incoming } from './answer.ts';
import { Catalog } from './catalog.ts';
import type { Executor } from './executor.ts';
import { type Files, TreeMismatch } from './files.ts';
import { OPTIONS_HEADERS } from './headers.ts';
import { LONGEST_PATH, LONGEST_QUERY, refuse, refuseLength, refuseMethod } from './refusal.ts';
import { answerRoute } from './routing.ts';
import type { Site } from './site.ts';
import { StoredAnswers } from './stored-answers.ts';

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
  const stored = new StoredAnswers(refreshAfter, now);
  return async incoming => {
    try {
      return await answer(site, stored, incoming);
    } catch (error) {
      if (incoming.signal?.aborted) throw error;
      if (error instanceof TreeMismatch) return refuse(502, `${error.message}.`);
      onError?.(error);
      return refuse(500, 'This should not have happened.');
    }
  };
}

async function answer(site: Site, stored: StoredAnswers, incoming: Incoming): Promise<Answer> {
  if (incoming.method === 'OPTIONS') return bodyAnswer(204, OPTIONS_HEADERS);
  if (incoming.method !== 'GET' && incoming.method !== 'HEAD') return refuseMethod();
  if (incoming.path.length > LONGEST_PATH || incoming.query.length > LONGEST_QUERY) return refuseLength();
  const tree = await site.catalog.current();
  const known = stored.get(tree, incoming);
  if (known) return known;
  const route = resolveRoute(incoming.path);
  try {
    const found = await answerRoute(site, incoming, route, tree);
    stored.keep(tree, incoming, found);
    return found;
  } catch (error) {
    if (!(error instanceof TreeMismatch)) throw error;
    return answerRoute(site, incoming, route, await site.catalog.reload());
  }
}
