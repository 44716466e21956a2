/** How many random cases a property tries: so many, or `TEST_RUNS` times as many. */
export function randomRuns(count: number): number {
  return Math.ceil(count * Number(process.env['TEST_RUNS'] ?? 1));
}

/** What decides the random cases: `TEST_SEED`, else the seed of every run or, without one, another each time. */
export function randomSeed(always = Date.now() % 2 ** 31): number {
  return Number(process.env['TEST_SEED'] ?? always);
}
