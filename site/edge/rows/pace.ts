/**
 * Long work takes turns with all else that a host does: after some milliseconds it waits until the host has answered
 * what has arrived meanwhile. Works that wait are resumed one at a time.
 */

/** A reader of a small file waits no longer than this behind a scan. */
const TURN_MS = 4;

const waiting: (() => void)[] = [];
let started = 0;

const later: (resume: () => void) => void =
  'setImmediate' in globalThis ? resume => void setImmediate(resume) : resume => void setTimeout(resume, 0);

function resumeNext(): void {
  started = performance.now();
  waiting.shift()?.();
  if (waiting.length > 0) later(resumeNext);
}

/** Null if the turn isn't over, so that short work needs no promise. */
export function endOfTurn(): Promise<void> | null {
  if (performance.now() - started < TURN_MS) return null;
  return new Promise(resume => {
    waiting.push(resume);
    if (waiting.length === 1) later(resumeNext);
  });
}
