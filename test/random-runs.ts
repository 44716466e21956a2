/** How many random cases a property tries: so many, or `TEST_RUNS` times as many. */
export function randomRuns(count: number): number {
  return Math.ceil(count * Number(process.env['TEST_RUNS'] ?? 1));
}
