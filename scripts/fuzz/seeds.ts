/** Random cases, one seed after another. */
import fc from 'fast-check';

/** The smallest failure, and how to repeat it; null if there is none until enough is tried. */
export async function trySeeds<Case>(
  property: fc.IAsyncProperty<Case>,
  first: number,
  options: fc.Parameters<Case>,
  isEnough: () => boolean,
): Promise<string | null> {
  for (let seed = first; !isEnough(); seed++) {
    const { failed, errorInstance } = await fc.check(property, { ...options, seed });
    const cause = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
    if (failed) return `${cause}\nAgain with --seed ${seed}`;
  }
  return null;
}
