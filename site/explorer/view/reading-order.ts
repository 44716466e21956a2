/** Which of several things is read next, where a reader sees some of them. */

/** At once, of what is in view and of the rest: more would wait less for the host, and longer for the first. */
const MOST_IN_VIEW = 3;
const MOST_BEYOND = 2;

export interface Reading {
  readonly count: number;
  readonly begun: ReadonlySet<number>;
  readonly done: ReadonlySet<number>;
  /** What is in view, or near it. */
  readonly near: ReadonlySet<number>;
}

/** What to begin now: what is near in its order; the rest only while nothing near is waited for. */
export function planNext({ count, begun, done, near }: Reading): readonly number[] {
  const all = Array.from({ length: count }, (_, at) => at);
  const running = all.filter(at => begun.has(at) && !done.has(at));
  const open = all.filter(at => !begun.has(at));
  const wanted = open.filter(at => near.has(at));
  if (wanted.length > 0) return wanted.slice(0, Math.max(0, MOST_IN_VIEW - running.length));
  if (running.some(at => near.has(at))) return [];
  return open.slice(0, Math.max(0, MOST_BEYOND - running.length));
}
