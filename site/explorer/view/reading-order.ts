/** Decides what to read next: things in view come first. */

/** Reads at once, for things in view and for the rest. More would delay the first answer. */
const MOST_IN_VIEW = 3;
const MOST_BEYOND = 2;

interface Reading {
  readonly count: number;
  readonly begun: ReadonlySet<number>;
  readonly done: ReadonlySet<number>;
  /** The things in or near view. */
  readonly near: ReadonlySet<number>;
}

/** Returns the things to start now: near ones in order, the rest only when no near one is left. */
export function planNext({ count, begun, done, near }: Reading): readonly number[] {
  const all = Array.from({ length: count }, (_, at) => at);
  const running = all.filter(at => begun.has(at) && !done.has(at));
  const open = all.filter(at => !begun.has(at));
  const wanted = open.filter(at => near.has(at));
  if (wanted.length > 0) return wanted.slice(0, Math.max(0, MOST_IN_VIEW - running.length));
  if (running.some(at => near.has(at))) return [];
  return open.slice(0, Math.max(0, MOST_BEYOND - running.length));
}
