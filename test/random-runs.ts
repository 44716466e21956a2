/** How many random cases a property tries: `count`, or `TEST_RUNS` times as many. */
export function randomRuns(count: number): number {
  return Math.ceil(count * Number(process.env['TEST_RUNS'] ?? 1));
}

/** The seed of random cases: `TEST_SEED`, or `always`, or another each time. */
export function randomSeed(always = Date.now() % 2 ** 31): number {
  return Number(process.env['TEST_SEED'] ?? always);
}
