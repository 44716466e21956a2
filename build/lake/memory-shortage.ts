/** Errors name the work in progress. If DuckDB ran out of memory, the data is not at fault. */

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

const work = new WeakMap<Error, string>();

/** The work, such as a file, during which an error came up; null if no `withinMemory` knows it. */
export function workOf(error: unknown): string | null {
  return error instanceof Error ? (work.get(error) ?? null) : null;
}

/** Names the work of `act` in case it fails or the process ends; the innermost name counts for an error. */
export async function withinMemory<Result>(what: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await noteWork(what, act);
  } catch (error) {
    if (error instanceof Error && !work.has(error)) work.set(error, what);
    throw isMemoryShortage(error) && !(error instanceof MemoryShortage)
      ? new MemoryShortage(what, error)
      : error;
  }
}
