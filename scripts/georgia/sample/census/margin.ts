/**
 * 90 percent margin of an estimated count, BIGINT and never 0: 1.645 standard errors of a count out of `base`, where
 * one answer stands for about 19 people. It grows with the root of the count, and a count of 0 has a margin too.
 */
export function marginOfCount(count: string, base: string): string {
  const remainder = `greatest(0.05, 1 - ${count} / greatest(${base}, ${count}, 1))`;
  return `round(1.645 * sqrt(19 * greatest(${count}, 3) * ${remainder}))::BIGINT`;
}
