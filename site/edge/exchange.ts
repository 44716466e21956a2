import type { Answer, Incoming } from './answer.ts';
import type { Catalog, Tree } from './catalog.ts';
import type { Executor } from './executors/executor.ts';
import type { Files } from './files/files.ts';

/** What an edge answers from. */
export interface Site {
  readonly files: Files;
  readonly catalog: Catalog;
  /** The cheapest first: the first executor whose budget covers a plan carries it out. */
  readonly executors: readonly Executor[];
  /** Null where the edge itself computes. */
  readonly compute: Compute | null;
}

/**
 * The work of an answer: `light` is done in a millisecond or two, `heavy` is more than the cheapest executor carries
 * out.
 */
export type Weight = 'light' | 'middle' | 'heavy';

/**
 * Answers a question elsewhere, such as in another thread, or by `here`, on the edge's own. Its conditions and its cost
 * have been judged.
 */
export type Compute = (incoming: Incoming, weight: Weight, here: () => Promise<Answer>) => Promise<Answer>;

/** One request, and the release of the tree that answers it. */
export interface Exchange extends Site {
  readonly incoming: Incoming;
  readonly tree: Tree;
}
