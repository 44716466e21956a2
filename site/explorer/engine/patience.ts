/** How long the explorer waits for its host. */

/** Milliseconds without a byte after which a read fails. */
export const SILENCE = 20_000;

/** Milliseconds until a script counts as missing: its progress can't be seen. */
export const SCRIPT_PATIENCE = 30_000;

/** A script didn't load. */
export class ScriptMissing extends Error {
  override readonly name = 'ScriptMissing';
}

/** Rejects with ScriptMissing if the script fails to load or takes too long. */
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
