/** DuckDB's memory that did not suffice: no fault of the data, so that whoever meets it says what was being done. */

export class MemoryShortage extends Error {
  /** What needed more, such as a dataset. */
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

/** Does something that has a name; where memory runs out, the innermost name is the one that is told. */
export async function withinMemory<Result>(what: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw isMemoryShortage(error) && !(error instanceof MemoryShortage)
      ? new MemoryShortage(what, error)
      : error;
  }
}
