/**
 * Answers that are stored files, kept for a moment. The same request to the same release has the same answer, so it is
 * not parsed, planned and looked up again. A server answers twice as many requests for stored files this way.
 */
import type { Answer, FileAnswer, Incoming } from '../answer.ts';
import type { Tree } from '../catalog.ts';
import { bestCoding } from './coding.ts';

/** Beyond this number all are forgotten. */
const MOST = 2000;

/** A request with one of these headers may have another answer. */
const CONDITIONS = ['range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'];

export class StoredAnswers {
  private readonly after: number;
  private readonly now: () => number;
  private readonly answers = new Map<string, { readonly answer: FileAnswer; readonly until: number }>();
  private tree: Tree | null = null;

  /** `after`: milliseconds for which an answer is kept. */
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
    if (answer.kind !== 'file' || variesByMore(answer) || isConditional(incoming)) return;
    if (this.tree !== tree || this.answers.size >= MOST) this.answers.clear();
    this.tree = tree;
    this.answers.set(keyOf(incoming), { answer, until: this.now() + this.after });
  }
}

/** Whether a request has conditions, or is for a range. */
export function isConditional({ header }: Incoming): boolean {
  return CONDITIONS.some(name => header(name) !== null);
}

/** Keys tell content codings apart, and nothing else that an answer may vary by. */
export function variesByMore({ headers: { Vary = 'Accept-Encoding' } }: Answer): boolean {
  return Vary !== 'Accept-Encoding';
}

/** No part of an address has a blank. */
export function keyOf({ path, query, codings, header }: Incoming): string {
  const coding = codings ? bestCoding(header('accept-encoding'), codings.offered) : null;
  return coding === null ? path + query : `${path}${query} ${coding}`;
}
