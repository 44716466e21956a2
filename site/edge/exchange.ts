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
 * Answers a question elsewhere, such as in another thread. Its conditions and its cost have been judged. `large`: the
 * cheapest executor cannot carry it out.
 */
export type Compute = (incoming: Incoming, large: boolean) => Promise<Answer>;

/** One request, and the release of the tree that answers it. */
export interface Exchange extends Site {
  readonly incoming: Incoming;
  readonly tree: Tree;
}
