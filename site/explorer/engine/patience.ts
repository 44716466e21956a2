/** How long the explorer waits for its host. */

/** Milliseconds without a byte after which the reader is told. */
export const SILENCE = 20_000;

/** Milliseconds that a script gets: nothing tells how much of it has arrived. */
export const SCRIPT_PATIENCE = 30_000;

/** A script of this page did not arrive. */
export class ScriptMissing extends Error {
  override readonly name = 'ScriptMissing';
}

/** Rejects with ScriptMissing if the part fails to load, or does not arrive in time. */
export async function inTime<Part>(part: Promise<Part>): Promise<Part> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new ScriptMissing('It took too long.')), SCRIPT_PATIENCE);
  });
  const loaded = part.catch((error: unknown) => {
    throw new ScriptMissing(String(error));
  });
  return Promise.race([loaded, late]).finally(() => clearTimeout(timer));
}
