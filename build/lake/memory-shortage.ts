/** DuckDB ran out of memory. The data is not at fault, so the error names the work in progress. */

import { noteWork } from './work-note.ts';

export class MemoryShortage extends Error {
  /** The work in progress, such as a dataset. */
  readonly what: string;

  constructor(what: string, cause: unknown) {
    super(`DuckDB ran out of memory while it worked on ${what}`, { cause });
    this.what = what;
  }
}

export function isMemoryShortage(error: unknown): error is Error {
  if (error instanceof MemoryShortage) return true;
  return error instanceof Error && /(^|: )Out of Memory Error/.test(error.message);
}

/** Names the work of `act` in case memory runs out or the process ends; the innermost name counts for memory. */
export async function withinMemory<Result>(what: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await noteWork(what, act);
  } catch (error) {
    throw isMemoryShortage(error) && !(error instanceof MemoryShortage)
      ? new MemoryShortage(what, error)
      : error;
  }
}
