/**
 * Watches this process's memory while SQL of others runs. DuckDB's own limit does not count what a function takes for
 * its result: one call of repeat() can take gigabytes.
 */

/** A statement was stopped because it took too much memory. */
export class MemoryExceeded extends Error {
  override readonly name = 'MemoryExceeded';
}

export interface MemoryWatch {
  /** Growth of the process, in bytes, at which the statement is interrupted. */
  readonly most: number;
  readonly interrupt: () => void;
  /**
   * Called where memory grows on, since DuckDB obeys an interruption only between two steps. Only the end of the
   * process stops it then.
   */
  readonly onRunaway: (() => void) | undefined;
}

const EVERY = 20;

/** What a process takes beside DuckDB's limit: rows on their way, and the program's own objects. */
const BESIDE = 512e6;

/** Throws MemoryExceeded in place of what a stopped statement gives. */
export async function watchMemory<Result>(
  { most, interrupt, onRunaway }: MemoryWatch,
  run: () => Promise<Result>,
): Promise<Result> {
  const start = process.memoryUsage.rss();
  let exceeded = false;
  const timer = setInterval(() => {
    const grown = process.memoryUsage.rss() - start;
    if (grown < most + BESIDE) return;
    exceeded = true;
    interrupt();
    if (grown > 2 * most + BESIDE) onRunaway?.();
  }, EVERY);
  try {
    const result = await run();
    // What goes well only by chance would go wrong another time.
    if (exceeded) throw new MemoryExceeded();
    return result;
  } catch (error) {
    throw exceeded ? new MemoryExceeded() : error;
  } finally {
    clearInterval(timer);
  }
}
