/** What runs side by side, and is waited for as a whole. */

/**
 * What all of several results are, once none of them is still being made, whatever became of the others: a database
 * is not closed under a statement. Throws what the first that failed did.
 */
export async function allEnded<Results extends readonly unknown[]>(
  running: readonly [...{ [Index in keyof Results]: Promise<Results[Index]> }],
): Promise<Results> {
  await Promise.allSettled(running);
  return (await Promise.all(running)) as unknown as Results;
}
