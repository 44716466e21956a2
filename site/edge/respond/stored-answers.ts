/**
 * Stored files that were given a moment ago: the same question to the same release has the same answer, and need not be
 * parsed, planned and looked up again.
 */
import type { Answer, FileAnswer, Incoming } from '../answer.ts';
import type { Tree } from '../catalog.ts';

/** More questions than that are forgotten at once. */
const MOST = 2000;

/** Headers on which the answer that is a file depends. */
const CONDITIONS = ['range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'];

export class StoredAnswers {
  private readonly after: number;
  private readonly now: () => number;
  private readonly answers = new Map<string, { readonly answer: FileAnswer; readonly until: number }>();
  private tree: Tree | null = null;

  /** `after`: milliseconds for which a file is taken to be as it was found. */
  constructor(after: number, now: () => number) {
    this.after = after;
    this.now = now;
  }

  get(tree: Tree, incoming: Incoming): FileAnswer | null {
    if (this.tree !== tree || isConditional(incoming)) return null;
    const found = this.answers.get(keyOf(incoming));
    return found && this.now() < found.until ? found.answer : null;
  }

  keep(tree: Tree, incoming: Incoming, answer: Answer): void {
    if (answer.kind !== 'file' || 'Vary' in answer.headers || isConditional(incoming)) return;
    if (this.tree !== tree || this.answers.size >= MOST) this.answers.clear();
    this.tree = tree;
    this.answers.set(keyOf(incoming), { answer, until: this.now() + this.after });
  }
}

function isConditional({ header }: Incoming): boolean {
  return CONDITIONS.some(name => header(name) !== null);
}

function keyOf({ path, query }: Incoming): string {
  return path + query;
}
