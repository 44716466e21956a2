/**
 * Scans take turns with all else that a server does: after some milliseconds, one waits until the server has answered
 * what has arrived meanwhile. Those that wait are resumed one at a time. Node only.
 */

/** A reader of a small file waits no longer than this behind a scan. */
const TURN_MS = 4;

const waiting: (() => void)[] = [];
let started = 0;

function resumeNext(): void {
  started = performance.now();
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeNext);
}

/** Null if the turn isn't over, so that short work needs no promise. */
export function endOfTurn(): Promise<void> | null {
  if (performance.now() - started < TURN_MS) return null;
  return new Promise(resume => {
    waiting.push(resume);
    if (waiting.length === 1) setImmediate(resumeNext);
  });
}
